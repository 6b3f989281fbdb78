//! The ordered key-value store under the engine, behind a small trait, so that tests can use an in-memory or a faulty
//! store, and other stores can be measured.

mod error;
mod fjall;
mod memory;
mod row;
mod table_fault;

pub(crate) use self::error::RESTORE;
pub use self::error::{CorruptKind, StoreError};
pub use self::fjall::{Cut, FjallStore, StoreSettings, forward_log};
pub(crate) use self::fjall::{FolderSnapshot, FolderView, folder_bytes, locate, with_remedy};
pub use self::memory::MemoryStore;
pub use self::row::Row;
pub use self::table_fault::{KeyGap, OnRead, TableFault};

use std::ops::Bound;

/// The file in which the `keyfold` command keeps the secret of its cursors; while it is written, a number follows. A
/// store leaves it alone.
pub const CURSOR_SECRET_FILE: &str = "cursor-secret";

/// Whether a commit is on disk before it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// The commit survives the loss of power.
    Durable,
    /// The commit survives the end of the process, but not the loss of power.
    Relaxed,
}

/// One change of an atomic batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Sets the value of a key.
    Put(Vec<u8>, Vec<u8>),
    /// Removes a key, if it exists.
    Remove(Vec<u8>),
}

impl Change {
    /// The bytes of its key and value.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Put(key, value) => key.len() + value.len(),
            Self::Remove(key) => key.len(),
        }
    }
}

/// A contiguous range of keys.
pub type KeyRange = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// The first key behind a key.
pub(crate) fn key_after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

/// Keys and values in key order, or in reverse.
pub type RowIterator = Box<dyn Iterator<Item = Result<(Row, Row), StoreError>> + Send>;

/// An ordered map of bytes to bytes, with snapshots and atomic batches.
pub trait Store: Send + Sync {
    /// The newest committed value.
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError>;
    /// A view of the current state, which later commits do not change.
    fn snapshot(&self) -> Box<dyn Snapshot>;
    /// Applies all changes or none; with [`Durability::Durable`] they are on disk when this returns, and no reader
    /// sees them before. After an error it is not known which changes are on disk.
    fn commit(&self, changes: Vec<Change>, durability: Durability) -> Result<(), StoreError>;
    /// Waits while flushes and merges of tables are too far behind for these changes, as long as it takes. Called
    /// before their commit: the time of a commit alone tells whether the store hangs, and [`Store::work_progress`]
    /// whether this wait does. Waits for nothing unless a store implements it.
    fn wait_for_room(&self, _changes: &mut dyn Iterator<Item = &Change>) {}
    /// Brings everything committed to disk.
    fn sync(&self) -> Result<(), StoreError>;
    /// Brings everything committed to disk, so that the next opening finds it without any work where that is possible.
    /// No commit follows; reads may.
    fn close(&self) -> Result<(), StoreError> {
        self.sync()
    }
    /// Drops rows of a range that nobody reads or writes any more, as far as no data has to be rewritten for it. The
    /// rows that remain must be removed by commits. The store must always contain a row outside of the range that was
    /// committed after all rows in it; otherwise dropped rows may reappear when it is opened. Drops nothing unless a
    /// store implements it.
    fn drop_range(&self, _range: &KeyRange) -> Result<(), StoreError> {
        Ok(())
    }
    /// Returns the space of dropped rows to the file system, and that of about `removed_bytes` of rows that commits
    /// have removed, if they are a good part of the store. It may take seconds. Space that the state before the last
    /// commit holds is returned by the next call. Whether removed rows were looked for everywhere. Returns nothing
    /// unless a store implements it.
    fn reclaim(&self, _removed_bytes: u64) -> Result<bool, StoreError> {
        Ok(false)
    }
    /// Whether [`Store::reclaim`] would look for removed rows everywhere: if about `removed_bytes` of them, or the
    /// traces that they leave, are a good part of the store. Never unless a store implements it.
    fn is_worth_rewriting(&self, _removed_bytes: u64) -> Result<bool, StoreError> {
        Ok(false)
    }
    /// How many bytes the store takes on disk.
    fn disk_bytes(&self) -> Result<u64, StoreError>;
    /// Whether the store can still commit, as far as that can be told without a commit. Called several times a second.
    fn probe(&self) -> Result<(), StoreError> {
        Ok(())
    }
    /// Reads all files, and finds what is damaged, while the store is in use. `on_read` is told about every piece that
    /// was read; it may sleep, or break to end the search. Finds nothing unless a store implements it.
    fn find_damage(&self, _on_read: &mut OnRead<'_>) -> Result<Vec<TableFault>, StoreError> {
        Ok(Vec::new())
    }
    /// Whether a read has met damage since the last call. The next search finds where. Never unless a store implements
    /// it.
    fn has_met_damage(&self) -> bool {
        false
    }
    /// A number that changes as flushes and merges of tables go on; `None` while there are none, or where it cannot be
    /// told. Called several times a second.
    fn work_progress(&self) -> Option<u64> {
        None
    }
    /// The bytes of the files that flushes and merges have begun and not finished yet. Syncing them is one step of
    /// [`Store::work_progress`].
    fn unfinished_bytes(&self) -> Result<u64, StoreError> {
        Ok(0)
    }
    /// The space that closing the store and opening it again returns to the file system: that of unfinished files after
    /// a failure, and of journals whose commits are in tables then. Nothing unless a store implements it.
    fn bytes_freed_by_reopening(&self) -> Result<u64, StoreError> {
        Ok(0)
    }
    /// Whether nothing can be written to the disk, because its file system is or became read-only. Called after a
    /// failure.
    fn is_disk_read_only(&self) -> bool {
        false
    }
    /// The space of the disk; `None` for a store in memory.
    fn disk_space(&self) -> Result<Option<DiskSpace>, StoreError> {
        Ok(None)
    }
}

/// The space of the disk that holds a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskSpace {
    /// Bytes that can still be written.
    pub free_bytes: u64,
    /// The size of the disk.
    pub total_bytes: u64,
    /// What the store takes for a while to bring the writes in its memory to tables, and to merge those.
    pub needed_bytes: u64,
}

/// A view of the store at one moment.
pub trait Snapshot: Send + Sync {
    /// The value of a key, if it had one.
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError>;
    /// The rows of a range, in key order or in reverse.
    fn range(&self, range: KeyRange, reverse: bool) -> RowIterator;
}
