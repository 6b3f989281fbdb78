//! The files of a data folder by their role.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::fault::unreadable;
use super::file;
use crate::store::fjall::manifest::MANIFEST;
use crate::store::fjall::synced_mark::SYNCED;
use crate::store::{CURSOR_SECRET_FILE, StoreError};

/// The folder of the tables of all keyspaces.
pub(crate) const KEYSPACES: &str = "keyspaces";
/// Locked by the process that has the store open.
pub(crate) const LOCK: &str = "lock";
/// Written last when a store is created; without it, opening creates a new one.
pub(crate) const MARKER: &str = "version";
/// Names the version of a keyspace; without it, opening deletes the keyspace.
pub(crate) const CURRENT: &str = "current";
/// The folder of the tables of one keyspace.
pub(crate) const TABLES: &str = "tables";
/// Journals are numbered files; the highest is the one being written.
const JOURNAL_EXTENSION: &str = "jnl";
/// The keyspace that lists the others.
pub(crate) const KEYSPACE_LIST: u64 = 0;

/// The name of a journal.
pub(crate) fn journal_name(number: u64) -> String {
    format!("{number}.{JOURNAL_EXTENSION}")
}

/// A data folder.
#[derive(Debug)]
pub(super) struct Folder {
    pub path: PathBuf,
    /// The content of the marker; `None` if there is none.
    pub marker: Option<Vec<u8>>,
    /// The content of the manifest; `None` if there is none, as in folders of older versions of the engine.
    pub manifest: Option<Vec<u8>>,
    /// The content of the file with the number of the last synced commit; `None` if there is none.
    pub synced: Option<Vec<u8>>,
    /// Why that file cannot be read. It is no fault: the file proves that commits are there, and holds nothing else.
    pub unreadable_synced: Option<StoreError>,
    /// Oldest first.
    pub journals: Vec<Journal>,
    /// `None` if their folder is missing.
    pub keyspaces: Option<Vec<Keyspace>>,
    /// Files that the store does not know; hidden ones, such as `.gitignore`, do not count.
    pub foreign: Vec<PathBuf>,
    /// Files and folders that the operating system cannot read. Otherwise they count as missing.
    pub unreadable: Vec<StoreError>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Journal {
    pub number: u64,
    pub path: PathBuf,
    /// Where it ends, if the rest is to be ignored.
    pub end: Option<u64>,
}

impl Journal {
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = file::read(&self.path)?;
        if let Some(end) = self.end.and_then(|end| usize::try_from(end).ok()) {
            bytes.truncate(end);
        }
        Ok(bytes)
    }
}

#[derive(Debug)]
pub(super) struct Keyspace {
    pub id: u64,
    pub path: PathBuf,
    pub has_current: bool,
    /// The ids of the files in its folder of tables.
    pub tables: Vec<u64>,
}

impl Keyspace {
    pub(super) fn current(&self) -> PathBuf {
        self.path.join(CURRENT)
    }

    pub(super) fn table(&self, id: u64) -> PathBuf {
        self.path.join(TABLES).join(id.to_string())
    }
}

impl Folder {
    /// `None` if the folder does not exist or is empty, except for hidden files and those of the system.
    pub(super) fn list(path: &Path) -> Result<Option<Self>, StoreError> {
        let entries = entries(path)?.unwrap_or_default();
        if entries.iter().all(|entry| is_ignored(&entry.file_name())) {
            return Ok(None);
        }
        let mut folder = Self {
            path: path.to_owned(),
            marker: None,
            manifest: None,
            synced: None,
            unreadable_synced: None,
            journals: Vec::new(),
            keyspaces: None,
            foreign: Vec::new(),
            unreadable: Vec::new(),
        };
        for entry in entries {
            folder.add(&entry)?;
        }
        folder.journals.sort();
        folder.foreign.sort();
        Ok(Some(folder))
    }

    fn add(&mut self, entry: &DirEntry) -> Result<(), StoreError> {
        let (path, name) = (entry.path(), entry.file_name());
        let is_folder = entry.file_type().map_err(unreadable(&path))?.is_dir();
        if !is_folder && (name == LOCK || is_cursor_secret(&path)) {
            return Ok(());
        }
        if name == MARKER && !is_folder {
            self.marker = self.read(&path)?;
        } else if name == MANIFEST && !is_folder {
            self.manifest = self.read(&path)?;
        } else if name == SYNCED {
            match file::read(&path).map_err(unreadable(&path)) {
                Ok(bytes) => self.synced = Some(bytes),
                Err(error @ StoreError::Other(_)) => self.unreadable_synced = Some(error),
                Err(error) => return Err(error),
            }
        } else if name == KEYSPACES && is_folder {
            self.keyspaces = Some(self.list_keyspaces(&path)?);
        } else if let Some(number) = journal_number(&path).filter(|_| is_regular(&path)) {
            self.journals.push(Journal { number, path, end: None });
        } else if !is_ignored(&name) || looks_like_a_journal(&path) || name.to_str().is_none() {
            self.foreign.push(path);
        }
        Ok(())
    }

    fn read(&mut self, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        let read = file::read(path).map_err(unreadable(path));
        self.or_unreadable(read)
    }

    /// `None` if a file or a folder cannot be read. Only a failure that is not about this file is an error, such as too
    /// many open files.
    fn or_unreadable<T>(&mut self, read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error @ StoreError::Other(_)) => {
                self.unreadable.push(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn list_keyspaces(&mut self, path: &Path) -> Result<Vec<Keyspace>, StoreError> {
        let mut keyspaces = Vec::new();
        for entry in self.entries(path)? {
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().map_err(unreadable(&path))?;
            match canonical_number(&name) {
                Some(id) if kind.is_dir() => keyspaces.push(self.list_keyspace(id, path)?),
                // The store ignores files here, but it ends the process at anything else that has another name.
                _ if kind.is_file() => {}
                _ => self.foreign.push(path),
            }
        }
        keyspaces.sort_by_key(|keyspace| keyspace.id);
        Ok(keyspaces)
    }

    fn list_keyspace(&mut self, id: u64, path: PathBuf) -> Result<Keyspace, StoreError> {
        let has_current = path.join(CURRENT).is_file();
        let mut tables = Vec::new();
        for entry in self.entries(&path.join(TABLES))? {
            let (path, name) = (entry.path(), entry.file_name());
            match canonical_number(&name) {
                Some(id) if leads_to_a_file(&path) => tables.push(id),
                None if is_written_by_the_system(&name) => {}
                _ => self.foreign.push(path),
            }
        }
        Ok(Keyspace { id, path, has_current, tables })
    }

    /// Nothing if the folder does not exist or cannot be read.
    fn entries(&mut self, path: &Path) -> Result<Vec<DirEntry>, StoreError> {
        let found = entries(path);
        Ok(self.or_unreadable(found)?.flatten().unwrap_or_default())
    }

    /// Whether any table but those of the list of keyspaces exists.
    pub(super) fn has_tables(&self) -> bool {
        self.keyspaces().iter().any(|keyspace| keyspace.id != KEYSPACE_LIST && !keyspace.tables.is_empty())
    }

    /// Whether a store is, or was, in the folder: its files, or nothing else than what a store has beside its data.
    pub(super) fn has_store(&self) -> bool {
        self.marker.is_some() || self.has_data() || self.foreign.is_empty()
    }

    /// Whether there is a part of a store, apart from the files that say nothing about its data.
    pub(super) fn has_data(&self) -> bool {
        self.manifest.is_some() || self.keyspaces.is_some() || !self.journals.is_empty()
    }

    /// The number of the journal that is being written.
    pub(super) fn newest_journal(&self) -> u64 {
        self.journals.last().map_or(0, |journal| journal.number)
    }

    pub(super) fn keyspaces(&self) -> &[Keyspace] {
        self.keyspaces.as_deref().unwrap_or_default()
    }

    pub(super) fn keyspace_path(&self, id: u64) -> PathBuf {
        self.path.join(KEYSPACES).join(id.to_string())
    }
}

/// `None` if the folder does not exist.
fn entries(path: &Path) -> Result<Option<Vec<DirEntry>>, StoreError> {
    match fs::read_dir(path).and_then(Iterator::collect) {
        Ok(entries) => Ok(Some(entries)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path)(error)),
    }
}

fn is_cursor_secret(path: &Path) -> bool {
    let is_draft = |extension: &OsStr| canonical_number(extension).is_some();
    path.file_stem() == Some(OsStr::new(CURSOR_SECRET_FILE)) && path.extension().is_none_or(is_draft)
}

/// The journals of a folder, also while the store is open.
pub(crate) fn journal_paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut journals = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if journal_number(&path).is_some() {
            journals.push(path);
        }
    }
    Ok(journals)
}

pub(crate) fn journal_number(path: &Path) -> Option<u64> {
    let is_journal = path.extension() == Some(OsStr::new(JOURNAL_EXTENSION));
    if is_journal { canonical_number(path.file_stem()?) } else { None }
}

/// Whether the store, which takes a name of any kind with this ending for a journal, would refuse to open the folder.
fn looks_like_a_journal(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(JOURNAL_EXTENSION))
}

/// Whether it is a file itself: the store ends the process at a journal that is a link to one.
fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Whether it is a file, or a link to one. What cannot be looked at counts as a file, which cannot be read.
fn leads_to_a_file(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_file(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// A number as the store writes it: `7`, but not `07`.
fn canonical_number(name: &OsStr) -> Option<u64> {
    let name = name.to_str()?;
    name.parse().ok().filter(|number: &u64| number.to_string() == name)
}

/// Whether a file has no meaning for the store: what people and tools hide in a folder, such as `.gitignore`.
pub(super) fn is_ignored(name: &OsStr) -> bool {
    is_of_the_system(name) || name.to_string_lossy().starts_with('.')
}

/// Files that operating systems add to folders, and the folder that a file system has at its root.
fn is_of_the_system(name: &OsStr) -> bool {
    name == "lost+found" || is_written_by_the_system(name)
}

/// The files among them.
fn is_written_by_the_system(name: &OsStr) -> bool {
    name == ".DS_Store" || name.to_string_lossy().starts_with("._")
}
