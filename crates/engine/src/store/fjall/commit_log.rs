//! The numbers of the commits, and what the manifest records of them.

use std::io;
use std::path::{Path, PathBuf};

use ::fjall::{Database, Keyspace, PersistMode};
use keyfold_environment::error_chain;

use super::commit_mark::{self, CommitMark};
use super::internals::{begin_flush, next_sequence_number, version};
use super::keyspace_number;
use super::manifest::{FolderState, MANIFEST, Manifest};
use super::presence::Presence;
use super::synced_mark::{SYNCED, SyncedMark};
use super::verify::{self, Fault, Verified};
use crate::store::{Durability, StoreError};

/// How far sequence numbers may rise before the manifest is written again. A store cannot use so many in its lifetime.
const SEQUENCE_HEADROOM: u64 = 1 << 40;

/// The last commit, and what is recorded.
pub(super) struct CommitLog {
    last: CommitMark,
    manifest: Manifest,
    folder: PathBuf,
    synced: SyncedMark,
    /// Exists once the journal that the manifest names is full.
    next_journal: PathBuf,
    /// Whether the manifest could not be written. It is logged once.
    is_behind: bool,
}

/// The parts of the store that the log reads.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub database: &'a Database,
    pub rows: &'a Keyspace,
    pub marks: &'a Keyspace,
    pub presence: &'a Presence,
}

impl CommitLog {
    /// Finds the last commit of a store that was just opened, and records that the store is open. Gives a new folder,
    /// and one of an older version of the engine, an identity.
    pub(super) fn begin(folder: &Path, parts: Parts<'_>, verified: Verified) -> Result<Self, StoreError> {
        let last = match parts.marks.get(commit_mark::KEY)? {
            Some(row) => CommitMark::decode(&row),
            None => None,
        };
        if last != verified.last {
            let number = |mark: Option<CommitMark>| mark.map_or(0, |mark| mark.number);
            let fault = Fault::LostCommits { found: number(last), expected: number(verified.last) };
            return Err(fault.of_file(folder.join(verify::KEYSPACES)));
        }
        let mut manifest = match verified.manifest {
            Some(manifest) => manifest,
            None => Manifest::new(FolderState::Open, verified.journal).map_err(StoreError::other)?,
        };
        manifest.state = FolderState::Open;
        manifest.journal = verified.journal;
        let last = CommitMark { identity: manifest.identity, ..last.unwrap_or_default() };
        let next_journal = folder.join(verify::journal_name(manifest.journal + 1));
        let synced = open_synced_mark(folder)?;
        let mut log = Self { last, manifest, folder: folder.to_owned(), synced, next_journal, is_behind: false };
        log.record(parts)?;
        Ok(log)
    }

    /// The mark of the next commit.
    pub(super) fn next_mark(&mut self, parts: Parts<'_>, durability: Durability) -> Result<CommitMark, StoreError> {
        if durability == Durability::Relaxed && self.manifest.state != FolderState::Relaxed {
            self.manifest.state = FolderState::Relaxed;
            self.record(parts)?;
        }
        Ok(self.last.next(next_sequence_number(parts.database), version(parts.rows)))
    }

    /// Takes note of a commit that succeeded. If it is in a new journal, the manifest names that journal before the
    /// commit is acknowledged.
    pub(super) fn add(&mut self, mark: CommitMark, parts: Parts<'_>, durability: Durability) {
        self.last = mark;
        // A sync of this commit says nothing about relaxed ones in older journals.
        if durability == Durability::Durable && self.manifest.state != FolderState::Relaxed {
            self.synced.write(mark.identity, mark.number);
        }
        if !self.next_journal.exists() {
            return;
        }
        match self.record_rotation(parts) {
            Ok(()) => self.is_behind = false,
            // The commit is on disk. An older manifest proves less, but is not wrong.
            Err(error) if !self.is_behind => {
                self.is_behind = true;
                tracing::warn!(%error, "the manifest of the data folder could not be written; every commit retries it");
            }
            Err(_) => {}
        }
    }

    fn record_rotation(&mut self, parts: Parts<'_>) -> Result<(), StoreError> {
        let before = self.manifest.journal;
        self.manifest.journal += 1;
        if let Err(error) = self.record(parts) {
            self.manifest.journal = before;
            return Err(error);
        }
        self.next_journal = self.folder.join(verify::journal_name(self.manifest.journal + 1));
        // The old journal is deleted once the marks in it are in a table, too.
        begin_flush(parts.marks)?;
        Ok(())
    }

    /// Records that every commit is in a table.
    pub(super) fn close(&mut self, parts: Parts<'_>) -> Result<(), StoreError> {
        self.manifest.state = FolderState::Closed;
        self.record(parts)
    }

    /// Writes the manifest as of the last commit, once that is on disk.
    fn record(&mut self, parts: Parts<'_>) -> Result<(), StoreError> {
        // Another folder may be in its place.
        parts.presence.check()?;
        if self.manifest.state == FolderState::Relaxed {
            parts.database.persist(PersistMode::SyncAll).map_err(|error| StoreError::from(error).during_sync())?;
        }
        self.manifest.commit = self.last.number;
        self.manifest.ceiling = next_sequence_number(parts.database).saturating_add(SEQUENCE_HEADROOM);
        let versions = [parts.rows, parts.marks].map(|keyspace| Ok((folder_name(keyspace)?, version(keyspace))));
        self.manifest.versions = versions.into_iter().collect::<Result<_, StoreError>>()?;
        self.manifest.write(&self.folder).map_err(verify::unwritable(&self.folder.join(MANIFEST)))
    }
}

/// The store works without the file. Only a failure that is not about this file is an error.
fn open_synced_mark(folder: &Path) -> Result<SyncedMark, StoreError> {
    match SyncedMark::open(folder).map_err(verify::unwritable(&folder.join(SYNCED))) {
        Err(StoreError::Other(error)) => {
            let error = error_chain(error.as_ref());
            tracing::warn!(
                error,
                "commits are not noted as synced: after a power failure, the loss of the last ones may go unnoticed"
            );
            Ok(SyncedMark::default())
        }
        opened => opened,
    }
}

fn folder_name(keyspace: &Keyspace) -> Result<String, StoreError> {
    match keyspace_number(keyspace) {
        Some(number) => Ok(number.to_string()),
        None => Err(StoreError::other(io::Error::other(format!(
            "{} is not the folder of a keyspace",
            keyspace.path().display()
        )))),
    }
}
