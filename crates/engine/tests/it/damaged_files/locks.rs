//! One process has a data folder open, even if somebody removes the file that it has locked.

use super::image::Image;
use super::scene::{self, Outcome, outcome, scene};
use keyfold_engine::DataFolder;
use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreError};

#[test]
fn a_missing_lock_file_is_made_again() {
    let image = scene().image.clone().remove("lock");
    assert_eq!(outcome(&image, "no lock file"), Outcome::Whole);
    let folder = image.write();
    let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
    assert_eq!(report.notes, Vec::<String>::new());
    assert!(Image::of(folder.path()) == image, "a check changed the folder");
    drop(scene::open(folder.path()).unwrap());
    assert!(folder.path().join("lock").is_file());
}

#[test]
fn a_folder_in_use_stays_locked_without_its_lock_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let store = scene::open(folder).unwrap();
    store.commit(vec![Change::Put(b"k".to_vec(), b"v".to_vec())], Durability::Durable).unwrap();
    let snapshot = store.snapshot();
    for is_removed in [false, true] {
        if is_removed {
            std::fs::remove_file(folder.join("lock")).unwrap();
        }
        assert!(matches!(scene::open(folder), Err(StoreError::Locked)), "removed: {is_removed}");
        assert!(matches!(DataFolder::open(folder), Err(StoreError::Locked)), "removed: {is_removed}");
        assert!(matches!(FjallStore::confirm_cuts(folder), Err(StoreError::Locked)), "removed: {is_removed}");
        assert_eq!(folder.join("lock").exists(), !is_removed);
    }
    drop(store);
    assert!(matches!(scene::open(folder), Err(StoreError::Locked)), "a snapshot still reads the files");
    drop(snapshot);
    assert_eq!(scene::open(folder).unwrap().get(b"k").unwrap().as_deref(), Some(b"v".as_slice()));
}

#[test]
fn a_check_locks_the_folder_against_stores() {
    let folder = scene().image.clone().remove("lock").write();
    let check = DataFolder::open(folder.path()).unwrap();
    assert!(matches!(scene::open(folder.path()), Err(StoreError::Locked)));
    drop(check);
    drop(scene::open(folder.path()).unwrap());
}
