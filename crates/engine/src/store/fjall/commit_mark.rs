//! A row that every commit carries, so that the journals prove themselves complete.
//!
//! fjall's sequence numbers have gaps and are not covered by a checksum; this row is. Commits are numbered without a
//! gap, and each names bounds for its own sequence number and for the one before it. So a missing journal, a journal of
//! another folder and a changed sequence number are all found by reading the journals.
//!
//! The row has a keyspace of its own: in that of the data it would lie in every table, and no table could be dropped.

/// The name of its keyspace.
pub(super) const KEYSPACE: &str = "commits";
/// The only key of its keyspace, so that the tables hold the row of the last commit alone.
pub(super) const KEY: &[u8] = &[0];

const LENGTH: usize = 5 * 8;

/// The row of one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CommitMark {
    /// The identity of the folder.
    pub identity: u64,
    /// 1 for the first commit of a folder.
    pub number: u64,
    /// Above the sequence numbers of all earlier commits, and at most that of this one.
    pub floor: u64,
    /// The floor of the commit before; 0 for the first.
    pub previous_floor: u64,
    /// The version of the data's tables that was on disk before the commit.
    pub version: u64,
}

impl CommitMark {
    /// The mark of the next commit. No sequence number from `floor` on is in use yet.
    pub(super) fn next(&self, floor: u64, version: u64) -> Self {
        Self { identity: self.identity, number: self.number + 1, floor, previous_floor: self.floor, version }
    }

    pub(super) fn encode(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        let numbers = [self.identity, self.number, self.floor, self.previous_floor, self.version];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// `None` if the bytes are not a mark.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != LENGTH {
            return None;
        }
        let mut numbers = bytes.chunks_exact(8).map(|number| number.try_into().map(u64::from_le_bytes));
        let mut next = || numbers.next()?.ok();
        Some(Self { identity: next()?, number: next()?, floor: next()?, previous_floor: next()?, version: next()? })
    }
}
