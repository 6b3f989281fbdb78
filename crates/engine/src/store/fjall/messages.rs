//! fjall's own messages. Its errors leave out why a flush or a merge failed; its messages do not.

use std::path::Path;
use std::sync::Arc;

use log::{Level, LevelFilter, Log, Metadata, Record};
use parking_lot::Mutex;

use crate::store::StoreError;

/// Errors since a store was last opened. A failure leads to a few; the first ones tell the cause.
static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());
const KEPT: usize = 8;

/// A message of the store, as the cause of a failure.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Message(String);

struct Forwarder;

/// Sends the store's messages to `tracing`, from its warnings on, with the target `keyfold_engine::store`. Failures then name
/// their cause, which the store tells in messages alone. Without effect if the program has set another logger of the `log`
/// crate.
pub fn forward_log() {
    if log::set_logger(&Forwarder).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

impl Log for Forwarder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target();
        metadata.level() <= Level::Warn && (target.starts_with("fjall") || target.starts_with("lsm_tree"))
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        if record.level() == Level::Error {
            tracing::error!(target: "keyfold_engine::store", origin = record.target(), "{}", record.args());
            let mut errors = ERRORS.lock();
            if errors.len() < KEPT {
                errors.push(record.args().to_string());
            }
        } else {
            tracing::warn!(target: "keyfold_engine::store", origin = record.target(), "{}", record.args());
        }
    }

    fn flush(&self) {}
}

/// Forgets the errors of a store that is closed.
pub(super) fn forget() {
    ERRORS.lock().clear();
}

/// The same failure with the cause that the messages tell. A journal that could not be synced comes first, whatever failed
/// after it.
pub(super) fn explain(error: StoreError, folder: &Path) -> StoreError {
    let errors = ERRORS.lock();
    let cause = |text: &String| Arc::new(Message(text.clone()));
    if let Some(text) = errors.iter().find(|text| is_failed_journal_sync(text, folder)) {
        return StoreError::SyncFailed(cause(text));
    }
    match (error, errors.first()) {
        (StoreError::Stopped(_), Some(text)) => StoreError::Stopped(cause(text)),
        (error, _) => error,
    }
}

fn is_failed_journal_sync(text: &str, folder: &Path) -> bool {
    let is_sync = ["Failed to fsync journal file", "Failed to fsyncdata journal file"]
        .iter()
        .any(|start| text.starts_with(start));
    is_sync && text.contains(&folder.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_was_not_synced_is_recognised() {
        let folder = Path::new("/data");
        for text in [
            "Failed to fsync journal file at /data/3.jnl: Os { code: 5 }",
            "Failed to fsyncdata journal file at /data/3.jnl: Os { code: 28 }",
        ] {
            assert!(is_failed_journal_sync(text, folder), "{text}");
            assert!(!is_failed_journal_sync(text, Path::new("/other")), "{text}");
        }
        assert!(!is_failed_journal_sync("Failed to flush journal IO buffers at /data/3.jnl: Os { code: 28 }", folder));
    }
}
