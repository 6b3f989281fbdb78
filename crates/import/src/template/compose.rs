//! Parts that are composed of several values and texts without the delimiter between them: `<issuer:url><subject:url>`,
//! `<day:year>-<day:month>`, `v1-<id>`.

use keyfold_design::template::{Format, ValueKind};

use super::explain::PartTexts;
use super::pool::{Column, Pool};
use super::{Piece, Slot};

/// How many pieces a part may have, and how many ways are tried: enough for what people write.
const MOST_PIECES: usize = 8;
const MOST_TRIES: usize = 3_000;

/// A candidate for the next piece.
struct Candidate<'p> {
    column: &'p Column,
    formats: Vec<Format>,
    /// The text in each row of the part.
    texts: Vec<String>,
}

/// The pieces that give the part in every item, where values of the items are among them.
pub(super) fn compose(pool: &Pool, part: &PartTexts<'_>) -> Option<Vec<Piece>> {
    let candidates = candidates(pool, part);
    if candidates.is_empty() || part.rows.is_empty() {
        return None;
    }
    let rests: Vec<&str> = part.rows.iter().map(|(_, text)| *text).collect();
    let mut search = Search { candidates: &candidates, tries: 0, best: None };
    search.step(&rests, &mut Vec::new());
    search.best
}

/// Every attribute that all rows have, in formats that parts of composed keys have.
fn candidates<'p>(pool: &'p Pool, part: &PartTexts<'_>) -> Vec<Candidate<'p>> {
    let mut found = Vec::new();
    for column in pool.columns.iter().filter(|column| !column.is_discriminator) {
        let formats: &[&[Format]] = match column.kind {
            // In one text, two digits agree with a month or a day by chance.
            ValueKind::Date | ValueKind::DateTime(_) if part.constant().is_some() => &[&[], &[Format::Date]],
            ValueKind::Date | ValueKind::DateTime(_) => {
                &[&[], &[Format::Date], &[Format::Year], &[Format::Month], &[Format::Day]]
            }
            ValueKind::Text | ValueKind::Enumeration(_) => &[&[], &[Format::Url], &[Format::Lower], &[Format::Upper]],
            _ => &[&[]],
        };
        for formats in formats {
            let texts: Option<Vec<String>> =
                part.rows.iter().map(|(row, _)| column.text(*row, formats).filter(|text| !text.is_empty())).collect();
            let Some(texts) = texts else { continue };
            // One character is found by chance too often, unless it is an id.
            let is_telling = column.is_id() || texts.iter().any(|text| text.chars().count() >= 2);
            let occurs = texts.iter().zip(&part.rows).all(|(text, (_, whole))| whole.contains(text.as_str()));
            if is_telling && occurs {
                found.push(Candidate { column, formats: formats.to_vec(), texts });
            }
        }
    }
    let rank = |candidate: &Candidate<'_>| {
        let length: usize = candidate.texts.iter().map(String::len).sum();
        (candidate.column.is_stamp, candidate.column.is_index_key, std::cmp::Reverse(length), candidate.formats.len())
    };
    found.sort_by(|left, right| rank(left).cmp(&rank(right)).then_with(|| left.column.name.cmp(&right.column.name)));
    found
}

struct Search<'a, 'p> {
    candidates: &'a [Candidate<'p>],
    tries: usize,
    best: Option<Vec<Piece>>,
}

impl Search<'_, '_> {
    fn step(&mut self, rests: &[&str], pieces: &mut Vec<Piece>) {
        self.tries += 1;
        if self.best.is_some() || self.tries > MOST_TRIES {
            return;
        }
        if rests.iter().all(|rest| rest.is_empty()) {
            if pieces.iter().any(|piece| matches!(piece, Piece::Value(_))) {
                self.best = Some(pieces.clone());
            }
            return;
        }
        if pieces.len() >= MOST_PIECES {
            return;
        }
        for candidate in self.candidates {
            let after: Option<Vec<&str>> =
                rests.iter().zip(&candidate.texts).map(|(rest, text)| rest.strip_prefix(text.as_str())).collect();
            let Some(after) = after else { continue };
            let slot =
                Slot { attribute: candidate.column.name.clone(), formats: candidate.formats.clone(), fallback: None };
            pieces.push(Piece::Value(slot));
            self.step(&after, pieces);
            pieces.pop();
        }
        if matches!(pieces.last(), Some(Piece::Literal(_))) {
            return;
        }
        for length in literal_lengths(rests) {
            let after: Option<Vec<&str>> = rests.iter().map(|rest| rest.get(length..)).collect();
            let (Some(after), Some(literal)) = (after, rests.first().and_then(|rest| rest.get(..length))) else {
                continue;
            };
            pieces.push(Piece::Literal(literal.to_owned()));
            self.step(&after, pieces);
            pieces.pop();
        }
    }
}

/// How much of the rests could be literal text: all that they have in common, or up to a sign within it.
fn literal_lengths(rests: &[&str]) -> Vec<usize> {
    let Some(first) = rests.first() else { return Vec::new() };
    let mut common = first.len();
    for rest in rests {
        let same = first.bytes().zip(rest.bytes()).take_while(|(left, right)| left == right).count();
        common = common.min(same);
    }
    while !rests.iter().all(|rest| rest.is_char_boundary(common)) {
        common -= 1;
    }
    let text = first.get(..common).unwrap_or_default();
    let mut lengths: Vec<usize> = text
        .char_indices()
        .filter(|(_, character)| !character.is_alphanumeric())
        .map(|(at, character)| at + character.len_utf8())
        .collect();
    if common > 0 && lengths.last() != Some(&common) {
        lengths.push(common);
    }
    lengths.reverse();
    lengths
}
