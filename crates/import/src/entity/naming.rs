//! Names of entities, from their discriminator, from the constant of an index, or from the words of their keys.

use std::collections::BTreeSet;

use keyfold_design::casing;
use keyfold_design::model::{RESERVED_SEGMENTS, default_segment};
use keyfold_dynamo::AttributeValue;

use super::{Entity, Form};
use crate::sample::{identifier_words, is_identifier, is_upper};
use crate::table::ImportedTable;
use crate::template::Piece;

/// Words that say nothing of what an item is.
const SAYING_NOTHING: &[&str] = &[
    "metadata", "meta", "info", "details", "detail", "data", "root", "self", "main", "item", "record", "entity", "pk",
    "sk", "v0", "v1", "a", "lookup", "unique", "current", "latest",
];

/// Gives every entity a name of its own.
pub(super) fn name(facts: &ImportedTable, entities: &mut [Entity<'_>], delimiter: char) {
    let wanted: Vec<Wanted> = entities.iter().map(|entity| wanted(facts, entity, delimiter)).collect();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    // An entity that is the whole of its partition is called by the name before one that lies in another's.
    let mut order: Vec<usize> = (0..entities.len()).collect();
    order.sort_by_key(|at| {
        let size = entities.get(*at).map(|entity| entity.size());
        wanted.get(*at).map(|wanted| (!wanted.is_certain, !wanted.is_root, std::cmp::Reverse(size), *at))
    });
    // What another entity would be called by its keys is not free either, though its items say a longer name.
    let by_keys: Vec<String> = entities.iter().map(|entity| by_keys(entity, delimiter).name).collect();
    let count = |name: &str| {
        let others = wanted.iter().zip(&by_keys);
        others.filter(|(wanted, by_keys)| wanted.name == name || *by_keys == name).count()
    };
    let has_root =
        |name: &str| wanted.iter().any(|wanted| wanted.name == name && (wanted.is_root || wanted.is_certain));
    for at in order {
        let (Some(wish), Some(entity)) = (wanted.get(at), entities.get_mut(at)) else { continue };
        let is_first = wish.is_certain || wish.is_root;
        let is_clear = count(&wish.name) == 1 || is_first && has_root(&wish.name);
        let preferred = if is_clear { [&wish.name, &wish.long] } else { [&wish.long, &wish.name] };
        let name = free_name(&taken, preferred);
        taken.insert(name.clone());
        entity.name = name;
        entity.is_root = wish.is_root;
    }
}

/// The first name that is free: no other entity has it, and its path in the REST API is neither reserved nor another's.
fn free_name(taken: &BTreeSet<String>, preferred: [&String; 2]) -> String {
    let segments: BTreeSet<String> = taken.iter().map(|name| default_segment(name)).collect();
    let is_free = |name: &String| {
        let segment = default_segment(name);
        !taken.contains(name) && !segments.contains(&segment) && !RESERVED_SEGMENTS.contains(&segment.as_str())
    };
    let [first, second] = preferred;
    let plain = [first.clone(), second.clone()].into_iter();
    let reserved = [first, second].into_iter().filter(|name| !taken.contains(*name));
    let described = reserved.map(|name| format!("{name}{NAMELESS}"));
    let numbered = (2_usize..).map(|number| format!("{second}{number}"));
    plain.chain(described).chain(numbered).find(is_free).unwrap_or_else(|| NAMELESS.to_owned())
}

/// Entities of one partition together, the one that the partition belongs to first; lookups at the end.
pub(super) fn order(entities: &mut [Entity<'_>]) {
    entities.sort_by_cached_key(|entity| {
        let sources: Vec<String> =
            entity.keys.iter().filter(|key| key.is_base).filter_map(|key| entity.source(&key.name)).collect();
        let partition = sources.first().cloned().unwrap_or_default();
        let looks_up = ["LOOKUP", "UNIQUE", "lookup", "unique"].iter().any(|word| partition.starts_with(word));
        (looks_up, partition, !entity.is_root, sources)
    });
}

/// What an item is called that says nothing of itself.
const NAMELESS: &str = "Item";

/// The name of one item of a table that is called after them: `prod-orders` has an `Order`.
fn by_table(facts: &ImportedTable) -> String {
    let words = identifier_words(&facts.table.name);
    let singular = words.last().and_then(|last| {
        let stem = last.strip_suffix("ies").map(|stem| format!("{stem}y"));
        stem.or_else(|| last.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s')).map(str::to_owned))
    });
    singular.map(|singular| pascal(&singular)).filter(|name| !name.is_empty()).unwrap_or_else(|| NAMELESS.to_owned())
}

struct Wanted {
    name: String,
    /// The name with that of its partition before it.
    long: String,
    /// Whether the items themselves say it.
    is_certain: bool,
    /// Whether the sort key says nothing, so that the partition is the item's own.
    is_root: bool,
}

/// The name of an entity by itself.
pub(super) fn candidate(entity: &Entity<'_>, delimiter: char) -> String {
    by_keys(entity, delimiter).name
}

fn wanted(facts: &ImportedTable, entity: &Entity<'_>, delimiter: char) -> Wanted {
    let mut keys = by_keys(entity, delimiter);
    if keys.name == NAMELESS {
        keys.name = by_table(facts);
        keys.long.clone_from(&keys.name);
    }
    let stated = entity.group.kind.clone().or_else(|| by_index(facts, entity, delimiter));
    match stated.map(|stated| pascal(&stated)).filter(|name| !name.is_empty()) {
        Some(name) => Wanted { long: name.clone(), name, is_certain: true, is_root: keys.is_root },
        None => keys,
    }
}

/// The last word of an index key that is the same in all items, `ENTITY#NOTIFICATION_AUDIT`: such an index lists a
/// kind.
fn by_index(facts: &ImportedTable, entity: &Entity<'_>, delimiter: char) -> Option<String> {
    facts.indexes.iter().filter_map(|index| index.partition.first()).find_map(|key| {
        if facts.is_base_key(&key.name) {
            return None;
        }
        let texts: Vec<&str> = entity
            .group
            .items
            .iter()
            .map(|item| item.get(&key.name).and_then(AttributeValue::as_str))
            .collect::<Option<Vec<&str>>>()?;
        let first = texts.first()?;
        let (head, last) = first.split_once(delimiter)?;
        let lists_kinds = ["entity", "type", "kind", "all", "entities"].contains(&head.to_lowercase().as_str());
        (lists_kinds && texts.iter().all(|text| text == first) && is_identifier(last) && is_upper(last))
            .then(|| last.to_owned())
    })
}

/// The words of a key's template; a prefix of one or two letters is called by the value behind it, `o#<orderId>` by
/// `order`.
fn words_of(entity: &Entity<'_>, position: usize, delimiter: char) -> Vec<String> {
    let Some(Form::Template(template)) = entity.keys.get(position).map(|key| &key.form) else { return Vec::new() };
    let mut words: Vec<String> = Vec::new();
    for piece in &template.pieces {
        match piece {
            Piece::Literal(text) => {
                words.extend(text.split(delimiter).filter(|part| is_identifier(part)).map(str::to_owned));
            }
            Piece::Value(slot) => {
                if let Some(last) = words.last_mut().filter(|last| last.len() <= 2) {
                    *last = stem(&slot.attribute);
                }
            }
            Piece::Unknown(_) => {}
        }
    }
    words
}

/// `orderId`, `orderNumber`, `order_no` as `order`.
fn stem(attribute: &str) -> String {
    let mut words = identifier_words(attribute);
    let is_of_one = |word: &String| ["id", "number", "no", "key", "code", "name", "uuid"].contains(&word.as_str());
    if words.len() > 1 && words.last().is_some_and(is_of_one) {
        words.pop();
    }
    words.join("_")
}

fn by_keys(entity: &Entity<'_>, delimiter: char) -> Wanted {
    let says = |word: &&String| !SAYING_NOTHING.contains(&word.to_lowercase().as_str());
    let (partition, sort) = (words_of(entity, 0, delimiter), words_of(entity, 1, delimiter));
    let looks_up = |words: &[String]| words.iter().any(|word| matches!(word.as_str(), "LOOKUP" | "UNIQUE" | "lookup"));
    let parent: String = partition.iter().filter(says).map(|word| pascal(word)).collect();
    let last_of_partition = partition.iter().rfind(says).map(|word| pascal(word)).unwrap_or_default();
    let own = sort.iter().rfind(says).map(|word| pascal(word));
    match own {
        Some(own) if looks_up(&sort) => {
            let name = format!("{last_of_partition}By{own}");
            Wanted { name: name.clone(), long: format!("{parent}By{own}"), is_certain: false, is_root: false }
        }
        Some(own) if own == last_of_partition || parent.is_empty() => {
            Wanted { long: format!("{parent}{own}"), name: own, is_certain: false, is_root: true }
        }
        Some(own) => Wanted { long: format!("{last_of_partition}{own}"), name: own, is_certain: false, is_root: false },
        None if looks_up(&partition) => {
            let name = format!("{parent}Lookup");
            Wanted { long: name.clone(), name, is_certain: false, is_root: false }
        }
        None if !parent.is_empty() => {
            Wanted { name: last_of_partition, long: parent, is_certain: false, is_root: true }
        }
        None => {
            let word = partition.first().or(sort.first()).map(|word| pascal(word)).filter(|word| !word.is_empty());
            let name = word.unwrap_or_else(|| NAMELESS.to_owned());
            Wanted { long: name.clone(), name, is_certain: false, is_root: true }
        }
    }
}

/// `NOTIFICATION_AUDIT` as `NotificationAudit`; only what can name an entity is left.
fn pascal(text: &str) -> String {
    let name = casing::pascal(identifier_words(text));
    let name: String = name.chars().filter(|character| character.is_alphanumeric()).take(60).collect();
    match name.chars().next() {
        Some(first) if first.is_alphabetic() => name,
        Some(_) => format!("Kind{name}"),
        None => String::new(),
    }
}
