//! The repair of damaged folders: each item has its right value, or is listed; what is missing is listed as well.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::table::KeyType;
use keyfold_engine::repair::{Loss, RepairError, RepairReport, UncertainItem};
use keyfold_engine::store::StoreSettings;
use keyfold_engine::{DataFolder, Engine, NewFolderError, Options};

use super::image::Image;
use crate::model::random::Random;
use crate::scene::requests::{delete, partition, put, query_all, scan_all};
use crate::scene::tables::{all, table};
use crate::scene::{item, n, options, s};

pub(super) type Items = BTreeMap<String, Attributes>;

/// A folder with tables and journals, and all values that its items ever had.
pub(super) struct History {
    pub image: Image,
    /// The files at an earlier moment, with older tables.
    early: Image,
    pub items: Items,
    values: BTreeMap<String, Vec<Attributes>>,
}

const KEYS: usize = 60;

pub(super) fn open(folder: &Path) -> Engine {
    let store = StoreSettings { write_buffer_bytes: 64 << 10, ..StoreSettings::default() };
    Engine::open(folder, Options { store, ..options() }).unwrap()
}

pub(super) fn history() -> &'static History {
    static HISTORY: OnceLock<History> = OnceLock::new();
    HISTORY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut engine = open(folder.path());
        table("t", ("pk", KeyType::S), None).global("by_g", ("g", KeyType::S), None, all()).create(&engine);
        let mut random = Random::new(4);
        let empty = Image::of(folder.path());
        let mut history = History { image: empty.clone(), early: empty, items: Items::new(), values: BTreeMap::new() };
        for step in 0..500 {
            if step == 200 {
                history.early = rest(folder.path());
            }
            if step == 400 {
                // More than the write buffer holds: what follows stays in the journal alone.
                let big = item([("pk", s("big")), ("n", n(step)), ("g", s("g")), ("text", s("x".repeat(70_000)))]);
                put(&engine, "t", big.clone()).unwrap();
                history.values.insert("big".to_owned(), vec![big.clone()]);
                history.items.insert("big".to_owned(), big);
                rest(folder.path());
                // Brings the numbers of the commits to tables, too, so that the journal is not needed for what came
                // before.
                drop(engine);
                engine = open(folder.path());
            }
            let key = format!("k{:02}", random.below(KEYS));
            if random.chance(25) {
                delete(&engine, "t", item([("pk", s(&*key))])).unwrap();
                history.items.remove(&key);
            } else {
                let text = "x".repeat(random.below(if step < 400 { 2500 } else { 60 }));
                let new = item([("pk", s(&*key)), ("n", n(step)), ("g", s("g")), ("text", s(text))]);
                put(&engine, "t", new.clone()).unwrap();
                history.values.entry(key.clone()).or_default().push(new.clone());
                history.items.insert(key, new);
            }
        }
        history.image = rest(folder.path());
        drop(engine);
        history
    })
}

/// Waits until background work that writes tables rests.
fn rest(folder: &Path) -> Image {
    let mut before = Image::of(folder);
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let now = Image::of(folder);
        if now == before {
            return now;
        }
        before = now;
    }
}

/// What a repair made of a folder.
pub(super) struct Repaired {
    pub report: RepairReport,
    pub listed: BTreeSet<String>,
    pub items: Items,
}

fn repair(folder: &Path, what: &str) -> Repaired {
    let before = Image::of(folder);
    let parent = tempfile::tempdir().unwrap();
    let to = parent.path().join("new");
    let mut listed = BTreeSet::new();
    let mut list = |item: UncertainItem| {
        assert_eq!(item.key.len(), 1);
        listed.insert(item.key["pk"].as_str().unwrap().to_owned());
        Ok(())
    };
    let report = DataFolder::open(folder)
        .unwrap_or_else(|error| panic!("{what}: {error}"))
        .repair(&to, &mut list, &mut |_| {})
        .unwrap_or_else(|error| panic!("{what}: {error:?}"));
    assert!(Image::of(folder) == before, "{what}: the damaged folder was changed");
    let engine = open(&to);
    assert_eq!(engine.check().unwrap(), [], "{what}");
    let names: Vec<&str> = report.tables.iter().map(|table| table.name.as_str()).collect();
    let items: Items = names.iter().flat_map(|name| items_of(&engine, name)).collect();
    if names == ["t"] {
        let indexed = query_all(&engine, partition("t", Some("by_g"), "g", s("g")));
        assert_eq!(indexed.len(), items.len(), "{what}: the index was not made from the items");
    }
    Repaired { report, listed, items }
}

/// The items of a table by their keys.
pub(super) fn items_of(engine: &Engine, table: &str) -> Items {
    let found = scan_all(engine, table, None).into_iter();
    found.map(|item| (item["pk"].as_str().unwrap().to_owned(), item)).collect()
}

/// Fails if anything is lost, old or back without notice.
fn assert_honest(image: &Image, what: &str) -> Repaired {
    assert_honest_folder(image.write().path(), what)
}

/// The same for files on disk.
pub(super) fn assert_honest_folder(folder: &Path, what: &str) -> Repaired {
    let repaired = repair(folder, what);
    let expected = &history().items;
    let is_silent = !repaired.report.losses.iter().any(Loss::loses_rows);
    for (key, value) in &repaired.items {
        if expected.get(key) != Some(value) {
            assert!(repaired.listed.contains(key), "{what}: `{key}` is not what was last written, and not listed");
            assert!(history().values[key].contains(value), "{what}: `{key}` never had this value");
        }
    }
    for key in expected.keys().filter(|key| !repaired.items.contains_key(*key)) {
        assert!(!is_silent, "{what}: `{key}` is lost, and nothing says so");
    }
    repaired
}

fn tables() -> Vec<PathBuf> {
    let files = history().image.paths().filter(|path| path.starts_with("keyspaces/1/tables"));
    files.map(Path::to_owned).collect()
}

fn version_file() -> String {
    version_file_of(&history().image)
}

fn version_file_of(image: &Image) -> String {
    let number = u64::from_le_bytes(image.bytes("keyspaces/1/current")[..8].try_into().unwrap());
    format!("keyspaces/1/v{number}")
}

fn journal() -> PathBuf {
    let journals = history().image.paths().filter(|path| path.extension().is_some_and(|extension| extension == "jnl"));
    journals.max_by_key(|path| path.file_stem().unwrap().to_str().unwrap().parse::<u64>().unwrap()).unwrap().to_owned()
}

#[test]
fn a_sound_folder_is_copied_as_it_is() {
    let repaired = assert_honest(&history().image, "no damage");
    assert_eq!(repaired.report.losses, []);
    assert_eq!(repaired.listed, BTreeSet::new());
    assert_eq!(repaired.items, history().items);
    assert_eq!(repaired.report.tables[0].items, history().items.len() as u64);
}

#[test]
fn commits_behind_a_damaged_one_are_salvaged() {
    let length = history().image.bytes(journal()).len();
    let image = history().image.clone().flip(journal(), length - 2000, 3);
    let repaired = assert_honest(&image, "a damaged commit");
    let [Loss::Commits { at_most: Some(at_most), was_acknowledged: true, .. }] = &repaired.report.losses[..] else {
        panic!("{:?}", repaired.report.losses)
    };
    assert!(*at_most <= 3, "{at_most} commits");
    // What was written behind the damage is certain.
    let (key, last) = newest_item();
    assert_eq!(repaired.items.get(key), Some(last));
    assert!(!repaired.listed.contains(key));
    assert!(!repaired.listed.is_empty());
}

#[test]
fn a_sequence_number_that_does_not_fit_lets_no_old_value_win() {
    let bytes = history().image.bytes(journal());
    let text = repaired_sequences(bytes);
    let repaired =
        assert_honest(&history().image.clone().change(journal(), |bytes| *bytes = text), "a sequence number");
    assert_eq!(repaired.items, history().items);
    assert_eq!(repaired.listed, BTreeSet::new());
    assert!(matches!(&repaired.report.losses[..], [Loss::File { text }] if text.contains("sequence number")));
}

/// The journal with a sequence number of the middle set to zero.
fn repaired_sequences(journal: &[u8]) -> Vec<u8> {
    let starts: Vec<usize> = (13..journal.len() - 13).filter(|at| journal[at - 4..*at] == *b"FJL\x03").collect();
    let start = starts[starts.len() - 20];
    let mut bytes = journal.to_vec();
    bytes[start + 5..start + 13].fill(0);
    bytes
}

#[test]
fn rows_around_a_damaged_block_are_salvaged() {
    for table in tables() {
        let middle = history().image.bytes(&table).len() / 2;
        let damaged = |image: Image| image.flip(&table, middle, 1);
        let what = format!("a block of `{}`", table.display());
        let repaired = assert_honest(&damaged(trimmed()), &what);
        let lost = history().items.keys().filter(|key| !repaired.items.contains_key(*key)).count();
        assert!(lost < 20, "{lost} items are lost");
        // The journal still has what the block had, and everything since.
        let repaired = assert_honest(&damaged(history().image.clone()), &what);
        assert_eq!(repaired.items, history().items);
        assert_eq!(repaired.listed, BTreeSet::new());
    }
}

/// The folder without the commits that are in tables: the journal that held them would be deleted in time.
pub(super) fn trimmed() -> Image {
    history().image.clone().change(journal(), |bytes| {
        let starts: Vec<usize> = (4..bytes.len()).filter(|at| bytes[at - 4..*at] == *b"FJL\x03").collect();
        // More than the write buffer holds.
        bytes.drain(..starts[starts.len() - 160]);
    })
}

#[test]
fn without_old_commits_all_items_are_there() {
    let repaired = assert_honest(&trimmed(), "no damage");
    assert_eq!(repaired.items, history().items);
}

#[test]
fn commits_that_only_the_manifest_knows_of_are_lost() {
    // Whole files, but an older moment: the journals hold fewer commits than the manifest says.
    let folder = history().image.write();
    drop(open(folder.path()));
    let closed = Image::of(folder.path());
    let mut image = history().image.clone().add("keyfold.manifest", closed.bytes("keyfold.manifest").clone());
    image = image.change(journal(), |bytes| {
        let starts: Vec<usize> = (4..bytes.len()).filter(|at| bytes[at - 4..*at] == *b"FJL\x03").collect();
        bytes.truncate(starts[starts.len() - 5]);
    });
    let repaired = assert_honest(&image, "an older journal");
    assert!(!repaired.listed.is_empty());
    assert!(repaired.report.losses.iter().any(|loss| matches!(loss, Loss::Commits { .. })));
}

#[test]
fn a_missing_table_lets_nothing_old_come_back_silently() {
    for table in tables() {
        let what = format!("`{}` is missing", table.display());
        let repaired = assert_honest(&trimmed().remove(&table), &what);
        // What was written last is in the journal alone, and certain, unless the definition of the table is lost.
        if repaired.report.tables[0].name != "t" {
            continue;
        }
        let (key, last) = newest_item();
        assert_eq!(repaired.items.get(key), Some(last), "{what}");
        assert!(!repaired.listed.contains(key), "{what}");
    }
}

#[test]
fn items_whose_table_is_lost_are_salvaged_under_another_name() {
    // The first block of each table holds the engine's records.
    let image = tables().iter().fold(trimmed(), |image, table| image.flip(table, 100, 1));
    let repaired = assert_honest(&image, "the first blocks");
    let names: Vec<_> = repaired.report.tables.iter().map(|table| (table.name.as_str(), table.is_uncertain)).collect();
    assert_eq!(names, [("recovered-1", true)]);
    assert!(repaired.report.losses.contains(&Loss::Definition { table: "recovered-1".to_owned() }));
    assert!(repaired.items.len() > history().items.len() / 2, "{} items", repaired.items.len());
}

/// The item that was written last.
fn newest_item() -> (&'static String, &'static Attributes) {
    history().items.iter().max_by_key(|(_, item)| item["n"].as_number().unwrap().to_i64()).unwrap()
}

#[test]
fn a_lost_list_of_tables_is_replaced() {
    for image in [
        history().image.clone().remove("keyspaces/1/current"),
        history().image.clone().flip("keyspaces/1/current", 0, 0),
        history().image.clone().flip(version_file(), 40, 0),
        history().image.clone().remove(version_file()),
        history().image.clone().remove("keyspaces/0/current"),
        history().image.clone().remove("version"),
    ] {
        let repaired = assert_honest(&image, "a lost list");
        let old: Vec<_> =
            repaired.items.iter().filter(|(key, item)| history().items.get(*key) != Some(*item)).collect();
        assert!(history().items.iter().all(|(key, _)| repaired.items.contains_key(key)));
        assert!(old.iter().all(|(key, _)| repaired.listed.contains(*key)));
    }
}

/// `current`, or the manifest alone, says that the list that is left is an older one.
#[test]
fn an_older_list_of_tables_does_not_count_as_the_current_one() {
    let early = history().early.write();
    // Removes files that the list does not name.
    drop(open(early.path()));
    let early = Image::of(early.path());
    let mut older = tables().iter().fold(trimmed().remove(version_file()), |image, table| image.remove(table));
    let old_tables = early.paths().filter(|path| path.starts_with("keyspaces/1/tables"));
    for path in old_tables.chain([Path::new(&version_file_of(&early))]) {
        older = older.add(path, early.bytes(path).clone());
    }
    for (image, what) in
        [(older.clone(), "an older list"), (older.remove("keyspaces/1/current"), "an older list without `current`")]
    {
        let repaired = assert_honest(&image, what);
        let old = repaired.items.iter().filter(|(key, item)| history().items.get(*key) != Some(*item)).count();
        assert!(old > 0, "{what}: no item is older");
    }
}

#[test]
fn the_new_folder_must_be_empty() {
    let folder = history().image.write();
    let to = tempfile::tempdir().unwrap();
    let repair = |to: &Path| DataFolder::open(folder.path()).unwrap().repair(to, &mut |_| Ok(()), &mut |_| {});
    repair(to.path()).unwrap();
    assert!(matches!(repair(to.path()), Err(RepairError::New(NewFolderError::NotEmpty(_)))));
}

#[test]
fn nothing_is_copied_into_the_folder_itself() {
    let folder = history().image.write();
    std::fs::create_dir(folder.path().join("lost+found")).unwrap();
    let open = || DataFolder::open(folder.path()).unwrap();
    for to in [folder.path().join("copy"), folder.path().join("lost+found/../lost+found/copy")] {
        let repaired = open().repair(&to, &mut |_| Ok(()), &mut |_| {});
        assert!(matches!(repaired, Err(RepairError::New(NewFolderError::Inside { .. }))), "{repaired:?}");
        let error = open().back_up(&to, &mut |_| {}).err().unwrap().to_string();
        let (to, folder) = (to.display(), folder.path().display());
        let expected = format!("`{to}` is inside the data folder `{folder}`; choose a place outside it");
        assert_eq!(error, expected);
    }
    assert!(Image::of(folder.path()) == history().image, "the folder was changed");
}

#[test]
fn a_place_that_a_new_folder_cannot_take_is_refused_at_once() {
    let folder = history().image.write();
    let back_up =
        |to: &Path| DataFolder::open(folder.path()).unwrap().back_up(to, &mut |_| {}).err().unwrap().to_string();
    assert_eq!(back_up(Path::new("/proc")), "`/proc` is a mount point; name a new folder in it");
    for path in [".", "..", "/"] {
        assert_eq!(back_up(Path::new(path)), format!("`{path}` cannot be written"));
    }
    // An empty folder is what is left of a command that was killed at once.
    let parent = tempfile::tempdir().unwrap();
    std::fs::create_dir(parent.path().join("new.incomplete")).unwrap();
    let to = parent.path().join("new");
    DataFolder::open(folder.path()).unwrap().back_up(&to, &mut |_| {}).unwrap();
    assert!(Image::of(&to) == history().image);
    assert!(!parent.path().join("new.incomplete").exists());
}

#[test]
fn nothing_is_lost_or_comes_back_silently_after_random_damage() {
    let is_long = std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1");
    let seed = std::env::var("KEYFOLD_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(31);
    let mut random = Random::new(seed);
    let files: Vec<PathBuf> =
        history().image.paths().filter(|path| !path.ends_with("lock")).map(Path::to_owned).collect();
    for round in 0..if is_long { 500 } else { 24 } {
        let mut image = if random.chance(60) { trimmed() } else { history().image.clone() };
        let mut what = format!("seed {seed}, round {round}:");
        for _ in 0..1 + random.below(3) {
            let file = if random.chance(40) { journal() } else { random.pick(&files) };
            if image.paths().all(|path| path != file) {
                continue;
            }
            let length = image.bytes(&file).len();
            let at = random.below(length.max(1));
            what = format!("{what} `{}` at {at}", file.display());
            image = match random.below(8) {
                _ if length == 0 => image,
                0..=3 => image.flip(&file, at, random.below(8) as u8),
                4 | 5 => image.change(&file, |bytes| bytes[at..(at + 512).min(length)].fill(0)),
                6 => image.truncate(&file, at),
                _ => image.remove(&file),
            };
        }
        assert_honest(&image, &what);
    }
}
