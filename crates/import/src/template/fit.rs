//! How many items a template fits, where it does not fit all of them: stale keys and slips of the hand are in most
//! tables.

use super::pool::Pool;
use super::recognize::one;
use super::{Piece, Recognized};

/// The number of samples in which a template is sought that most items fit.
const WINDOWS: usize = 12;

/// Items of a window: few enough that one without the outliers is found, and enough to tell words from values.
const WINDOW: usize = 4;

/// The text that a template gives for an item of a group.
fn render(template: &Recognized, pool: &Pool, row: usize) -> Option<String> {
    template.alternatives().find_map(|one| {
        let mut text = String::new();
        for piece in &one.pieces {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Value(slot) => {
                    let column = pool.column(&slot.attribute)?;
                    match (column.is_absent(row), &slot.fallback) {
                        (true, Some(fallback)) => text.push_str(fallback),
                        (true, None) => return None,
                        (false, _) => text.push_str(&column.text(row, &slot.formats)?),
                    }
                }
                Piece::Unknown(_) => return None,
            }
        }
        Some(text)
    })
}

/// How many of the items have the key that a template gives.
pub(crate) fn fitting(template: &Recognized, pool: &Pool, rows: &[(usize, &str)]) -> usize {
    rows.iter().filter(|(row, text)| render(template, pool, *row).as_deref() == Some(*text)).count()
}

/// A template that at least four of five items fit, with how many do.
pub(crate) fn mostly(pool: &Pool, rows: &[(usize, &str)], delimiter: char) -> Option<(Recognized, usize)> {
    let step = (rows.len() / WINDOWS).max(1);
    let mut best: Option<(Recognized, usize)> = None;
    for start in (0..rows.len()).step_by(step) {
        let window = rows.get(start..(start + WINDOW).min(rows.len())).unwrap_or_default();
        let Some(template) = one(pool, window, delimiter).filter(|template| template.source().is_some()) else {
            continue;
        };
        let count = fitting(&template, pool, rows);
        if count * 5 >= rows.len() * 4 && best.as_ref().is_none_or(|(_, known)| count > *known) {
            best = Some((template, count));
        }
    }
    best
}

/// The attribute that has the part of a key in at least four of five items, with how many do.
pub(crate) fn mostly_attribute<'p>(pool: &'p Pool, values: &[String]) -> Option<(&'p str, usize)> {
    pool.columns
        .iter()
        .filter(|column| !column.is_discriminator && !column.is_stamp)
        .map(|column| {
            let count = values.iter().enumerate().filter(|(row, value)| column.is(*row, &[], value)).count();
            (column.name.as_str(), count)
        })
        .filter(|(_, count)| count * 5 >= values.len() * 4)
        .max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)))
}
