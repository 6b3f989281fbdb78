//! The write units of a request: those of the table itself, and those of each index entry that is added, removed or
//! changed.

use keyfold_design::Design;
use keyfold_design::model::{Index, Projection};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::capacity::{IndexEntryChange, item_write_units, write_units};
use keyfold_dynamo::operation::TransactWriteKind;
use keyfold_dynamo::value::item_size;

/// The assumed size of items that the call does not read. Their true size would tell the caller that they exist.
pub(super) const TYPICAL_ITEM_BYTES: usize = 1024;

/// The units of a change whose items are known.
pub(super) fn known_units(design: &Design, before: Option<&Attributes>, after: Option<&Attributes>) -> f64 {
    let indexes: f64 = design.indexes.iter().map(|index| entry_change(design, index, before, after).units()).sum();
    item_write_units(before.map_or(0, item_size), after.map_or(0, item_size)) + indexes
}

/// The units of a change of an item that was not read, and has the typical size.
pub(super) fn assumed_units(design: &Design, kind: &TransactWriteKind) -> f64 {
    let entries: usize = match kind {
        TransactWriteKind::ConditionCheck { .. } => 0,
        TransactWriteKind::Put { item } => return known_units(design, None, Some(item)),
        TransactWriteKind::Delete { key } => indexes_of(design, key).count(),
        TransactWriteKind::Update { key, update } => {
            let is_touched = |name: &str| update.roots().any(|root| root == name);
            indexes_of(design, key).map(|index| entries_changed(index, is_touched)).sum()
        }
    };
    write_units(TYPICAL_ITEM_BYTES) * (1 + entries) as f64
}

fn entry_change(
    design: &Design,
    index: &Index,
    before: Option<&Attributes>,
    after: Option<&Attributes>,
) -> IndexEntryChange {
    let entry = |item: Option<&Attributes>| item.and_then(|item| entry(design, index, item));
    match (entry(before), entry(after)) {
        (None, None) => IndexEntryChange::None,
        (Some(before), None) => IndexEntryChange::Removed(item_size(&before)),
        (None, Some(after)) => IndexEntryChange::Added(item_size(&after)),
        (Some(before), Some(after)) if before == after => IndexEntryChange::None,
        (Some(before), Some(after)) => {
            let has_moved = index.keys().any(|key| before.get(&key.name) != after.get(&key.name));
            let (before, after) = (item_size(&before), item_size(&after));
            if has_moved {
                IndexEntryChange::Moved { before, after }
            } else {
                IndexEntryChange::Rewritten { before, after }
            }
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

/// The indexes that an item of this key can be in; those of the first entity if several have the same keys.
fn indexes_of<'d>(design: &'d Design, key: &Attributes) -> impl Iterator<Item = &'d Index> {
    let owner = design.recognition_order().find(|entity| entity.layout.owns(key));
    let index_keys = owner.map(|entity| &entity.layout.index_keys);
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
