//! A commit in a journal as the store must have written it: the engine changes one keyspace at a time.

use super::commit_format::{self, Entry};
use super::commit_search::{self, Recognition, TooManyCandidates};
use crate::store::fjall::commit_mark::{self, CommitMark};

/// A whole commit with the right checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Batch {
    /// In bytes.
    pub length: usize,
    /// Not covered by the checksum.
    pub sequence: u64,
    /// The part of the store that the commit changes; the store writes one at a time.
    pub keyspace: u64,
    /// Its first item; `None` in commits of versions of the engine that did not number them.
    pub mark: Option<CommitMark>,
}

impl Batch {
    /// The commit at the beginning of the bytes; `None` if it is not whole. `marks` is the keyspace of the marks.
    pub(super) fn parse(bytes: &[u8], marks: Option<u64>) -> Option<Self> {
        let (mut keyspace, mut mark) = (None, None);
        let mut is_first = true;
        let commit = commit_format::read(bytes, |entry: Entry<'_>| {
            let holds_mark = is_first && marks == Some(entry.keyspace) && entry.key == commit_mark::KEY;
            is_first = false;
            if holds_mark {
                mark = Some(CommitMark::decode(entry.value)?);
                return Some(());
            }
            (*keyspace.get_or_insert(entry.keyspace) == entry.keyspace).then_some(())
        })?;
        Some(Self { length: commit.length, sequence: commit.sequence, keyspace: keyspace?, mark })
    }

    /// The first whole commit behind a broken one that begins with `bytes`, and its position.
    pub(super) fn find_after(
        bytes: &[u8],
        marks: Option<u64>,
        recognition: Recognition,
        is_genuine: impl Fn(&Self) -> bool,
    ) -> Result<Option<(usize, Self)>, TooManyCandidates> {
        commit_search::find(bytes, recognition, |bytes| Self::parse(bytes, marks), is_genuine)
    }
}
