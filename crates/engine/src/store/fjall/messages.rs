//! fjall's own messages. Its errors leave out why a flush or a merge failed; its messages do not.
//!
//! Their texts are no interface: they may change in any release, and a failure would then be reported without its
//! cause. Compare them when fjall is upgraded; a test in `verify/` fails until then.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use log::{Level, LevelFilter, Log, Metadata, Record};
use parking_lot::Mutex;

use super::verify;
use crate::store::StoreError;

/// The newest errors of all stores of the process.
static ERRORS: Mutex<Errors> = Mutex::new(Errors { count: 0, newest: VecDeque::new() });
const KEPT: usize = 64;

/// The messages that were logged last.
static LOGGED: Mutex<Repetitions> = Mutex::new(Repetitions(VecDeque::new()));

/// The same message is logged again after this time: every read of a damaged block causes one.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

struct Errors {
    /// How many there were.
    count: u64,
    newest: VecDeque<(u64, String)>,
}

impl Errors {
    /// Of a message that comes again and again, the first one and the newest are kept, so that it displaces no other.
    fn add(&mut self, text: String) {
        let number = self.count;
        self.count += 1;
        let first = self.newest.iter().position(|(_, known)| *known == text);
        let newest = self.newest.iter().rposition(|(_, known)| *known == text);
        if let Some(newest) = newest.filter(|_| first < newest) {
            self.newest.remove(newest);
        }
        self.newest.push_back((number, text));
        if self.newest.len() > KEPT {
            self.newest.pop_front();
        }
    }
}

/// Messages with the time at which each was logged, oldest first.
struct Repetitions(VecDeque<(Instant, String)>);

impl Repetitions {
    /// Whether a message is to be logged, because it was not lately.
    fn admit(&mut self, text: &str, now: Instant) -> bool {
        while self.0.len() > KEPT
            || self.0.front().is_some_and(|(at, _)| now.saturating_duration_since(*at) >= LOG_INTERVAL)
        {
            self.0.pop_front();
        }
        let is_new = self.0.iter().all(|(_, known)| known != text);
        if is_new {
            self.0.push_back((now, text.to_owned()));
        }
        is_new
    }
}

/// A message of the store, as the cause of a failure.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Message(String);

/// A failure whose message is known.
#[derive(Debug, thiserror::Error)]
#[error("a merge of tables met a block that is not what was written")]
struct MetDamage;

struct Forwarder;

/// Sends the store's messages to `tracing`, from its warnings on, with the target `keyfold_engine::store`; the same
/// message at most once a minute. Failures of flushes and merges then name their cause, which the store tells in
/// messages alone. Without them, only a damaged block is found as a cause, and the engine cannot be reopened after
/// others. Without effect if the program has set another logger of the `log` crate.
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
        let text = record.args().to_string();
        let (is_error, is_new) = (record.level() == Level::Error, LOGGED.lock().admit(&text, Instant::now()));
        if is_error && is_new {
            tracing::error!(target: "keyfold_engine::store", origin = record.target(), "{text}");
        } else if is_new {
            tracing::warn!(target: "keyfold_engine::store", origin = record.target(), "{text}");
        }
        if is_error {
            ERRORS.lock().add(text);
        }
    }

    fn flush(&self) {}
}

/// How many errors there were; those of a store come after its opening.
pub(super) fn count() -> u64 {
    ERRORS.lock().count
}

/// The same failure with the cause that the messages since a store was opened tell: the first one, save that a journal
/// that could not be synced comes before all others.
pub(super) fn explain(error: StoreError, since: u64, folder: &Path) -> StoreError {
    let all = ERRORS.lock();
    let errors: Vec<&String> = all.newest.iter().filter(|(number, _)| *number >= since).map(|(_, text)| text).collect();
    let cause = |text: &String| Arc::new(Message(text.clone()));
    if let Some(text) = errors.iter().find(|text| is_failed_journal_sync(text, folder)) {
        return StoreError::SyncFailed(cause(text));
    }
    if !matches!(error, StoreError::Stopped(_)) {
        return error;
    }
    match errors.iter().find(|text| is_of_a_worker(text)).or(errors.first()) {
        Some(text) if is_damage(text) => StoreError::corrupt(MetDamage),
        Some(text) if is_full_disk(text) => StoreError::Full(cause(text)),
        Some(text) if is_read_only_disk(text) => {
            verify::failure(folder, "written")(StoreError::ReadOnlyDisk(cause(text)))
        }
        Some(text) => StoreError::Stopped(cause(text)),
        None => error,
    }
}

/// Whether it is the end of a flush or of a merge. Reads of damaged blocks cause messages too, and stop nothing.
fn is_of_a_worker(text: &str) -> bool {
    ["Compaction failed", "Flush error", "Manifest maintenance failed", "Worker #"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// Whether a merge of tables met a block that is not what was written.
fn is_damage(text: &str) -> bool {
    ["ChecksumMismatch", "InvalidHeader", "InvalidTag", "InvalidTrailer", "Decompress"]
        .iter()
        .any(|kind| text.contains(kind))
}

fn is_full_disk(text: &str) -> bool {
    ["StorageFull", "QuotaExceeded"].iter().any(|kind| text.contains(kind))
}

fn is_read_only_disk(text: &str) -> bool {
    text.contains("ReadOnlyFilesystem")
}

fn is_failed_journal_sync(text: &str, folder: &Path) -> bool {
    // fjall names files by their absolute path.
    let Ok(folder) = std::path::absolute(folder) else { return false };
    ["Failed to fsync journal file at ", "Failed to fsyncdata journal file at "]
        .iter()
        .filter_map(|start| text.strip_prefix(start))
        .any(|file| Path::new(file).starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_logged_again_after_a_while() {
        let mut logged = Repetitions(VecDeque::new());
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert!(logged.admit("one", at(0)) && logged.admit("two", at(1)));
        assert!(!logged.admit("one", at(59)) && !logged.admit("two", at(60)));
        assert!(logged.admit("one", at(60)) && !logged.admit("one", at(61)));
        for number in 0..1000 {
            assert!(logged.admit(&number.to_string(), at(62)));
        }
        assert!(logged.0.len() <= KEPT + 1);
    }

    #[test]
    fn a_message_that_is_repeated_displaces_no_other() {
        let mut errors = Errors { count: 0, newest: VecDeque::new() };
        errors.add("Failed to fsync".to_owned());
        for _ in 0..1000 {
            errors.add("Checksum mismatch".to_owned());
        }
        let kept: Vec<(u64, &str)> = errors.newest.iter().map(|(number, text)| (*number, text.as_str())).collect();
        assert_eq!(kept, [(0, "Failed to fsync"), (1, "Checksum mismatch"), (1000, "Checksum mismatch")]);
    }

    #[test]
    fn a_merge_that_met_a_damaged_block_is_recognized() {
        let text = "Compaction failed: ChecksumMismatch { got: Checksum(1), expected: Checksum(2) }";
        assert!(is_of_a_worker(text) && is_damage(text));
        assert!(!is_of_a_worker("Checksum mismatch for block, got=1, expected=2"));
        let text = "Compaction failed: Io(Os { code: 28, kind: StorageFull })";
        assert!(!is_damage(text) && is_full_disk(text) && !is_read_only_disk(text));
        let text = "Flush error: Io(Os { code: 30, kind: ReadOnlyFilesystem, message: \"Read-only file system\" })";
        assert!(!is_damage(text) && !is_full_disk(text) && is_read_only_disk(text));
    }

    #[test]
    fn a_journal_that_was_not_synced_is_recognized() {
        let folder = Path::new("/data");
        for text in [
            "Failed to fsync journal file at /data/3.jnl: Os { code: 5 }",
            "Failed to fsyncdata journal file at /data/3.jnl: Os { code: 28 }",
        ] {
            assert!(is_failed_journal_sync(text, folder), "{text}");
            assert!(!is_failed_journal_sync(text, Path::new("/other")), "{text}");
            assert!(!is_failed_journal_sync(text, Path::new("/dat")), "{text}");
        }
        let here = std::env::current_dir().unwrap();
        let text = format!("Failed to fsync journal file at {}/data/3.jnl: Os {{ code: 5 }}", here.display());
        for folder in ["data", "./data", "./data/"] {
            assert!(is_failed_journal_sync(&text, Path::new(folder)), "{folder}");
        }
        assert!(!is_failed_journal_sync("Failed to flush journal IO buffers at /data/3.jnl: Os { code: 28 }", folder));
    }
}
