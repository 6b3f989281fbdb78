//! Whole keys to templates.

use keyfold_design::template::{Format, ValueKind};

use super::compose::compose;
use super::explain::{PartTexts, explain, is_value_rather_than_word};
use super::pool::Pool;
use super::{Piece, Recognized, Slot};
use crate::sample::{Shape, Token};

/// The template of a base key, whose words are known; a value that no attribute holds stays unknown.
pub(crate) fn base_key(pool: &Pool, texts: &[&str], shape: &Shape, delimiter: char) -> Recognized {
    let parts = split(texts, shape.len(), delimiter);
    let mut pieces = Vec::new();
    let mut before = String::new();
    for (position, token) in shape.iter().enumerate() {
        if position > 0 {
            pieces.push(Piece::Literal(delimiter.to_string()));
        }
        match token {
            Token::Literal(text) => {
                pieces.push(Piece::Literal(text.clone()));
                before.clone_from(text);
            }
            Token::Value => {
                let rows: Vec<(usize, &str)> =
                    parts.iter().enumerate().filter_map(|(row, parts)| Some((row, *parts.get(position)?))).collect();
                let part = PartTexts { rows, before: &before };
                pieces.extend(base_part(pool, &part, shape.len() == 1));
            }
        }
    }
    Recognized::new(pieces)
}

fn base_part(pool: &Pool, part: &PartTexts<'_>, is_whole: bool) -> Vec<Piece> {
    // A key that is nothing but a part of a value would not distinguish items.
    let keeps_value = |slot: &Slot| slot.formats.iter().all(|format| matches!(format, Format::Url | Format::Width(_)));
    if let Some(slot) = explain(pool, part).filter(|slot| !is_whole || keeps_value(slot)) {
        return vec![Piece::Value(slot)];
    }
    // In the table's own key, which is read back, values must be unambiguous.
    let is_separable =
        |pieces: &[Piece]| !pieces.windows(2).any(|pair| matches!(pair, [Piece::Value(_), Piece::Value(_)]));
    match compose(pool, part).filter(|pieces| is_separable(pieces)) {
        Some(pieces) => pieces,
        None => vec![Piece::Unknown(part.rows.iter().map(|(_, text)| (*text).to_owned()).collect())],
    }
}

/// One template for all items.
pub(super) fn one(pool: &Pool, rows: &[(usize, &str)], delimiter: char) -> Option<Recognized> {
    let texts: Vec<&str> = rows.iter().map(|(_, text)| *text).collect();
    let fewest = texts.iter().map(|text| text.split(delimiter).count()).min()?;
    let parts = split(&texts, fewest, delimiter);
    let mut pieces = Vec::new();
    let mut before = String::new();
    for position in 0..fewest {
        if position > 0 {
            pieces.push(Piece::Literal(delimiter.to_string()));
        }
        let part_rows: Vec<(usize, &str)> =
            rows.iter().zip(&parts).filter_map(|((row, _), parts)| Some((*row, *parts.get(position)?))).collect();
        let part = PartTexts { rows: part_rows, before: &before };
        let (found, word) = index_part(pool, &part)?;
        if let Some(word) = word {
            before = word;
        }
        pieces.extend(found);
    }
    spread_encoding(pool, rows, &mut pieces);
    Some(Recognized::new(pieces))
}

/// Who encodes one value of a key encodes the texts beside it as well, though a sample may have none in which that
/// shows.
fn spread_encoding(pool: &Pool, rows: &[(usize, &str)], pieces: &mut [Piece]) {
    let encodes = |piece: &Piece| matches!(piece, Piece::Value(slot) if slot.formats == [Format::Url]);
    if !pieces.iter().any(encodes) {
        return;
    }
    for piece in pieces {
        let Piece::Value(slot) = piece else { continue };
        let Some(column) = pool.column(&slot.attribute).filter(|column| column.kind == ValueKind::Text) else {
            continue;
        };
        let is_same = |row: usize| column.text(row, &[Format::Url]) == column.text(row, &[]);
        if slot.formats.is_empty() && slot.fallback.is_none() && rows.iter().all(|(row, _)| is_same(*row)) {
            slot.formats = vec![Format::Url];
        }
    }
}

/// The pieces of a part, and the word that it is.
fn index_part(pool: &Pool, part: &PartTexts<'_>) -> Option<(Vec<Piece>, Option<String>)> {
    let slot = explain(pool, part);
    if let Some(text) = part.constant() {
        return Some(match slot {
            Some(slot) if is_value_rather_than_word(pool, &slot, part) => (vec![Piece::Value(slot)], None),
            _ => (vec![Piece::Literal(text.to_owned())], Some(text.to_owned())),
        });
    }
    match slot {
        Some(slot) => Some((vec![Piece::Value(slot)], None)),
        None => compose(pool, part).map(|pieces| (pieces, None)),
    }
}

/// Texts in a number of parts; the last part has whatever is left.
fn split<'t>(texts: &[&'t str], parts: usize, delimiter: char) -> Vec<Vec<&'t str>> {
    texts.iter().map(|text| text.splitn(parts.max(1), delimiter).collect()).collect()
}

/// The slot of an attribute whose values a whole key is, for keys that are not texts.
pub(crate) fn same_values(pool: &Pool, values: &[(usize, &keyfold_dynamo::AttributeValue)]) -> Option<Slot> {
    let fits = |column: &&super::Column| {
        !column.is_discriminator && values.iter().all(|(row, value)| column.value(*row) == Some(value))
    };
    let mut columns: Vec<&super::Column> = pool.columns.iter().filter(fits).collect();
    columns.sort_by_key(|column| (column.is_stamp, column.is_index_key, !column.is_id(), column.name.clone()));
    columns.first().filter(|_| !values.is_empty()).map(|column| Slot::plain(&column.name))
}
