//! The formats that this folder assumes are those that fjall writes.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::batch::Batch;
use super::folder::{CURRENT, Folder, KEYSPACE_LIST, LOCK};
use super::*;
use crate::store::{Change, Durability, FjallStore, KeyGap, Store, StoreSettings, TableFault};

fn open(folder: &Path) -> FjallStore {
    FjallStore::open(folder, StoreSettings::default()).unwrap()
}

fn list(folder: &Path) -> Folder {
    Folder::list(folder).unwrap().unwrap()
}

/// The keyspace of the marks is created second.
const MARKS: Option<u64> = Some(2);

/// The length of the whole commits at the beginning.
fn whole_length(journal: &[u8]) -> usize {
    let mut length = 0;
    while let Some(batch) = Batch::parse(&journal[length..], MARKS) {
        length += batch.length;
    }
    length
}

#[test]
fn fjall_is_the_version_that_this_folder_was_compared_with() {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
    for (package, version) in [("fjall", "3.1.13"), ("lsm-tree", "3.1.10"), ("sfa", "1.0.0")] {
        let entry = format!("name = \"{package}\"\nversion = \"{version}\"\n");
        let compare = "compare its files with this folder, and its log messages with `messages.rs`, first";
        assert!(lock.contains(&entry), "{package} is not {version}: {compare}");
    }
}

#[test]
fn a_journal_looks_as_this_folder_assumes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let journal = list(folder.path()).journals.pop().unwrap();
    assert_eq!(journal.path.file_name().unwrap(), "0.jnl");
    let before = whole_length(&std::fs::read(&journal.path).unwrap());
    let changes = vec![Change::Put(b"key".to_vec(), b"value".to_vec()), Change::Remove(b"gone".to_vec())];
    store.commit(changes, Durability::Durable).unwrap();
    let bytes = std::fs::read(&journal.path).unwrap();
    let after = whole_length(&bytes);
    assert!(bytes[after..].iter().all(|byte| *byte == 0));

    let batch = &bytes[before..after];
    assert_eq!(batch[..5], [1, 3, 0, 0, 0]);
    let items = &batch[13..batch.len() - 13];
    let mark = Batch::parse(batch, MARKS).unwrap().mark.unwrap();
    assert_eq!(mark.number, 1);
    let item = |kind, keyspace: u64, key: &[u8], value: &[u8]| {
        let lengths = [&(key.len() as u16).to_le_bytes()[..], &[value.len() as u8, 0, 0, 0].repeat(2)].concat();
        [&[2, kind, 0], &keyspace.to_le_bytes()[..], &lengths, key, value].concat()
    };
    let mark = item(0, 2, &[0], &mark.encode());
    assert_eq!(items, [mark, item(0, 1, b"key", b"value"), item(1, 1, b"gone", b"")].concat());
    let end = [&[3][..], &xxh3_64(items).to_le_bytes(), b"FJL\x03"].concat();
    assert_eq!(batch[batch.len() - 13..], end);
}

#[test]
fn a_folder_looks_as_this_folder_assumes() {
    let path = tempfile::tempdir().unwrap();
    drop(open(path.path()));
    let folder = list(path.path());
    assert_eq!(folder.marker.as_deref(), Some(MARKER_CONTENT));
    assert_eq!(folder.foreign, Vec::<std::path::PathBuf>::new());
    assert!(path.path().join(LOCK).is_file());
    let ids: Vec<u64> = folder.keyspaces().iter().map(|keyspace| keyspace.id).collect();
    assert_eq!(ids, [KEYSPACE_LIST, 1, 2]);
    assert!(folder.keyspaces().iter().all(|keyspace| keyspace.path.join(CURRENT).is_file()));
    let keyspaces = verify_keyspaces(&folder, true).unwrap();
    let names = [(1, b"rows".to_vec()), (2, commit_mark::KEYSPACE.as_bytes().to_vec())];
    assert_eq!(keyspaces.names, BTreeMap::from(names), "the list of keyspaces");
    assert_eq!(keyspaces.marks_keyspace(), MARKS);
}

/// Rows with several versions, in tables and in the journal.
fn fill(store: &FjallStore) -> std::collections::BTreeMap<Vec<u8>, Vec<u8>> {
    let mut rows = std::collections::BTreeMap::new();
    for number in 0..600u32 {
        let key = format!("row {:03}", number * 37 % 211).into_bytes();
        let value = vec![number as u8; (number * 131 % 1900) as usize];
        let removed = format!("row {:03}", number * 53 % 211).into_bytes();
        rows.insert(key.clone(), value.clone());
        rows.remove(&removed);
        store.commit(vec![Change::Put(key, value), Change::Remove(removed)], Durability::Relaxed).unwrap();
    }
    rows
}

#[test]
fn a_view_of_the_files_holds_what_the_store_holds() {
    let folder = tempfile::tempdir().unwrap();
    let settings = StoreSettings { write_buffer_bytes: 64 << 10, ..StoreSettings::default() };
    let store = FjallStore::open(folder.path(), settings).unwrap();
    let rows = fill(&store);
    drop(store);
    let mut view = View::open(folder.path()).unwrap();
    assert!(view.faults.is_empty(), "{:?}", view.faults);
    assert_eq!(view.check_tables(&mut |_| std::ops::ControlFlow::Continue(())).unwrap(), []);
    assert!(view.table_bytes() > 100_000, "no tables were written");
    let snapshot = ViewSnapshot(std::sync::Arc::new(view));
    let range = (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
    let found = crate::store::Snapshot::range(&snapshot, range, false);
    let found: Vec<_> = found.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())).unwrap()).collect();
    assert_eq!(found, rows.clone().into_iter().collect::<Vec<_>>());
    for number in 0..211 {
        let key = format!("row {number:03}").into_bytes();
        let found = crate::store::Snapshot::get(&snapshot, &key).unwrap().map(|value| value.to_vec());
        assert_eq!(found.as_ref(), rows.get(&key), "row {number}");
    }
}

#[test]
fn every_damaged_byte_of_a_table_is_found_with_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let settings = StoreSettings { write_buffer_bytes: 64 << 10, ..StoreSettings::default() };
    let store = FjallStore::open(folder.path(), settings).unwrap();
    fill(&store);
    drop(store);
    let ignore = &mut |_| std::ops::ControlFlow::Continue(());
    let tables = TableFile::list(folder.path()).unwrap();
    let table = tables.iter().find(|table| table.path.starts_with(folder.path().join("keyspaces/1"))).unwrap();
    let whole = std::fs::read(&table.path).unwrap();
    for at in (0..whole.len()).step_by(977).chain([whole.len() - 1]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        std::fs::write(&table.path, &bytes).unwrap();
        let faults = table.check(ignore).unwrap().faults;
        assert!(faults.iter().any(|fault| fault.bytes.contains(&(at as u64))), "byte {at}: {faults:?}");
    }
    let mut bytes = whole.clone();
    bytes[100] ^= 4;
    std::fs::write(&table.path, &bytes).unwrap();
    let faults = table.check(ignore).unwrap().faults;
    let [TableFault { keys: Some(keys), .. }] = &faults[..] else { panic!("{faults:?}") };
    assert!(keys.from.as_deref() < keys.to.as_deref() && keys.from.as_ref().unwrap().starts_with(b"row "), "{keys:?}");
}

/// Large rows are the ones of which a short write can spoil the recorded checksum.
#[test]
fn a_table_of_another_copy_with_the_same_number_is_not_taken_for_one_with_a_short_write() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (folder, byte) in [(one.path(), 1), (other.path(), 2)] {
        let store = open(folder);
        let change = |number: u8| Change::Put(vec![number], vec![byte; 200_000]);
        store.commit((0..5).map(change).collect(), Durability::Relaxed).unwrap();
    }
    let ignore = &mut |_| std::ops::ControlFlow::Continue(());
    let rows = |folder: &Path| {
        let tables = TableFile::list(folder).unwrap();
        tables.into_iter().find(|table| table.path.starts_with(folder.join("keyspaces/1"))).unwrap()
    };
    let (table, source) = (rows(one.path()), rows(other.path()));
    assert_eq!(table.path.file_name(), source.path.file_name());
    assert_eq!(table.check(ignore).unwrap().faults, []);
    std::fs::copy(&source.path, &table.path).unwrap();
    let checked = table.check(ignore).unwrap();
    assert!(!checked.has_wrong_record);
    assert_eq!(checked.faults.iter().map(|fault| &fault.keys).collect::<Vec<_>>(), [&Some(KeyGap::ANY)]);
}

#[test]
fn tables_that_a_failed_merge_left_are_removed_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let rows = fill(&store);
    drop(store);
    let tables = |folder: &Path| -> Vec<Vec<u64>> {
        list(folder).keyspaces().iter().map(|keyspace| keyspace.tables.clone()).collect()
    };
    let before = tables(folder.path());
    let unfinished = list(folder.path()).keyspaces().iter().find(|keyspace| keyspace.id == 1).unwrap().table(999);
    std::fs::write(&unfinished, vec![7; 5000]).unwrap();
    drop(prepare(folder.path()).unwrap());
    assert_eq!(tables(folder.path()), before);
    let store = open(folder.path());
    let all = (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
    let found = store.snapshot().range(all, false).map(|row| row.unwrap());
    assert!(found.map(|(key, value)| (key.to_vec(), value.to_vec())).eq(rows));
}
