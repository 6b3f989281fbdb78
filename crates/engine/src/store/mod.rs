//! The ordered key-value store under the engine, behind a small trait, so that tests can put an in-memory or a faulty
//! store there and another store can be measured.

mod fjall;
mod journal_tail;
mod memory;

pub use self::fjall::{FjallStore, StoreSettings};
pub use self::memory::MemoryStore;

use std::ops::Bound;

/// A key or a value as the store hands it out: shared bytes that are cheap to keep.
pub type Row = ::fjall::Slice;

/// Whether a commit is on disk before it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// The commit survives the loss of power.
    Durable,
    /// The commit survives the end of the process, but not the loss of power.
    Relaxed,
}

/// A failure of the store. After one the engine takes no more writes: what is on disk is no longer known.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    #[error("the data folder is in use by another process")]
    Locked,
    #[error("{0}")]
    Failed(String),
}

/// One change of an atomic batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Put(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
}

/// A stretch of keys.
pub type KeyRange = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// Rows in key order, or against it.
pub type RowIterator = Box<dyn Iterator<Item = Result<(Row, Row), StoreError>> + Send>;

pub trait Store: Send + Sync {
    /// The newest committed value.
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError>;
    /// A view of this moment that later commits do not change.
    fn snapshot(&self) -> Box<dyn Snapshot>;
    /// Applies all changes or none; with [`Durability::Durable`] they are on disk when this returns, and no reader
    /// sees them before.
    fn commit(&self, changes: Vec<Change>, durability: Durability) -> Result<(), StoreError>;
    /// Brings everything committed to disk.
    fn sync(&self) -> Result<(), StoreError>;
    /// How many bytes the store takes on disk.
    fn disk_bytes(&self) -> u64;
}

pub trait Snapshot: Send + Sync {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError>;
    fn range(&self, range: KeyRange, reverse: bool) -> RowIterator;
}
