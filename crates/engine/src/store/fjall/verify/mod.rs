//! Verification of a data folder before fjall may touch it.
//!
//! fjall opens a damaged folder without complaint and destroys the evidence: it cuts a journal at the first byte that
//! it does not understand, deletes every table that a damaged version does not name, and every keyspace without its
//! `current` file. So each file that decides what fjall keeps is read and checked first. A folder with a fault is
//! refused and stays as it is.
//!
//! The formats are undocumented details of fjall and may change in any release, so its version is pinned, and a test
//! fails when it is raised: compare `file.rs`, `journal/`, `recovery.rs` and `meta_keyspace.rs` of the new version, and
//! `version/` and `table/` of its lsm-tree, with this folder, and the texts of its log messages with `messages.rs`,
//! before you change the numbers there.

mod agreement;
mod archive;
mod batch;
mod block;
mod commit;
mod commit_format;
mod commit_search;
mod cuts;
mod data_block;
mod fault;
mod file;
mod folder;
mod journal_end;
mod journal_space;
mod journal_survey;
mod journals;
mod keyspace_list;
mod lock;
mod merge;
mod reader;
mod short_write;
mod table;
mod table_file;
mod version;
mod view;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use keyfold_environment::error_chain;

pub(super) use self::cuts::{confirm as confirm_cuts, unconfirmed as unconfirmed_cuts};
use self::fault::unreadable;
pub(super) use self::fault::unwritable;
pub(super) use self::fault::{Fault, failure};
pub(super) use self::folder::{
    CURRENT, KEYSPACE_LIST, KEYSPACES, LOCK, MARKER, TABLES, journal_name, journal_number, journal_paths,
};
use self::folder::{Folder, Keyspace};
use self::journal_end::KnownCommits;
pub(super) use self::journal_space::replaceable_bytes;
pub(super) use self::journals::is_in_journal;
use self::journals::{Expectation, Journals, TornCommit};
use self::lock::FileLock;
pub(super) use self::lock::FolderLock;
use self::table::WholeTable;
pub(crate) use self::table_file::TableFile;
pub(crate) use self::view::{View, ViewSnapshot};
use super::commit_mark::{self, CommitMark};
use super::manifest::{FolderState, MANIFEST, Manifest, Unusable};
use crate::store::StoreError;

const MARKER_CONTENT: &[u8] = b"FJL\x03";

/// A folder that may be opened.
#[derive(Debug, Default)]
pub(super) struct Verified {
    /// `None` in folders of older versions of the engine.
    pub manifest: Option<Manifest>,
    /// The number of the newest journal; 0 in a new folder.
    pub journal: u64,
    /// The mark of the last commit; `None` if none has one.
    pub last: Option<CommitMark>,
}

/// Whether a folder holds a store, even a damaged one or what is left of one.
pub(super) fn has_store(path: &Path) -> bool {
    Folder::list(path).is_ok_and(|folder| folder.is_some_and(|folder| folder.has_store()))
}

/// Locks a folder for a store, and refuses one that opening would damage further. A folder without a store gets a
/// manifest that says that its creation has begun. Apart from that, it changes a folder in four cases: it cuts off a
/// last commit that a loss of power tore before it was acknowledged, it removes a store that holds nothing because its
/// creation did not finish, it makes a missing lock file again, and on a small disk it replaces journals whose commits
/// are all in tables.
pub(super) fn prepare(path: &Path) -> Result<(FolderLock, Verified), StoreError> {
    fs::create_dir_all(path).map_err(unwritable(path))?;
    let lock = FolderLock::take(path)?;
    lock::wait_for_journals(path);
    // The store takes this one itself.
    let _file_lock = FileLock::take(path)?;
    let Some(folder) = Folder::list(path)? else { return Ok((lock, begin_creation(path)?)) };
    let condition = inspect(&folder)?;
    if let Some(unreadable) = &folder.unreadable_synced {
        let error = error_chain(unreadable);
        tracing::warn!(error, "the data is opened without the number of the last synced commit");
    }
    let verified = match condition {
        Condition::Unfinished { manifest } => {
            remove_store(&folder)?;
            Verified { manifest: Some(manifest), ..Verified::default() }
        }
        Condition::Whole { manifest, last, torn } => {
            remove_unfinished_tables(&folder)?;
            let manifest = match torn {
                Some(torn) => Some(cut_torn_commit(&folder, manifest, &torn)?),
                None => manifest,
            };
            lock::restore(path)?;
            let newest = folder.newest_journal();
            let journal = match &manifest {
                Some(manifest) if manifest.state == FolderState::Closed => {
                    let journals: Vec<PathBuf> = folder.journals.into_iter().map(|journal| journal.path).collect();
                    journal_space::replace(path, &journals, newest)?
                }
                _ => newest,
            };
            Verified { manifest, journal, last }
        }
    };
    Ok((lock, verified))
}

fn begin_creation(path: &Path) -> Result<Verified, StoreError> {
    let manifest = Manifest::new(FolderState::Creating, 0).map_err(StoreError::other)?;
    manifest.write(path).map_err(unwritable(&path.join(MANIFEST)))?;
    Ok(Verified { manifest: Some(manifest), ..Verified::default() })
}

/// Removes the tables that no version names: a merge that failed has left them. fjall does so as well, but only after
/// it has written files of its own, which it cannot if they fill the disk.
fn remove_unfinished_tables(folder: &Folder) -> Result<(), StoreError> {
    for keyspace in folder.keyspaces().iter().filter(|keyspace| keyspace.has_current) {
        let named = version::read(&keyspace.current())?.tables;
        for id in keyspace.tables.iter().filter(|id| !named.iter().any(|table| table.id == **id)) {
            let table = keyspace.table(*id);
            fs::remove_file(&table).map_err(unwritable(&table))?;
        }
    }
    Ok(())
}

/// A folder that may be opened, before anything is changed.
enum Condition {
    /// The store holds nothing: its first start was cut off.
    Unfinished {
        manifest: Manifest,
    },
    Whole {
        manifest: Option<Manifest>,
        last: Option<CommitMark>,
        torn: Option<TornCommit>,
    },
}

/// Reads all files that decide what fjall keeps. Gives the first fault.
fn inspect(folder: &Folder) -> Result<Condition, StoreError> {
    if let Some(foreign) = folder.foreign.first() {
        return Err(Fault::Foreign.of_file(foreign));
    }
    if let Some(unreadable) = folder.unreadable.first() {
        return Err(unreadable.clone());
    }
    inspect_store(folder)
}

/// The same, whatever else is in the folder.
fn inspect_store(folder: &Folder) -> Result<Condition, StoreError> {
    let manifest = read_manifest(folder)?;
    let creation = manifest.as_ref().filter(|manifest| manifest.state == FolderState::Creating);
    if let Some(manifest) = creation {
        if folder.has_tables() {
            let what = "it says that the creation of the store was not finished, but there are tables";
            return Err(Fault::Structure { what }.of_file(folder.path.join(MANIFEST)));
        }
        let is_complete = folder.marker.as_deref() == Some(MARKER_CONTENT) && verify_keyspaces(folder, true).is_ok();
        if !is_complete && has_empty_journals(folder)? {
            return Ok(Condition::Unfinished { manifest: manifest.clone() });
        }
    }
    verify_marker(folder)?;
    if folder.journals.is_empty() {
        return Err(Fault::Missing.of_file(folder.path.join(journal_name(0))));
    }
    let keyspaces = verify_keyspaces(folder, manifest.is_some())?;
    let known = KnownCommits::of(folder, manifest.as_ref(), keyspaces.mark.map(|mark| mark.number));
    let expected = Expectation { manifest: manifest.as_ref(), known, marks: keyspaces.marks_keyspace() };
    let journals = journals::verify(&folder.journals, expected)?;
    verify_journal_keyspaces(folder, &journals)?;
    let last = agreement::verify(folder, manifest.as_ref(), (&keyspaces, &journals), &known)?;
    Ok(Condition::Whole { manifest, last, torn: journals.torn })
}

fn read_manifest(folder: &Folder) -> Result<Option<Manifest>, StoreError> {
    let Some(bytes) = &folder.manifest else { return Ok(None) };
    let fault = match Manifest::parse(bytes) {
        Ok(manifest) => return Ok(Some(manifest)),
        Err(Unusable::Damaged) => Fault::Structure { what: "its checksum is wrong" },
        Err(Unusable::Format(found)) => Fault::ManifestFormat { found },
    };
    Err(fault.of_file(folder.path.join(MANIFEST)))
}

/// Cuts off a torn commit. The manifest keeps it until somebody confirms it, and is written first, so that no crash
/// hides it.
fn cut_torn_commit(folder: &Folder, manifest: Option<Manifest>, torn: &TornCommit) -> Result<Manifest, StoreError> {
    let mut manifest = match manifest {
        Some(manifest) => manifest,
        None => Manifest::new(FolderState::Open, folder.newest_journal()).map_err(StoreError::other)?,
    };
    let cut = torn.record();
    if !manifest.cuts.contains(&cut) {
        manifest.cuts.push(cut);
        manifest.write(&folder.path).map_err(unwritable(&folder.path.join(MANIFEST)))?;
    }
    torn.cut().map_err(unwritable(&folder.path.join(torn.record().journal)))?;
    Ok(manifest)
}

/// What the tables of all keyspaces hold.
#[derive(Debug, Default)]
struct Keyspaces {
    /// Their names by their numbers.
    names: BTreeMap<u64, Vec<u8>>,
    /// The number of the current version.
    versions: BTreeMap<u64, u64>,
    /// The highest sequence number in the tables of each keyspace that has tables.
    highest_sequences: BTreeMap<u64, u64>,
    /// The mark of the last commit that is in a table.
    mark: Option<CommitMark>,
}

impl Keyspaces {
    /// The keyspace of the marks.
    fn marks_keyspace(&self) -> Option<u64> {
        marks_keyspace(&self.names)
    }

    /// Checks that the version of a keyspace is whole and its tables exist.
    fn add(&mut self, keyspace: &Keyspace) -> Result<(), StoreError> {
        let version = version::read(&keyspace.current())?;
        self.versions.insert(keyspace.id, version.number);
        let holds_marks = self.marks_keyspace() == Some(keyspace.id);
        for reference in version.tables {
            let path = keyspace.table(reference.id);
            if !keyspace.tables.contains(&reference.id) {
                return Err(Fault::MissingReferenced { named_by: "current".to_owned() }.of_file(path));
            }
            let mut table = WholeTable::open(&path, reference.id)?;
            let highest = self.highest_sequences.entry(keyspace.id).or_default();
            *highest = table.highest_sequence.max(*highest);
            if keyspace.id == KEYSPACE_LIST {
                self.names.extend(keyspace_list::read(&path, &mut table)?);
            } else if holds_marks {
                self.add_marks(&path, &mut table)?;
            }
        }
        Ok(())
    }

    fn add_marks(&mut self, path: &Path, table: &mut WholeTable) -> Result<(), StoreError> {
        for (_, value) in table.rows(path)? {
            let mark = value.as_deref().and_then(CommitMark::decode);
            let fault = || Fault::Structure { what: "it does not hold the number of a commit" }.of_file(path);
            let mark = mark.ok_or_else(fault)?;
            if self.mark.is_none_or(|newest| newest.number < mark.number) {
                self.mark = Some(mark);
            }
        }
        Ok(())
    }
}

fn marks_keyspace(names: &BTreeMap<u64, Vec<u8>>) -> Option<u64> {
    names.iter().rfind(|(_, name)| *name == commit_mark::KEYSPACE.as_bytes()).map(|(id, _)| *id)
}

/// Whether a keyspace without a folder is one that a loss of power removed while the folder was upgraded: the list was
/// on disk, but not yet the folder. It is created again, with another number.
fn is_replaced(names: &BTreeMap<u64, Vec<u8>>, id: u64, is_upgraded: bool) -> bool {
    let holds_marks = names.get(&id).is_some_and(|name| *name == commit_mark::KEYSPACE.as_bytes());
    holds_marks && (!is_upgraded || marks_keyspace(names) != Some(id))
}

fn verify_keyspaces(folder: &Folder, is_upgraded: bool) -> Result<Keyspaces, StoreError> {
    if folder.keyspaces.is_none() {
        return Err(Fault::Missing.of_file(folder.path.join(KEYSPACES)));
    }
    // The list of keyspaces is number 0, and so the first.
    if folder.keyspaces().first().is_none_or(|first| first.id != KEYSPACE_LIST) {
        return Err(Fault::Missing.of_file(folder.keyspace_path(KEYSPACE_LIST)));
    }
    let mut found = Keyspaces::default();
    for keyspace in folder.keyspaces() {
        let is_listed = keyspace.id == KEYSPACE_LIST || found.names.contains_key(&keyspace.id);
        // A keyspace is listed once it is created. One that is not holds nothing, and fjall removes it.
        if !keyspace.has_current && (is_listed || !keyspace.tables.is_empty()) {
            return Err(Fault::Missing.of_file(keyspace.current()));
        }
        if keyspace.has_current {
            found.add(keyspace)?;
        }
        if !is_listed && !keyspace.tables.is_empty() {
            return Err(Fault::UnlistedKeyspace.of_file(folder.keyspace_path(keyspace.id)));
        }
    }
    let is_missing = |id: &&u64| !found.versions.contains_key(id) && !is_replaced(&found.names, **id, is_upgraded);
    match found.names.keys().find(is_missing) {
        Some(id) => {
            let named_by = format!("{KEYSPACES}/{KEYSPACE_LIST}");
            Err(Fault::MissingReferenced { named_by }.of_file(folder.keyspace_path(*id)))
        }
        None => Ok(found),
    }
}

fn verify_journal_keyspaces(folder: &Folder, journals: &Journals) -> Result<(), StoreError> {
    let is_missing = |id: &&u64| folder.keyspaces().iter().all(|keyspace| keyspace.id != **id);
    match (journals.keyspaces.iter().find(is_missing), folder.journals.last()) {
        (Some(id), Some(journal)) => Err(Fault::UnknownKeyspace { id: *id }.of_file(&journal.path)),
        _ => Ok(()),
    }
}

fn has_empty_journals(folder: &Folder) -> Result<bool, StoreError> {
    for journal in &folder.journals {
        if !journals::is_zero(&journal.read().map_err(unreadable(&journal.path))?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The marker is written last when a store is created.
fn verify_marker(folder: &Folder) -> Result<(), StoreError> {
    let fault = match folder.marker.as_deref() {
        Some(MARKER_CONTENT) => return Ok(()),
        Some(_) => Fault::Structure { what: "it does not hold the format of the store that this version reads" },
        None if folder.has_data() => Fault::Missing,
        None => Fault::Remains,
    };
    Err(fault.of_file(folder.path.join(MARKER)))
}

/// Removes a store that holds nothing: fjall does not replace what a creation that was cut off has left. In an order in
/// which the rest is removed at the next start, if this is cut off too.
fn remove_store(folder: &Folder) -> Result<(), StoreError> {
    tracing::warn!(folder = %folder.path.display(), "the creation of the store did not finish; it is repeated");
    if folder.keyspaces.is_some() {
        let keyspaces = folder.path.join(KEYSPACES);
        fs::remove_dir_all(&keyspaces).map_err(unwritable(&keyspaces))?;
    }
    if folder.marker.is_some() {
        let marker = folder.path.join(MARKER);
        fs::remove_file(&marker).map_err(unwritable(&marker))?;
    }
    for journal in &folder.journals {
        fs::remove_file(&journal.path).map_err(unwritable(&journal.path))?;
    }
    Ok(())
}
