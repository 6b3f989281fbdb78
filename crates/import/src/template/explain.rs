//! One part of a key, explained by an attribute: as it is, in a format, or with a text for items without it.

use keyfold_design::template::{Format, ValueKind};

use super::Slot;
use super::pool::{Column, Pool};
use crate::sample::is_identifier;

/// A part of a key in the items that have the key.
pub(super) struct PartTexts<'a> {
    /// Items of the group, each with the part's text.
    pub rows: Vec<(usize, &'a str)>,
    /// The word before the part: `ACCOUNT` in `ACCOUNT#<accountId>`.
    pub before: &'a str,
}

impl PartTexts<'_> {
    pub(super) fn constant(&self) -> Option<&str> {
        let (_, first) = self.rows.first()?;
        self.rows.iter().all(|(_, text)| text == first).then_some(*first)
    }
}

/// The attribute and formats that give the part in every item; the most natural ones where several do.
pub(super) fn explain(pool: &Pool, part: &PartTexts<'_>) -> Option<Slot> {
    if part.rows.is_empty() {
        return None;
    }
    let mut best: Option<(Rank<'_>, Slot)> = None;
    for column in pool.columns.iter().filter(|column| !column.is_discriminator) {
        let Some((formats, fallback)) = fitting(column, part) else { continue };
        let rank = rank(column, &formats, fallback.is_some(), part);
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, Slot { attribute: column.name.clone(), formats, fallback }));
        }
    }
    best.map(|(_, slot)| slot)
}

/// Whether a part that is the same in all items is rather the value of this attribute than a word of the design.
pub(super) fn is_value_rather_than_word(pool: &Pool, slot: &Slot, part: &PartTexts<'_>) -> bool {
    let Some(column) = pool.column(&slot.attribute) else { return false };
    let is_word = part.constant().is_some_and(is_identifier);
    !is_word || slot.formats.is_empty() && slot.fallback.is_none() && (column.is_named(part.before) || column.is_id())
}

/// What speaks for a candidate, the lower the better.
type Rank<'a> = (usize, bool, bool, bool, bool, bool, &'a str);

fn rank<'a>(column: &'a Column, formats: &[Format], falls_back: bool, part: &PartTexts<'_>) -> Rank<'a> {
    let loss: usize = formats
        .iter()
        .map(|format| match format {
            Format::First(_) | Format::Shard(_) => 4,
            Format::Year | Format::Month | Format::Day => 3,
            Format::Date => 2,
            _ => 1,
        })
        .sum();
    (
        loss,
        falls_back,
        !column.is_named(part.before),
        column.is_stamp,
        column.is_index_key,
        !column.is_id(),
        &column.name,
    )
}

/// The formats with which a column gives the part in every item, and the text for those without the attribute.
fn fitting(column: &Column, part: &PartTexts<'_>) -> Option<(Vec<Format>, Option<String>)> {
    let (with, without): (Vec<_>, Vec<_>) = part.rows.iter().partition(|(row, _)| !column.is_absent(*row));
    if with.is_empty() {
        return None;
    }
    let fallback = match without.split_first() {
        None => None,
        // One text for all of them, and one that no item has by its own value.
        Some(((_, first), rest)) => {
            let is_one = rest.iter().all(|(_, text)| text == first) && !first.is_empty();
            let is_own = with.iter().any(|(_, text)| text == first);
            let is_spelt = !first.contains(['<', '>', ' ']);
            if !is_one || is_own || !is_spelt {
                return None;
            }
            Some((*first).to_owned())
        }
    };
    let fits = |formats: &[Format]| with.iter().all(|(row, text)| column.is(*row, formats, text));
    if fits(&[]) {
        return Some((Vec::new(), fallback));
    }
    // A fallback beside a format that loses something is more than a sample can show.
    let formats = candidates(column, part).into_iter().find(|formats| fits(formats))?;
    (fallback.is_none() || formats.iter().all(|format| matches!(format, Format::Width(_) | Format::Date)))
        .then_some((formats, fallback))
}

fn candidates(column: &Column, part: &PartTexts<'_>) -> Vec<Vec<Format>> {
    // A word that is the same in all items is not a spelling of an attribute.
    if part.constant().is_some_and(is_identifier) {
        return Vec::new();
    }
    match column.kind {
        ValueKind::Text | ValueKind::Enumeration(_) | ValueKind::Ulid | ValueKind::Uuid => text_formats(part),
        ValueKind::Integer => {
            let lengths: Vec<usize> = part.rows.iter().map(|(_, text)| text.len()).collect();
            let width = lengths.first().copied().unwrap_or(0);
            let is_padded = (2..=38).contains(&width) && lengths.iter().all(|length| *length == width);
            let mut formats = if is_padded { vec![vec![Format::Width(width)]] } else { Vec::new() };
            formats.extend(shards(part));
            formats
        }
        ValueKind::Date | ValueKind::DateTime(_) | ValueKind::Moment(_) => {
            [Format::Date, Format::Year, Format::Month, Format::Day, Format::Url].map(|format| vec![format]).to_vec()
        }
        ValueKind::Number | ValueKind::Boolean | ValueKind::Binary => Vec::new(),
    }
}

fn text_formats(part: &PartTexts<'_>) -> Vec<Vec<Format>> {
    let mut formats = vec![
        vec![Format::Lower],
        vec![Format::Upper],
        vec![Format::Url],
        vec![Format::Lower, Format::Url],
        vec![Format::Upper, Format::Url],
    ];
    let longest = part.rows.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
    let differ = part.rows.iter().any(|(_, text)| Some(*text) != part.rows.first().map(|(_, first)| *first));
    if (1..=12).contains(&longest) && differ {
        formats.extend([
            vec![Format::First(longest)],
            vec![Format::Lower, Format::First(longest)],
            vec![Format::Upper, Format::First(longest)],
        ]);
    }
    formats.extend(shards(part));
    formats
}

/// Numbers of shards that the part's digits allow; many items have to agree before that is more than chance.
fn shards(part: &PartTexts<'_>) -> Vec<Vec<Format>> {
    let numbers: Vec<u32> = part.rows.iter().filter_map(|(_, text)| text.parse().ok()).collect();
    let highest = numbers.iter().max().copied().unwrap_or(0);
    if numbers.len() < part.rows.len() || numbers.len() < 8 || !(1..=1_023).contains(&highest) {
        return Vec::new();
    }
    (highest + 1..=highest * 2 + 2).map(|count| vec![Format::Shard(count)]).collect()
}
