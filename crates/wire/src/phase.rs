//! What a connection is doing, and since when. Changing it costs two stores, so that no timer has to be set and
//! cancelled with every request: a watchdog looks at it now and then.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::limits::Limits;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing of a request has arrived.
    Idle,
    /// A part of a request's head has arrived.
    ReadingHead,
    /// The request is being read and answered; this has time-outs of its own.
    Handling,
    /// The answer is being sent.
    Writing,
}

/// The phase of a connection. It is used by one task only; the atomics are there because that task moves between
/// threads.
pub(crate) struct PhaseCell {
    phase: AtomicU8,
    /// Milliseconds since the connection was opened.
    since: AtomicU64,
    opened: Instant,
}

impl PhaseCell {
    pub(crate) fn new() -> Self {
        Self { phase: AtomicU8::new(Phase::Idle as u8), since: AtomicU64::new(0), opened: Instant::now() }
    }

    pub(crate) fn get(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Idle,
            1 => Phase::ReadingHead,
            2 => Phase::Handling,
            _ => Phase::Writing,
        }
    }

    pub(crate) fn set(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
        self.since.store(self.now(), Ordering::Relaxed);
    }

    /// How long the connection has been in its phase.
    pub(crate) fn age(&self) -> Duration {
        Duration::from_millis(self.now().saturating_sub(self.since.load(Ordering::Relaxed)))
    }

    /// How long the connection may stay in its phase from now on; zero if its time is up.
    pub(crate) fn time_left(&self, limits: &Limits) -> Duration {
        let limit = match self.get() {
            Phase::Idle => limits.idle,
            Phase::ReadingHead => limits.header_read,
            // Looked at again when it may have reached another phase.
            Phase::Handling => return shortest(limits),
            Phase::Writing => limits.write_stall,
        };
        limit.saturating_sub(self.age())
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The longest that the watchdog may look away, so that it notices every phase whose time is up within twice its limit.
pub(crate) fn shortest(limits: &Limits) -> Duration {
    limits.idle.min(limits.header_read).min(limits.write_stall).max(Duration::from_millis(10))
}
