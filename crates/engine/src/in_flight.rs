//! The items that writers are at work on: one exact lock for each, and the value it will have once its commit is on
//! disk.
//!
//! A writer locks its item, works out the new value from the newest one (in flight or stored), enqueues the commit,
//! leaves the new value here and unlocks, all before the commit is on disk. So the next writer of the same item need
//! not wait for the disk, and many writes of one hot item share one fsync; and writers of different items never wait
//! for each other. Commits are applied in the order they were enqueued, and if one fails so do all behind it, so a
//! value in flight is never built upon in vain.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use keyfold_dynamo::Attributes;
use parking_lot::lock_api::ArcMutexGuard;
use parking_lot::{Mutex, RawMutex};

const SHARDS: usize = 64;

type Shard = Mutex<HashMap<Arc<[u8]>, Arc<Slot>>>;

/// See the module.
pub struct InFlight {
    shards: [Shard; SHARDS],
    hasher: RandomState,
}

/// The place of one row key while anyone is at work on it.
pub struct Slot {
    key: Arc<[u8]>,
    newest: Arc<Mutex<Option<Uncommitted>>>,
}

/// A value that is on its way to disk.
pub struct Uncommitted {
    /// `None` for a deletion.
    pub item: Option<Arc<Attributes>>,
    pub commit: u64,
}

/// The exclusive right to change one item.
pub struct ItemLock<'a> {
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

    /// Locks an item. Whoever locks several does so in the order of their keys, so that none wait in a circle.
    pub fn lock(&self, key: &[u8]) -> ItemLock<'_> {
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

    /// Called when a commit is on disk: its values need no place here any more, unless a later one took it.
    pub fn landed(&self, slot: Arc<Slot>, commit: u64) {
        {
            let mut newest = slot.newest.lock();
            if newest.as_ref().is_some_and(|uncommitted| uncommitted.commit == commit) {
                *newest = None;
            }
        }
        self.forget_if_idle(slot);
    }

    /// Drops a slot that nobody else holds and that has nothing in flight.
    fn forget_if_idle(&self, slot: Arc<Slot>) {
        let mut slots = self.shard(&slot.key).lock();
        // The map's own reference and this one: nobody else can get at the slot but through the map, now locked.
        let unshared = Arc::strong_count(&slot) == 2;
        if unshared && slot.newest.try_lock().is_some_and(|newest| newest.is_none()) {
            slots.remove(&slot.key);
        }
        // Let go of while the map is locked: of two that let go at once, the second must find itself alone.
        drop(slot);
    }

    /// The number of items that are being written.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }
}

impl ItemLock<'_> {
    /// The value on its way to disk, where there is one.
    pub fn uncommitted(&self) -> Option<&Uncommitted> {
        self.newest.as_ref().and_then(|newest| newest.as_ref())
    }

    /// The slot, to be told when the commit has landed.
    pub fn slot(&self) -> Option<Arc<Slot>> {
        self.slot.clone()
    }

    /// Leaves the new value for the next writer. The commit has been enqueued with this item's slot.
    pub fn leave(&mut self, item: Option<Arc<Attributes>>, commit: u64) {
        if let Some(newest) = self.newest.as_mut() {
            **newest = Some(Uncommitted { item, commit });
        }
    }
}

impl Drop for ItemLock<'_> {
    fn drop(&mut self) {
        let Some(slot) = self.slot.take() else { return };
        if self.uncommitted().is_some() {
            // The commit holds the slot as well, and forgets it when it lands. It can land once the lock is free, and
            // must then not find this reference any more.
            drop(slot);
            self.newest = None;
        } else {
            self.newest = None;
            self.in_flight.forget_if_idle(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_slot_is_forgotten_once_nobody_needs_it() {
        let in_flight = InFlight::default();
        let lock = in_flight.lock(b"a");
        assert_eq!(in_flight.len(), 1);
        drop(lock);
        assert_eq!(in_flight.len(), 0);
    }

    #[test]
    fn the_next_writer_sees_the_value_in_flight_until_it_lands() {
        let in_flight = InFlight::default();
        let mut lock = in_flight.lock(b"a");
        let slot = lock.slot().unwrap();
        lock.leave(Some(Arc::default()), 7);
        drop(lock);
        let lock = in_flight.lock(b"a");
        assert_eq!(lock.uncommitted().map(|uncommitted| uncommitted.commit), Some(7));
        drop(lock);
        in_flight.landed(slot, 7);
        assert_eq!(in_flight.len(), 0);
        assert!(in_flight.lock(b"a").uncommitted().is_none());
    }

    #[test]
    fn a_later_value_stays_when_an_earlier_commit_lands() {
        let in_flight = InFlight::default();
        let mut lock = in_flight.lock(b"a");
        let slot = lock.slot().unwrap();
        lock.leave(None, 8);
        drop(lock);
        in_flight.landed(slot, 7);
        assert_eq!(in_flight.lock(b"a").uncommitted().map(|uncommitted| uncommitted.commit), Some(8));
    }

    #[test]
    fn no_slot_is_left_behind_by_writers_and_commits_that_meet() {
        const WRITERS: u64 = 4;
        let in_flight = InFlight::default();
        let waiting = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, landing) = std::sync::mpsc::channel::<(Arc<Slot>, u64)>();
            for writer in 0..WRITERS {
                let (in_flight, waiting, sender) = (&in_flight, &waiting, sender.clone());
                scope.spawn(move || {
                    for round in 0..60_000u64 {
                        // Keys of their own for the most part, and some that all of them write.
                        let key = if round % 4 == 0 { round } else { round * WRITERS + writer + 1_000_000 };
                        // The commits stay at the heels of the writers.
                        while waiting.load(Ordering::SeqCst) > 1 {
                            std::thread::yield_now();
                        }
                        let mut lock = in_flight.lock(&key.to_be_bytes());
                        if round % 8 < 6 {
                            let commit = round * WRITERS + writer;
                            let slot = lock.slot().unwrap();
                            waiting.fetch_add(1, Ordering::SeqCst);
                            sender.send((slot, commit)).unwrap();
                            lock.leave(None, commit);
                        }
                    }
                });
            }
            drop(sender);
            for (slot, commit) in landing {
                in_flight.landed(slot, commit);
                waiting.fetch_sub(1, Ordering::SeqCst);
            }
        });
        assert_eq!(in_flight.len(), 0);
    }
}
