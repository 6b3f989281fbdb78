//! How long a thread has been busy with the store.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The time since the current piece of work began.
#[derive(Default)]
pub(crate) struct Stopwatch {
    since: Mutex<Option<Instant>>,
}

impl Stopwatch {
    /// Measures a piece of work.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        *self.since.lock() = Some(Instant::now());
        let result = work();
        *self.since.lock() = None;
        result
    }

    /// Zero between two pieces of work.
    pub(crate) fn elapsed(&self) -> Duration {
        self.since.lock().map_or(Duration::ZERO, |since| since.elapsed())
    }
}
