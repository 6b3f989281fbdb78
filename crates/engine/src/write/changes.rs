//! The rows that change when an item changes, and the write units.

use keyfold_dynamo::capacity::IndexEntryChange;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::limits;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

use super::Newest;
use super::key_rules::is_valid_key;
use crate::capacity::{IndexCost, WriteCost};
use crate::catalog::{IndexDefinition, IndexState, TableDefinition};
use crate::commit::{Commit, CountChange, store_failed};
use crate::rows::damage::DamagedRow;
use crate::rows::key_schema::KeyAttribute;
use crate::rows::layout;
use crate::shared::Shared;
use crate::store::Change;

/// The row of an item in an index; `None` if the index does not contain it.
pub(crate) fn index_membership(index: &IndexDefinition, item: &Attributes, item_row: &[u8]) -> Option<Vec<u8>> {
    let in_range = |attribute: &KeyAttribute, limit| {
        item.get(&attribute.name).is_some_and(|value| is_valid_key(attribute, value, limit))
    };
    let member = in_range(&index.key.partition, limits::PARTITION_KEY_BYTES)
        && index.key.sort.as_ref().is_none_or(|sort| in_range(sort, limits::SORT_KEY_BYTES));
    if member { layout::index_row(index.id, &index.key, item, item_row) } else { None }
}

/// Adds to a commit all rows that change when the item at `item_row` goes from its newest value to `new`.
pub(crate) fn row_changes(
    shared: &Shared,
    table: &TableDefinition,
    item_row: &[u8],
    newest: &Newest,
    new: Option<&Attributes>,
    commit: &mut Commit,
) -> Result<WriteCost, ServiceError> {
    let old = newest.item.as_deref();
    let old_size = old.map(item_size);
    let new_size = new.map(item_size);
    let mut cost = WriteCost::for_item(old_size.unwrap_or(0), new_size.unwrap_or(0));
    if old == new {
        return Ok(cost);
    }
    match new {
        Some(item) => commit.changes.push(Change::Put(item_row.to_vec(), codec::encode(item))),
        None => commit.changes.push(Change::Remove(item_row.to_vec())),
    }
    count(commit, table.id, old_size, new_size);
    for index in &table.indexes {
        let units = index_changes(shared, table, index, item_row, newest, new, commit)?.units();
        if units > 0.0 {
            cost.indexes.insert(index.name.clone(), IndexCost { kind: index.kind, units });
        }
    }
    expiry_changes(table, item_row, old, new, commit)?;
    Ok(cost)
}

/// Adds the changes of one index, and returns what they are.
fn index_changes(
    shared: &Shared,
    table: &TableDefinition,
    index: &IndexDefinition,
    item_row: &[u8],
    newest: &Newest,
    new: Option<&Attributes>,
    commit: &mut Commit,
) -> Result<IndexEntryChange, ServiceError> {
    let old = newest.item.as_deref();
    let row_of = |item: Option<&Attributes>| item.and_then(|item| index_membership(index, item, item_row));
    let size_of = |item: Option<&Attributes>| item.map_or(0, |item| table.projected_size(index, item));
    let mut old_row = row_of(old);
    let new_row = row_of(new);
    // While an index is being filled, an item that the backfill has not reached has no row yet. An item in flight has
    // one: it was written after the index was created.
    if index.state == IndexState::Backfilling
        && !newest.uncommitted
        && let Some(row) = &old_row
        && shared.store.get(row).map_err(|error| store_failed(&error))?.is_none()
    {
        old_row = None;
    }
    let (old_size, new_size) = (size_of(old), size_of(new));
    count(commit, index.id, old_row.as_ref().map(|_| old_size), new_row.as_ref().map(|_| new_size));
    Ok(match (old_row, new_row) {
        (None, None) => IndexEntryChange::None,
        (None, Some(row)) => {
            commit.changes.push(Change::Put(row, Vec::new()));
            IndexEntryChange::Added(new_size)
        }
        (Some(row), None) => {
            commit.changes.push(Change::Remove(row));
            IndexEntryChange::Removed(old_size)
        }
        (Some(before), Some(after)) if before != after => {
            commit.changes.push(Change::Remove(before));
            commit.changes.push(Change::Put(after, Vec::new()));
            IndexEntryChange::Moved { before: old_size, after: new_size }
        }
        // The row stays where it is; DynamoDB charges for it if what it projects has changed.
        (Some(_), Some(_)) if projection_differs(table, index, old, new) => {
            IndexEntryChange::Rewritten { before: old_size, after: new_size }
        }
        (Some(_), Some(_)) => IndexEntryChange::None,
    })
}

fn projection_differs(
    table: &TableDefinition,
    index: &IndexDefinition,
    old: Option<&Attributes>,
    new: Option<&Attributes>,
) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return true };
    fn projected<'a>(
        table: &'a TableDefinition,
        index: &'a IndexDefinition,
        item: &'a Attributes,
    ) -> impl Iterator<Item = (&'a String, &'a AttributeValue)> {
        item.iter().filter(|(name, _)| table.projects(index, name))
    }
    projected(table, index, old).ne(projected(table, index, new))
}

fn count(commit: &mut Commit, range: layout::RangeId, old_size: Option<usize>, new_size: Option<usize>) {
    let signed = |size: Option<usize>| i64::try_from(size.unwrap_or(0)).unwrap_or(i64::MAX);
    let items = i64::from(new_size.is_some()) - i64::from(old_size.is_some());
    let bytes = signed(new_size) - signed(old_size);
    if items != 0 || bytes != 0 {
        commit.counts.push(CountChange { range, items, bytes });
    }
}

fn expiry_changes(
    table: &TableDefinition,
    item_row: &[u8],
    old: Option<&Attributes>,
    new: Option<&Attributes>,
    commit: &mut Commit,
) -> Result<(), DamagedRow> {
    let Some(time_to_live) = &table.time_to_live else { return Ok(()) };
    let expiry = |item: Option<&Attributes>| item.and_then(|item| table.expiry_of(item));
    let (before, after) = (expiry(old), expiry(new));
    if before == after {
        return Ok(());
    }
    let row = |second| layout::expiry_row(time_to_live.id, second, item_row);
    if let Some(second) = before {
        commit.changes.push(Change::Remove(row(second)?));
    }
    if let Some(second) = after {
        commit.changes.push(Change::Put(row(second)?, Vec::new()));
    }
    Ok(())
}
