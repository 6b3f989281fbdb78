//! `keyfold engine backup` copies a folder that no process has open, and verifies the copy.

use std::ops::Bound;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreSettings};

use crate::data_folders::entries;
use crate::folder_files::{copy, listing};

/// A folder `data` with the sample data of a design.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let design = concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/agencies");
    let output = keyfold(folder.path(), &["load", design, "--data", "data"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    folder
}

fn keyfold(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keyfold")).args(arguments).current_dir(folder).output().unwrap()
}

fn back_up(folder: &Path) -> (Option<i32>, String) {
    let output = keyfold(folder, &["engine", "backup", "--data", "data", "--to", "copy"]);
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

fn open(folder: &Path) -> FjallStore {
    FjallStore::open(&folder.join("data"), StoreSettings::default()).unwrap()
}

/// Writes an item again.
fn write(store: &FjallStore) {
    let items = (Bound::Included(vec![0x10]), Bound::Unbounded);
    let item = store.snapshot().range(items, false).next().unwrap().unwrap();
    store.commit(vec![Change::Put(item.0.to_vec(), item.1.to_vec())], Durability::Durable).unwrap();
}

#[test]
fn a_backup_holds_everything_and_is_private() {
    let folder = workplace();
    let before = listing(&folder.path().join("data"));
    let (code, text) = back_up(folder.path());
    let expected = "1 table copied to `copy`; the copy was verified\n";
    assert_eq!((code, text.as_str()), (Some(0), expected));
    assert!(listing(&folder.path().join("data")) == before, "the folder was changed");
    assert_eq!(entries(folder.path()), ["copy", "data"]);
    let copied = listing(&folder.path().join("copy"));
    assert_eq!(copied.len(), before.len());
    for (path, (length, _, bytes)) in &before {
        let target = folder.path().join("copy").join(path.strip_prefix(folder.path().join("data")).unwrap());
        let mode = target.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if target.is_dir() { 0o700 } else { 0o600 }, "{}", target.display());
        if target.is_file() {
            assert!(copied[&target].0 == *length && copied[&target].2 == *bytes, "{}", target.display());
        }
    }
    let output = keyfold(folder.path(), &["engine", "stat", "--data", "copy", "--format", "json"]);
    let stat: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stat["tables"][0]["items"], 5, "{stat}");

    let (code, text) = back_up(folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("cannot back up `data`: `copy` is not empty"), "{text}");
}

#[test]
fn nothing_is_copied_into_the_folder_itself() {
    let folder = workplace();
    std::fs::create_dir(folder.path().join("data/lost+found")).unwrap();
    symlink("data", folder.path().join("link")).unwrap();
    let before = listing(&folder.path().join("data"));
    for command in ["backup", "repair"] {
        for to in ["data/copy", "link/copy", "data/lost+found/copy", "./data/../data/copy"] {
            let output = keyfold(folder.path(), &["engine", command, "--data", "data", "--to", to]);
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{command} {to}: {text}");
            let refused = "is inside the data folder `data`; choose a place outside it";
            assert!(text.contains(refused), "{command} {to}: {text}");
        }
    }
    let list = ["engine", "repair", "--data", "data", "--to", "copy", "--list", "data/list"];
    assert_eq!(keyfold(folder.path(), &list).status.code(), Some(1));
    assert!(listing(&folder.path().join("data")) == before, "the folder was changed");
    assert_eq!(entries(folder.path()), ["data", "link"]);
}

#[test]
fn a_place_that_the_copy_cannot_take_is_refused_before_the_copy() {
    let folder = workplace();
    symlink(".", folder.path().join("link")).unwrap();
    std::fs::write(folder.path().join("file"), "mine").unwrap();
    std::fs::create_dir(folder.path().join("copy.incomplete")).unwrap();
    for (to, refused) in [
        ("/proc", "`/proc` is a mount point; name a new folder in it"),
        (".", "`.` cannot be written: it does not end with the name of a folder"),
        ("link", "`link` cannot be written: it is a file or a link, not a folder"),
        ("file", "`file` cannot be written: it is a file or a link, not a folder"),
        ("nothing/copy", "`nothing` cannot be written: "),
    ] {
        let output = keyfold(folder.path(), &["engine", "backup", "--data", "data", "--to", to]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{to}: {text}");
        assert!(text.contains(refused), "{to}: {text}");
    }
    // What is left of a backup that was killed at once does not keep the next one from starting.
    let (code, text) = back_up(folder.path());
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(entries(folder.path()), ["copy", "data", "file", "link"]);
}

#[test]
fn a_folder_in_use_is_not_backed_up() {
    let folder = workplace();
    let _store = open(folder.path());
    let (code, text) = back_up(folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("`data` is in use by another process; stop it first"), "{text}");
    assert_eq!(entries(folder.path()), ["data"]);
}

#[test]
fn a_damaged_folder_is_not_backed_up() {
    let folder = workplace();
    let tables = listing(&folder.path().join("data/keyspaces/1/tables"));
    let (table, (length, ..)) = tables.iter().next().unwrap();
    let mut bytes = std::fs::read(table).unwrap();
    bytes[*length as usize / 4] ^= 1;
    std::fs::write(table, bytes).unwrap();
    let (code, text) = back_up(folder.path());
    assert_eq!(code, Some(1), "{text}");
    let table = table.strip_prefix(folder.path().join("data")).unwrap().display();
    assert!(text.contains(&format!("cannot back up `data`: the copy is not sound: `{table}`")), "{text}");
    assert!(text.contains("; run `keyfold engine check --data data`"), "{text}");
    assert_eq!(entries(folder.path()), ["data"]);
}

#[test]
fn a_folder_whose_number_of_the_last_synced_commit_cannot_be_read_is_backed_up() {
    let folder = workplace();
    let synced = folder.path().join("data/keyfold.synced");
    std::fs::remove_file(&synced).unwrap();
    symlink("nothing", &synced).unwrap();
    let (code, text) = back_up(folder.path());
    assert_eq!(code, Some(0), "{text}");
    assert!(!folder.path().join("copy/keyfold.synced").exists());
}

#[test]
fn a_copy_of_a_folder_in_use_is_refused_and_the_cause_is_named() {
    let folder = workplace();
    let store = open(folder.path());
    write(&store);
    assert!(copy(&folder.path().join("data"), &folder.path().join("copy")));
    // This file is copied last.
    write(&store);
    std::fs::copy(folder.path().join("data/keyfold.synced"), folder.path().join("copy/keyfold.synced")).unwrap();
    let output = keyfold(folder.path(), &["engine", "serve", "--data", "copy", "--port", "0"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(", as in a copy that was made while the folder was in use; nothing was changed"), "{text}");
}
