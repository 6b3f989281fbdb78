//! Which changes of a log were never made durable.

use std::collections::{BTreeMap, HashMap};
use std::io;

use crate::event::{Change, Event};
use crate::log::Events;

/// What the file system promises to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Promise {
    /// A file's bytes once the file was synced, a folder's entries once the folder was synced.
    #[default]
    Strict,
    /// As `Strict`, and any sync also keeps every earlier change to any folder's entries. File systems with one
    /// ordered journal of metadata (ext4, XFS, btrfs) keep this much: a sync commits the journal up to that point.
    OrderedJournal,
}

/// The changes that would be lost, by their number in the log.
pub(crate) struct Pending {
    pub(crate) changes: BTreeMap<u64, Change>,
    promise: Promise,
    /// For each inode, the numbers of the changes that its sync makes durable.
    waiting: HashMap<u64, Vec<u64>>,
}

impl Pending {
    pub(crate) fn read(events: &mut Events, promise: Promise) -> io::Result<Self> {
        let mut pending = Self { changes: BTreeMap::new(), promise, waiting: HashMap::new() };
        let mut number = 0;
        while let Some(event) = events.next()? {
            pending.apply(number, event);
            number += 1;
        }
        Ok(pending)
    }

    fn apply(&mut self, number: u64, event: Event) {
        match event {
            Event::Change(change) => {
                for inode in change.belongs_to() {
                    self.waiting.entry(inode).or_default().push(number);
                }
                self.changes.insert(number, change);
            }
            Event::Refused { change } => {
                self.changes.remove(&change);
            }
            Event::Synced { inode, before } => {
                self.keep(inode, before);
                if self.promise == Promise::OrderedJournal {
                    self.changes.retain(|number, change| *number >= before || change.is_content());
                }
            }
            Event::SyncedAll { before } => {
                self.changes = self.changes.split_off(&before);
            }
        }
    }

    /// Makes durable what waits for `inode`. A rename between two folders is one step in any journal, so syncing
    /// either folder keeps it, and with it the earlier changes of the other folder, on which it may build.
    fn keep(&mut self, inode: u64, before: u64) {
        let mut synced = vec![(inode, before)];
        while let Some((inode, before)) = synced.pop() {
            let Some(waiting) = self.waiting.get_mut(&inode) else { continue };
            let durable = waiting.partition_point(|number| *number < before);
            for number in waiting.drain(..durable) {
                if let Some(change) = self.changes.remove(&number) {
                    let others = change.belongs_to().into_iter().filter(|other| *other != inode);
                    synced.extend(others.map(|other| (other, number)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Entry;

    fn entry(folder: u64, name: &str) -> Entry {
        Entry { folder, name: name.into() }
    }

    fn created(folder: u64, name: &str) -> Event {
        Event::Change(Change::Created { entry: entry(folder, name) })
    }

    fn moved(from: u64, to: u64) -> Event {
        let change = Change::Renamed { from: entry(from, "x"), to: entry(to, "y"), inode: 99, replaced: false };
        Event::Change(change)
    }

    fn written(file: u64) -> Event {
        Event::Change(Change::Content { file, length: 0, offset: 0, span: 0, kept: Vec::new() })
    }

    fn pending_after(promise: Promise, events: Vec<Event>) -> Vec<u64> {
        let mut pending = Pending { changes: BTreeMap::new(), promise, waiting: HashMap::new() };
        for (number, event) in events.into_iter().enumerate() {
            pending.apply(number as u64, event);
        }
        pending.changes.into_keys().collect()
    }

    #[test]
    fn a_sync_keeps_only_what_came_before_it_began() {
        let events = vec![written(1), written(2), written(1), Event::Synced { inode: 1, before: 2 }];
        assert_eq!(pending_after(Promise::Strict, events), [1, 2]);
    }

    #[test]
    fn syncing_a_file_does_not_keep_its_name_unless_the_journal_does() {
        let events = || vec![created(9, "a"), written(1), Event::Synced { inode: 1, before: 2 }];
        assert_eq!(pending_after(Promise::Strict, events()), [0]);
        assert_eq!(pending_after(Promise::OrderedJournal, events()), [0; 0]);
    }

    #[test]
    fn a_move_between_folders_is_kept_by_either_with_what_it_builds_on() {
        let events =
            vec![created(8, "x"), created(9, "y"), moved(8, 9), created(9, "z"), Event::Synced { inode: 8, before: 4 }];
        assert_eq!(pending_after(Promise::Strict, events), [3]);
    }

    #[test]
    fn a_refused_change_is_not_pending() {
        assert_eq!(pending_after(Promise::Strict, vec![created(9, "a"), Event::Refused { change: 0 }]), [0; 0]);
    }

    #[test]
    fn syncing_everything_keeps_everything_before() {
        assert_eq!(
            pending_after(Promise::Strict, vec![created(9, "a"), written(1), Event::SyncedAll { before: 1 }]),
            [1]
        );
    }
}
