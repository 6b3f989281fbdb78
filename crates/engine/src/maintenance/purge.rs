//! Deletes the rows of dropped tables and indexes. Range ids are never reused, so nobody reads those rows.
//!
//! Large ranges are dropped first: the store deletes its files that hold nothing else. The rows that remain are removed
//! in slices. The ticket of a range holds the key that the next slice begins at, so that no slice walks over the
//! tombstones of an earlier one, not even after a restart.

use std::ops::Bound;

use keyfold_dynamo::ServiceError;

use super::SliceOutcome;
use crate::commit::{Commit, store_failed};
use crate::rows::damage::DamagedRow;
use crate::rows::layout::{self, RangeId, WorkList};
use crate::shared::{Deleted, Shared};
use crate::store::{Change, KeyRange, Row, RowIterator, StoreError, key_after};

/// Rows removed in one slice. A commit of this many delays other writers by some milliseconds.
const SLICE: usize = 2048;

/// Smaller ranges share their files with others, so that dropping them would delete nothing.
const DROP_BYTES: u64 = 32 << 20;

/// A range whose rows are to be deleted.
struct Ticket {
    range: RangeId,
    /// The key that the next slice begins at; `None` before the first one.
    next: Option<Vec<u8>>,
}

impl Ticket {
    fn read(row: Result<(Row, Row), StoreError>) -> Result<Self, ServiceError> {
        let (key, value) = row.map_err(|error| store_failed(&error))?;
        let range = layout::range_id(&key).ok_or(DamagedRow::Purge)?;
        Ok(Self { range, next: (!value.is_empty()).then(|| value.to_vec()) })
    }

    fn progress(&self, next: Vec<u8>) -> Change {
        Change::Put(layout::purge_ticket(self.range), next)
    }
}

pub(super) fn slice(shared: &Shared, deleted: &mut Deleted) -> Result<SliceOutcome, ServiceError> {
    let (first, end) = layout::all_purge_tickets();
    let begin = shared.work_lists.begin(WorkList::Purges);
    let snapshot = shared.store.snapshot();
    let mut tickets = snapshot.range((from_key(first, &begin), end), false);
    let Some(row) = tickets.next() else { return Ok(SliceOutcome::Idle) };
    let ticket = Ticket::read(row)?;
    shared.work_lists.advance(WorkList::Purges, layout::purge_ticket(ticket.range));
    let Some(next) = &ticket.next else {
        let span = consecutive(ticket, tickets)?;
        // Dropped tables stay on disk while a snapshot may read them.
        drop(snapshot);
        start(shared, deleted, &span)?;
        return Ok(SliceOutcome::More);
    };
    let mut keys = Vec::with_capacity(SLICE);
    let mut bytes = 0;
    let rows = [layout::all_rows(ticket.range), layout::all_expiries(ticket.range)];
    for row in rows
        .into_iter()
        .filter_map(|range| rest(range, next))
        .flat_map(|range| snapshot.range(range, false))
        .take(SLICE)
    {
        let (key, value) = row.map_err(|error| store_failed(&error))?;
        bytes += (key.len() + value.len()) as u64;
        keys.push(key.to_vec());
    }
    deleted.removed_bytes += bytes;
    // After a full slice there may be more rows.
    let next = if keys.len() == SLICE { keys.last().map(|last| key_after(last)) } else { None };
    let mut changes: Vec<Change> = keys.into_iter().map(Change::Remove).collect();
    match next {
        Some(next) => {
            changes.push(ticket.progress(next));
            commit(shared, changes)?;
        }
        None => {
            let is_last = tickets.next().is_none();
            drop((tickets, snapshot));
            finish(shared, deleted, ticket.range, changes, is_last)?;
        }
    }
    Ok(SliceOutcome::More)
}

/// A ticket and those of the ids that follow it: usually a table and its indexes. No slice of them has run.
fn consecutive(ticket: Ticket, others: RowIterator) -> Result<Vec<Ticket>, ServiceError> {
    let mut next_id = ticket.range.checked_add(1);
    let mut span = vec![ticket];
    for row in others {
        let other = Ticket::read(row)?;
        if Some(other.range) != next_id || other.next.is_some() {
            break;
        }
        next_id = other.range.checked_add(1);
        span.push(other);
    }
    Ok(span)
}

/// Drops what can be dropped as a whole, and records that slices may begin.
fn start(shared: &Shared, deleted: &mut Deleted, span: &[Ticket]) -> Result<(), ServiceError> {
    let (Some(first), Some(last)) = (span.first(), span.last()) else { return Ok(()) };
    let bytes: u64 = span.iter().map(|ticket| shared.committer.count(ticket.range).bytes).sum();
    if bytes >= DROP_BYTES {
        // The row that `drop_range` requires: it stays, and is newer than every row of the ranges.
        commit(shared, vec![Change::Put(layout::last_dropped(), last.range.to_be_bytes().to_vec())])?;
        for range_of in [layout::all_rows, layout::all_expiries] {
            let dropped = (range_of(first.range).0, range_of(last.range).1);
            shared.store.drop_range(&dropped).map_err(|error| store_failed(&error))?;
        }
        deleted.dropped = true;
    }
    let begin = |ticket: &Ticket| ticket.progress(layout::row_prefix(ticket.range));
    commit(shared, span.iter().map(begin).collect())
}

/// Removes the last rows of a range and its ticket, and returns the space if it was the last ticket.
fn finish(
    shared: &Shared,
    deleted: &mut Deleted,
    range: RangeId,
    mut changes: Vec<Change>,
    is_last: bool,
) -> Result<(), ServiceError> {
    let reclaims = is_last && deleted.is_worth_reclaiming();
    if reclaims {
        commit(shared, std::mem::take(&mut changes))?;
        shared.store.reclaim(deleted.removed_bytes).map_err(|error| store_failed(&error))?;
    }
    let done = [layout::counters(range), layout::backfill_progress(range), layout::purge_ticket(range)];
    changes.extend(done.map(Change::Remove));
    commit(shared, changes)?;
    shared.work_lists.forget(WorkList::Expiries(range));
    if reclaims {
        // Releases the files of the state before: the store keeps them until a commit follows.
        shared.store.reclaim(0).map_err(|error| store_failed(&error))?;
        *deleted = Deleted::default();
    }
    Ok(())
}

fn commit(shared: &Shared, changes: Vec<Change>) -> Result<(), ServiceError> {
    let (_, handle) = shared.committer.enqueue(Commit { changes, ..Commit::default() })?;
    handle.wait_blocking()
}

/// The part of a range that begins at a key; `None` if the range ends before it.
fn rest((first, end): KeyRange, begin: &[u8]) -> Option<KeyRange> {
    let ended = matches!(&end, Bound::Excluded(end) if begin >= end.as_slice());
    (!ended).then(|| (from_key(first, begin), end))
}

/// The later of an inclusive bound and a key.
fn from_key(first: Bound<Vec<u8>>, key: &[u8]) -> Bound<Vec<u8>> {
    match first {
        Bound::Included(first) if first.as_slice() >= key => Bound::Included(first),
        _ => Bound::Included(key.to_vec()),
    }
}
