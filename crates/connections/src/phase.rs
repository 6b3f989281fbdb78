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
        let now = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.since.store(now, Ordering::Relaxed);
    }

    pub(crate) fn since(&self) -> Instant {
        self.opened + Duration::from_millis(self.since.load(Ordering::Relaxed))
    }

    /// How long the connection has been in its phase.
    pub(crate) fn age(&self) -> Duration {
        self.since().elapsed()
    }

    /// How long the connection may stay in its phase; `None` where that is bounded by what it is doing.
    pub(crate) fn limit(&self, limits: &Limits) -> Option<Duration> {
        match self.get() {
            Phase::Idle => Some(limits.idle),
            Phase::ReadingHead => Some(limits.header_read),
            Phase::Handling => None,
            Phase::Writing => Some(limits.write_stall),
        }
    }
}
