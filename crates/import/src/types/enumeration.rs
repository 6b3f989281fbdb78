//! Attributes with few values.

use std::collections::BTreeMap;

use crate::sample::{identifier_words, is_identifier};

/// Names of attributes that mostly have one of few values.
const NAMES: &[&str] = &[
    "status",
    "state",
    "kind",
    "role",
    "type",
    "level",
    "priority",
    "tier",
    "plan",
    "phase",
    "mode",
    "visibility",
    "severity",
    "team",
];

/// An attribute with more values is not an enumeration.
const MOST_VALUES: usize = 8;

/// The values, most frequent last to first by name, where few of them repeat.
pub(super) fn values(name: &str, texts: &[&str]) -> Option<Vec<String>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
        if counts.len() > MOST_VALUES {
            return None;
        }
    }
    let is_word = |text: &&str| is_identifier(text) && text.len() <= 30 && !text.contains('$');
    if counts.len() < 2 || !counts.keys().all(is_word) {
        return None;
    }
    let words = identifier_words(name);
    let is_named_so = words.last().is_some_and(|last| NAMES.contains(&last.as_str()));
    let are_ids = counts.keys().any(|text| text.contains(|character: char| character.is_ascii_digit()));
    let repeats = counts.values().all(|count| *count >= 2) && counts.len() * 4 <= texts.len() && texts.len() >= 12;
    let is_name_of_one =
        words.last().is_some_and(|last| matches!(last.as_str(), "id" | "name" | "by" | "key" | "email"));
    if is_named_so && counts.len() < texts.len() || repeats && !is_name_of_one && !are_ids {
        return Some(counts.into_keys().map(str::to_owned).collect());
    }
    None
}
