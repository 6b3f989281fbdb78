//! Verification of a data folder before fjall may touch it.
//!
//! fjall opens a damaged folder without complaint and destroys the evidence: it cuts a journal at the first byte that it does not
//! understand, deletes every table that a damaged version does not name, and every keyspace without its `current` file. So each
//! file that decides what fjall keeps is read and checked first. A folder with a fault is refused and stays as it is.
//!
//! The formats are undocumented details of fjall and may change in any release, so its version is pinned, and a test fails when it
//! is raised: compare `file.rs`, `journal/`, `recovery.rs` and `meta_keyspace.rs` of the new version, and `version/` and `table/`
//! of its lsm-tree, with this folder before you change the numbers there.

mod archive;
mod batch;
mod block;
mod commit;
mod data_block;
mod fault;
mod folder;
mod journal_survey;
mod journals;
mod keyspace_list;
mod lock;
mod merge;
mod reader;
mod table;
mod table_file;
mod version;
mod view;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub(crate) use self::fault::Fault;
use self::fault::unreadable;
pub use self::folder::CURSOR_SECRET_FILE;
use self::folder::{Folder, KEYSPACE_LIST, Keyspace};
pub(super) use self::folder::{KEYSPACES, LOCK, MARKER};
use self::journals::Journals;
use self::table::Table;
pub(crate) use self::table_file::TableFile;
pub use self::table_file::{KeyGap, OnRead, TableFault};
pub(crate) use self::view::{View, ViewSnapshot};
use crate::store::StoreError;

const MARKER_CONTENT: &[u8] = b"FJL\x03";

/// Refuses a folder that opening would damage further. Changes it in two cases, each left by a loss of power: it cuts off a last
/// commit that was torn before it was acknowledged, and removes a store that holds nothing because its creation did not finish.
pub(super) fn prepare(path: &Path) -> Result<(), StoreError> {
    let _lock = lock::take(path)?;
    let Some(folder) = Folder::list(path)? else { return Ok(()) };
    if let Some(foreign) = folder.foreign.first() {
        return Err(Fault::Foreign.of_file(foreign));
    }
    let has_content = folder.marker.as_ref().is_some_and(|marker| !marker.is_empty());
    if !has_content {
        return remove_unmarked(&folder);
    }
    if folder.marker.as_deref() != Some(MARKER_CONTENT) {
        let fault = Fault::Structure { what: "it does not hold the format of the store that this version reads" };
        return Err(fault.of_file(path.join(MARKER)));
    }
    let journals = verify_journals(&folder)?;
    // The store holds nothing: its first start was cut off.
    let is_unfinished = journals.commits == 0 && journals.torn.is_none() && !folder.has_tables();
    match verify_keyspaces(&folder, &journals) {
        Err(_) if is_unfinished => remove_store(&folder),
        Err(error) => Err(error),
        Ok(()) => journals.torn.map_or(Ok(()), |torn| Ok(torn.cut()?)),
    }
}

fn verify_journals(folder: &Folder) -> Result<Journals, StoreError> {
    if folder.journals.is_empty() {
        return Err(Fault::Missing.of_file(folder.path.join("0.jnl")));
    }
    journals::verify(&folder.journals)
}

fn verify_keyspaces(folder: &Folder, journals: &Journals) -> Result<(), StoreError> {
    if folder.keyspaces.is_none() {
        return Err(Fault::Missing.of_file(folder.path.join(KEYSPACES)));
    }
    let mut listed = BTreeSet::new();
    for keyspace in folder.keyspaces() {
        if !keyspace.has_current {
            return Err(Fault::Missing.of_file(keyspace.current()));
        }
        listed.extend(verify_keyspace(keyspace)?);
    }
    verify_keyspace_list(folder, journals, &listed)
}

/// Checks that the version is whole and its tables exist. Gives the keyspaces that it lists, if it is the list of keyspaces.
fn verify_keyspace(keyspace: &Keyspace) -> Result<BTreeSet<u64>, StoreError> {
    let mut listed = BTreeSet::new();
    for reference in version::read(&keyspace.current())? {
        let path = keyspace.table(reference.id);
        if !keyspace.tables.contains(&reference.id) {
            return Err(Fault::MissingReferenced { named_by: "current".to_owned() }.of_file(path));
        }
        let mut table = Table::open(&path, reference.id)?;
        if keyspace.id == KEYSPACE_LIST {
            listed.extend(keyspace_list::read(&path, &mut table)?);
        }
    }
    Ok(listed)
}

/// The list, the folders and the journals must agree on which keyspaces there are.
fn verify_keyspace_list(folder: &Folder, journals: &Journals, listed: &BTreeSet<u64>) -> Result<(), StoreError> {
    let stored: BTreeSet<u64> = folder.keyspaces().iter().map(|keyspace| keyspace.id).collect();
    if !stored.contains(&KEYSPACE_LIST) {
        return Err(Fault::Missing.of_file(folder.keyspace_path(KEYSPACE_LIST)));
    }
    if let Some(id) = listed.iter().find(|id| !stored.contains(id)) {
        let named_by = format!("{KEYSPACES}/{KEYSPACE_LIST}");
        return Err(Fault::MissingReferenced { named_by }.of_file(folder.keyspace_path(*id)));
    }
    if let Some(id) = stored.iter().find(|id| **id != KEYSPACE_LIST && !listed.contains(id)) {
        return Err(Fault::UnlistedKeyspace.of_file(folder.keyspace_path(*id)));
    }
    match (journals.keyspaces.iter().find(|id| !stored.contains(id)), folder.journals.last()) {
        (Some(id), Some(journal)) => Err(Fault::UnknownKeyspace { id: *id }.of_file(&journal.path)),
        _ => Ok(()),
    }
}

/// Removes the empty files of a store without a marker, which is written last when a store is created. Refuses a store that lost
/// its marker.
fn remove_unmarked(folder: &Folder) -> Result<(), StoreError> {
    let mut holds_something =
        folder.keyspaces().iter().any(|keyspace| keyspace.has_current || !keyspace.tables.is_empty());
    for journal in &folder.journals {
        holds_something |= !journals::is_zero(&fs::read(&journal.path).map_err(unreadable(&journal.path))?);
    }
    if holds_something {
        return Err(Fault::Missing.of_file(folder.path.join(MARKER)));
    }
    remove_store(folder)
}

/// Removes a store that holds nothing: fjall does not replace what a creation that was cut off has left. In an order in which
/// the rest is removed at the next start, if this is cut off too.
fn remove_store(folder: &Folder) -> Result<(), StoreError> {
    tracing::warn!(folder = %folder.path.display(), "the creation of the store did not finish; it is repeated");
    if folder.keyspaces.is_some() {
        let keyspaces = folder.path.join(KEYSPACES);
        fs::remove_dir_all(&keyspaces).map_err(unreadable(&keyspaces))?;
    }
    if folder.marker.is_some() {
        let marker = folder.path.join(MARKER);
        fs::remove_file(&marker).map_err(unreadable(&marker))?;
    }
    for journal in &folder.journals {
        fs::remove_file(&journal.path).map_err(unreadable(&journal.path))?;
    }
    Ok(())
}
