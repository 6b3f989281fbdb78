//! Whether the manifest, the journals and the tables are of one folder and of one moment: a folder can consist of whole
//! files that do not belong together, such as an incomplete copy, or a copy that was made while the store was written.

use super::Keyspaces;
use super::fault::Fault;
use super::folder::{Folder, KEYSPACE_LIST, journal_name};
use super::journal_end::KnownCommits;
use super::journals::Journals;
use crate::store::StoreError;
use crate::store::fjall::commit_mark::CommitMark;
use crate::store::fjall::manifest::{MANIFEST, Manifest};

/// Gives the last commit that has a mark.
pub(super) fn verify(
    folder: &Folder,
    manifest: Option<&Manifest>,
    (keyspaces, journals): (&Keyspaces, &Journals),
    known: &KnownCommits,
) -> Result<Option<CommitMark>, StoreError> {
    let last = journals.last.or(keyspaces.mark);
    let Some(manifest) = manifest else {
        // It is written before the first commit that has a mark.
        return if last.is_some() { Err(Fault::Missing.of_file(folder.path.join(MANIFEST))) } else { Ok(None) };
    };
    if folder.newest_journal() < manifest.journal {
        let missing = folder.path.join(journal_name(manifest.journal));
        return Err(Fault::MissingReferenced { named_by: MANIFEST.to_owned() }.of_file(missing));
    }
    let newest = folder.path.join(journal_name(folder.newest_journal()));
    verify_last_commit(manifest, known, last).map_err(|fault| fault.of_file(&newest))?;
    compare_with_tables(keyspaces, journals).map_err(|fault| fault.of_file(&newest))?;
    verify_oldest_journal(folder, keyspaces, journals)?;
    verify_versions(folder, manifest, keyspaces, last)?;
    Ok(last)
}

fn verify_last_commit(manifest: &Manifest, known: &KnownCommits, last: Option<CommitMark>) -> Result<(), Fault> {
    if last.is_some_and(|last| last.identity != manifest.identity) {
        return Err(Fault::OtherFolder);
    }
    known.verify_last(last.map_or(0, |last| last.number))
}

/// A journal is synced before its rows go to a table, so the tables hold nothing newer.
fn compare_with_tables(keyspaces: &Keyspaces, journals: &Journals) -> Result<(), Fault> {
    if let (Some(last), Some(stored)) = (journals.last, keyspaces.mark) {
        if last.identity != stored.identity {
            return Err(Fault::OtherFolder);
        }
        if last.number < stored.number {
            return Err(Fault::OlderThanTables { found: last.number, stored: stored.number });
        }
    }
    let marks = keyspaces.marks_keyspace();
    let highest = |is_wanted: &dyn Fn(u64) -> bool| {
        keyspaces.highest_sequences.iter().filter(|(id, _)| is_wanted(**id)).map(|(_, highest)| *highest).max()
    };
    // The rows of the list of keyspaces are in no journal. Without a mark, all commits are from before the upgrade.
    let found = journals.last_sequence.max(highest(&|id| marks == Some(id)));
    let stored = highest(&|id| id != KEYSPACE_LIST && marks != Some(id));
    match (found, stored) {
        (Some(found), Some(stored)) if stored > found => Err(Fault::SequenceInTables { found, stored }),
        _ => Ok(()),
    }
}

/// Journals are deleted once their commits are in tables, so the commit before the oldest journal must be there.
fn verify_oldest_journal(folder: &Folder, keyspaces: &Keyspaces, journals: &Journals) -> Result<(), StoreError> {
    let Some(first) = journals.first.map(|first| first.number) else { return Ok(()) };
    let stored = keyspaces.mark.map_or(0, |mark| mark.number);
    match folder.journals.first() {
        Some(oldest) if stored + 1 < first => {
            let missing = folder.path.join(journal_name(oldest.number.saturating_sub(1)));
            Err(Fault::MissingOldest { stored, first }.of_file(missing))
        }
        _ => Ok(()),
    }
}

/// A commit and the manifest are written after the tables that they name.
fn verify_versions(
    folder: &Folder,
    manifest: &Manifest,
    keyspaces: &Keyspaces,
    last: Option<CommitMark>,
) -> Result<(), StoreError> {
    let marks = keyspaces.marks_keyspace();
    for keyspace in folder.keyspaces().iter().filter(|keyspace| keyspace.id != KEYSPACE_LIST) {
        let found = keyspaces.versions.get(&keyspace.id).copied().unwrap_or_default();
        let older = |recorded: u64, by: String| match found < recorded {
            true => Err(Fault::OlderVersion { found, recorded, by }.of_file(keyspace.current())),
            false => Ok(()),
        };
        if let Some(recorded) = manifest.versions.get(&keyspace.id.to_string()) {
            older(*recorded, format!("`{MANIFEST}`"))?;
        }
        if let Some(last) = last.filter(|_| marks != Some(keyspace.id)) {
            older(last.version, format!("commit {}", last.number))?;
        }
    }
    Ok(())
}
