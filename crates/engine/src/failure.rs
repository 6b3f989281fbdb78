//! Failures of the store as clients see them: neutral texts. The cause is for the log, which gets it once.

use std::time::{Duration, Instant};

use keyfold_dynamo::ServiceError;
use keyfold_environment::error_chain;
use parking_lot::Mutex;

use crate::store::StoreError;

/// The same failure is logged again after this time.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

const FAILED: &str = "the request failed in the store; the server's log has the cause";
const DAMAGED: &str = "stored data is damaged and could not be read; the server's log has the cause";
const BUSY: &str = "the store cannot open more files at the moment; retry the request";
const RECOVERING: &str = "the store has failed and is being recovered; retry the request";
const READ_ONLY: &str = "the store is read-only, because stored data is damaged";
const SHUTTING_DOWN: &str = "the engine is shutting down";

/// The error of an operation that the store failed.
pub(crate) fn store_failed(error: &StoreError) -> ServiceError {
    log_once(error);
    to_client(error)
}

/// The error of a write that may or may not be on disk. The failure of the store is in the log already.
pub(crate) fn commit_failed(error: &StoreError) -> ServiceError {
    to_client(error)
}

/// The error of a request that was not carried out, because the store has failed before or is being reopened.
pub(crate) fn recovering() -> ServiceError {
    ServiceError::Unavailable(RECOVERING.to_owned())
}

/// The error of a write that was not carried out, because the store has failed before.
pub(crate) fn refused(error: &StoreError, damage: Option<&str>) -> ServiceError {
    match (error, damage) {
        (StoreError::Corrupt { .. }, Some(damage)) => ServiceError::Internal(format!("{READ_ONLY}: {damage}")),
        (StoreError::Corrupt { .. }, None) => ServiceError::Internal(READ_ONLY.to_owned()),
        _ => recovering(),
    }
}

/// The error of a request that came too late.
pub(crate) fn shutting_down() -> ServiceError {
    ServiceError::Unavailable(SHUTTING_DOWN.to_owned())
}

fn to_client(error: &StoreError) -> ServiceError {
    match error {
        // Clients may retry: descriptors become free when other files are closed.
        StoreError::OutOfDescriptors(_) => ServiceError::Unavailable(BUSY.to_owned()),
        StoreError::Corrupt { .. } => ServiceError::Internal(DAMAGED.to_owned()),
        StoreError::Locked
        | StoreError::Full(_)
        | StoreError::ReadOnlyDisk(_)
        | StoreError::SyncFailed(_)
        | StoreError::Stopped(_)
        | StoreError::FolderRemoved { .. }
        | StoreError::FileRemoved { .. }
        | StoreError::Unresponsive { .. }
        | StoreError::Other(_) => ServiceError::Internal(FAILED.to_owned()),
    }
}

/// Many requests meet the same failure: a line for each would hide what matters.
fn log_once(error: &StoreError) {
    static LAST: Mutex<Option<(String, Instant)>> = Mutex::new(None);
    let text = error_chain(error);
    let mut last = LAST.lock();
    let is_repeated = last.as_ref().is_some_and(|(logged, at)| *logged == text && at.elapsed() < LOG_INTERVAL);
    if !is_repeated {
        tracing::error!(kind = error.kind(), cause = text, "an operation failed in the store");
        *last = Some((text, Instant::now()));
    }
}
