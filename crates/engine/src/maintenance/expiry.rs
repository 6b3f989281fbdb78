//! Deletes expired items.

use std::sync::Arc;

use keyfold_dynamo::ServiceError;

use super::{Progress, SLICE};
use crate::catalog::Table;
use crate::commit::{Commit, store_failed};
use crate::engine::Shared;
use crate::rows::layout;
use crate::store::Change;
use crate::write::{read_newest, row_changes};

/// DynamoDB does not expire items whose time is more than five years ago: the number is probably not a time.
const OLDEST_SECONDS: u64 = 5 * 365 * 24 * 60 * 60;

pub(super) fn slice(shared: &Shared) -> Result<Progress, ServiceError> {
    let mut progress = Progress::Idle;
    for table in shared.catalog.all() {
        if table.definition().time_to_live.is_some() {
            progress = progress.and(expire_slice(shared, &table)?);
        }
    }
    Ok(progress)
}

fn expire_slice(shared: &Shared, table: &Table) -> Result<Progress, ServiceError> {
    let definition = table.definition();
    let Some(time_to_live) = &definition.time_to_live else { return Ok(Progress::Idle) };
    let now = shared.now_seconds();
    let mut range = layout::expired_before(time_to_live.id, now);
    range.0 = layout::expired_before(time_to_live.id, now.saturating_sub(OLDEST_SECONDS)).1;
    let range = (included(range.0), range.1);
    let mut expired = Vec::new();
    for row in shared.store.snapshot().range(range, false).take(SLICE) {
        let (row, _) = row.map_err(|error| store_failed(&error))?;
        expired.push(row);
    }
    for row in &expired {
        expire(shared, table, row)?;
    }
    shared.committer.barrier()?.wait_blocking()?;
    Ok(if expired.len() == SLICE { Progress::More } else { Progress::Idle })
}

fn included(bound: std::ops::Bound<Vec<u8>>) -> std::ops::Bound<Vec<u8>> {
    match bound {
        std::ops::Bound::Excluded(key) => std::ops::Bound::Included(key),
        other => other,
    }
}

/// Deletes one item, unless its expiry has changed since: then it has another expiry row, and only this one is removed.
fn expire(shared: &Shared, table: &Table, expiry_row: &[u8]) -> Result<(), ServiceError> {
    let Ok(gate) = table.enter() else { return Ok(()) };
    let definition = Arc::clone(&gate.definition);
    let Some(time_to_live) = &definition.time_to_live else { return Ok(()) };
    let item_row = layout::expiring_item_row(definition.id, &definition.key, expiry_row)?;
    let mut lock = shared.in_flight.lock(&item_row);
    let newest = read_newest(shared, &lock, &item_row)?;
    let second = newest.item.as_deref().and_then(|item| definition.expiry_of(item));
    let current_row = second.map(|second| layout::expiry_row(time_to_live.id, second, &item_row)).transpose()?;
    let mut commit = Commit::default();
    if current_row.as_deref() == Some(expiry_row) {
        row_changes(shared, &definition, &item_row, &newest, None, &mut commit)?;
        commit.slots.extend(lock.slot());
        let (number, _handle) = shared.committer.enqueue(commit)?;
        lock.publish(None, number);
    } else {
        commit.changes.push(Change::Remove(expiry_row.to_vec()));
        let _handle = shared.committer.enqueue(commit)?;
    }
    Ok(())
}
