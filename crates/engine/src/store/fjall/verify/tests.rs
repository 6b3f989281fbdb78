//! The formats that this folder assumes are those that fjall writes.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::batch::Batch;
use super::folder::{CURRENT, Folder, KEYSPACE_LIST, LOCK};
use super::*;
use crate::store::{Change, Durability, FjallStore, Store, StoreSettings};

fn open(folder: &Path) -> FjallStore {
    FjallStore::open(folder, StoreSettings::default()).unwrap()
}

fn list(folder: &Path) -> Folder {
    Folder::list(folder).unwrap().unwrap()
}

/// The length of the whole commits at the beginning.
fn whole_length(journal: &[u8]) -> usize {
    let mut length = 0;
    while let Some(batch) = Batch::parse(&journal[length..]) {
        length += batch.length;
    }
    length
}

#[test]
fn fjall_is_the_version_that_this_folder_was_compared_with() {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
    for (package, version) in [("fjall", "3.1.13"), ("lsm-tree", "3.1.10"), ("sfa", "1.0.0")] {
        let entry = format!("name = \"{package}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&entry), "{package} is not {version}: compare its files with this folder first");
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
    assert_eq!(batch[..5], [1, 2, 0, 0, 0]);
    let items = &batch[13..batch.len() - 13];
    let keyspace = &items[3..11];
    let put = [&[2, 0, 0], keyspace, &[3, 0, 5, 0, 0, 0, 5, 0, 0, 0], b"keyvalue"].concat();
    let remove = [&[2, 1, 0], keyspace, &[4, 0, 0, 0, 0, 0, 0, 0, 0, 0], b"gone"].concat();
    assert_eq!(items, [put, remove].concat());
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
    assert_eq!(ids, [KEYSPACE_LIST, 1]);
    assert!(folder.keyspaces().iter().all(|keyspace| keyspace.path.join(CURRENT).is_file()));
    let listed = verify_keyspace(&folder.keyspaces()[0]).unwrap();
    assert_eq!(listed, BTreeSet::from([1]), "the list of keyspaces");
}
