//! A file that is read again when it changes.

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::clock::Clock;
use crate::file_stamp::FileStamp;
use crate::plain_file::{self, Pipes};
use crate::secret_file::{self, SecretFileError};

/// The shortest time between two checks of the file.
const CHECK_INTERVAL_MS: u64 = 1_000;
/// Two writes within the resolution of the file system's clock, which is 2 seconds at worst, can leave the same stamp.
/// This long after a stamp was seen first, no further write can leave it. Both times are of the monotonic clock, so no
/// clock has to agree with the file system's.
const SETTLED_AFTER_MS: u64 = 2_000;

/// Checked by [`poll`](Self::poll), at most once a second. It neither waits for a lock nor reads the file more often,
/// so it can be called for every request. It may be a pipe when it is opened; what replaces it has to be a file.
pub struct WatchedFile<E = io::Error> {
    path: PathBuf,
    read: Read<E>,
    clock: Arc<dyn Clock>,
    next_check_ms: AtomicU64,
    /// Of the last read; `None` if it failed.
    last_read: Mutex<Option<LastRead>>,
}

/// What became of the file.
#[derive(Debug, PartialEq, Eq)]
pub enum FileChange<E = io::Error> {
    /// The new content.
    Changed(Vec<u8>),
    /// Reported once. From then on the file is read at each check, until that succeeds.
    Unreadable(E),
}

type Read<E> = fn(&Path, Pipes) -> Result<Vec<u8>, E>;

struct LastRead {
    /// Absent if the file appeared only after its stamp was read.
    stamp: Option<FileStamp>,
    /// When the stamp was seen first.
    since_ms: u64,
    /// Until the stamp is settled; that of a pipe for as long as it is there.
    content: Option<Vec<u8>>,
}

impl LastRead {
    fn new(stamp: Option<FileStamp>, since_ms: u64, now_ms: u64, content: &[u8]) -> Self {
        let is_settled = now_ms.saturating_sub(since_ms) >= SETTLED_AFTER_MS;
        let last = Self { stamp, since_ms, content: None };
        Self { content: (last.is_of_pipe() || !is_settled).then(|| content.to_owned()), ..last }
    }

    fn is_of_pipe(&self) -> bool {
        self.stamp.is_some_and(|stamp| !stamp.is_of_a_file())
    }
}

impl WatchedFile {
    /// Gives the content, too.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<(Self, Vec<u8>), io::Error> {
        Self::open_with(plain_file::read, path, clock)
    }
}

impl WatchedFile<SecretFileError> {
    /// A file that counts as unreadable while other users can read it. Gives the content, too.
    pub fn open_secret(path: &Path, clock: Arc<dyn Clock>) -> Result<(Self, Vec<u8>), SecretFileError> {
        Self::open_with(secret_file::read, path, clock)
    }
}

impl<E> WatchedFile<E> {
    fn open_with(read: Read<E>, path: &Path, clock: Arc<dyn Clock>) -> Result<(Self, Vec<u8>), E> {
        let (next_check_ms, last_read) = (AtomicU64::new(0), Mutex::new(None));
        let file = Self { path: path.to_owned(), read, clock, next_check_ms, last_read };
        let (stamp, now_ms) = file.stamp();
        let content = (file.read)(&file.path, Pipes::Opened)?;
        file.next_check_ms.store(now_ms + CHECK_INTERVAL_MS, Ordering::Relaxed);
        *file.last_read.lock() = Some(LastRead::new(stamp, now_ms, now_ms, &content));
        Ok((file, content))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Calls `accept` if the file has changed, has become unreadable or can be read again. Calls do not overlap, so
    /// what was read last is also accepted last.
    pub fn poll(&self, accept: impl FnOnce(FileChange<E>)) {
        let now_ms = self.clock.monotonic_ms();
        if now_ms < self.next_check_ms.load(Ordering::Relaxed) {
            return;
        }
        // Whoever holds the lock is checking the file right now.
        let Some(mut last_read) = self.last_read.try_lock() else { return };
        self.next_check_ms.store(now_ms + CHECK_INTERVAL_MS, Ordering::Relaxed);
        if let Some(change) = self.check(&mut last_read) {
            accept(change);
        }
    }

    /// Reads the file now, and calls `accept` whether or not it has changed. What a pipe has passed on stays as it is.
    pub fn read_now<T>(&self, accept: impl FnOnce(FileChange<E>) -> T) -> T {
        let mut last_read = self.last_read.lock();
        let (stamp, now_ms) = self.stamp();
        self.next_check_ms.store(now_ms + CHECK_INTERVAL_MS, Ordering::Relaxed);
        let unread = last_read.as_ref().filter(|last| last.is_of_pipe() && last.stamp == stamp);
        if let Some(content) = unread.and_then(|last| last.content.clone()) {
            return accept(FileChange::Changed(content));
        }
        match (self.read)(&self.path, Pipes::Refused) {
            Ok(content) => {
                *last_read = Some(LastRead::new(stamp, now_ms, now_ms, &content));
                accept(FileChange::Changed(content))
            }
            Err(error) => {
                *last_read = None;
                accept(FileChange::Unreadable(error))
            }
        }
    }

    fn check(&self, last_read: &mut Option<LastRead>) -> Option<FileChange<E>> {
        let (stamp, now_ms) = self.stamp();
        let same_stamp = last_read.as_ref().filter(|last| stamp.is_some() && last.stamp == stamp);
        if same_stamp.is_some_and(|last| last.content.is_none() || last.is_of_pipe()) {
            return None;
        }
        let content = match (self.read)(&self.path, Pipes::Refused) {
            Ok(content) => content,
            Err(error) => return last_read.take().map(|_| FileChange::Unreadable(error)),
        };
        let is_same = same_stamp.is_some_and(|last| last.content.as_ref() == Some(&content));
        let since_ms = same_stamp.map_or(now_ms, |last| last.since_ms);
        *last_read = Some(LastRead::new(stamp, since_ms, now_ms, &content));
        (!is_same).then_some(FileChange::Changed(content))
    }

    /// The stamp and the time at which it was seen. It is read before the content, so that a change in between is seen
    /// by the next check.
    fn stamp(&self) -> (Option<FileStamp>, u64) {
        (FileStamp::read(&self.path).ok(), self.clock.monotonic_ms())
    }
}
