//! A journal is full after 64 MB: the manifest names the next one, and the old one is deleted once tables hold its
//! commits.

use std::path::Path;
use std::time::{Duration, Instant};

use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreError, StoreSettings};

use super::MANIFEST;
use crate::folder_files::copy;

const MEGABYTE: usize = 1 << 20;

fn open(folder: &Path) -> Result<FjallStore, StoreError> {
    FjallStore::open(folder, StoreSettings::default())
}

fn put(store: &FjallStore, number: u8) {
    let row = Change::Put(vec![b'k', number], vec![number; MEGABYTE]);
    store.commit(vec![row], Durability::Relaxed).unwrap();
}

#[test]
fn a_new_journal_is_recorded_and_the_old_one_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let [old, new] = ["0.jnl", "1.jnl"].map(|name| folder.path().join(name));
    let (end, mut number) = (Instant::now() + Duration::from_secs(60), 0);
    while !new.exists() || old.exists() {
        assert!(Instant::now() < end, "the old journal is still there");
        if number < 100 {
            put(&store, number);
            number += 1;
        } else {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    put(&store, number);
    let manifest = std::fs::read_to_string(folder.path().join(MANIFEST)).unwrap();
    assert!(manifest.contains("\"journal\":1,"), "{manifest}");
    drop(store);

    let without = tempfile::tempdir().unwrap();
    assert!(copy(folder.path(), without.path()));
    std::fs::remove_file(without.path().join("1.jnl")).unwrap();
    std::fs::write(without.path().join("0.jnl"), "").unwrap();
    let error = open(without.path()).err().expect("the folder was opened");
    assert_eq!(error.to_string(), format!("`{}` is missing", without.path().join("1.jnl").display()));

    let store = open(folder.path()).unwrap();
    for number in 0..=number {
        assert_eq!(store.get(&[b'k', number]).unwrap().as_deref(), Some(vec![number; MEGABYTE].as_slice()));
    }
}
