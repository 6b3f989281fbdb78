//! Sample item collections: partitions of the table as stored.

use std::collections::BTreeMap;

use keyfold_design::{Design, counted};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::{APART, Block, code};
use crate::Input;

/// Longer values are cut in tables.
const MOST_CHARACTERS: usize = 60;
/// The maximum number of rows shown of a collection.
const MOST_ITEMS: usize = 12;

pub(super) fn blocks(input: &Input<'_>) -> Vec<Block> {
    let design = input.design;
    let chosen = chosen(design, input.samples);
    if chosen.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::heading(2, "Sample item collections"),
        Block::Paragraph("Partitions of the sample data as stored, one for each combination of entities.".to_owned()),
    ];
    for (partition, items) in chosen {
        blocks.push(Block::heading(3, format!("{} = {partition}", design.table.partition.name)));
        let shown = items.iter().take(MOST_ITEMS).map(|(kind, item)| row(design, kind, item)).collect();
        let sort = if design.table.sort.is_some() { "Sort key" } else { "" };
        blocks.push(Block::Table { head: vec![sort, "Item", "Index keys", "Attributes"], rows: shown });
        if items.len() > MOST_ITEMS {
            blocks.push(Block::Paragraph(format!("and {} more.", items.len() - MOST_ITEMS)));
        }
    }
    blocks
}

type Collection<'s> = Vec<(String, &'s Attributes)>;

/// The fullest partition of each combination of kinds, in the order of the entities.
fn chosen<'s>(design: &Design, samples: &'s [Attributes]) -> Vec<(String, Collection<'s>)> {
    let mut partitions: BTreeMap<String, Vec<(usize, String, &Attributes)>> = BTreeMap::new();
    for item in samples {
        let (Some((position, kind)), Some(partition)) = (kind(design, item), item.get(&design.table.partition.name))
        else {
            continue;
        };
        partitions.entry(plain(partition)).or_default().push((position, kind, item));
    }
    let mut best: BTreeMap<usize, (usize, String, Collection<'s>)> = BTreeMap::new();
    for (partition, mut items) in partitions {
        let sort = |item: &Attributes| {
            design.table.sort.as_ref().and_then(|sort| item.get(&sort.name)).map(plain).unwrap_or_default()
        };
        items.sort_by_key(|(_, _, item)| sort(item));
        let Some(first) = items.iter().map(|(position, _, _)| *position).min() else { continue };
        let mut kinds: Vec<&String> = items.iter().map(|(_, kind, _)| kind).collect();
        kinds.sort();
        kinds.dedup();
        let worth = kinds.len() * 100 + items.len();
        if best.get(&first).is_none_or(|(known, _, _)| *known < worth) {
            let items = items.into_iter().map(|(_, kind, item)| (kind, item)).collect();
            best.insert(first, (worth, partition, items));
        }
    }
    best.into_values().map(|(_, partition, items)| (partition, items)).collect()
}

/// The entity or lookup that an item belongs to: its position among the sections, and its name.
fn kind(design: &Design, item: &Attributes) -> Option<(usize, String)> {
    if let Some(id) = design.recognize(item) {
        return Some((id.index(), design[id].name.clone()));
    }
    let (id, unique) = design.recognize_lookup(item)?;
    Some((design.entities.len() + id.index(), format!("{} by {unique}", design[id].name)))
}

fn row(design: &Design, kind: &str, item: &Attributes) -> Vec<String> {
    let sort = design.table.sort.as_ref().and_then(|sort| item.get(&sort.name)).map(display_value).unwrap_or_default();
    let is_index_key = |name: &str| {
        !design.is_table_key(name) && design.indexes.iter().flat_map(|index| index.keys()).any(|key| key.name == name)
    };
    let list = |wanted: &dyn Fn(&str) -> bool| {
        let mut parts: Vec<String> = item
            .iter()
            .filter(|(name, _)| wanted(name))
            .map(|(name, value)| format!("{name} {}", display_value(value)))
            .collect();
        parts.sort();
        parts.join(APART)
    };
    let others = |name: &str| !is_index_key(name) && !design.is_table_key(name);
    vec![sort, kind.to_owned(), list(&is_index_key), list(&others)]
}

/// A value as code, cut where it is long.
pub(super) fn display_value(value: &AttributeValue) -> String {
    let text = plain(value).replace('`', "'").replace('\n', " ");
    let cut: String = text.chars().take(MOST_CHARACTERS).collect();
    if cut.len() < text.len() { code(&format!("{cut}…")) } else { code(&text) }
}

fn plain(value: &AttributeValue) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::Bool(flag) => flag.to_string(),
        AttributeValue::Null => "null".to_owned(),
        AttributeValue::B(bytes) => counted(bytes.len(), "byte"),
        AttributeValue::Ss(texts) => format!("{{{}}}", joined(texts.iter().cloned().collect())),
        AttributeValue::Ns(numbers) => format!("{{{}}}", joined(numbers.iter().map(ToString::to_string).collect())),
        AttributeValue::Bs(list) => format!("{} binaries", list.len()),
        AttributeValue::L(items) => format!("[{}]", joined(items.iter().map(plain).collect())),
        AttributeValue::M(fields) => {
            let mut fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{name}: {}", plain(value))).collect();
            fields.sort();
            format!("{{{}}}", joined(fields))
        }
    }
}
