//! Ranges that take long to read, because the store walks over many deleted rows in them, or reads from a slow disk. That cannot be
//! interrupted, so their reads take turns, on threads that no other request waits for.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use crate::offload::heavy;

/// A piece of a page that takes longer makes its range a slow one.
const SLOW: Duration = Duration::from_millis(2);
/// For how long it stays one.
const REMEMBERED: Duration = Duration::from_secs(10);
/// Ranges that share a slot take turns needlessly, which does no harm.
const SLOTS: usize = 4096;

pub(crate) struct SlowRanges {
    since: Instant,
    hash: RandomState,
    /// Until when the ranges of each slot count as slow, in milliseconds since `since`.
    slow_until: Box<[AtomicU64]>,
    turns: Semaphore,
}

/// The slot of a range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot(usize);

impl SlowRanges {
    /// Leaves at least one of the machine's cores to others, if it has more than one.
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            since: Instant::now(),
            hash: RandomState::new(),
            slow_until: std::iter::repeat_with(AtomicU64::default).take(SLOTS).collect(),
            turns: Semaphore::new((cores / 2).max(1)),
        }
    }

    /// The slot of the rows with a prefix: those of a partition, or of a whole table.
    pub(crate) fn slot(&self, prefix: &[u8]) -> Slot {
        Slot(self.hash.hash_one(prefix) as usize % SLOTS)
    }

    /// Reads a piece of a page.
    pub(crate) async fn read<T>(&self, slot: Slot, read: impl FnOnce() -> T) -> T {
        let Some(slow_until) = self.slow_until.get(slot.0) else { return read() };
        let begun = Instant::now();
        if self.milliseconds(begun) >= slow_until.load(Ordering::Relaxed) {
            let result = read();
            self.remember(slow_until, begun);
            return result;
        }
        // The semaphore is never closed.
        let _turn = self.turns.acquire().await;
        let begun = Instant::now();
        let result = heavy(read);
        self.remember(slow_until, begun);
        result
    }

    fn remember(&self, slow_until: &AtomicU64, begun: Instant) {
        let now = Instant::now();
        if now.duration_since(begun) >= SLOW {
            slow_until.store(self.milliseconds(now + REMEMBERED), Ordering::Relaxed);
        }
    }

    fn milliseconds(&self, at: Instant) -> u64 {
        at.duration_since(self.since).as_millis().try_into().unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn read_slowly() {
        std::thread::sleep(Duration::from_millis(300));
    }

    /// With one worker, a read that blocks it would end first.
    #[test]
    fn slow_reads_keep_nobody_waiting_once_they_are_known() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let ranges = Arc::new(SlowRanges::new());
            let slot = ranges.slot(b"a");
            ranges.read(slot, read_slowly).await;
            let is_done = Arc::new(AtomicBool::new(false));
            let slow = tokio::spawn({
                let (ranges, is_done) = (ranges.clone(), is_done.clone());
                async move {
                    ranges.read(slot, read_slowly).await;
                    is_done.store(true, Ordering::SeqCst);
                }
            });
            let quick = tokio::spawn({
                let is_done = is_done.clone();
                async move { is_done.load(Ordering::SeqCst) }
            });
            assert!(!quick.await.unwrap(), "it waited for the slow read");
            slow.await.unwrap();
        });
    }

    #[tokio::test]
    async fn only_slow_ranges_take_turns() {
        let ranges = SlowRanges::new();
        let (slow, quick) = (Slot(1), Slot(2));
        ranges.read(slow, read_slowly).await;
        ranges.read(quick, || ()).await;
        let turns = ranges.turns.available_permits();
        let free = || ranges.turns.available_permits();
        assert_eq!(ranges.read(slow, free).await, turns - 1);
        assert_eq!(ranges.read(quick, free).await, turns);
    }
}
