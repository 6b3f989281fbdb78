//! Exit codes. Those of the servers, besides 0 (stopped by a signal, everything is on disk), 1 (cannot start) and 2
//! (wrong usage), tell supervisors whether a restart can help. `docs/engine.md` lists them.

use keyfold_engine::store::StoreError;

/// A command found faults, or could not salvage everything; 1 means that it failed.
pub(crate) const FAULTS_FOUND: u8 = 2;
/// The data folder, or a file in it, was removed or replaced.
pub(crate) const DATA_REMOVED: u8 = 66;
/// The store failed and could not be reopened.
pub(crate) const NOT_REOPENED: u8 = 70;
/// A write could not be synced to disk.
pub(crate) const SYNC_FAILED: u8 = 74;
/// The store did not respond.
pub(crate) const UNRESPONSIVE: u8 = 75;

/// The code of a store that cannot be used any more.
pub(crate) fn for_store_error(cause: &StoreError) -> u8 {
    match cause {
        StoreError::FolderRemoved { .. } | StoreError::FileRemoved { .. } => DATA_REMOVED,
        StoreError::SyncFailed(_) => SYNC_FAILED,
        StoreError::Unresponsive { .. } => UNRESPONSIVE,
        _ => NOT_REOPENED,
    }
}
