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

#[test]
fn a_pipe_is_not_waited_for() {
    assert_usable("a pipe", |file| {
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    });
}
