//! A store with tables and journals as a kill leaves it, and what it must hold.

use std::collections::BTreeMap;
use std::ops::{Bound, Range};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use super::image::{Image, journal_bytes};
use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreError, StoreSettings};
use keyfold_environment::error_chain;

pub(super) type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

pub(super) fn open(folder: &Path) -> Result<FjallStore, StoreError> {
    FjallStore::open(folder, StoreSettings::default())
}

pub(super) struct Scene {
    pub image: Image,
    /// The files before there were tables.
    pub early: Image,
    /// What the store holds after each commit.
    pub states: Vec<Rows>,
    /// The bytes of each commit in the journal.
    pub commits: Vec<Range<usize>>,
}

pub(super) const JOURNAL: &str = "0.jnl";

/// The first commits go to tables, the others are in the journal alone.
pub(super) const IN_TABLES: usize = 55;

/// The last commit of [`Scene::early`].
pub(super) const EARLY: usize = 4;

/// Damage in any file must be found, or do no harm.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing was changed.
    Refused,
    /// Opened, but some rows cannot be read, and the error says so.
    Unreadable,
    /// All commits are there.
    Whole,
    /// All commits but the last.
    LastCut,
}

/// The store of all tests here, made once.
pub(super) fn scene() -> &'static Scene {
    static SCENE: OnceLock<Scene> = OnceLock::new();
    SCENE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path()).unwrap();
        let journal = folder.path().join(JOURNAL);
        let (mut rows, mut states, mut commits) = (Rows::new(), Vec::new(), Vec::new());
        let mut start = journal_bytes(&journal).len();
        let mut early = None;
        for number in 0..70 {
            if number == IN_TABLES {
                // Closing writes tables.
                drop(store);
                store = open(folder.path()).unwrap();
            }
            let length = if number < IN_TABLES { 1500 } else { 30 };
            let changes = commit(number, length);
            apply(&mut rows, &changes);
            store.commit(changes, Durability::Durable).unwrap();
            let end = journal_bytes(&journal).len();
            states.push(rows.clone());
            commits.push(start..end);
            start = end;
            if number == EARLY {
                early = Some(Image::of(folder.path()));
            }
        }
        Scene { image: settled(folder.path()), early: early.unwrap(), states, commits }
    })
}

/// The files once background work rests.
fn settled(folder: &Path) -> Image {
    loop {
        let image = Image::of(folder);
        std::thread::sleep(Duration::from_millis(300));
        if image == Image::of(folder) {
            return image;
        }
    }
}

/// New rows, a row that every commit changes, and the removal of an old row.
pub(super) fn commit(number: usize, length: usize) -> Vec<Change> {
    let mut changes: Vec<Change> = (0..4)
        .map(|part| Change::Put(format!("k{number:03}-{part}").into_bytes(), vec![number as u8 + 1; length]))
        .collect();
    changes.push(Change::Put(b"kshared".to_vec(), number.to_string().into_bytes()));
    if number >= 10 {
        changes.push(Change::Remove(format!("k{:03}-1", number - 10).into_bytes()));
    }
    changes
}

pub(super) fn apply(rows: &mut Rows, changes: &[Change]) {
    for change in changes {
        match change {
            Change::Put(key, value) => rows.insert(key.clone(), value.clone()),
            Change::Remove(key) => rows.remove(key),
        };
    }
}

/// All rows, by a scan and one by one.
pub(super) fn read_all(store: &FjallStore, keys: &Rows) -> Result<Rows, StoreError> {
    let range = (Bound::Included(b"k".to_vec()), Bound::Excluded(b"l".to_vec()));
    let rows = store.snapshot().range(range, false).map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())));
    let rows = rows.collect::<Result<Rows, StoreError>>()?;
    for key in keys.keys() {
        let value = store.get(key)?.map(|value| value.to_vec());
        assert_eq!(value.as_ref(), rows.get(key), "a scan and a lookup differ");
    }
    Ok(rows)
}

/// Opens the files as a store. Fails if a commit is missing without notice, or a refused folder was changed.
pub(super) fn outcome(image: &Image, what: &str) -> Outcome {
    let folder = image.write();
    let before = Image::of(folder.path());
    let states = &scene().states;
    let last = states.last().unwrap();
    let store = match open(folder.path()) {
        Ok(store) => store,
        Err(StoreError::Corrupt { file, source, .. }) => {
            let file = file.unwrap_or_else(|| panic!("{what}: no file is named: {source}"));
            assert!(source.to_string().contains("folder"), "{what}: no remedy for `{}`: {source}", file.display());
            assert!(Image::of(folder.path()) == before, "{what}: the folder was refused, but changed");
            return Outcome::Refused;
        }
        Err(other) => panic!("{what}: {other:?}"),
    };
    let Ok(rows) = read_all(&store, last) else { return Outcome::Unreadable };
    if rows == *last {
        Outcome::Whole
    } else if rows == states[states.len() - 2] {
        Outcome::LastCut
    } else {
        panic!("{what}: the store was opened, but its rows are not those that were acknowledged")
    }
}

/// The error of opening these files, with its causes.
pub(super) fn refusal(image: &Image) -> (String, tempfile::TempDir) {
    let folder = image.write();
    let before = Image::of(folder.path());
    let error = open(folder.path()).err().expect("the folder was opened");
    assert!(Image::of(folder.path()) == before, "the folder was refused, but changed: {error}");
    let text = error_chain(&error).replace(&format!("{}/", folder.path().display()), "");
    (text, folder)
}
