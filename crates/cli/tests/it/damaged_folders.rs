//! `keyfold engine check`, `stat` and `repair` on sound and damaged folders.

use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreSettings};
use serde_json::{Value, json};

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

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stdout.clone()).unwrap())
}

/// Writes an item again three times, and copies the files as a kill would leave them: with commits in the journal
/// alone.
fn killed(folder: &Path) -> PathBuf {
    let store = FjallStore::open(&folder.join("data"), StoreSettings::default()).unwrap();
    let items = (Bound::Included(vec![0x10]), Bound::Unbounded);
    let item = store.snapshot().range(items, false).next().unwrap().unwrap();
    for _ in 0..3 {
        let change = Change::Put(item.0.to_vec(), item.1.to_vec());
        store.commit(vec![change], Durability::Durable).unwrap();
    }
    assert!(copy(&folder.join("data"), &folder.join("killed")));
    folder.join("killed")
}

/// Damages the last commit but one.
fn damage(folder: &Path) {
    let journal = journal(folder);
    let mut bytes = std::fs::read(&journal).unwrap();
    let ends: Vec<usize> = (4..=bytes.len()).filter(|end| bytes[end - 4..*end] == *b"FJL\x03").collect();
    let [.., start, _, _] = ends[..] else { panic!("{} commits", ends.len()) };
    bytes[start + 60] ^= 1;
    std::fs::write(journal, bytes).unwrap();
}

/// The newest journal.
fn journal(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let journals = files.filter(|path| path.extension().is_some_and(|extension| extension == "jnl"));
    journals.max_by_key(|path| path.file_stem().unwrap().to_str().unwrap().parse::<u64>().unwrap()).unwrap()
}

#[test]
fn a_check_of_a_sound_folder_changes_nothing() {
    let folder = workplace();
    let before = listing(&folder.path().join("data"));
    let sound =
        "no problems: 1 table, all files are as written, and all indexes, expiries and counts match the items\n";
    for _ in 0..2 {
        assert_eq!(said(&keyfold(folder.path(), &["engine", "check", "--data", "data"])), (Some(0), sound.to_owned()));
        let output = keyfold(folder.path(), &["engine", "check", "--data", "data", "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report, json!({"findings": [], "notes": [], "tables": 1}));
        let output = keyfold(folder.path(), &["engine", "stat", "--data", "data", "--format", "json"]);
        let stat: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(stat["tables"][0]["items"], json!(5), "{stat}");
    }
    assert!(listing(&folder.path().join("data")) == before, "the folder was changed");
}

#[test]
fn damage_is_found_and_the_rest_is_salvaged() {
    let folder = workplace();
    let data = killed(folder.path());
    damage(&data);
    let before = listing(&data);
    let (code, text) = said(&keyfold(folder.path(), &["engine", "check", "--data", "killed"]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(".jnl` is damaged at bytes "), "{text}");
    assert!(text.ends_with("1 problem in 1 table; nothing was changed\n"), "{text}");
    assert_eq!(keyfold(folder.path(), &["engine", "stat", "--data", "killed"]).status.code(), Some(1));

    let (code, text) = said(&keyfold(folder.path(), &["engine", "repair", "--data", "killed", "--to", "new"]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("commit is lost; items that were last written before may be older, or deleted"), "{text}");
    assert!(text.ends_with("1 table salvaged to `new`\n"), "{text}");
    assert!(listing(&data) == before, "the damaged folder was changed");
    let list = std::fs::read_to_string(folder.path().join("new.uncertain")).unwrap();
    let first: Value = serde_json::from_str(list.lines().next().unwrap()).unwrap();
    assert_eq!(first["table"], "agencies");
    assert!(first["key"].as_object().unwrap().values().all(|value| value["S"].is_string()), "{first}");
    assert_eq!(keyfold(folder.path(), &["engine", "check", "--data", "new"]).status.code(), Some(0));

    let output = keyfold(folder.path(), &["engine", "repair", "--data", "killed", "--to", "new"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("`new` is not empty") || text.contains("`new.uncertain` exists: "), "{text}");
}

#[test]
fn a_repair_that_was_killed_can_be_repeated() {
    let folder = workplace();
    // What a killed repair leaves: a part of the new folder, and of its list.
    assert!(copy(&folder.path().join("data"), &folder.path().join("new.incomplete")));
    std::fs::write(folder.path().join("new.uncertain.incomplete"), "{").unwrap();
    let (code, text) = said(&keyfold(folder.path(), &["engine", "repair", "--data", "data", "--to", "new"]));
    assert_eq!((code, text.as_str()), (Some(0), "table `agencies`: 5 items\n1 table salvaged to `new`\n"));
    assert_eq!(entries(folder.path()), ["data", "new"]);
    // A folder of that name that is no data folder is somebody's.
    std::fs::create_dir(folder.path().join("other.incomplete")).unwrap();
    std::fs::write(folder.path().join("other.incomplete/notes.txt"), "mine").unwrap();
    let output = keyfold(folder.path(), &["engine", "repair", "--data", "data", "--to", "other"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("`other.incomplete` is not empty"), "{text}");
    assert_eq!(entries(folder.path()), ["data", "new", "other.incomplete"]);
}

#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let folder = workplace();
    for arguments in [
        ["engine", "check", "--data", "data"].as_slice(),
        &["engine", "stat", "--data", "data"],
        &["engine", "repair", "--data", "data", "--to", "new"],
        &["query", concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/agencies"), "all agencies"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
        let output = command.args(arguments).current_dir(folder.path()).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with("error: cannot write to standard output: "), "{arguments:?}: {text}");
    }
}

#[test]
fn a_list_that_other_files_replace_is_not_a_loss() {
    let folder = workplace();
    std::fs::remove_file(folder.path().join("data/keyspaces/1/current")).unwrap();
    assert_eq!(keyfold(folder.path(), &["engine", "check", "--data", "data"]).status.code(), Some(2));
    let (code, text) = said(&keyfold(folder.path(), &["engine", "repair", "--data", "data", "--to", "new"]));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("/current` is missing: it is part of every data folder; nothing is lost with it\n"),
        "{text}"
    );
    assert!(text.ends_with("table `agencies`: 5 items\n1 table salvaged to `new`\n"), "{text}");
}

#[test]
fn what_is_left_of_a_folder_is_not_sound() {
    let folder = workplace();
    let data = folder.path().join("data");
    for path in std::fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path()) {
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
    std::fs::write(data.join("lock"), "").unwrap();
    let (code, text) = said(&keyfold(folder.path(), &["engine", "check", "--data", "data"]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("only remains of a data folder are here"), "{text}");
    let design = concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/agencies");
    let output = keyfold(folder.path(), &["load", design, "--data", "data"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(entries(&data), ["lock"]);
}

#[test]
fn an_empty_table_is_a_loss() {
    let folder = workplace();
    let tables = folder.path().join("data/keyspaces/1/tables");
    for table in std::fs::read_dir(&tables).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::write(table, "").unwrap();
    }
    for journal in entries(&folder.path().join("data")).iter().filter(|name| name.ends_with(".jnl")) {
        // Everything is in tables, and the journal is not needed.
        std::fs::write(folder.path().join("data").join(journal), "").unwrap();
    }
    let (code, text) = said(&keyfold(folder.path(), &["engine", "check", "--data", "data"]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("/tables/") && !text.contains("no row is lost") && !text.contains(".jnl"), "{text}");
    let (code, text) = said(&keyfold(folder.path(), &["engine", "repair", "--data", "data", "--to", "new"]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("any rows are lost") && !text.contains(".jnl"), "{text}");
}

#[test]
fn a_sound_folder_is_repaired_without_a_loss() {
    let folder = workplace();
    let (code, text) = said(&keyfold(folder.path(), &["engine", "repair", "--data", "data", "--to", "new"]));
    assert_eq!((code, text.as_str()), (Some(0), "table `agencies`: 5 items\n1 table salvaged to `new`\n"));
    assert_eq!(entries(folder.path()), ["data", "new"]);
}

#[test]
fn a_commit_that_was_cut_off_is_mentioned_until_it_is_confirmed() {
    let workplace = workplace();
    let killed = killed(workplace.path());
    let journal = journal(&killed);
    let bytes = std::fs::read(&journal).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    std::fs::write(&journal, &bytes[..end - 5]).unwrap();
    let (code, text) = said(&keyfold(workplace.path(), &["engine", "check", "--data", "killed"]));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(", but `keyfold.synced` has recorded number "), "{text}");
    // A loss of power may leave no number of a commit that was synced.
    std::fs::remove_file(killed.join("keyfold.synced")).unwrap();
    let (code, text) = said(&keyfold(workplace.path(), &["engine", "check", "--data", "killed"]));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("may have torn the last commit before it was acknowledged; opening cuts it off"), "{text}");
    drop(FjallStore::open(&killed, StoreSettings::default()).unwrap());
    let check = |arguments: &[&str]| {
        let arguments = [&["engine", "check", "--data", "killed"], arguments].concat();
        said(&keyfold(workplace.path(), &arguments))
    };
    let name = journal.file_name().unwrap().to_string_lossy().into_owned();
    for arguments in [&[][..], &["--confirm"]] {
        let (code, text) = check(arguments);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.starts_with(&format!("note: `{name}` was cut off at byte ")), "{text}");
        assert!(
            text.contains(
                " a commit that a power failure or a full disk may have torn before it was acknowledged; not confirmed yet\n"
            )
        );
    }
    let (code, text) = check(&[]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("no problems: "), "{text}");
}
