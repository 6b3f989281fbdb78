//! What the bytes after the last whole commit of the newest journal can be.
//!
//! Every durable commit is synced before the next one is written, so a loss of power tears one commit at most, and one
//! that was not acknowledged. If more is damaged than that, or a commit that was synced, then acknowledged writes are.

use super::commit_format;
use super::commit_search::Recognition;
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
    /// Whether the folder has never had commits without a mark.
    is_numbered: bool,
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
            is_numbered: manifest.numbered,
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
        match found {
            Some(found) => self.identity_after(before).is_none_or(|own| own == found.identity),
            None => self.may_be_unmarked(before),
        }
    }

    /// How such a commit is recognized.
    pub(super) fn recognition(&self, before: Option<CommitMark>) -> Recognition {
        match self.identity_after(before) {
            Some(identity) if !self.may_be_unmarked(before) => Recognition::Identity(identity),
            _ => Recognition::Structure,
        }
    }

    fn identity_after(&self, before: Option<CommitMark>) -> Option<u64> {
        self.identity.or(before.map(|mark| mark.identity))
    }

    fn may_be_unmarked(&self, before: Option<CommitMark>) -> bool {
        !self.is_numbered && before.is_none() && self.stored == 0
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

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: CommitMark = CommitMark { identity: 7, number: 4, floor: 9, previous_floor: 8, version: 0 };

    /// Only a folder that an older version made has commits without a mark.
    #[test]
    fn commits_without_a_mark_count_only_where_there_can_be_any() {
        let folder = tempfile::tempdir().unwrap();
        drop(crate::store::FjallStore::open(folder.path(), Default::default()).unwrap());
        let folder = Folder::list(folder.path()).unwrap().unwrap();
        let new = Manifest::parse(folder.manifest.as_ref().unwrap()).unwrap();
        let mut older = new.clone();
        (older.numbered, older.identity) = (false, 7);
        let known = |manifest: &Manifest, stored| KnownCommits::of(&folder, Some(manifest), stored);
        assert!(!known(&new, None).may_follow(None, None));
        assert!(!known(&older, Some(3)).may_follow(None, None));
        assert!(!known(&older, None).may_follow(Some(MARK), None));
        assert!(known(&older, None).may_follow(None, None));
        assert_eq!(known(&new, None).recognition(None), Recognition::Identity(new.identity));
        assert_eq!(known(&older, None).recognition(Some(MARK)), Recognition::Identity(7));
        assert_eq!(known(&older, None).recognition(None), Recognition::Structure);
        // Without a manifest, the mark before the hole has the identity.
        assert_eq!(KnownCommits::default().recognition(Some(MARK)), Recognition::Identity(7));
        assert_eq!(KnownCommits::default().recognition(None), Recognition::Structure);
    }

    #[test]
    fn a_manifest_of_an_earlier_version_is_read() {
        let mut manifest = Manifest::new(FolderState::Open, 3).unwrap();
        manifest.identity = 7;
        let json = serde_json::to_string(&manifest).unwrap();
        let earlier = json.replace("\"numbered\":false,", "");
        assert_ne!(earlier, json);
        let text = format!("{earlier}\n{:016x}\n", xxhash_rust::xxh3::xxh3_64(earlier.as_bytes()));
        assert_eq!(Manifest::parse(text.as_bytes()), Ok(manifest));
    }
}
