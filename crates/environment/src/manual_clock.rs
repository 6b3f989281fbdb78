//! A clock that tests set.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::{Clock, Sleep};

/// 1 January 2026, 00:00:00 UTC.
const DEFAULT_START_MS: u64 = 1_767_225_600_000;

/// For tests and scenarios: the time changes only when it is set. A sleep only yields to other tasks.
#[derive(Debug)]
pub struct ManualClock {
    now_ms: AtomicU64,
    monotonic_ms: AtomicU64,
}

/// Starts at the beginning of 2026.
impl Default for ManualClock {
    fn default() -> Self {
        Self::at_ms(DEFAULT_START_MS)
    }
}

impl ManualClock {
    pub fn at_ms(milliseconds: u64) -> Self {
        Self { now_ms: AtomicU64::new(milliseconds), monotonic_ms: AtomicU64::new(0) }
    }

    pub fn at_second(second: u64) -> Self {
        Self::at_ms(second * 1000)
    }

    /// Lets time pass.
    pub fn advance(&self, milliseconds: u64) {
        self.monotonic_ms.fetch_add(milliseconds, Ordering::SeqCst);
        self.now_ms.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// Lets time pass until a second, or sets the clock back to it.
    pub fn set_second(&self, second: u64) {
        let before = self.now_ms.swap(second * 1000, Ordering::SeqCst);
        self.monotonic_ms.fetch_add((second * 1000).saturating_sub(before), Ordering::SeqCst);
    }

    /// Sets the clock, without time passing.
    pub fn step_to_second(&self, second: u64) {
        self.now_ms.store(second * 1000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        self.now_ms.load(Ordering::SeqCst)
    }

    fn monotonic_ms(&self) -> u64 {
        self.monotonic_ms.load(Ordering::SeqCst)
    }

    fn sleep(&self, _: Duration) -> Sleep<'_> {
        Box::pin(tokio::task::yield_now())
    }
}
