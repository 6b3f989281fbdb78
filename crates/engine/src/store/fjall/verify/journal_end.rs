//! What the bytes after the last whole commit of the newest journal can be.
//!
//! Every durable commit is synced before the next one is written, so a loss of power tears one commit at most, and one
//! that was not acknowledged. If more is damaged than that, or a commit that was synced, then acknowledged writes are.

use super::commit_format;
use super::fault::Fault;
use super::folder::Folder;
use crate::store::fjall::commit_mark::CommitMark;
use crate::store::fjall::manifest::{FolderState, MANIFEST, Manifest};
use crate::store::fjall::synced_mark::{self, SYNCED};

/// What the other files of the folder know of its last commits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KnownCommits {
    /// Of the folder; `None` in folders of older versions of the engine, and if the manifest is damaged.
    identity: Option<u64>,
    state: Option<FolderState>,
    /// The number that the manifest has recorded.
    recorded: u64,
    /// The number of the last commit that is known to be synced.
    synced: u64,
    /// The number of the last commit in tables.
    stored: u64,
}

impl KnownCommits {
    /// `stored` is the number of the last commit in tables.
    pub(super) fn of(folder: &Folder, manifest: Option<&Manifest>, stored: Option<u64>) -> Self {
        let Some(manifest) = manifest else { return Self::default() };
        let synced = folder.synced.as_deref().and_then(|bytes| synced_mark::parse(bytes, manifest.identity));
        Self {
            identity: Some(manifest.identity),
            state: Some(manifest.state),
            recorded: manifest.commit,
            synced: synced.unwrap_or_default(),
            stored: stored.unwrap_or_default(),
        }
    }

    /// Compares the number of the last commit with what is recorded.
    pub(super) fn verify_last(&self, found: u64) -> Result<(), Fault> {
        let is_complete = match self.state {
            Some(FolderState::Closed | FolderState::Creating) => found == self.recorded,
            Some(FolderState::Open | FolderState::Relaxed) => found >= self.recorded,
            None => true,
        };
        if !is_complete {
            return Err(Fault::LastNumber { found, recorded: self.recorded, by: MANIFEST });
        }
        if found < self.synced {
            return Err(Fault::LastNumber { found, recorded: self.synced, by: SYNCED });
        }
        Ok(())
    }

    /// Whether a commit that was found behind a hole can be one of the folder, and not a value that imitates a commit:
    /// clients do not know the identity of the folder. `before` is the last mark before the hole. Commits without a
    /// mark, of older versions of the engine, are older than all that have one.
    pub(super) fn may_follow(&self, before: Option<CommitMark>, found: Option<CommitMark>) -> bool {
        let identity = self.identity.or(before.map(|mark| mark.identity));
        match found {
            Some(found) => identity.is_none_or(|own| own == found.identity),
            None => before.is_none() && self.stored == 0,
        }
    }

    /// Whether the last commit must be at least this one.
    pub(super) fn least(&self) -> u64 {
        self.recorded.max(self.synced)
    }

    /// Fails unless a loss of power can have left the bytes after the last whole commit, which is number `found`. They
    /// begin where the next commit must begin, no whole commit is among them, and they do not end with zeros.
    pub(super) fn verify_rest(&self, found: Option<u64>, rest: &[u8]) -> Result<(), Fault> {
        let found = found.unwrap_or_default().max(self.stored);
        match self.state {
            Some(FolderState::Closed) => return Err(Fault::ClosedJournal),
            // They were not synced one by one.
            Some(FolderState::Relaxed) => {}
            _ if self.is_more_than_one(found, rest) => return Err(Fault::LastCommits),
            _ => {}
        }
        if found < self.synced {
            return Err(Fault::LastNumber { found, recorded: self.synced, by: SYNCED });
        }
        Ok(())
    }

    /// Whether something follows the end of the first commit, or a later commit has left its number.
    fn is_more_than_one(&self, found: u64, rest: &[u8]) -> bool {
        let is_followed = commit_format::stated_length(rest).is_some_and(|length| length < rest.len());
        is_followed || self.identity.is_some_and(|identity| holds_number_above(found + 1, identity, rest))
    }
}

/// Whether the bytes hold the identity of the folder, as marks of commits do, with a higher number than `number`.
fn holds_number_above(number: u64, identity: u64, bytes: &[u8]) -> bool {
    // A commit takes many bytes, so that a higher number is not one of a commit.
    let highest = number.saturating_add(bytes.len() as u64);
    let numbers = bytes.windows(16).filter_map(|bytes| {
        let is_of_folder = bytes.first_chunk().copied().map(u64::from_le_bytes) == Some(identity);
        bytes.last_chunk().copied().map(u64::from_le_bytes).filter(|_| is_of_folder)
    });
    numbers.into_iter().any(|found| found > number && found <= highest)
}
