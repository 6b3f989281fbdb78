//! The files of a data folder by their role.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::fault::{Fault, unreadable};
use crate::store::StoreError;
use crate::store::fjall::manifest::MANIFEST;

/// The folder of the tables of all keyspaces.
pub(crate) const KEYSPACES: &str = "keyspaces";
/// Locked by the process that has the store open.
pub(crate) const LOCK: &str = "lock";
/// The file in which the `keyfold` command keeps the secret of its cursors; while it is written, a number follows.
pub const CURSOR_SECRET_FILE: &str = "cursor-secret";
/// Written last when a store is created; without it, opening creates a new one.
pub(crate) const MARKER: &str = "version";
/// Names the version of a keyspace; without it, opening deletes the keyspace.
pub(super) const CURRENT: &str = "current";
/// The folder of the tables of one keyspace.
pub(super) const TABLES: &str = "tables";
/// Journals are numbered files; the highest is the one being written.
const JOURNAL_EXTENSION: &str = "jnl";
/// The keyspace that lists the others.
pub(super) const KEYSPACE_LIST: u64 = 0;

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
    /// Oldest first.
    pub journals: Vec<Journal>,
    /// `None` if their folder is missing.
    pub keyspaces: Option<Vec<Keyspace>>,
    /// Files that the store does not know; hidden ones, such as `.gitignore`, do not count.
    pub foreign: Vec<PathBuf>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Journal {
    pub number: u64,
    pub path: PathBuf,
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
    /// `None` if the folder does not exist or is empty.
    pub(super) fn list(path: &Path) -> Result<Option<Self>, StoreError> {
        let Some(entries) = entries(path)? else { return Ok(None) };
        if entries.is_empty() {
            return Ok(None);
        }
        let mut folder = Self {
            path: path.to_owned(),
            marker: None,
            manifest: None,
            journals: Vec::new(),
            keyspaces: None,
            foreign: Vec::new(),
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
            self.marker = Some(fs::read(&path).map_err(unreadable(&path))?);
        } else if name == MANIFEST && !is_folder {
            self.manifest = Some(fs::read(&path).map_err(unreadable(&path))?);
        } else if name == KEYSPACES && is_folder {
            self.keyspaces = Some(list_keyspaces(&path)?);
        } else if let (Some(number), false) = (journal_number(&path), is_folder) {
            self.journals.push(Journal { number, path });
        } else if !is_of_the_system(&name) && !name.to_string_lossy().starts_with('.') {
            self.foreign.push(path);
        }
        Ok(())
    }

    /// Whether any table but those of the list of keyspaces exists.
    pub(super) fn has_tables(&self) -> bool {
        self.keyspaces().iter().any(|keyspace| keyspace.id != KEYSPACE_LIST && !keyspace.tables.is_empty())
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

fn journal_number(path: &Path) -> Option<u64> {
    let is_journal = path.extension() == Some(OsStr::new(JOURNAL_EXTENSION));
    if is_journal { canonical_number(path.file_stem()?) } else { None }
}

/// A number as the store writes it: `7`, but not `07`.
fn canonical_number(name: &OsStr) -> Option<u64> {
    let name = name.to_str()?;
    name.parse().ok().filter(|number: &u64| number.to_string() == name)
}

/// Files that operating systems add to folders, and the folder that a file system has at its root.
fn is_of_the_system(name: &OsStr) -> bool {
    name == ".DS_Store" || name == "lost+found" || name.to_string_lossy().starts_with("._")
}

fn list_keyspaces(path: &Path) -> Result<Vec<Keyspace>, StoreError> {
    let mut keyspaces = Vec::new();
    for entry in entries(path)?.unwrap_or_default() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_folder = entry.file_type().map_err(unreadable(&path))?.is_dir();
        match canonical_number(&name) {
            Some(id) if is_folder => keyspaces.push(list_keyspace(id, path)?),
            // The store ignores files here, but it ends the process at a folder with another name.
            _ if !is_folder || is_of_the_system(&name) => {}
            _ => return Err(Fault::Foreign.of_file(path)),
        }
    }
    keyspaces.sort_by_key(|keyspace| keyspace.id);
    Ok(keyspaces)
}

fn list_keyspace(id: u64, path: PathBuf) -> Result<Keyspace, StoreError> {
    let has_current = path.join(CURRENT).is_file();
    let mut tables = Vec::new();
    for entry in entries(&path.join(TABLES))?.unwrap_or_default() {
        let name = entry.file_name();
        match canonical_number(&name) {
            Some(id) => tables.push(id),
            None if is_of_the_system(&name) => {}
            None => return Err(Fault::Foreign.of_file(entry.path())),
        }
    }
    Ok(Keyspace { id, path, has_current, tables })
}
