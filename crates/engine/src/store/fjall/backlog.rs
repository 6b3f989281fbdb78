//! How far flushes and merges may be behind before writers wait for them.
//!
//! fjall makes writers wait as well, from 4 full buffers or 30 tables on, in steps of 100 ms, but it never ends that
//! wait once its workers have failed. So no commit may end with 4 buffers.

use ::fjall::Keyspace;

use super::internals;
use crate::store::Change;

/// What a row takes in a buffer beside its key and value, at most.
const ROW_OVERHEAD: usize = 256;

/// What may be waiting to be flushed and merged before a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Backlog {
    /// Buffers that are full and not yet in a table.
    buffers: usize,
    /// Tables that lie over each other.
    tables: usize,
}

impl Backlog {
    /// The most that may be waiting when these changes are committed. While a commit is under way, the buffer that was
    /// full before it is added. The commit then has a new buffer for itself, which is added as well only if the commit
    /// is larger. So there are 3 buffers in the end. Fewer would make writers wait that need not.
    pub(super) fn most(changes: &mut dyn Iterator<Item = &Change>, buffer_bytes: u64) -> Self {
        let bytes: usize = changes.map(|change| change.bytes() + ROW_OVERHEAD).sum();
        let buffers = if bytes as u64 > buffer_bytes { 1 } else { 2 };
        Self { buffers, tables: 23 }
    }

    /// The same for changes for which there was room a moment ago: meanwhile the full buffer, and a table, can have
    /// been added. They are not added again, so that the commit need not wait.
    pub(super) fn since_room(self) -> Self {
        Self { buffers: self.buffers + 1, tables: self.tables + 1 }
    }

    pub(super) fn is_exceeded_by(self, keyspace: &Keyspace) -> bool {
        internals::unflushed_buffers(keyspace) > self.buffers || internals::unmerged_tables(keyspace) > self.tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// fjall waits from here on.
    const HALT: usize = 4;

    #[test]
    fn no_commit_ends_with_as_many_buffers_as_the_store_waits_for() {
        let change = Change::Put(vec![1], vec![7; 1000]);
        let most = |changes: usize| Backlog::most(&mut std::iter::repeat_n(&change, changes), 10_000).buffers;
        // The full buffer is added.
        assert_eq!(most(1) + 1, HALT - 1);
        assert_eq!(most(7) + 1, HALT - 1);
        // The buffer of the commit is added, too.
        assert_eq!(most(10) + 2, HALT - 1);
    }

    #[test]
    fn what_there_was_room_for_does_not_wait_because_the_full_buffer_was_added() {
        let most = Backlog::most(&mut std::iter::empty(), 10_000);
        assert_eq!(most.since_room(), Backlog { buffers: HALT - 1, tables: most.tables + 1 });
    }
}
