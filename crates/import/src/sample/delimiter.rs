//! The character between the parts of keys.

use keyfold_dynamo::{AttributeValue, Attributes};

use super::words::is_identifier;
use crate::table::ImportedTable;

/// In the order of how often designs use them; the later ones are also common within values.
const CANDIDATES: &[char] = &['#', '|', '~', '$', '%', ':', '/', '_', '-', '.'];

/// The delimiter that most keys seem to be composed with, `#` where none is.
pub(crate) fn delimiter(facts: &ImportedTable, items: &[Attributes]) -> char {
    let keys: Vec<&str> = items
        .iter()
        .flat_map(|item| facts.table.keys().filter_map(|key| item.get(&key.name).and_then(AttributeValue::as_str)))
        .collect();
    // A part of a key is a word that stands before the delimiter in several keys.
    let composed = |candidate: char| {
        let mut heads: Vec<&str> = keys
            .iter()
            .filter_map(|key| key.split_once(candidate))
            .map(|(head, _)| head)
            .filter(|head| is_identifier(head))
            .collect();
        let found = heads.len();
        heads.sort_unstable();
        heads.dedup();
        if heads.len() * 2 <= found.max(2) { found } else { 0 }
    };
    let enough = (items.len() / 5).max(1);
    CANDIDATES
        .iter()
        .copied()
        .find(|candidate| {
            // What also stands in words and dates has to be in most keys.
            let wanted = if "_-.".contains(*candidate) { items.len().max(2) } else { enough };
            composed(*candidate) >= wanted
        })
        .unwrap_or(keyfold_design::template::DELIMITER)
}
