//! Folders of versions of the engine that numbered no commits and wrote no manifest.

use std::path::Path;

use super::MANIFEST;
use super::image::Image;
use super::scene::{self, JOURNAL, Rows, read_all, refusal};
use keyfold_engine::store::{Change, Durability, FjallStore, Store};

/// A store as those versions wrote it; the first half of the commits is in tables.
fn old_store(commits: u8) -> Image {
    let folder = tempfile::tempdir().unwrap();
    let database = fjall::Database::builder(folder.path()).open().unwrap();
    let rows = database.keyspace("rows", fjall::KeyspaceCreateOptions::default).unwrap();
    for number in 0..commits {
        let mut batch = database.batch().durability(Some(fjall::PersistMode::SyncData));
        batch.insert(&rows, [b'k', number], [number; 10]);
        batch.commit().unwrap();
        if number == commits / 2 {
            rows.rotate_memtable_and_wait().unwrap();
        }
    }
    Image::of(folder.path())
}

fn expected(commits: u8) -> Rows {
    (0..commits).map(|number| (vec![b'k', number], vec![number; 10])).collect()
}

fn rows(folder: &Path) -> Rows {
    read_all(&scene::open(folder).unwrap(), &Rows::new()).unwrap()
}

fn add(store: &FjallStore, number: u8) {
    store.commit(vec![Change::Put(vec![b'k', number], vec![number; 10])], Durability::Durable).unwrap();
}

#[test]
fn a_folder_of_an_older_version_is_upgraded() {
    let folder = old_store(5).write();
    assert!(!folder.path().join(MANIFEST).exists());
    for number in 5..8 {
        let store = scene::open(folder.path()).unwrap();
        add(&store, number);
        assert!(folder.path().join(MANIFEST).is_file());
        let killed = Image::of(folder.path());
        drop(store);
        for folder in [killed.write(), Image::of(folder.path()).write()] {
            assert_eq!(rows(folder.path()), expected(number + 1));
        }
        let (text, _folder) = refusal(&killed.remove(MANIFEST));
        assert!(text.starts_with(&format!("`{MANIFEST}` is missing")), "{text}");
    }
}

#[test]
fn an_upgrade_that_was_cut_off_is_repeated() {
    let old = old_store(5);
    let folder = old.write();
    let store = scene::open(folder.path()).unwrap();
    let upgraded = Image::of(folder.path()).remove(MANIFEST);
    drop(store);
    let mut unlisted = old.clone();
    for path in upgraded.paths().filter(|path| path.starts_with("keyspaces/2")) {
        unlisted = unlisted.add(path, upgraded.bytes(path).clone());
    }
    let stages = [
        ("the keyspace is not listed", unlisted.clone()),
        ("the keyspace is not finished", unlisted.remove("keyspaces/2/current")),
        ("the keyspace is listed, but not there", upgraded.clone().remove_below("keyspaces/2")),
        ("the manifest is not written", upgraded),
    ];
    for (stage, image) in stages {
        let folder = image.write();
        let store = scene::open(folder.path()).unwrap_or_else(|error| panic!("{stage}: {error:?}"));
        add(&store, 5);
        let killed = Image::of(folder.path());
        drop(store);
        assert_eq!(rows(folder.path()), expected(6), "{stage}");
        assert_eq!(rows(killed.write().path()), expected(6), "{stage}");
    }
}

#[test]
fn a_torn_commit_of_an_older_version_is_reported_too() {
    let old = old_store(5);
    let length = old.bytes(JOURNAL).len();
    let folder = old.truncate(JOURNAL, length - 5).write();
    assert_eq!(rows(folder.path()), expected(4));
    let cuts = FjallStore::unconfirmed_cuts(folder.path()).unwrap();
    assert_eq!(cuts.len(), 1);
    assert_eq!(cuts[0].position + cuts[0].bytes, length as u64 - 5);
}
