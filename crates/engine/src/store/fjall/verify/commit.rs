//! A commit in a journal with its changes, whatever keyspaces they are in, for reading behind damage.

use super::commit_format::{self, Entry, EntryKind};
use super::commit_search::{self, Recognition, TooManyCandidates};

/// A whole commit with the right checksum.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JournalCommit<'a> {
    /// In bytes.
    pub length: usize,
    /// Not covered by the checksum.
    pub sequence: u64,
    /// In their order; of two changes of a row, the later one counts.
    pub changes: Vec<RowChange<'a>>,
}

/// A change of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowChange<'a> {
    pub keyspace: u64,
    pub key: &'a [u8],
    /// `None` if the row is removed.
    pub value: Option<&'a [u8]>,
}

impl<'a> JournalCommit<'a> {
    /// The commit at the beginning of the bytes; `None` if it is not whole.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut changes = Vec::new();
        let commit = commit_format::read(bytes, |entry: Entry<'a>| {
            let Entry { keyspace, kind, key, value } = entry;
            match kind {
                EntryKind::Put => changes.push(RowChange { keyspace, key, value: Some(value) }),
                EntryKind::Remove => changes.push(RowChange { keyspace, key, value: None }),
                EntryKind::Clear => {}
            }
            Some(())
        })?;
        Some(Self { length: commit.length, sequence: commit.sequence, changes })
    }

    /// The first whole commit behind a broken one that begins with `bytes`, and its position.
    pub(super) fn find_after(
        bytes: &'a [u8],
        recognition: Recognition,
        is_genuine: impl Fn(&Self) -> bool,
    ) -> Result<Option<(usize, Self)>, TooManyCandidates> {
        commit_search::find(bytes, recognition, Self::parse, is_genuine)
    }
}
