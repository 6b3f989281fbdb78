//! The number of the last synced commit proves that commits are there. Without it, they are there as well.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use keyfold_engine::DataFolder;
use keyfold_engine::store::{Change, Durability, Store};

use super::SYNCED;
use super::scene::{Rows, open, read_all, scene};

fn assert_usable(what: &str, place: impl Fn(&Path)) {
    let folder = scene().image.clone().remove(SYNCED).write();
    let file = folder.path().join(SYNCED);
    place(&file);
    let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
    // The rows of the scene belong to no table.
    let is_about_it = |text: &str| text.contains(SYNCED);
    assert!(!report.findings.iter().any(|finding| is_about_it(&finding.to_string())), "{what}: {:?}", report.findings);
    assert_eq!(report.notes.iter().filter(|note| is_about_it(note)).count(), 1, "{what}: {:?}", report.notes);
    DataFolder::open(folder.path()).unwrap().stat().unwrap();

    let mut expected = scene().states.last().unwrap().clone();
    for round in 0..2 {
        let store = open(folder.path()).unwrap_or_else(|error| panic!("{what}, round {round}: {error}"));
        assert_eq!(read_all(&store, &Rows::new()).unwrap(), expected, "{what}, round {round}");
        let (key, value) = (b"knew".to_vec(), vec![round]);
        store.commit(vec![Change::Put(key.clone(), value.clone())], Durability::Durable).unwrap();
        expected.insert(key, value);
    }
}

#[test]
fn a_link_to_nothing_is_replaced() {
    assert_usable("a link", |file| {
        symlink("nothing", file).unwrap();
    });
}

#[test]
fn a_link_to_nothing_makes_no_file_elsewhere() {
    let folder = scene().image.clone().remove(SYNCED).write();
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path().join("file"), folder.path().join(SYNCED)).unwrap();
    drop(open(folder.path()).unwrap());
    assert_eq!(elsewhere.path().read_dir().unwrap().count(), 0);
    assert!(fs::symlink_metadata(folder.path().join(SYNCED)).unwrap().is_file());
}

#[test]
fn a_folder_in_its_place_stays() {
    assert_usable("a folder", |file| {
        fs::create_dir(file).unwrap();
        fs::write(file.join("notes.txt"), "mine").unwrap();
    });
}

/// Whatever is in its place is replaced, so that the number counts again.
#[test]
fn a_file_that_holds_no_number_is_replaced() {
    for (what, content) in [("too long", vec![7; 20]), ("of another folder", vec![7; 16]), ("too short", vec![7])] {
        assert_usable(what, |file| fs::write(file, &content).unwrap());
        let folder = scene().image.clone().add(SYNCED, content).write();
        drop(open(folder.path()).unwrap());
        let store = open(folder.path()).unwrap();
        store.commit(vec![Change::Put(b"knew".to_vec(), Vec::new())], Durability::Durable).unwrap();
        drop(store);
        let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
        assert!(!report.notes.iter().any(|note| note.contains(SYNCED)), "{what}: {:?}", report.notes);
    }
}

/// Reads of this file fail with EIO at its beginning, although it can be opened.
#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_reads_fail_is_replaced() {
    let place = |file: &Path| symlink("/proc/self/mem", file).unwrap();
    assert_usable("a file with EIO", place);
    let folder = scene().image.clone().remove(SYNCED).write();
    place(&folder.path().join(SYNCED));
    drop(open(folder.path()).unwrap());
    assert!(fs::symlink_metadata(folder.path().join(SYNCED)).unwrap().is_file());
}

#[test]
fn a_pipe_is_not_waited_for() {
    assert_usable("a pipe", |file| {
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    });
}
