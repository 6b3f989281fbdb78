//! Returns space to the file system: drops whole tables, and rewrites a small store.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use ::fjall::{Database, Keyspace};

use super::internals;
use crate::store::{KeyRange, StoreError};

/// The largest store that is rewritten: about ten seconds of work. In a larger one, the space of removed rows returns
/// as its tables are merged.
const REWRITE_BYTES: u64 = 1 << 30;

/// A store is rewritten if the removed rows, or their tombstones, are at least this part of it: one byte is removed for
/// four that are written.
const REMOVED_PART: u64 = 4;

/// Fewer tombstones take no time worth mentioning.
const MANY_TOMBSTONES: u64 = 20_000;

/// fjall notes which states nobody reads any more only when so many snapshots were closed. Until then merges keep what
/// was removed since, and files that were merged.
const SNAPSHOTS_PER_COLLECTION: usize = 10_000;

/// More than the manifest and the lists of tables take.
const SMALL_FILES: u64 = 1 << 20;

/// How long a flush is waited for, in steps of [`FLUSH_STEP`].
const FLUSH_STEPS: u32 = 3000;
const FLUSH_STEP: Duration = Duration::from_millis(10);

/// Deletes the tables whose keys all lie in the range.
///
/// Opening replays the journal from the newest row in the tables on. So there must always be a row outside of the range
/// that is newer than every row in it: then the dropped rows are not replayed.
pub(crate) fn drop_range(database: &Database, rows: &Keyspace, range: &KeyRange) -> Result<(), StoreError> {
    if flush(database, rows)? {
        internals::drop_tables(rows, range)?;
    }
    Ok(())
}

/// Rewrites a store of which a good part was removed.
#[derive(Default)]
pub(crate) struct Reclaimer {
    /// The tombstones that the last rewriting left, because somebody read the state before them.
    left_tombstones: AtomicU64,
}

impl Reclaimer {
    /// Flushes, which releases files that only earlier states refer to, and rewrites the store if that is worth it.
    /// Whether it was rewritten.
    pub(crate) fn reclaim(
        &self,
        database: &Database,
        rows: &Keyspace,
        removed_bytes: u64,
        free_bytes: impl FnOnce() -> io::Result<u64>,
    ) -> Result<bool, StoreError> {
        for _ in 0..SNAPSHOTS_PER_COLLECTION {
            drop(database.snapshot());
        }
        let flushed = flush(database, rows)?;
        let is_rewritten = flushed && self.is_worth_rewriting(rows, removed_bytes, free_bytes)?;
        if is_rewritten {
            internals::merge_all_tables(rows)?;
            self.left_tombstones.store(internals::tombstones(rows), Ordering::Relaxed);
        }
        Ok(is_rewritten)
    }

    /// Whether the removed rows or their tombstones are a good part of the tables, and these are few enough to be
    /// rewritten.
    pub(crate) fn is_worth_rewriting(
        &self,
        rows: &Keyspace,
        removed_bytes: u64,
        free_bytes: impl FnOnce() -> io::Result<u64>,
    ) -> Result<bool, StoreError> {
        let stored = rows.disk_space();
        let is_good_part = removed_bytes > stored / REMOVED_PART || self.has_many_tombstones(rows);
        Ok(is_good_part && stored <= REWRITE_BYTES && stored - stored / REMOVED_PART <= free_bytes()?)
    }

    fn has_many_tombstones(&self, rows: &Keyspace) -> bool {
        let tombstones = internals::tombstones(rows);
        let new = tombstones.saturating_sub(self.left_tombstones.load(Ordering::Relaxed));
        new >= MANY_TOMBSTONES && tombstones > internals::stored_rows(rows) / REMOVED_PART
    }
}

/// What a flush of everything in memory takes, and then a merge of all tables.
pub(crate) fn needed_bytes(database: &Database, rows: &Keyspace, marks: &Keyspace) -> u64 {
    // Of the numbers of commits only the last goes to a table.
    let unflushed = internals::buffered_bytes(database).saturating_sub(internals::active_buffer_bytes(marks));
    rows.disk_space() + 2 * unflushed + SMALL_FILES
}

/// Writes everything committed so far to tables; `false` if that takes too long.
fn flush(database: &Database, rows: &Keyspace) -> Result<bool, StoreError> {
    let newest = internals::newest_row(rows);
    internals::begin_flush(rows)?;
    for _ in 0..FLUSH_STEPS {
        // The newest row can be a tombstone that a merge has removed already.
        if internals::newest_row_in_tables(rows) >= newest || internals::unflushed_buffers(rows) == 0 {
            return Ok(true);
        }
        internals::require_workers(database)?;
        thread::sleep(FLUSH_STEP);
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;
    use std::path::Path;

    use super::*;
    use crate::store::{Change, Durability, FjallStore, Store, StoreSettings};

    const ROWS: u32 = 400;

    fn open(folder: &Path) -> FjallStore {
        FjallStore::open(folder, StoreSettings::default()).unwrap()
    }

    fn key(head: u8, number: u32) -> Vec<u8> {
        [&[head][..], &number.to_be_bytes()].concat()
    }

    /// Rows that do not compress.
    fn fill(store: &FjallStore, head: u8) {
        let value = |number: u32| (0..256u64).flat_map(|part| xxhash(number, part).to_be_bytes()).collect();
        let changes = (0..ROWS).map(|number| Change::Put(key(head, number), value(number))).collect();
        store.commit(changes, Durability::Relaxed).unwrap();
    }

    fn xxhash(number: u32, part: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64_with_seed(&number.to_be_bytes(), part)
    }

    fn range(head: u8) -> KeyRange {
        (Bound::Included(vec![head]), Bound::Excluded(vec![head + 1]))
    }

    fn count(store: &FjallStore, head: u8) -> usize {
        store.snapshot().range(range(head), false).filter(|row| row.is_ok()).count()
    }

    fn mark(store: &FjallStore) {
        store.commit(vec![Change::Put(vec![0], Vec::new())], Durability::Relaxed).unwrap();
    }

    #[test]
    fn a_dropped_range_is_gone_and_stays_gone_after_opening() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        fill(&store, 2);
        flush(&store.database, &store.rows).unwrap();
        fill(&store, 4);
        mark(&store);
        store.drop_range(&range(2)).unwrap();
        assert_eq!((count(&store, 2), count(&store, 4)), (0, ROWS as usize));
        drop(store);
        let store = open(folder.path());
        assert_eq!((count(&store, 2), count(&store, 4)), (0, ROWS as usize));
    }

    #[test]
    fn a_snapshot_still_reads_a_dropped_range() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        fill(&store, 2);
        flush(&store.database, &store.rows).unwrap();
        mark(&store);
        let before = store.snapshot();
        store.drop_range(&range(2)).unwrap();
        mark(&store);
        store.reclaim(0).unwrap();
        assert_eq!(before.range(range(2), false).filter(|row| row.is_ok()).count(), ROWS as usize);
        assert_eq!(count(&store, 2), 0);
    }

    #[test]
    fn rows_of_a_range_that_share_a_table_with_others_remain() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        fill(&store, 2);
        fill(&store, 4);
        mark(&store);
        store.drop_range(&range(2)).unwrap();
        assert_eq!((count(&store, 2), count(&store, 4)), (ROWS as usize, ROWS as usize));
    }

    fn table_bytes(store: &FjallStore) -> u64 {
        super::super::folder_bytes(&store.folder.join(super::super::verify::KEYSPACES)).unwrap()
    }

    #[test]
    fn the_space_of_dropped_and_removed_rows_is_returned() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        fill(&store, 2);
        flush(&store.database, &store.rows).unwrap();
        fill(&store, 4);
        mark(&store);
        store.drop_range(&range(2)).unwrap();
        let removed: Vec<Change> = (0..ROWS).map(|number| Change::Remove(key(4, number))).collect();
        store.commit(removed, Durability::Relaxed).unwrap();
        assert!(table_bytes(&store) > u64::from(ROWS) * 2048);
        store.reclaim(u64::from(ROWS) * 2048).unwrap();
        mark(&store);
        store.reclaim(0).unwrap();
        assert!(table_bytes(&store) < 100_000, "{} bytes remain", table_bytes(&store));
    }

    fn commit(store: &FjallStore, change: impl Fn(Vec<u8>) -> Change) {
        let changes = (0..MANY_TOMBSTONES as u32).map(|number| change(key(2, number))).collect();
        store.commit(changes, Durability::Relaxed).unwrap();
    }

    fn fill_and_flush(store: &FjallStore) {
        commit(store, |key| Change::Put(key, vec![1]));
        flush(&store.database, &store.rows).unwrap();
        assert!(!store.is_worth_rewriting(0).unwrap());
    }

    fn remove_and_flush(store: &FjallStore) {
        commit(store, Change::Remove);
        assert!(!store.is_worth_rewriting(0).unwrap(), "the tombstones are in memory only");
        flush(&store.database, &store.rows).unwrap();
    }

    #[test]
    fn a_store_of_tombstones_is_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        fill_and_flush(&store);
        remove_and_flush(&store);
        drop(store);
        let store = open(folder.path());
        assert!(store.is_worth_rewriting(0).unwrap(), "they are noticed after a restart");
        mark(&store);
        // It is not rewritten if a merge of fjall's own, which the flush begins, was faster.
        store.reclaim(0).unwrap();
        assert_eq!((internals::tombstones(&store.rows), count(&store, 2)), (0, 0));
        assert!(!store.is_worth_rewriting(0).unwrap());
    }

    #[test]
    fn tombstones_that_a_reader_keeps_are_rewritten_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        mark(&store);
        // Removed rows that are newer than the state of a reader stay with their tombstones.
        let reader = store.snapshot();
        fill_and_flush(&store);
        remove_and_flush(&store);
        assert!(store.reclaim(0).unwrap());
        assert_eq!(internals::tombstones(&store.rows), MANY_TOMBSTONES);
        assert!(!store.is_worth_rewriting(0).unwrap(), "it would be rewritten again and again");
        drop(reader);
    }
}
