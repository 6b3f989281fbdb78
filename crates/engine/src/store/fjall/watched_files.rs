//! The files of an open store. Whoever removes one takes acknowledged writes with it, though the store goes on: it has
//! most files open, and looks at the others at the next start.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use ::fjall::{Database, Keyspace};
use parking_lot::Mutex;

use super::internals;
use super::manifest::MANIFEST;
use super::verify::{self, CURRENT, KEYSPACE_LIST, KEYSPACES, MARKER, TABLES};
use crate::store::StoreError;

/// The files that must be there.
pub(super) struct WatchedFiles {
    folder: PathBuf,
    /// The tables of the list of keyspaces, which does not change once the store is open.
    listed_tables: Vec<u64>,
    /// The folders of tables as they were at the last look.
    table_folders: Mutex<BTreeMap<PathBuf, SeenFolder>>,
    /// The journals that were there at the last look.
    journals: Mutex<BTreeMap<u64, SeenJournal>>,
}

/// A journal is made with its length, or grows. Nothing of it is cut off while the store is open.
#[derive(Clone, Copy)]
struct SeenJournal {
    inode: u64,
    length: u64,
}

/// A folder of tables that was listed, and had all of them. It need not be listed again before it changes: with
/// thousands of tables, that is the better part of a look.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
struct SeenFolder {
    /// When a file was last added or removed, in seconds and nanoseconds.
    changed: (i64, i64),
    /// The version of the tables that was current.
    version: u64,
    /// How often it was listed in this state.
    looks: u32,
}

/// A change that is made in the same tick of the clock as the one before leaves the time as it is. So the folder is
/// listed once more, a look later.
const ENOUGH_LOOKS: u32 = 2;

impl WatchedFiles {
    /// Of a store that was just opened.
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let listed_tables = numbers(&keyspace_list(folder).join(TABLES))?;
        let (folder, journals) = (folder.to_owned(), Mutex::new(journals(folder)?));
        Ok(Self { folder, listed_tables, table_folders: Mutex::default(), journals })
    }

    /// Fails if one is missing or replaced. What cannot be looked at counts as present: descriptors may be scarce.
    pub(super) fn check(&self, database: &Database, keyspaces: [&Keyspace; 2]) -> Result<(), StoreError> {
        let list = keyspace_list(&self.folder);
        let named = [self.folder.join(MARKER), self.folder.join(MANIFEST), list.join(CURRENT)];
        let missing = named
            .into_iter()
            .find(|file| is_missing(file))
            .or_else(|| self.missing_table(&list, 0, || self.listed_tables.clone()))
            .or_else(|| keyspaces.into_iter().find_map(|keyspace| self.missing_of_keyspace(keyspace)))
            .or_else(|| self.missing_journal(database));
        match missing {
            Some(file) => Err(StoreError::FileRemoved { file: self.highest_missing(file) }),
            None => Ok(()),
        }
    }

    /// fjall creates a journal before it counts it, and deletes one while it holds the lock of the count. So there are
    /// never fewer files than the lower of two counts, one before and one after they are listed.
    fn missing_journal(&self, database: &Database) -> Option<PathBuf> {
        let before = database.journal_count();
        let found = journals(&self.folder).ok()?;
        let count = before.min(database.journal_count());
        let mut known = self.journals.lock();
        let path = |number: &u64| self.folder.join(verify::journal_name(*number));
        let is_replaced = |(number, seen): &(&u64, &SeenJournal)| {
            found.get(number).is_some_and(|now| now.inode != seen.inode || now.length < seen.length)
        };
        if let Some((number, _)) = known.iter().find(is_replaced) {
            return Some(path(number));
        }
        if found.len() < count {
            let missing = known.keys().rev().find(|number| !found.contains_key(number));
            return Some(missing.map_or_else(|| self.folder.clone(), path));
        }
        *known = found;
        None
    }

    fn missing_of_keyspace(&self, keyspace: &Keyspace) -> Option<PathBuf> {
        internals::with_tables(keyspace, |version, tables| {
            if let Some(missing) = self.missing_table(keyspace.path(), version, tables) {
                return Some(missing);
            }
            let current = keyspace.path().join(CURRENT);
            let named = keyspace.path().join(format!("v{version}"));
            let is_replaced = || internals::version(keyspace) != version;
            [current, named].into_iter().find(|file| is_missing(file) && !is_replaced())
        })
    }

    fn missing_table(&self, keyspace: &Path, version: u64, tables: impl FnOnce() -> Vec<u64>) -> Option<PathBuf> {
        let folder = keyspace.join(TABLES);
        let changed = match fs::metadata(&folder) {
            Ok(metadata) => (metadata.mtime(), metadata.mtime_nsec()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(folder),
            Err(_) => return None,
        };
        let mut table_folders = self.table_folders.lock();
        let seen = table_folders.entry(folder.clone()).or_default();
        if (seen.changed, seen.version) != (changed, version) {
            *seen = SeenFolder { changed, version, looks: 0 };
        }
        if seen.looks >= ENOUGH_LOOKS {
            return None;
        }
        let found = numbers(&folder).ok()?;
        seen.looks += 1;
        let missing = tables().into_iter().find(|table| found.binary_search(table).is_err())?;
        seen.looks = 0;
        Some(folder.join(missing.to_string()))
    }

    /// The file, or the folder that is missing with it.
    fn highest_missing(&self, mut file: PathBuf) -> PathBuf {
        while let Some(parent) = file.parent().filter(|parent| *parent != self.folder && is_missing(parent)) {
            file = parent.to_owned();
        }
        file
    }
}

fn keyspace_list(folder: &Path) -> PathBuf {
    folder.join(KEYSPACES).join(KEYSPACE_LIST.to_string())
}

/// The files of a folder whose names are numbers, in order.
fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder)? {
        numbers.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn journals(folder: &Path) -> io::Result<BTreeMap<u64, SeenJournal>> {
    let mut journals = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Some(number) = verify::journal_number(&entry.path()) else { continue };
        match entry.metadata() {
            Ok(metadata) => journals.insert(number, SeenJournal { inode: metadata.ino(), length: metadata.len() }),
            // The store has deleted it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
    }
    Ok(journals)
}

fn is_missing(file: &Path) -> bool {
    fs::symlink_metadata(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use crate::store::{Change, Durability, FjallStore, Store, StoreError, StoreSettings};

    fn small_buffers() -> StoreSettings {
        StoreSettings { write_buffer_bytes: 1 << 20, ..StoreSettings::default() }
    }

    fn commit(store: &FjallStore, number: u64) {
        let value = vec![(number % 250) as u8; 200_000];
        let key = (number % 300).to_be_bytes().to_vec();
        store.commit(vec![Change::Put(key, value)], Durability::Relaxed).unwrap();
    }

    /// 200 MB: journals are begun and deleted, tables are written and merged.
    #[test]
    fn files_that_the_store_itself_deletes_are_not_missed() {
        let folder = tempfile::tempdir().unwrap();
        let store = FjallStore::open(folder.path(), small_buffers()).unwrap();
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let looks = scope.spawn(|| {
                let mut looks = 0;
                while !is_done.load(Ordering::SeqCst) {
                    store.probe().unwrap();
                    looks += 1;
                }
                looks
            });
            for number in 0..1000 {
                commit(&store, number);
            }
            is_done.store(true, Ordering::SeqCst);
            assert!(looks.join().unwrap() > 100);
        });
        assert!(!folder.path().join("0.jnl").exists(), "no journal was deleted");
    }

    #[test]
    fn each_removed_file_is_named() {
        for name in ["0.jnl", "keyspaces", "keyfold.manifest", "version", "lock", "keyspaces/0", "keyspaces/1/current"]
        {
            let folder = tempfile::tempdir().unwrap();
            let store = FjallStore::open(folder.path(), small_buffers()).unwrap();
            commit(&store, 0);
            store.probe().unwrap();
            let file = folder.path().join(name);
            if file.is_dir() {
                std::fs::remove_dir_all(&file).unwrap()
            } else {
                std::fs::remove_file(&file).unwrap()
            }
            match store.probe() {
                Err(StoreError::FileRemoved { file: found }) => assert_eq!(found, file),
                other => panic!("{name}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_table_that_was_removed_while_it_is_open_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = FjallStore::open(folder.path(), small_buffers()).unwrap();
        commit(&store, 0);
        store.reclaim(0).unwrap();
        let tables = store.rows.path().join("tables");
        let table = std::fs::read_dir(tables).unwrap().next().unwrap().unwrap().path();
        // Often enough for the folder not to be listed any more.
        for _ in 0..5 {
            thread::sleep(Duration::from_millis(10));
            store.probe().unwrap();
        }
        std::fs::remove_file(&table).unwrap();
        assert!(matches!(store.probe(), Err(StoreError::FileRemoved { file }) if file == table));
    }

    #[test]
    fn a_journal_that_was_replaced_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = FjallStore::open(folder.path(), small_buffers()).unwrap();
        let journal = folder.path().join("0.jnl");
        let copy = folder.path().join("copy");
        std::fs::copy(&journal, &copy).unwrap();
        std::fs::rename(&copy, &journal).unwrap();
        assert!(matches!(store.probe(), Err(StoreError::FileRemoved { file }) if file == journal));
    }

    #[test]
    fn a_journal_that_was_shortened_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = FjallStore::open(folder.path(), small_buffers()).unwrap();
        commit(&store, 0);
        store.probe().unwrap();
        let journal = folder.path().join("0.jnl");
        std::fs::File::options().write(true).open(&journal).unwrap().set_len(1000).unwrap();
        match store.probe() {
            Err(StoreError::FileRemoved { file }) => assert_eq!(file, journal),
            other => panic!("{other:?}"),
        }
    }
}
