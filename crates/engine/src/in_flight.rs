//! The items that are being written: one lock per item, and the value that the item will have once its commit is on
//! disk.
//!
//! A writer locks its item, computes the new value from the newest one (in flight or stored), enqueues the commit,
//! publishes the new value here and unlocks, all before the commit is on disk. So the next writer of the same item does
//! not wait for the disk, and many writes of one hot item share one fsync. Writers of different items never wait for
//! each other. Commits are applied in the order in which they were enqueued, and if one fails all later ones fail too,
//! so no write is based on a value that was lost.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use keyfold_dynamo::Attributes;
use parking_lot::lock_api::ArcMutexGuard;
use parking_lot::{Mutex, RawMutex};

const SHARDS: usize = 64;

type Shard = Mutex<HashMap<Arc<[u8]>, Arc<Slot>>>;

/// The locks and the uncommitted values of all items that are being written.
pub(crate) struct InFlight {
    shards: [Shard; SHARDS],
    hasher: RandomState,
}

/// The entry of one row key while it is being written.
pub(crate) struct Slot {
    key: Arc<[u8]>,
    newest: Arc<Mutex<Option<Uncommitted>>>,
}

/// A value that has been enqueued and is not on disk yet.
pub(crate) struct Uncommitted {
    /// `None` for a deletion.
    pub item: Option<Arc<Attributes>>,
    pub commit: u64,
}

/// The exclusive right to change one item.
pub(crate) struct ItemLock<'a> {
    in_flight: &'a InFlight,
    slot: Option<Arc<Slot>>,
    newest: Option<ArcMutexGuard<RawMutex, Option<Uncommitted>>>,
}

impl Default for InFlight {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| Shard::default()), hasher: RandomState::new() }
    }
}

impl InFlight {
    fn shard(&self, key: &[u8]) -> &Shard {
        let number = self.hasher.hash_one(key) as usize % SHARDS;
        #[expect(clippy::indexing_slicing, reason = "a remainder is below its divisor")]
        &self.shards[number]
    }

    /// Locks an item. Callers that lock several items lock them in key order, to avoid deadlocks.
    pub(crate) fn lock(&self, key: &[u8]) -> ItemLock<'_> {
        let slot = self.slot(key);
        let newest = slot.newest.lock_arc();
        ItemLock { in_flight: self, slot: Some(slot), newest: Some(newest) }
    }

    fn slot(&self, key: &[u8]) -> Arc<Slot> {
        let mut slots = self.shard(key).lock();
        if let Some(slot) = slots.get(key) {
            return Arc::clone(slot);
        }
        let slot = Arc::new(Slot { key: Arc::from(key), newest: Arc::default() });
        slots.insert(Arc::clone(&slot.key), Arc::clone(&slot));
        slot
    }

    /// Called when a commit is on disk: removes its value, unless a later commit has replaced it.
    pub(crate) fn release(&self, slot: Arc<Slot>, commit: u64) {
        {
            let mut newest = slot.newest.lock();
            if newest.as_ref().is_some_and(|uncommitted| uncommitted.commit == commit) {
                *newest = None;
            }
        }
        self.remove_if_idle(slot);
    }

    /// Removes a slot that nobody else holds and that has nothing in flight.
    fn remove_if_idle(&self, slot: Arc<Slot>) {
        let mut slots = self.shard(&slot.key).lock();
        // The reference of the map and this one: others can get at the slot only through the map, which is locked.
        let unshared = Arc::strong_count(&slot) == 2;
        if unshared && slot.newest.try_lock().is_some_and(|newest| newest.is_none()) {
            slots.remove(&slot.key);
        }
        // Dropped while the map is locked: of two concurrent callers, the second must see a count of two.
        drop(slot);
    }

    /// The number of items that are being written.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }
}

impl ItemLock<'_> {
    /// The value that is not on disk yet, if there is one.
    pub(crate) fn uncommitted(&self) -> Option<&Uncommitted> {
        self.newest.as_ref().and_then(|newest| newest.as_ref())
    }

    /// The slot, which the commit thread releases when the commit is on disk.
    pub(crate) fn slot(&self) -> Option<Arc<Slot>> {
        self.slot.clone()
    }

    /// Publishes the new value for the next writer. The commit has been enqueued with this item's slot.
    pub(crate) fn publish(&mut self, item: Option<Arc<Attributes>>, commit: u64) {
        if let Some(newest) = self.newest.as_mut() {
            **newest = Some(Uncommitted { item, commit });
        }
    }
}

impl Drop for ItemLock<'_> {
    fn drop(&mut self) {
        let Some(slot) = self.slot.take() else { return };
        if self.uncommitted().is_some() {
            // The commit thread removes the slot when it releases it. It can do so as soon as the lock is free, and
            // must then not count this reference any more.
            drop(slot);
            self.newest = None;
        } else {
            self.newest = None;
            self.in_flight.remove_if_idle(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_slot_is_removed_once_nobody_needs_it() {
        let in_flight = InFlight::default();
        let lock = in_flight.lock(b"a");
        assert_eq!(in_flight.len(), 1);
        drop(lock);
        assert_eq!(in_flight.len(), 0);
    }

    #[test]
    fn the_next_writer_sees_the_value_in_flight_until_it_is_on_disk() {
        let in_flight = InFlight::default();
        let mut lock = in_flight.lock(b"a");
        let slot = lock.slot().unwrap();
        lock.publish(Some(Arc::default()), 7);
        drop(lock);
        let lock = in_flight.lock(b"a");
        assert_eq!(lock.uncommitted().map(|uncommitted| uncommitted.commit), Some(7));
        drop(lock);
        in_flight.release(slot, 7);
        assert_eq!(in_flight.len(), 0);
        assert!(in_flight.lock(b"a").uncommitted().is_none());
    }

    #[test]
    fn a_later_value_stays_when_an_earlier_commit_is_released() {
        let in_flight = InFlight::default();
        let mut lock = in_flight.lock(b"a");
        let slot = lock.slot().unwrap();
        lock.publish(None, 8);
        drop(lock);
        in_flight.release(slot, 7);
        assert_eq!(in_flight.lock(b"a").uncommitted().map(|uncommitted| uncommitted.commit), Some(8));
    }

    #[test]
    fn no_slot_is_left_behind_by_writers_and_commits_that_meet() {
        const WRITERS: u64 = 4;
        let in_flight = InFlight::default();
        let waiting = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, commits) = std::sync::mpsc::channel::<(Arc<Slot>, u64)>();
            for writer in 0..WRITERS {
                let (in_flight, waiting, sender) = (&in_flight, &waiting, sender.clone());
                scope.spawn(move || {
                    for round in 0..60_000u64 {
                        // Mostly keys of its own, and some that all writers share.
                        let key = if round % 4 == 0 { round } else { round * WRITERS + writer + 1_000_000 };
                        // The commit thread keeps up with the writers.
                        while waiting.load(Ordering::SeqCst) > 1 {
                            std::thread::yield_now();
                        }
                        let mut lock = in_flight.lock(&key.to_be_bytes());
                        if round % 8 < 6 {
                            let commit = round * WRITERS + writer;
                            let slot = lock.slot().unwrap();
                            waiting.fetch_add(1, Ordering::SeqCst);
                            sender.send((slot, commit)).unwrap();
                            lock.publish(None, commit);
                        }
                    }
                });
            }
            drop(sender);
            for (slot, commit) in commits {
                in_flight.release(slot, commit);
                waiting.fetch_sub(1, Ordering::SeqCst);
            }
        });
        assert_eq!(in_flight.len(), 0);
    }
}
