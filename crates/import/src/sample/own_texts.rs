//! The texts of an item's attributes, which parts of its key may be.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_dynamo::Attributes;

use super::key_text;
use crate::table::ImportedTable;

/// What the attributes of one item have as text, by their names and without.
#[derive(Debug, Clone)]
pub(super) struct OwnTexts {
    by_name: BTreeMap<String, String>,
    texts: BTreeSet<String>,
}

impl OwnTexts {
    /// Neither composed keys nor the discriminator are among them: that `entityType` is `SITE` does not make `SITE#` a
    /// value.
    pub(super) fn new(
        facts: &ImportedTable,
        item: &Attributes,
        discriminator: Option<&str>,
        composed: &BTreeSet<String>,
    ) -> Self {
        let by_name: BTreeMap<String, String> = item
            .iter()
            .filter(|(name, _)| !facts.is_base_key(name) && discriminator != Some(name.as_str()))
            .filter(|(name, _)| !composed.contains(*name))
            .filter_map(|(name, value)| Some((name.clone(), key_text(value)?)))
            .collect();
        let texts = by_name.values().cloned().collect();
        Self { by_name, texts }
    }

    /// Whether a text is a value of the item, by itself or behind its name, as some tools compose keys: `team_red` of
    /// the team `red`, in any case.
    pub(super) fn has(&self, text: &str) -> bool {
        let is_behind_name = |at: usize| {
            let (Some(name), Some(value)) = (text.get(..at), text.get(at + 1..)) else { return false };
            self.by_name.get(name).is_some_and(|own| own == value || own.to_lowercase() == value)
        };
        self.texts.contains(text) || text.match_indices(['_', '-', '.', '=', ':']).any(|(at, _)| is_behind_name(at))
    }
}
