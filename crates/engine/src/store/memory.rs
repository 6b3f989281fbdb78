//! A store in memory, for tests and temporary servers. A persistent map makes snapshots cheap.

use std::ops::Bound;
use std::sync::Arc;

use imbl::OrdMap;
use parking_lot::RwLock;

use super::{Change, Durability, KeyRange, Row, RowIterator, Snapshot, Store, StoreError};

type Rows = OrdMap<Vec<u8>, Row>;

/// A store in memory.
#[derive(Default)]
pub struct MemoryStore {
    rows: Arc<RwLock<Rows>>,
}

impl Store for MemoryStore {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows.read().get(key).cloned())
    }

    fn snapshot(&self) -> Box<dyn Snapshot> {
        Box::new(MemorySnapshot { rows: self.rows.read().clone() })
    }

    fn commit(&self, changes: Vec<Change>, _durability: Durability) -> Result<(), StoreError> {
        let mut rows = self.rows.write();
        for change in changes {
            match change {
                Change::Put(key, value) => {
                    rows.insert(key, Row::from(value));
                }
                Change::Remove(key) => {
                    rows.remove(&key);
                }
            }
        }
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn disk_bytes(&self) -> Result<u64, StoreError> {
        Ok(0)
    }
}

struct MemorySnapshot {
    rows: Rows,
}

impl Snapshot for MemorySnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows.get(key).cloned())
    }

    fn range(&self, range: KeyRange, reverse: bool) -> RowIterator {
        Box::new(MemoryRange { rows: self.rows.clone(), range, reverse, done: false })
    }
}

/// Finds each row by a lookup from the previous key, so that the iterator owns its snapshot.
struct MemoryRange {
    rows: Rows,
    range: KeyRange,
    reverse: bool,
    done: bool,
}

impl Iterator for MemoryRange {
    type Item = Result<(Row, Row), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done || is_empty(&self.range) {
            return None;
        }
        let mut walk = self.rows.range::<_, Vec<u8>>(self.range.clone());
        let step = if self.reverse { walk.next_back() } else { walk.next() };
        let Some((key, value)) = step else {
            self.done = true;
            return None;
        };
        let found = (Row::from(key.clone()), value.clone());
        if self.reverse {
            self.range.1 = Bound::Excluded(key.clone());
        } else {
            self.range.0 = Bound::Excluded(key.clone());
        }
        Some(Ok(found))
    }
}

/// Ordered maps panic on such a range, so it is checked first.
fn is_empty(range: &KeyRange) -> bool {
    match range {
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => low >= high,
        _ => false,
    }
}
