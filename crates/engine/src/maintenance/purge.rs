//! Deletes the rows of dropped tables and indexes. Range ids are never reused, so nobody reads those rows.

use keyfold_dynamo::ServiceError;

use super::{Progress, SLICE};
use crate::commit::{Commit, store_failed};
use crate::engine::Shared;
use crate::rows::damage::DamagedRow;
use crate::rows::layout;
use crate::store::Change;

pub(super) fn slice(shared: &Shared) -> Result<Progress, ServiceError> {
    let snapshot = shared.store.snapshot();
    let Some(ticket) = snapshot.range(layout::all_purge_tickets(), false).next() else { return Ok(Progress::Idle) };
    let (ticket, _) = ticket.map_err(|error| store_failed(&error))?;
    let range = layout::range_id(&ticket).ok_or(DamagedRow::Purge)?;
    let rows = snapshot.range(layout::all_rows(range), false).chain(snapshot.range(layout::all_expiries(range), false));
    let mut changes = Vec::with_capacity(SLICE);
    for row in rows.take(SLICE) {
        let (key, _) = row.map_err(|error| store_failed(&error))?;
        changes.push(Change::Remove(key.to_vec()));
    }
    if changes.is_empty() {
        changes.push(Change::Remove(layout::counters(range)));
        changes.push(Change::Remove(layout::backfill_progress(range)));
        changes.push(Change::Remove(ticket.to_vec()));
    }
    let (_, handle) = shared.committer.enqueue(Commit { changes, ..Commit::default() })?;
    handle.wait_blocking()?;
    Ok(Progress::More)
}
