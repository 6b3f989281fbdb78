//! The attribute that determines the kind of an item.

use std::collections::BTreeSet;

use keyfold_dynamo::{AttributeValue, Attributes};

use super::words::is_identifier;
use crate::table::ImportedTable;

/// Names that designs and libraries give to it, the most telling first.
const NAMES: &[&str] = &[
    "entityType",
    "entity_type",
    "EntityType",
    "__typename",
    "_type",
    "__type",
    "_et",
    "__edb_e__",
    "itemType",
    "item_type",
    "recordType",
    "record_type",
    "objectType",
    "object_type",
    "type",
    "Type",
    "entity",
    "_entity",
    "kind",
];

/// An attribute with more values does not state the kind of its item.
const MOST_KINDS: usize = 60;

/// The discriminator, where the items have one: its values are words, and items with the same beginning of their keys
/// have the same value.
pub(crate) fn discriminator(facts: &ImportedTable, items: &[Attributes], delimiter: char) -> Option<String> {
    NAMES
        .iter()
        .find(|name| !facts.is_base_key(name) && tells_kinds(name, facts, items, delimiter))
        .map(|name| (*name).to_owned())
}

fn tells_kinds(name: &str, facts: &ImportedTable, items: &[Attributes], delimiter: char) -> bool {
    let mut kinds: BTreeSet<&str> = BTreeSet::new();
    let mut by_key: BTreeSet<(String, &str)> = BTreeSet::new();
    let mut keys: BTreeSet<String> = BTreeSet::new();
    let mut found = 0;
    for item in items {
        let kind = match item.get(name) {
            Some(AttributeValue::S(text)) if is_identifier(text) => text,
            Some(_) => return false,
            None => continue,
        };
        found += 1;
        let key: Vec<&str> = facts
            .table
            .keys()
            .filter_map(|key| item.get(&key.name).and_then(AttributeValue::as_str))
            .map(|text| text.split(delimiter).next().unwrap_or_default())
            .filter(|head| is_identifier(head))
            .collect();
        let key = key.join("\n");
        kinds.insert(kind);
        keys.insert(key.clone());
        by_key.insert((key, kind));
    }
    // One kind alone may be the status of something, unless every item says it.
    let enough = kinds.len() >= 2 && found * 10 >= items.len() || found == items.len() && !items.is_empty();
    let is_pure = by_key.len() <= keys.len() || !name.eq_ignore_ascii_case("type") && name != "kind";
    enough && kinds.len() <= MOST_KINDS && is_pure
}
