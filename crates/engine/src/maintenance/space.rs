//! Returns the space of deleted and overwritten items while the disk is nearly full. At other times merges of tables do
//! it, later.

use keyfold_dynamo::ServiceError;

use super::Progress;
use crate::commit::{Commit, store_failed};
use crate::shared::{Deleted, Shared};

/// So much more must have been deleted for another attempt.
const WORTHWHILE_BYTES: u64 = 1 << 20;

pub(super) fn slice(shared: &Shared, deleted: &mut Deleted) -> Result<Progress, ServiceError> {
    if !shared.disk_reserve.is_short() {
        deleted.is_rewrite_tried = false;
        return Ok(Progress::Idle);
    }
    let removed_bytes = shared.committer.removed_bytes();
    // Nobody counts what was overwritten, and without writes no tables are merged: so it is worth one attempt.
    let is_first = !deleted.is_rewrite_tried;
    if !is_first && removed_bytes < deleted.tried_bytes + WORTHWHILE_BYTES {
        return Ok(Progress::Idle);
    }
    deleted.is_rewrite_tried = true;
    let reclaim = |bytes| shared.store.reclaim(bytes).map_err(|error| store_failed(&error));
    if !reclaim(if is_first { u64::MAX } else { removed_bytes })? {
        deleted.tried_bytes = removed_bytes;
        return Ok(Progress::Idle);
    }
    // Releases the files of the state before: the store keeps them until a commit follows.
    let changes = vec![shared.time.record_now()];
    shared.committer.enqueue(Commit { changes, ..Commit::default() })?.1.wait_blocking()?;
    reclaim(0)?;
    shared.committer.forget_removed(removed_bytes);
    deleted.tried_bytes = 0;
    Ok(Progress::Idle)
}
