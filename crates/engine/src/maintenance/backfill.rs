//! Fills a new index, or a new expiry list, with the existing items, while the table is in use.
//!
//! Writers maintain the index from its creation, so only items that nobody has written since are missing. The backfill
//! adds them in the order of their rows, records its progress with each slice, and continues after a crash.

use std::ops::Bound;
use std::sync::Arc;

use keyfold_dynamo::ServiceError;

use super::{SLICE, SliceOutcome};
use crate::catalog::{IndexDefinition, IndexState, Table, TableDefinition, definition_row};
use crate::commit::{Commit, CountChange, store_failed};
use crate::rows::layout::{self, RangeId};
use crate::shared::Shared;
use crate::store::Change;
use crate::write::{index_membership, read_newest};

pub(super) fn slice(shared: &Shared) -> Result<SliceOutcome, ServiceError> {
    if shared.disk_reserve.require_space().is_err() {
        return Ok(SliceOutcome::Idle);
    }
    for table in shared.catalog.all() {
        if let Some(target) = BackfillTarget::find(&table.definition()) {
            fill_slice(shared, &table, target)?;
            return Ok(SliceOutcome::More);
        }
    }
    Ok(SliceOutcome::Idle)
}

/// The index or expiry list that is being filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BackfillTarget {
    Index(RangeId),
    Expiries(RangeId),
}

impl BackfillTarget {
    fn find(definition: &TableDefinition) -> Option<Self> {
        let index = definition.indexes.iter().find(|index| index.state == IndexState::Backfilling);
        let expiries = definition.time_to_live.as_ref().filter(|time_to_live| time_to_live.backfilling);
        index.map(|index| Self::Index(index.id)).or(expiries.map(|time_to_live| Self::Expiries(time_to_live.id)))
    }

    fn id(self) -> RangeId {
        match self {
            Self::Index(id) | Self::Expiries(id) => id,
        }
    }
}

fn fill_slice(shared: &Shared, table: &Table, target: BackfillTarget) -> Result<(), ServiceError> {
    let done = shared.store.get(&layout::backfill_progress(target.id())).map_err(|error| store_failed(&error))?;
    let (first, end) = layout::all_rows(table.id);
    let range = (done.map_or(first, |done| Bound::Excluded(done.to_vec())), end);
    let mut rows = Vec::with_capacity(SLICE);
    for row in shared.store.snapshot().range(range, false).take(SLICE) {
        let (row, _) = row.map_err(|error| store_failed(&error))?;
        rows.push(row);
    }
    let Some(last) = rows.last() else { return finish(shared, table, target) };
    for row in &rows {
        fill_one(shared, table, target, row)?;
    }
    let progress = Change::Put(layout::backfill_progress(target.id()), last.to_vec());
    let (_, handle) = shared.committer.enqueue(Commit { changes: vec![progress], ..Commit::default() })?;
    handle.wait_blocking()
}

/// Adds one item to the target.
fn fill_one(shared: &Shared, table: &Table, target: BackfillTarget, item_row: &[u8]) -> Result<(), ServiceError> {
    let Ok(gate) = table.enter() else { return Ok(()) };
    let definition = Arc::clone(&gate.definition);
    let lock = shared.in_flight.lock(item_row);
    let newest = read_newest(shared, &lock, item_row)?;
    let Some(item) = newest.item else { return Ok(()) };
    let mut commit = Commit::default();
    match target {
        // An item in flight was written after the index was created, and is in it already.
        BackfillTarget::Index(_) if newest.uncommitted => return Ok(()),
        BackfillTarget::Index(id) => {
            let Some(index) = find_index(&definition, id) else { return Ok(()) };
            let Some(row) = index_membership(index, &item, item_row) else { return Ok(()) };
            if shared.store.get(&row).map_err(|error| store_failed(&error))?.is_some() {
                return Ok(());
            }
            let bytes = i64::try_from(definition.projected_size(index, &item)).unwrap_or(i64::MAX);
            commit.changes.push(Change::Put(row, Vec::new()));
            commit.counts.push(CountChange { range: id, items: 1, bytes });
        }
        BackfillTarget::Expiries(id) => {
            let wanted = definition.time_to_live.as_ref().is_some_and(|list| list.id == id);
            let Some(second) = definition.expiry_of(&item).filter(|_| wanted) else { return Ok(()) };
            commit.changes.push(Change::Put(layout::expiry_row(id, second, item_row)?, Vec::new()));
            // A later write removes the row without a lookup. The item must not count as in flight: an index that was
            // created meanwhile does not contain it yet.
            let _handle = shared.committer.enqueue(commit)?;
            return Ok(());
        }
    }
    // The lock is held until the row is in the queue, so a later write of the item comes after it. That write must also
    // find the row, so the item counts as in flight until the row is on disk.
    commit.slots.extend(lock.slot());
    let mut lock = lock;
    let (number, _handle) = shared.committer.enqueue(commit)?;
    lock.publish(Some(item), number);
    Ok(())
}

fn find_index(definition: &TableDefinition, id: RangeId) -> Option<&IndexDefinition> {
    definition.indexes.iter().find(|index| index.id == id)
}

/// All items have been added: the target can be used.
fn finish(shared: &Shared, table: &Table, target: BackfillTarget) -> Result<(), ServiceError> {
    let _one_at_a_time = shared.definitions.lock();
    let mut gate = table.close();
    if gate.dropped {
        return Ok(());
    }
    let mut definition = (*gate.definition).clone();
    for index in definition.indexes.iter_mut().filter(|index| BackfillTarget::Index(index.id) == target) {
        index.state = IndexState::Active;
    }
    for time_to_live in definition.time_to_live.iter_mut().filter(|list| BackfillTarget::Expiries(list.id) == target) {
        time_to_live.backfilling = false;
    }
    let changes = vec![definition_row(&definition)?, Change::Remove(layout::backfill_progress(target.id()))];
    let (_, handle) = shared.committer.enqueue(Commit { changes, ..Commit::default() })?;
    gate.definition = Arc::new(definition);
    drop(gate);
    handle.wait_blocking()
}
