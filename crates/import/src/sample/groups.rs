//! Items of one kind together.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_dynamo::{AttributeValue, Attributes};

use super::discriminator;
use super::own_texts::OwnTexts;
use super::segments::{KeyColumn, Shape};
use crate::table::ImportedTable;

/// Items whose base keys are composed alike.
#[derive(Debug, Clone)]
pub(crate) struct Group<'a> {
    pub items: Vec<&'a Attributes>,
    /// The shapes of the base keys that are text.
    pub shapes: Vec<Option<Shape>>,
    /// The value of the discriminator, where all of them have the same.
    pub kind: Option<String>,
}

/// The groups of a sample in the order of their keys, and the name of the discriminator.
pub(crate) fn groups<'a>(
    facts: &ImportedTable,
    items: &'a [Attributes],
    delimiter: char,
) -> (Vec<Group<'a>>, Option<String>) {
    let discriminator = discriminator(facts, items, delimiter);
    let composed = composed_keys(facts, items, delimiter);
    let own: Vec<OwnTexts> =
        items.iter().map(|item| OwnTexts::new(facts, item, discriminator.as_deref(), &composed)).collect();
    let schemas: Vec<String> =
        items.iter().map(|item| item.keys().map(String::as_str).collect::<Vec<_>>().join("\n")).collect();
    let repeated: Vec<bool> = items.iter().map(|item| is_repeated(facts, item)).collect();
    let columns: Vec<Vec<Option<Shape>>> = facts
        .table
        .keys()
        .enumerate()
        .map(|(position, key)| {
            let texts = items.iter().map(|item| item.get(&key.name).and_then(AttributeValue::as_str)).collect();
            let column = KeyColumn {
                texts,
                own: &own,
                repeated: repeated.clone(),
                schemas: &schemas,
                is_partition: position == 0,
                delimiter,
            };
            column.shapes()
        })
        .collect();
    let mut groups: BTreeMap<Vec<Option<Shape>>, Group<'a>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let shapes: Vec<Option<Shape>> = columns.iter().map(|column| column.get(at).cloned().flatten()).collect();
        let group = groups.entry(shapes.clone()).or_insert_with(|| Group { items: Vec::new(), shapes, kind: None });
        group.items.push(item);
    }
    let mut groups: Vec<Group<'a>> = groups.into_values().collect();
    for group in &mut groups {
        // A scan gives items in the order of a hash: the draft is the same whatever that was.
        group.items.sort_by_key(|item| facts.table.keys().map(|key| order(item.get(&key.name))).collect::<Vec<_>>());
    }
    (groups, discriminator)
}

fn order(value: Option<&AttributeValue>) -> Vec<u8> {
    match value {
        Some(AttributeValue::S(text)) => text.clone().into_bytes(),
        Some(AttributeValue::B(bytes)) => bytes.clone(),
        Some(AttributeValue::N(number)) => {
            let mut bytes = Vec::new();
            number.encode_ordered(&mut bytes);
            bytes
        }
        _ => Vec::new(),
    }
}

/// The keys of indexes that are composed of parts, by their name or by most of their values. Any other one is an
/// attribute that is a key as well, though it may hold a delimiter now and then.
pub(crate) fn composed_keys(facts: &ImportedTable, items: &[Attributes], delimiter: char) -> BTreeSet<String> {
    let is_composed = |name: &str| {
        let texts: Vec<&str> =
            items.iter().filter_map(|item| item.get(name).and_then(AttributeValue::as_str)).collect();
        let with_delimiter = texts.iter().filter(|text| text.contains(delimiter)).count();
        is_key_name(name) || with_delimiter * 2 > texts.len()
    };
    facts.index_only_keys().into_iter().map(|key| key.name.clone()).filter(|name| is_composed(name)).collect()
}

/// Whether the name is one of a composed key, rather than of an attribute that is a key as well.
pub(crate) fn is_key_name(name: &str) -> bool {
    let name = name.to_lowercase().replace(['_', '-'], "");
    let is_word = ["hash", "range", "hashkey", "rangekey", "partitionkey", "sortkey", "partition", "sort", "key"];
    name.ends_with("pk")
        || name.ends_with("sk")
        || name.contains("gsi")
        || name.contains("lsi")
        || is_word.contains(&name.as_str())
}

fn is_repeated(facts: &ImportedTable, item: &Attributes) -> bool {
    let partition = item.get(&facts.table.partition.name);
    facts.table.sort.as_ref().is_some_and(|sort| partition.is_some() && item.get(&sort.name) == partition)
}
