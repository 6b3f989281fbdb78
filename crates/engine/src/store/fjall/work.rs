//! Whether flushes and merges of tables make progress.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::fjall::{Database, Keyspace};

use super::{folder_bytes, internals};

/// The name of the threads that flush and merge.
const WORKER: &str = "fjall:worker";

/// Less is not taken for progress: a thread that waits may look at something now and then.
const STEP_BYTES: u64 = 32 << 10;

/// Counts those who rewrite all tables. Others wait for them, on threads that make no progress.
#[derive(Default)]
pub(super) struct Rewriters(AtomicUsize);

impl Rewriters {
    pub(super) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        self.0.fetch_add(1, Ordering::SeqCst);
        let result = work();
        self.0.fetch_sub(1, Ordering::SeqCst);
        result
    }
}

/// Whether [`progress`] tells flushes and merges that go on from those that hang.
pub(super) fn is_watched() -> bool {
    worker_bytes().is_some()
}

/// A number that changes with every step; `None` if nothing is to be done, or if it cannot be told. If writers wait,
/// something is to be done, whether or not a thread has begun.
pub(super) fn progress(
    database: &Database,
    keyspaces: [&Keyspace; 2],
    rewriters: &Rewriters,
    writers_wait: bool,
) -> Option<u64> {
    let unflushed = keyspaces.map(internals::unflushed_buffers);
    let has_flush = unflushed.iter().any(|count| *count > 0);
    if rewriters.0.load(Ordering::SeqCst) > 0 || !has_flush && !writers_wait && !internals::is_merging(database) {
        return None;
    }
    let moved = match worker_bytes() {
        Some(bytes) => bytes / STEP_BYTES,
        // Without it, a merge that writes nothing, because all its rows were removed, could not be told from one that
        // hangs. A flush writes rows.
        None if has_flush => unfinished_bytes(keyspaces).ok()?,
        None => return None,
    };
    let versions = keyspaces.map(internals::version);
    let mut hasher = DefaultHasher::new();
    (moved, versions, unflushed, internals::merges(database)).hash(&mut hasher);
    Some(hasher.finish())
}

/// The bytes of tables that no list names yet.
pub(super) fn unfinished_bytes(keyspaces: [&Keyspace; 2]) -> io::Result<u64> {
    keyspaces
        .iter()
        .try_fold(0, |sum, keyspace| Ok(sum + folder_bytes(keyspace.path())?.saturating_sub(keyspace.disk_space())))
}

/// What the threads of all stores of the process have read and written, whether or not a disk had to be asked. Other
/// systems than Linux do not tell.
fn worker_bytes() -> Option<u64> {
    let mut total = None;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let folder = thread.ok()?.path();
        // It may have ended.
        let Ok(name) = fs::read_to_string(folder.join("comm")) else { continue };
        if name.trim_end() == WORKER {
            let counters = fs::read_to_string(folder.join("io")).ok()?;
            *total.get_or_insert(0) += moved_bytes(&counters)?;
        }
    }
    total
}

fn moved_bytes(counters: &str) -> Option<u64> {
    let value = |name: &str| counters.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    Some(value("rchar:")? + value("wchar:")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Change, Durability, FjallStore, Store, StoreSettings};

    #[test]
    fn counters_of_a_thread_are_read() {
        assert_eq!(moved_bytes("rchar: 6976\nwchar: 24\nsyscr: 10\nread_bytes: 4096\n"), Some(7000));
        assert_eq!(moved_bytes("rchar: 6976\n"), None);
    }

    /// The number changes at least once per table, and there is none in the end.
    #[test]
    fn flushes_and_merges_make_progress_until_all_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let settings = StoreSettings { write_buffer_bytes: 1 << 20, ..StoreSettings::default() };
        let store = FjallStore::open(folder.path(), settings).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..200u64 {
            let change = Change::Put((number % 50).to_be_bytes().to_vec(), vec![number as u8; 100_000]);
            store.commit(vec![change], Durability::Relaxed).unwrap();
            seen.extend(store.work_progress());
        }
        assert!(seen.len() > 5, "{}", seen.len());
        let started = std::time::Instant::now();
        while store.work_progress().is_some() {
            assert!(started.elapsed() < std::time::Duration::from_secs(60), "it never rests");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
