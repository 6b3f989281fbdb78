//! Deletes expired items.

use std::ops::Bound;
use std::sync::Arc;

use keyfold_dynamo::ServiceError;

use super::{SLICE, SliceOutcome};
use crate::catalog::Table;
use crate::commit::{Commit, store_failed};
use crate::rows::layout::{self, WorkList};
use crate::shared::Shared;
use crate::store::{Change, key_after};
use crate::write::{read_newest, row_changes};

/// DynamoDB does not expire items whose time is more than five years ago: the number is probably not a time.
const OLDEST_SECONDS: u64 = 5 * 365 * 24 * 60 * 60;

pub(super) fn slice(shared: &Shared) -> Result<SliceOutcome, ServiceError> {
    let Some(now) = shared.time.expiry_second() else { return Ok(SliceOutcome::Idle) };
    let mut progress = SliceOutcome::Idle;
    for table in shared.catalog.all() {
        if table.definition().time_to_live.is_some() {
            progress = progress.and(expire_slice(shared, &table, now)?);
        }
    }
    Ok(progress)
}

fn expire_slice(shared: &Shared, table: &Table, now: u64) -> Result<SliceOutcome, ServiceError> {
    let definition = table.definition();
    let Some(time_to_live) = &definition.time_to_live else { return Ok(SliceOutcome::Idle) };
    let list = WorkList::Expiries(time_to_live.id);
    let oldest = layout::expiries_from(time_to_live.id, now.saturating_sub(OLDEST_SECONDS));
    let begin = shared.work_lists.begin(list).max(oldest);
    let end = layout::expiries_from(time_to_live.id, now);
    if begin >= end {
        return Ok(SliceOutcome::Idle);
    }
    let mut expired = Vec::with_capacity(SLICE);
    let range = (Bound::Included(begin), Bound::Excluded(end.clone()));
    for row in shared.store.snapshot().range(range, false).take(SLICE) {
        let (row, _) = row.map_err(|error| store_failed(&error))?;
        expired.push(row);
    }
    for row in &expired {
        expire(shared, table, row)?;
    }
    if !expired.is_empty() {
        shared.committer.barrier()?.wait_blocking()?;
    }
    match expired.last() {
        Some(last) if expired.len() == SLICE => {
            shared.work_lists.advance(list, key_after(last));
            Ok(SliceOutcome::More)
        }
        _ => {
            shared.work_lists.advance(list, end);
            Ok(SliceOutcome::Idle)
        }
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
