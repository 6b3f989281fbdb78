//! Returns the space of deleted items, and of overwritten ones while the disk is nearly full.
//!
//! The store keeps deleted rows and their tombstones until it merges tables, which it does only as more is written. So
//! reads, and opening the folder, would go on paying for them. A store of which a good part was deleted is rewritten.

use keyfold_dynamo::ServiceError;

use super::SliceOutcome;
use crate::commit::{Commit, store_failed};
use crate::shared::{Deleted, RECLAIM_BYTES, Shared};

/// So much more must have been deleted for another attempt while the disk is nearly full.
const WORTHWHILE_BYTES: u64 = 1 << 20;

/// Rewriting waits until nothing more is deleted for a moment, unless so much was deleted.
const MUCH_BYTES: u64 = 256 << 20;

pub(super) fn slice(shared: &Shared, deleted: &mut Deleted) -> Result<SliceOutcome, ServiceError> {
    let removed_bytes = shared.committer.removed_bytes();
    if shared.disk_reserve.is_short() {
        return_space(shared, deleted, removed_bytes)?;
    } else {
        deleted.is_rewrite_tried = false;
        let seen_bytes = std::mem::replace(&mut deleted.seen_bytes, removed_bytes);
        let is_due = removed_bytes == seen_bytes || removed_bytes >= MUCH_BYTES;
        // The space of a few items is not worth it.
        let weight = if removed_bytes >= RECLAIM_BYTES { removed_bytes } else { 0 };
        if is_due && shared.store.is_worth_rewriting(weight).map_err(|error| store_failed(&error))? {
            rewrite(shared, weight, removed_bytes)?;
        }
    }
    Ok(SliceOutcome::Idle)
}

/// Returns what space it can to a disk that is nearly full.
fn return_space(shared: &Shared, deleted: &mut Deleted, removed_bytes: u64) -> Result<(), ServiceError> {
    // Nobody counts what was overwritten, and without writes no tables are merged: so it is worth one attempt.
    let is_first = !deleted.is_rewrite_tried;
    if !is_first && removed_bytes < deleted.tried_bytes + WORTHWHILE_BYTES {
        return Ok(());
    }
    deleted.is_rewrite_tried = true;
    let is_rewritten = rewrite(shared, if is_first { u64::MAX } else { removed_bytes }, removed_bytes)?;
    deleted.tried_bytes = if is_rewritten { 0 } else { removed_bytes };
    Ok(())
}

/// Rewrites the store if `weight`, the bytes that count as removed, is a good part of it. Whether it was rewritten.
fn rewrite(shared: &Shared, weight: u64, removed_bytes: u64) -> Result<bool, ServiceError> {
    let reclaim = |bytes| shared.store.reclaim(bytes).map_err(|error| store_failed(&error));
    if !reclaim(weight)? {
        return Ok(false);
    }
    // Releases the files of the state before: the store keeps them until a commit follows.
    let changes = vec![shared.time.record_now()];
    shared.committer.enqueue(Commit { changes, ..Commit::default() })?.1.wait_blocking()?;
    reclaim(0)?;
    shared.committer.forget_removed(removed_bytes);
    Ok(true)
}
