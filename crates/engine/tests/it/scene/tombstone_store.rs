//! A memory store that keeps a tombstone for each removed row, as a log-structured store does until it compacts, and
//! counts the rows and tombstones that walks pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use keyfold_engine::store::{Change, Durability, KeyRange, MemoryStore, Row, RowIterator, Snapshot, Store, StoreError};
use parking_lot::Mutex;

const LIVE: u8 = 1;

#[derive(Default)]
pub(crate) struct TombstoneStore {
    rows: MemoryStore,
    visited: Arc<AtomicUsize>,
    /// The ranges that were dropped.
    pub dropped: Mutex<Vec<KeyRange>>,
    /// The bytes of each call of `reclaim`.
    pub reclaimed: Mutex<Vec<u64>>,
    /// Commits fail once this many have succeeded; 0 for never.
    pub fails_after: AtomicUsize,
    commits: AtomicUsize,
}

impl TombstoneStore {
    /// The rows and tombstones passed since the last call.
    pub(crate) fn take_visited(&self) -> usize {
        self.visited.swap(0, Ordering::SeqCst)
    }

    pub(crate) fn commits(&self) -> usize {
        self.commits.load(Ordering::SeqCst)
    }

    fn live(stored: &Row) -> Option<Row> {
        stored.split_first().filter(|(mark, _)| **mark == LIVE).map(|(_, value)| Row::from(value.to_vec()))
    }
}

impl Store for TombstoneStore {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows.get(key)?.as_ref().and_then(Self::live))
    }

    fn snapshot(&self) -> Box<dyn Snapshot> {
        Box::new(TombstoneSnapshot { rows: self.rows.snapshot(), visited: Arc::clone(&self.visited) })
    }

    fn commit(&self, changes: Vec<Change>, durability: Durability) -> Result<(), StoreError> {
        let fails_after = self.fails_after.load(Ordering::SeqCst);
        if fails_after > 0 && self.commits() >= fails_after {
            return Err(StoreError::from(std::io::Error::from(std::io::ErrorKind::StorageFull)));
        }
        self.commits.fetch_add(1, Ordering::SeqCst);
        let marked = changes.into_iter().map(|change| match change {
            Change::Put(key, value) => Change::Put(key, [vec![LIVE], value].concat()),
            Change::Remove(key) => Change::Put(key, Vec::new()),
        });
        self.rows.commit(marked.collect(), durability)
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.rows.sync()
    }

    /// Drops every second row: those that share no table with others.
    fn drop_range(&self, range: &KeyRange) -> Result<(), StoreError> {
        self.dropped.lock().push(range.clone());
        let keys = self.rows.snapshot().range(range.clone(), false).map(|row| row.unwrap().0.to_vec()).step_by(2);
        self.rows.commit(keys.map(Change::Remove).collect(), Durability::Relaxed)
    }

    fn reclaim(&self, removed_bytes: u64) -> Result<bool, StoreError> {
        self.reclaimed.lock().push(removed_bytes);
        Ok(true)
    }

    fn disk_bytes(&self) -> Result<u64, StoreError> {
        self.rows.disk_bytes()
    }
}

struct TombstoneSnapshot {
    rows: Box<dyn Snapshot>,
    visited: Arc<AtomicUsize>,
}

impl Snapshot for TombstoneSnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows.get(key)?.as_ref().and_then(TombstoneStore::live))
    }

    fn range(&self, range: KeyRange, reverse: bool) -> RowIterator {
        let visited = Arc::clone(&self.visited);
        Box::new(self.rows.range(range, reverse).filter_map(move |row| {
            visited.fetch_add(1, Ordering::SeqCst);
            row.map(|(key, stored)| TombstoneStore::live(&stored).map(|value| (key, value))).transpose()
        }))
    }
}
