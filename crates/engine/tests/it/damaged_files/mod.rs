//! Damaged, missing, swapped and foreign files: a store is refused and stays as it is, or holds every acknowledged
//! commit. Only the last commit may be cut off, after a loss of power, which leaves the same traces.

mod clean_shutdown;
mod creation;
mod cuts;
mod forged_commits;
mod image;
mod last_commits;
mod locks;
mod lost_definition;
mod matrix;
mod mixed_copies;
mod numbered_commits;
mod random_damage;
mod repair;
mod rotation;
mod scene;
mod special_files;
mod unreadable_synced;
mod upgrade;

use std::path::{Path, PathBuf};

use self::scene::{JOURNAL, Outcome, after_power_loss, outcome, refusal, scene};
use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreError, StoreSettings};

const MANIFEST: &str = "keyfold.manifest";
/// The number of the last commit that was synced.
const SYNCED: &str = "keyfold.synced";
const RESTORE: &str =
    "nothing was changed; restore the folder from a backup, or salvage it with `keyfold engine repair`";

#[test]
fn a_store_that_was_killed_opens_with_all_commits() {
    assert_eq!(outcome(&scene().image, "no damage"), Outcome::Whole);
}

#[test]
fn a_flipped_bit_in_the_middle_of_the_journal_is_refused_with_its_position() {
    let commit = &scene().commits[60];
    for at in [commit.start, commit.start + 3, commit.start + 40, commit.end - 10, commit.end - 1] {
        let (text, _folder) = refusal(&scene().image.clone().flip(JOURNAL, at, 4));
        assert!(text.starts_with(&format!("`0.jnl` is damaged at bytes {} to ", commit.start)), "{text}");
        assert!(text.ends_with(RESTORE), "{text}");
        assert!(text.contains("whole commits follow it"), "{text}");
    }
}

#[test]
fn a_flipped_bit_in_the_last_but_one_commit_is_refused() {
    let commit = &scene().commits[68];
    for at in [commit.start, commit.start + 40, commit.end - 1] {
        let (text, _folder) = refusal(&scene().image.clone().flip(JOURNAL, at, 0));
        assert!(text.contains(" and 1 whole commits follow it"), "{text}");
    }
}

#[test]
fn a_sequence_number_that_decreases_is_refused() {
    // Number 55 is above all that lie in tables. Its sequence number is not part of a checksum.
    let commit = &scene().commits[60];
    let image = scene().image.clone().change(JOURNAL, |bytes| bytes[commit.start + 5..commit.start + 13].fill(0));
    let (text, _folder) = refusal(&image);
    assert!(text.contains("a commit has sequence number 0, but the one before it has "), "{text}");
    let image = scene().image.clone().flip(JOURNAL, commit.start + 5 + 2, 0);
    let (text, _folder) = refusal(&image);
    assert!(text.starts_with(&format!("`0.jnl` is damaged at bytes {} to ", scene().commits[61].start)), "{text}");
}

#[test]
fn a_zeroed_sector_in_the_middle_of_the_journal_is_refused() {
    let start = scene().commits[57].start;
    let image = scene().image.clone().change(JOURNAL, |bytes| bytes[start..start + 512].fill(0));
    let (text, _folder) = refusal(&image);
    assert!(text.starts_with(&format!("`0.jnl` is damaged at bytes {start} to ")), "{text}");
}

#[test]
fn a_torn_last_commit_is_cut_off() {
    let commit = scene().commits.last().unwrap();
    for length in [1, 7, 20, commit.len() / 2, commit.len() - 1] {
        let image = after_power_loss().truncate(JOURNAL, commit.start + length);
        assert_eq!(outcome(&image, &format!("torn after {length} bytes")), Outcome::LastCut);
    }
    let page = commit.start + 20..commit.end - 20;
    let image = after_power_loss().change(JOURNAL, |bytes| bytes[page].fill(0));
    assert_eq!(outcome(&image, "a page of the last commit is missing"), Outcome::LastCut);
}

#[test]
fn a_closed_journal_must_be_whole_and_none_may_be_missing() {
    // Commits do not depend on their position, so that the journal can be cut into several.
    let whole = scene().image.bytes(JOURNAL).clone();
    let (first, second) = (scene().commits[20].start, scene().commits[60].start);
    let split = |image: image::Image| {
        image
            .change("0.jnl", |bytes| bytes.truncate(first))
            .add("1.jnl", whole[first..second].to_vec())
            .add("2.jnl", whole[second..].to_vec())
    };
    let image = split(scene().image.clone());
    assert_eq!(outcome(&image, "three journals"), Outcome::Whole);

    let (text, _folder) = refusal(&image.clone().remove("1.jnl"));
    assert_eq!(text, format!("`1.jnl` is missing: the journals before and after it exist; {RESTORE}"));
    let (text, _folder) = refusal(&image.clone().add("4000000000.jnl", Vec::new()));
    let range = "so are all journals up to `3999999999.jnl`, but those before and after them exist";
    assert_eq!(text, format!("`3.jnl` is missing: {range}; {RESTORE}"));
    let (text, _folder) = refusal(&image.clone().swap("1.jnl", "2.jnl"));
    assert!(text.contains("commit 20 is followed by commit 61"), "{text}");
    let (text, _folder) = refusal(&image.clone().truncate("1.jnl", second - first - 3));
    assert!(
        text.starts_with(&format!("`1.jnl` is damaged at bytes {} to ", scene().commits[59].start - first)),
        "{text}"
    );
    assert!(text.contains("the last commit of this journal is damaged, but a newer journal follows"), "{text}");
    let (text, _folder) = refusal(&scene().image.clone().remove("0.jnl"));
    assert_eq!(text, format!("`0.jnl` is missing: it is part of every data folder; {RESTORE}"));
}

#[test]
fn a_missing_current_file_is_refused_and_no_table_is_deleted() {
    for keyspace in ["0", "1"] {
        let file = format!("keyspaces/{keyspace}/current");
        let (text, folder) = refusal(&scene().image.clone().remove(&file));
        assert_eq!(text, format!("`{file}` is missing: it is part of every data folder; {RESTORE}"));
        assert!(folder.path().join("keyspaces/1/tables").read_dir().unwrap().next().is_some());
    }
}

#[test]
fn a_damaged_version_file_is_refused() {
    for keyspace in ["0", "1"] {
        let current = format!("keyspaces/{keyspace}/current");
        let number = u64::from_le_bytes(scene().image.bytes(&current)[..8].try_into().unwrap());
        let version = format!("keyspaces/{keyspace}/v{number}");
        for at in (0..scene().image.bytes(&version).len()).step_by(11) {
            assert_eq!(outcome(&scene().image.clone().flip(&version, at, 2), "a version"), Outcome::Refused);
        }
        for at in (0..25).step_by(4) {
            assert_eq!(outcome(&scene().image.clone().flip(&current, at, 1), "a current file"), Outcome::Refused);
        }
        let (text, _folder) = refusal(&scene().image.clone().flip(&version, 30, 0));
        assert_eq!(text, format!("`{version}` is damaged: its checksum is not the one in `current`; {RESTORE}"));
        let (text, _folder) = refusal(&scene().image.clone().remove(&version));
        assert_eq!(text, format!("`{version}` is missing: `current` names it; {RESTORE}"));
    }
}

#[test]
fn missing_swapped_and_truncated_tables_are_refused() {
    // Tables of older versions may still be there; nothing names them.
    let is_named = |path: &&Path| {
        path.starts_with("keyspaces/1/tables")
            && outcome(&scene().image.clone().remove(path), "a table is missing") == Outcome::Refused
    };
    let tables: Vec<_> = scene().image.paths().filter(is_named).map(Path::to_owned).collect();
    assert!(!tables.is_empty());
    for table in &tables {
        let (text, _folder) = refusal(&scene().image.clone().remove(table));
        assert_eq!(text, format!("`{}` is missing: `current` names it; {RESTORE}", table.display()));
        let half = scene().image.bytes(table).len() / 2;
        let (text, _folder) = refusal(&scene().image.clone().truncate(table, half));
        assert!(text.contains("the end of the table is damaged"), "{text}");
    }
    let is_foreign = |path: &&Path| path.starts_with("keyspaces/0/tables") && path.file_name() != tables[0].file_name();
    let list = scene().image.paths().find(is_foreign).unwrap().to_owned();
    let foreign = scene().image.bytes(&list).clone();
    let (text, _folder) = refusal(&scene().image.clone().add(&tables[0], foreign));
    assert!(text.contains("it is the file of table "), "{text}");
}

#[test]
fn a_missing_or_unlisted_keyspace_is_refused() {
    let (text, _folder) = refusal(&scene().image.clone().remove_below("keyspaces/1"));
    assert_eq!(text, format!("`keyspaces/1` is missing: `keyspaces/0` names it; {RESTORE}"));
    let (text, _folder) = refusal(&scene().image.clone().remove_below("keyspaces"));
    assert_eq!(text, format!("`keyspaces` is missing: it is part of every data folder; {RESTORE}"));
    let (text, _folder) = refusal(&scene().image.clone().remove_below("keyspaces/0"));
    assert_eq!(text, format!("`keyspaces/0` is missing: it is part of every data folder; {RESTORE}"));
    let (text, _folder) = refusal(&scene().image.clone().add("keyspaces/7/current", b"x".to_vec()));
    assert!(text.starts_with("`keyspaces/7/current` is damaged"), "{text}");
    let mut image = scene().image.clone();
    for path in scene().image.paths().filter(|path| path.starts_with("keyspaces/1")) {
        let copy = Path::new("keyspaces/7").join(path.strip_prefix("keyspaces/1").unwrap());
        image = image.add(copy, scene().image.bytes(path).clone());
    }
    let (text, _folder) = refusal(&image);
    assert!(text.starts_with("`keyspaces/7` is damaged: the list of keyspaces does not name it"), "{text}");
}

#[test]
fn a_missing_or_wrong_marker_is_refused() {
    let (text, _folder) = refusal(&scene().image.clone().remove("version"));
    assert_eq!(text, format!("`version` is missing: it is part of every data folder; {RESTORE}"));
    let (text, _folder) = refusal(&scene().image.clone().change("version", |bytes| bytes[3] = 4));
    assert!(text.contains("it does not hold the format of the store that this version reads"), "{text}");
}

#[test]
fn a_folder_with_foreign_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let error = FjallStore::open(folder.path(), StoreSettings::default()).err().expect("the folder was opened");
    let name = folder.path().join("notes.txt");
    assert_eq!(error.to_string(), format!("`{}` is not a file of the store", name.display()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the folder was changed");
    for file in ["keyspaces/1/tables/notes.txt", "keyspaces/notes/text", "notes.jnl"] {
        let (text, _folder) = refusal(&scene().image.clone().add(file, b"mine".to_vec()));
        assert!(
            text.contains("is not a file of the store: the folder must hold the files of the store alone"),
            "{text}"
        );
    }
}

#[test]
fn the_secret_of_cursors_may_be_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    drop(scene::open(folder.path()).unwrap());
    for name in ["cursor-secret", "cursor-secret.1234"] {
        std::fs::write(folder.path().join(name), "secret").unwrap();
    }
    drop(scene::open(folder.path()).unwrap());
    std::fs::write(folder.path().join("cursor-secret.txt"), "mine").unwrap();
    assert!(scene::open(folder.path()).is_err(), "a foreign file was accepted");
}

/// Three commits of one large row each, as a loss of power leaves them; gives the folder, the journal and where each
/// commit ends.
fn three_commits() -> (tempfile::TempDir, PathBuf, Vec<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
    let mut ends = Vec::new();
    for key in 1u8..=3 {
        store.commit(vec![Change::Put(vec![key], vec![key; 20_000])], Durability::Durable).unwrap();
        ends.push(image::journal_bytes(&folder.path().join(JOURNAL)).len());
    }
    let killed = image::Image::of(folder.path()).remove(SYNCED).write();
    let journal = killed.path().join(JOURNAL);
    (killed, journal, ends)
}

fn damage(journal: &Path, at: usize) {
    let mut bytes = std::fs::read(journal).unwrap();
    bytes[at..at + 4096].fill(0);
    std::fs::write(journal, bytes).unwrap();
}

#[test]
fn a_torn_last_commit_is_cut_off_and_the_others_stay() {
    let (folder, journal, ends) = three_commits();
    damage(&journal, ends[1] + 6000);
    let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
    assert_eq!(store.get(&[1]).unwrap().as_deref(), Some([1; 20_000].as_slice()));
    assert_eq!(store.get(&[2]).unwrap().as_deref(), Some([2; 20_000].as_slice()));
    assert_eq!(store.get(&[3]).unwrap(), None);
}

#[test]
fn damage_before_an_acknowledged_commit_keeps_the_store_closed() {
    let (folder, journal, ends) = three_commits();
    damage(&journal, ends[0] + 6000);
    let before = std::fs::read(&journal).unwrap();
    match FjallStore::open(folder.path(), StoreSettings::default()).err() {
        Some(StoreError::Corrupt { file, range, .. }) => {
            assert_eq!(file, Some(journal.clone()));
            assert_eq!(range, Some(ends[0] as u64..ends[1] as u64));
        }
        other => panic!("the store was opened, or failed otherwise: {other:?}"),
    }
    assert_eq!(std::fs::read(&journal).unwrap(), before);
}
