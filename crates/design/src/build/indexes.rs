//! `indexes:`.

use keyfold_dynamo::table::KeyType;

use super::codes::{BAD_NAME, KEY_TYPE};
use super::reader::{Reader, entry};
use super::table::key_attribute;
use crate::is_dynamo_name;
use crate::model::{Index, IndexId, KeyAttribute, Projection, Table};
use crate::span::Span;
use crate::syntax::{Entry, Node};

pub(crate) const KEYS: &[&str] = &["purpose", "partition", "sort", "projection", "local"];

pub(super) fn build(stated: Option<&Entry>, table: &Table, reader: &mut Reader<'_>) -> Vec<Index> {
    let Some(stated) = stated else { return Vec::new() };
    let mut indexes: Vec<Index> = Vec::new();
    for declared in reader.mapping(&stated.value, "`indexes`", "indexes: {GSI1: {purpose: …}}") {
        let id = IndexId::new(indexes.len());
        indexes.push(index(id, declared, table, reader));
    }
    agree_on_types(table, &mut indexes, reader);
    indexes
}

fn index(id: IndexId, declared: &Entry, table: &Table, reader: &mut Reader<'_>) -> Index {
    let name = declared.name();
    if !is_dynamo_name(name) {
        let help = "use 3 to 255 letters, digits, `_`, `-` and `.`";
        reader.fault(&BAD_NAME, declared.key.span, format!("`{name}` cannot name an index"), help);
    }
    // `GSI1: every item of one type` says the purpose alone.
    let entries = match declared.value.scalar() {
        Some(_) => &[],
        None => reader.mapping(&declared.value, "an index", "GSI1: {purpose: …}"),
    };
    for unknown in entries.iter().filter(|entry| !KEYS.contains(&entry.name())) {
        reader.unknown_key(unknown, KEYS, "an index");
    }
    let local = entry(entries, "local").is_some_and(|entry| reader.flag(entry));
    let by_convention = |suffix: &str| {
        vec![KeyAttribute { name: format!("{name}{suffix}"), key_type: KeyType::S, span: declared.key.span }]
    };
    let partition = match entry(entries, "partition") {
        Some(stated) => key_attributes(&stated.value, reader),
        None if local => vec![table.partition.clone()],
        None => by_convention("PK"),
    };
    let sort = match entry(entries, "sort") {
        Some(stated) if stated.value.scalar() == Some("none") => Vec::new(),
        Some(stated) => key_attributes(&stated.value, reader),
        None => by_convention("SK"),
    };
    if local && partition.first().is_none_or(|key| key.name != table.partition.name) {
        let message = format!("the local index `{name}` has another partition key than the table");
        let help = format!("a local index is partitioned by `{}`: leave `partition` out", table.partition.name);
        reader.fault(&KEY_TYPE, declared.key.span, message, help);
    }
    Index {
        id,
        name: name.to_owned(),
        span: declared.key.span,
        purpose: purpose(declared, entries, reader),
        partition,
        sort,
        projection: entry(entries, "projection").map_or(Projection::All, |entry| projection(&entry.value, reader)),
        local,
    }
}

fn purpose(declared: &Entry, entries: &[Entry], reader: &mut Reader<'_>) -> Option<String> {
    match entry(entries, "purpose") {
        Some(stated) => reader.text(&stated.value, "the purpose", "purpose: status by date").map(str::to_owned),
        None => declared.value.scalar().filter(|text| !text.is_empty()).map(str::to_owned),
    }
}

/// One key attribute, or a list of up to four.
fn key_attributes(node: &Node, reader: &mut Reader<'_>) -> Vec<KeyAttribute> {
    match node.items() {
        Some(items) => {
            if items.len() > 4 || items.is_empty() {
                let message = "a multi-attribute key has one to four attributes";
                reader.fault(&KEY_TYPE, node.span, message, "list one to four attributes");
            }
            items.iter().filter_map(|item| key_attribute(item, reader)).collect()
        }
        None => key_attribute(node, reader).into_iter().collect(),
    }
}

fn projection(node: &Node, reader: &mut Reader<'_>) -> Projection {
    let Some(text) = reader.text(node, "a projection", "projection: all") else { return Projection::All };
    match (text, text.strip_prefix("include ")) {
        ("all", _) => Projection::All,
        ("keys", _) => Projection::KeysOnly,
        (_, Some(names)) => Projection::Include(names.split(',').map(|name| name.trim().to_owned()).collect()),
        _ => {
            reader.bad_word(node.span, text, "projection", &["all", "keys", "include a, b"]);
            Projection::All
        }
    }
}

/// An attribute has one type, however many keys it is in. The first stated type wins, starting with the table's.
fn agree_on_types(table: &Table, indexes: &mut [Index], reader: &mut Reader<'_>) {
    let mut known: Vec<(String, KeyType, Span)> = std::iter::once(&table.partition)
        .chain(&table.sort)
        .map(|key| (key.name.clone(), key.key_type, key.span))
        .collect();
    for index in indexes {
        for key in index.partition.iter_mut().chain(&mut index.sort) {
            let Some((_, key_type, first)) = known.iter().find(|(name, _, _)| *name == key.name) else {
                known.push((key.name.clone(), key.key_type, key.span));
                continue;
            };
            // A bare name takes the type that was stated before.
            if *key_type != key.key_type && key.key_type != KeyType::S {
                let message = format!("`{}` is a key of two types", key.name);
                reader.push(
                    crate::diagnostic::Diagnostic::new(&KEY_TYPE, key.span, message)
                        .also(*first, "the type is first stated here")
                        .help("give it one type; a table defines each key attribute once"),
                );
            }
            key.key_type = *key_type;
        }
    }
}
