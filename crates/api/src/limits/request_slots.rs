//! The slots of requests in progress, of which no caller takes all.
//!
//! An eighth of the slots is for callers with no other request in progress. Beyond those, an address or a subject may
//! have at most three times as many requests in progress as slots are free: one caller alone takes two thirds of all
//! slots.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use keyfold_connections::{MemoryBudget, Reservation};
use parking_lot::Mutex;

use crate::response::problem::Problem;

/// How many requests a caller may have in progress for each free slot.
const PER_FREE_SLOT: usize = 3;
/// This part of the slots is for callers with no other request in progress.
const RESERVED_PART: usize = 8;
/// Counts of callers. Two callers may share a count of one row, and hardly ever those of both.
const COLUMNS: u64 = 8192;
/// Slots for health checks, besides those of other requests.
const PROBES: usize = 64;

pub(crate) struct RequestSlots {
    requests: Slots,
    probes: Slots,
    callers: CallerCounts,
}

struct Slots {
    taken: AtomicUsize,
    limit: usize,
}

/// Requests in progress by caller: a count-min sketch, without locks.
struct CallerCounts {
    rows: [Box<[AtomicU32]>; 2],
}

/// The slot of a request in progress, until it is dropped.
pub(crate) struct RequestSlot {
    slots: Arc<RequestSlots>,
    is_held: AtomicBool,
    address: Option<u64>,
    /// 0 while the subject is not known.
    subject: AtomicU64,
    /// How much memory the response may take, and what is reserved for it.
    response_bytes: usize,
    memory: Mutex<Reservation>,
}

/// The slot of a health check.
pub(crate) struct ProbeSlot<'s>(&'s Slots);

/// Whose requests are too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TooMany {
    InAll,
    OfAddress,
    OfSubject,
}

impl From<TooMany> for Problem {
    fn from(too_many: TooMany) -> Self {
        Self::unavailable(match too_many {
            TooMany::InAll => "too many requests are in progress; try again",
            TooMany::OfAddress => "too many requests of this address are in progress; try again",
            TooMany::OfSubject => "too many requests of this subject are in progress; try again",
        })
    }
}

impl Slots {
    fn new(limit: usize) -> Self {
        Self { taken: AtomicUsize::new(0), limit }
    }

    /// Takes a slot, and returns how many were free.
    fn take(&self) -> Option<usize> {
        let taken = self.taken.fetch_add(1, Ordering::Relaxed);
        if taken < self.limit {
            return Some(self.limit - taken);
        }
        self.give_back();
        None
    }

    fn give_back(&self) {
        self.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

impl CallerCounts {
    fn new() -> Self {
        let row = || (0..COLUMNS).map(|_| AtomicU32::new(0)).collect();
        Self { rows: [row(), row()] }
    }

    /// The counts of a caller, who is a hash: each half of it leads to a count of one row.
    fn counts(&self, caller: u64) -> impl Iterator<Item = &AtomicU32> {
        let halves = [caller, caller >> 32];
        let column = |half: u64| usize::try_from(half % COLUMNS).unwrap_or(0);
        self.rows.iter().zip(halves).filter_map(move |(row, half)| row.get(column(half)))
    }

    /// Counts a request of the caller, and returns how many there were.
    fn add(&self, caller: u64) -> usize {
        let before = self.counts(caller).map(|count| count.fetch_add(1, Ordering::Relaxed)).min();
        before.map_or(0, |before| before as usize)
    }

    fn remove(&self, caller: u64) {
        for count in self.counts(caller) {
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl RequestSlots {
    pub(crate) fn new(requests: usize) -> Arc<Self> {
        let (requests, probes) = (Slots::new(requests), Slots::new(PROBES));
        Arc::new(Self { requests, probes, callers: CallerCounts::new() })
    }

    /// A slot for a request of an address, which is given by its hash.
    pub(crate) fn enter(
        self: &Arc<Self>,
        address: Option<u64>,
        response_bytes: usize,
    ) -> Result<Arc<RequestSlot>, Problem> {
        let slot = RequestSlot {
            slots: Arc::clone(self),
            is_held: AtomicBool::new(false),
            address,
            subject: AtomicU64::new(0),
            response_bytes,
            memory: Mutex::new(Reservation::none()),
        };
        slot.take()?;
        Ok(Arc::new(slot))
    }

    /// A slot for a health check.
    pub(crate) fn enter_probe(&self) -> Result<ProbeSlot<'_>, Problem> {
        match self.probes.take() {
            Some(_) => Ok(ProbeSlot(&self.probes)),
            None => Err(TooMany::InAll.into()),
        }
    }

    /// Counts a request of a caller who may have it, given the free slots.
    fn count(&self, caller: u64, free: usize) -> bool {
        let free = free.saturating_sub(self.requests.limit / RESERVED_PART);
        let is_fair = self.callers.add(caller) < free.saturating_mul(PER_FREE_SLOT).max(1);
        if !is_fair {
            self.callers.remove(caller);
        }
        is_fair
    }
}

impl RequestSlot {
    fn take(&self) -> Result<(), TooMany> {
        let slots = &self.slots;
        let free = slots.requests.take().ok_or(TooMany::InAll)?;
        if self.address.is_some_and(|address| !slots.count(address, free)) {
            slots.requests.give_back();
            return Err(TooMany::OfAddress);
        }
        let subject = self.subject.load(Ordering::Relaxed);
        if subject != 0 && !slots.count(subject, free) {
            self.address.inspect(|address| slots.callers.remove(*address));
            slots.requests.give_back();
            return Err(TooMany::OfSubject);
        }
        self.is_held.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Counts the request for its subject as well, now that it is known.
    pub(crate) fn add_subject(&self, subject: u64) -> Result<(), Problem> {
        let subject = subject.max(1);
        if !self.is_held.load(Ordering::Relaxed) || self.subject.load(Ordering::Relaxed) != 0 {
            return Ok(());
        }
        let taken = self.slots.requests.taken.load(Ordering::Relaxed);
        // This request has its slot already.
        let free = (self.slots.requests.limit + 1).saturating_sub(taken);
        if !self.slots.count(subject, free) {
            return Err(TooMany::OfSubject.into());
        }
        self.subject.store(subject, Ordering::Relaxed);
        Ok(())
    }

    /// Reserves memory for the response, until the request is handled.
    pub(crate) async fn reserve(&self, budget: &MemoryBudget) {
        let memory = budget.reserve(self.response_bytes).await;
        *self.memory.lock() = memory;
    }

    /// Gives the slot back while the request waits for its client.
    pub(crate) fn pause(&self) {
        if !self.is_held.swap(false, Ordering::Relaxed) {
            return;
        }
        self.slots.requests.give_back();
        self.address.inspect(|address| self.slots.callers.remove(*address));
        let subject = self.subject.load(Ordering::Relaxed);
        if subject != 0 {
            self.slots.callers.remove(subject);
        }
    }

    /// Takes the slot again, if there is one.
    pub(crate) fn resume(&self) -> Result<(), Problem> {
        Ok(self.take()?)
    }
}

impl Drop for RequestSlot {
    fn drop(&mut self) {
        self.pause();
    }
}

impl Drop for ProbeSlot<'_> {
    fn drop(&mut self) {
        self.0.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Held = Vec<Arc<RequestSlot>>;

    /// As many slots as a caller gets.
    fn all_of(slots: &Arc<RequestSlots>, address: u64, subject: Option<u64>) -> Held {
        let mut held = Vec::new();
        loop {
            let Ok(slot) = slots.enter(Some(address), 0) else { return held };
            if subject.is_some_and(|subject| slot.add_subject(subject).is_err()) {
                return held;
            }
            held.push(slot);
        }
    }

    #[test]
    fn one_caller_leaves_a_third_to_the_others() {
        for subject in [None, Some(7)] {
            let slots = RequestSlots::new(900);
            let held = all_of(&slots, 1, subject);
            assert!((585..=600).contains(&held.len()), "{}", held.len());
            let other = slots.enter(Some(2), 0).unwrap();
            other.add_subject(8).unwrap();
            drop(held);
            drop(other);
            assert_eq!(slots.requests.taken.load(Ordering::Relaxed), 0);
            assert!(slots.callers.rows.iter().all(|row| row.iter().all(|count| count.load(Ordering::Relaxed) == 0)));
        }
    }

    #[test]
    fn many_callers_leave_slots_for_one_more() {
        let slots = RequestSlots::new(1000);
        let held: Vec<Held> = (1..100).map(|address| all_of(&slots, address, None)).collect();
        assert!(held.iter().all(|held| !held.is_empty()));
        assert!(slots.enter(Some(1000), 0).is_ok());
    }

    #[test]
    fn subjects_are_counted_whatever_their_addresses() {
        let slots = RequestSlots::new(90);
        let mut held: Held = Vec::new();
        let refused = (0..90).find_map(|address| {
            let slot = slots.enter(Some(address), 0).unwrap();
            let refused = slot.add_subject(7).err();
            held.push(slot);
            refused
        });
        assert_eq!(refused.unwrap().detail, "too many requests of this subject are in progress; try again");
        assert!(held.len() > 50 && slots.enter(Some(1000), 0).unwrap().add_subject(8).is_ok());
    }

    #[test]
    fn a_request_that_waits_for_its_client_has_no_slot() {
        let slots = RequestSlots::new(1);
        let slow = slots.enter(Some(1), 0).unwrap();
        slow.add_subject(7).unwrap();
        assert!(slots.enter(Some(2), 0).is_err());
        slow.pause();
        let other = slots.enter(Some(2), 0).unwrap();
        assert_eq!(slow.resume().unwrap_err().detail, "too many requests are in progress; try again");
        drop(other);
        slow.resume().unwrap();
        assert!(slots.enter(Some(2), 0).is_err());
        drop(slow);
        assert!(slots.enter(Some(2), 0).is_ok());
    }

    #[test]
    fn health_checks_have_their_own_slots() {
        let slots = RequestSlots::new(0);
        assert!(slots.enter(None, 0).is_err());
        let probes: Vec<_> = (0..PROBES).map(|_| slots.enter_probe().ok().unwrap()).collect();
        assert!(slots.enter_probe().is_err());
        drop(probes);
        assert!(slots.enter_probe().is_ok());
    }
}
