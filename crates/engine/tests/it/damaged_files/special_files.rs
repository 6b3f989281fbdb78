//! Folders, links, pipes and sockets among the files of a store: a check and a backup say what opening says.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use keyfold_engine::{DataFolder, Engine, Options};

use crate::scene::item;
use crate::scene::requests::put;
use crate::scene::s;
use crate::scene::tables::table;
use keyfold_dynamo::table::KeyType;

type Plant = fn(&Path);

fn file(path: &Path) {
    fs::write(path, "").unwrap();
}

fn folder(path: &Path) {
    fs::create_dir(path).unwrap();
}

fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn socket(path: &Path) {
    drop(UnixListener::bind(path).unwrap());
}

fn dead_link(path: &Path) {
    symlink("/nowhere/at/all", path).unwrap();
}

fn is_sound(data: &Path, to: &Path) -> [bool; 3] {
    let checked = DataFolder::open(data).map(|opened| opened.check(&mut |_| {}).unwrap().findings.is_empty());
    let backed_up = DataFolder::open(data).map(|opened| opened.back_up(to, &mut |_| {}).is_ok());
    let opened = Engine::open(data, Options::default()).is_ok();
    [checked.unwrap(), backed_up.unwrap(), opened]
}

/// A folder with a table and a store that was closed.
fn sound() -> tempfile::TempDir {
    let space = tempfile::tempdir().unwrap();
    let engine = Engine::open(space.path().join("data"), Options::default()).unwrap();
    table("t", ("pk", KeyType::S), None).create(&engine);
    put(&engine, "t", item([("pk", s("a"))])).unwrap();
    engine.close().unwrap();
    space
}

#[test]
fn a_check_and_a_backup_agree_with_opening() {
    let refused: &[(&str, Plant)] = &[
        ("keyspaces/lost+found", folder),
        ("keyspaces/.snapshot", folder),
        ("keyspaces/pipe", pipe),
        ("keyspaces/.pipe", pipe),
        ("keyspaces/socket", socket),
        ("keyspaces/dead", dead_link),
        ("keyspaces/77", dead_link),
        ("keyspaces/1/tables/lost+found", folder),
        ("keyspaces/1/tables/.hidden", file),
        ("keyspaces/1/tables/77777", folder),
        ("keyspaces/1/tables/77777", pipe),
        ("keyspaces/1/tables/77777", dead_link),
        ("99.jnl", folder),
        ("99.jnl", dead_link),
        (".hidden.jnl", file),
        ("pipe", pipe),
    ];
    let accepted: &[(&str, Plant)] = &[
        ("lost+found", folder),
        (".snapshot", folder),
        (".pipe", pipe),
        (".dead", dead_link),
        ("keyspaces/.DS_Store", file),
        ("keyspaces/notes", file),
        ("keyspaces/1/pipe", pipe),
        ("keyspaces/1/socket", socket),
        ("keyspaces/1/dead", dead_link),
        ("keyspaces/1/tables/._0", file),
    ];
    for (cases, expected) in [(refused, false), (accepted, true)] {
        for (name, plant) in cases {
            let space = sound();
            let data = space.path().join("data");
            plant(&data.join(name));
            assert_eq!(is_sound(&data, &space.path().join("copy")), [expected; 3], "{name}");
            assert!(fs::symlink_metadata(data.join(name)).is_ok(), "{name} was removed");
        }
    }
}

#[test]
fn a_journal_that_is_a_link_is_refused_by_name() {
    let space = sound();
    let data = space.path().join("data");
    let (journal, moved) = (data.join("0.jnl"), space.path().join("moved.jnl"));
    let journal = if journal.exists() { journal } else { panic!("no journal 0") };
    fs::rename(&journal, &moved).unwrap();
    symlink(&moved, &journal).unwrap();
    assert_eq!(is_sound(&data, &space.path().join("copy")), [false; 3]);
    let error = Engine::open(&data, Options::default()).err().unwrap();
    let text = keyfold_environment::error_chain(&error);
    assert!(text.starts_with(&format!("`{}` is not a file of the store: ", journal.display())), "{text}");
    assert!(text.contains("no links, pipes or folders in their place"), "{text}");
}
