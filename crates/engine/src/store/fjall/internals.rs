//! Every use of what fjall does not document, so that an upgrade has one file to look at. The tests below, those of
//! `space` and `watched_files`, and the crash tests fail if it behaves differently.

use ::fjall::{AbstractTree, Database, Keyspace, PersistMode};

use crate::store::KeyRange;

/// Fails if the threads that flush and merge have failed, and would never finish what is waited for. Writes nothing to
/// disk.
pub(super) fn require_workers(database: &Database) -> Result<(), ::fjall::Error> {
    database.persist(PersistMode::Buffer)
}

/// The sequence number that the next commit gets.
pub(super) fn next_sequence_number(database: &Database) -> u64 {
    database.seqno()
}

/// The bytes of all writes that are in memory only.
pub(super) fn buffered_bytes(database: &Database) -> u64 {
    database.write_buffer_size()
}

/// The bytes of the writes to a keyspace that no flush has begun to write.
pub(super) fn active_buffer_bytes(keyspace: &Keyspace) -> u64 {
    keyspace.tree.active_memtable().size()
}

/// Begins to write everything committed so far to tables.
pub(super) fn begin_flush(keyspace: &Keyspace) -> Result<(), ::fjall::Error> {
    keyspace.rotate_memtable().map(|_| ())
}

/// How many buffers wait for their flush.
pub(super) fn unflushed_buffers(keyspace: &Keyspace) -> usize {
    keyspace.sealed_memtable_count()
}

/// Whether tables are being merged, or are looked through for a merge that is due.
pub(super) fn is_merging(database: &Database) -> bool {
    database.active_compactions() > 0
}

/// How many merges were completed.
pub(super) fn merges(database: &Database) -> usize {
    database.compactions_completed()
}

/// The newest row, in memory or in a table.
pub(super) fn newest_row(keyspace: &Keyspace) -> Option<u64> {
    keyspace.tree.get_highest_seqno()
}

/// The newest row in a table.
pub(super) fn newest_row_in_tables(keyspace: &Keyspace) -> Option<u64> {
    keyspace.tree.get_highest_persisted_seqno()
}

/// How many tables may overlap each other, because they were flushed and not merged yet.
pub(super) fn unmerged_tables(keyspace: &Keyspace) -> usize {
    keyspace.tree.l0_run_count()
}

/// The tombstones in tables.
pub(super) fn tombstones(keyspace: &Keyspace) -> u64 {
    keyspace.tree.tombstone_count()
}

/// The rows in memory and in tables. Tombstones, and rows that were overwritten or removed, are among them.
pub(super) fn stored_rows(keyspace: &Keyspace) -> u64 {
    keyspace.tree.approximate_len() as u64
}

/// Merges all tables. Blocks until that is done.
pub(super) fn merge_all_tables(keyspace: &Keyspace) -> Result<(), ::fjall::Error> {
    keyspace.major_compact()
}

/// Deletes the tables whose keys all lie in a range.
pub(super) fn drop_tables(keyspace: &Keyspace, range: &KeyRange) -> Result<(), ::fjall::Error> {
    Ok(keyspace.tree.drop_range::<Vec<u8>, _>(range.clone())?)
}

/// The number of the list of tables that is on disk.
pub(super) fn version(keyspace: &Keyspace) -> u64 {
    keyspace.tree.current_version().id()
}

/// Looks at the list of tables: its number, and the numbers of the tables. fjall deletes none of them meanwhile.
pub(super) fn with_tables<T>(keyspace: &Keyspace, look: impl FnOnce(u64, &dyn Fn() -> Vec<u64>) -> T) -> T {
    let version = keyspace.tree.current_version();
    look(version.id(), &|| version.iter_tables().map(|table| table.id()).collect())
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;

    use super::*;
    use crate::store::{Change, Durability, FjallStore, Store, StoreSettings};

    #[test]
    fn the_numbers_of_the_store_follow_a_row_from_memory_to_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
        let tables = || with_tables(&store.rows, |_, tables| tables());
        let (before, first_version) = (next_sequence_number(&store.database), version(&store.rows));
        assert_eq!((newest_row(&store.rows), active_buffer_bytes(&store.rows), tables()), (None, 0, vec![]));
        store.commit(vec![Change::Put(vec![7], vec![7; 100])], Durability::Durable).unwrap();
        assert_eq!(newest_row(&store.rows), Some(before));
        assert!(next_sequence_number(&store.database) > before);
        assert_eq!(newest_row_in_tables(&store.rows), None);
        let buffered = active_buffer_bytes(&store.rows);
        assert!(buffered > 100 && buffered_bytes(&store.database) >= buffered, "{buffered}");
        begin_flush(&store.rows).unwrap();
        assert_eq!(active_buffer_bytes(&store.rows), 0);
        while unflushed_buffers(&store.rows) > 0 {
            require_workers(&store.database).unwrap();
            std::thread::yield_now();
        }
        assert_eq!(newest_row_in_tables(&store.rows), Some(before));
        assert_eq!(tables().len(), 1);
        assert!(version(&store.rows) > first_version);
        merge_all_tables(&store.rows).unwrap();
        assert_eq!((unmerged_tables(&store.rows), tables().len()), (0, 1));
        assert_eq!((tombstones(&store.rows), stored_rows(&store.rows)), (0, 1));
        drop_tables(&store.rows, &(Bound::Included(vec![7]), Bound::Excluded(vec![8]))).unwrap();
        assert_eq!(tables(), Vec::<u64>::new());
    }
}
