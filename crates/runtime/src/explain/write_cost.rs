//! The write units of a request: those of the table itself, and those of each index entry that is added, removed or changed.

use keyfold_design::Design;
use keyfold_design::model::{Index, Projection};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::TransactWriteKind;
use keyfold_dynamo::value::item_size;

/// The bytes that one unit writes.
const WRITE_UNIT_BYTES: usize = 1024;

/// The units of a change whose items are known.
pub(super) fn known_units(design: &Design, before: Option<&Attributes>, after: Option<&Attributes>) -> f64 {
    let size = before.map_or(0, item_size).max(after.map_or(0, item_size));
    let indexes: usize = design.indexes.iter().map(|index| entry_units(design, index, before, after)).sum();
    (units(size) + indexes) as f64
}

/// The units of a change of an item that was not read, and has an assumed size.
pub(super) fn assumed_units(design: &Design, kind: &TransactWriteKind, assumed_bytes: usize) -> f64 {
    let entries: usize = match kind {
        TransactWriteKind::ConditionCheck { .. } => 0,
        TransactWriteKind::Put { item } => return known_units(design, None, Some(item)),
        TransactWriteKind::Delete { key } => indexes_of(design, key).count(),
        TransactWriteKind::Update { key, update } => {
            let is_touched = |name: &str| update.roots().any(|root| root == name);
            indexes_of(design, key).map(|index| entries_changed(index, is_touched)).sum()
        }
    };
    (units(assumed_bytes) * (1 + entries)) as f64
}

fn units(bytes: usize) -> usize {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1)
}

/// A moved entry is removed and added elsewhere; one that holds a changed attribute is written again.
fn entry_units(design: &Design, index: &Index, before: Option<&Attributes>, after: Option<&Attributes>) -> usize {
    let entry = |item: Option<&Attributes>| item.and_then(|item| entry(design, index, item));
    match (entry(before), entry(after)) {
        (None, None) => 0,
        (Some(one), None) | (None, Some(one)) => units(item_size(&one)),
        (Some(before), Some(after)) if before == after => 0,
        (Some(before), Some(after)) => {
            let has_moved = index.keys().any(|key| before.get(&key.name) != after.get(&key.name));
            let (old, new) = (item_size(&before), item_size(&after));
            if has_moved { units(old) + units(new) } else { units(old.max(new)) }
        }
    }
}

/// The attributes that an index holds of an item; `None` if the item is not in the index.
fn entry(design: &Design, index: &Index, item: &Attributes) -> Option<Attributes> {
    if !index.keys().all(|key| item.contains_key(&key.name)) {
        return None;
    }
    let is_key = |name: &str| design.is_table_key(name) || index.keys().any(|key| key.name == *name);
    let is_projected = |name: &String| match &index.projection {
        Projection::All => true,
        Projection::KeysOnly => is_key(name),
        Projection::Include(names) => is_key(name) || names.contains(name),
    };
    let projected = item.iter().filter(|(name, _)| is_projected(name));
    Some(projected.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// The indexes that an item of this key can be in.
fn indexes_of<'d>(design: &'d Design, key: &Attributes) -> impl Iterator<Item = &'d Index> {
    let index_keys = design.recognise(key).map(|id| &design[id].layout.index_keys);
    index_keys.into_iter().flatten().map(|key| &design[key.index])
}

fn entries_changed(index: &Index, is_touched: impl Fn(&str) -> bool) -> usize {
    if index.keys().any(|key| is_touched(&key.name)) {
        return 2;
    }
    match &index.projection {
        Projection::All => 1,
        Projection::KeysOnly => 0,
        Projection::Include(names) => usize::from(names.iter().any(|name| is_touched(name))),
    }
}
