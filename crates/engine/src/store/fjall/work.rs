//! Whether flushes and merges of tables make progress.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ::fjall::{Database, Keyspace};
use parking_lot::Mutex;

use super::{folder_bytes, internals};

/// The name of the threads that flush and merge.
const WORKER: &str = "fjall:worker";

/// Less is not taken for progress: a thread that waits may look at something now and then.
const STEP_BYTES: u64 = 32 << 10;

/// Those who rewrite all tables. Others wait for them, on threads that make no progress.
#[derive(Default)]
pub(super) struct Rewriters {
    count: AtomicUsize,
    /// Their threads, where the system has a folder for each.
    threads: Mutex<Vec<PathBuf>>,
}

impl Rewriters {
    pub(super) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let thread = fs::read_link("/proc/thread-self").ok().map(|thread| Path::new("/proc").join(thread));
        self.threads.lock().extend(thread.clone());
        self.count.fetch_add(1, Ordering::SeqCst);
        let result = work();
        self.count.fetch_sub(1, Ordering::SeqCst);
        self.threads.lock().retain(|known| Some(known) != thread.as_ref());
        result
    }
}

/// Tells flushes and merges that go on from those that hang.
pub(super) struct WorkWatch {
    /// Whether what the workers read and write is known.
    is_watched: bool,
    /// The threads of the workers, while there is work. Others begin and end meanwhile: hundreds, in a server.
    workers: Mutex<Vec<PathBuf>>,
}

impl WorkWatch {
    pub(super) fn start() -> Self {
        Self { is_watched: worker_bytes(&worker_threads()).is_some(), workers: Mutex::default() }
    }

    /// Whether [`Self::progress`] tells flushes and merges that go on from those that hang.
    pub(super) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// A number that changes with every step; `None` if nothing is to be done, or if it cannot be told. If writers
    /// wait, something is to be done, whether or not a thread has begun, and whoever rewrites all tables must make
    /// progress.
    pub(super) fn progress(
        &self,
        database: &Database,
        keyspaces: [&Keyspace; 2],
        rewriters: &Rewriters,
        writers_wait: bool,
    ) -> Option<u64> {
        let unflushed = keyspaces.map(internals::unflushed_buffers);
        let has_flush = unflushed.iter().any(|count| *count > 0);
        let is_rewriting = rewriters.count.load(Ordering::SeqCst) > 0;
        if !writers_wait && (is_rewriting || !has_flush && !internals::is_merging(database)) {
            self.workers.lock().clear();
            return None;
        }
        let moved = match self.moved_bytes(&rewriters.threads.lock()) {
            Some(bytes) => bytes / STEP_BYTES,
            // Without it, a merge that writes nothing, because all its rows were removed, could not be told from one
            // that hangs. A flush writes rows.
            None if has_flush && !is_rewriting => unfinished_bytes(keyspaces).ok()?,
            None => return None,
        };
        let versions = keyspaces.map(internals::version);
        let mut hasher = DefaultHasher::new();
        (moved, versions, unflushed, internals::merges(database)).hash(&mut hasher);
        Some(hasher.finish())
    }

    /// What the workers and others have read and written.
    fn moved_bytes(&self, others: &[PathBuf]) -> Option<u64> {
        let mut workers = self.workers.lock();
        let known = worker_bytes(&workers);
        let moved = known.or_else(|| {
            *workers = worker_threads();
            worker_bytes(&workers)
        })?;
        // One that has just ended its work may have ended.
        Some(others.iter().filter_map(|thread| thread_bytes(thread)).sum::<u64>() + moved)
    }
}

/// The bytes of tables that no list names yet.
pub(super) fn unfinished_bytes(keyspaces: [&Keyspace; 2]) -> io::Result<u64> {
    keyspaces
        .iter()
        .try_fold(0, |sum, keyspace| Ok(sum + folder_bytes(keyspace.path())?.saturating_sub(keyspace.disk_space())))
}

/// The threads that flush and merge, of all stores of the process. Other systems than Linux do not list them.
fn worker_threads() -> Vec<PathBuf> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten().map(|thread| thread.path());
    threads.filter(|thread| is_worker(thread)).collect()
}

fn is_worker(thread: &Path) -> bool {
    fs::read_to_string(thread.join("comm")).is_ok_and(|name| name.trim_end() == WORKER)
}

/// What these workers have read and written, whether or not a disk had to be asked; `None` if there is none, or if one
/// of them has ended, and another thread may have its number.
fn worker_bytes(workers: &[PathBuf]) -> Option<u64> {
    if workers.is_empty() {
        return None;
    }
    workers.iter().map(|thread| thread_bytes(thread).filter(|_| is_worker(thread))).sum()
}

fn thread_bytes(thread: &Path) -> Option<u64> {
    moved_bytes(&fs::read_to_string(thread.join("io")).ok()?)
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

    /// A rewriting of all tables that hangs is noticed once writers wait for it.
    #[test]
    fn who_rewrites_tables_is_watched_while_writers_wait() {
        let folder = tempfile::tempdir().unwrap();
        let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
        let look = |writers_wait| {
            let keyspaces = [&store.rows, &store.marks];
            store.work.progress(&store.database, keyspaces, &store.rewriters, writers_wait)
        };
        let (before, after) = store.rewriters.run(|| {
            assert_eq!(look(false), None);
            let before = look(true);
            assert!(before.is_some());
            assert_eq!(look(true), before, "nothing has moved");
            fs::write(folder.path().join("lost+found"), vec![7; 1 << 20]).unwrap();
            (before, look(true))
        });
        assert_ne!(before, after, "the thread that rewrites has written");
        assert!(store.rewriters.threads.lock().is_empty());
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
