//! What a connection is doing, and since when. Changing it costs two stores, so that no timer has to be set and
//! cancelled with every request: a watchdog looks at it now and then.
//!
//! The phase is that of the newest request. A client who sends several at once and takes no answer is told by the other
//! clock: how long nothing of what is to be sent was taken, whatever the phase.

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
    /// The request is being read and answered, [`within`](crate::within) limits of its own.
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
    /// The same, of the first write that waits for the client; [`FLOWING`] while none does.
    stalled: AtomicU64,
    opened: Instant,
}

const FLOWING: u64 = u64::MAX;

impl PhaseCell {
    pub(crate) fn new() -> Self {
        Self {
            phase: AtomicU8::new(Phase::Idle as u8),
            since: AtomicU64::new(0),
            stalled: AtomicU64::new(FLOWING),
            opened: Instant::now(),
        }
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

    /// A write waits for the client.
    pub(crate) fn stall(&self) {
        if !self.is_stalled() {
            self.stalled.store(self.now(), Ordering::Relaxed);
        }
    }

    /// The client took something.
    pub(crate) fn flow(&self) {
        if self.is_stalled() {
            self.stalled.store(FLOWING, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_stalled(&self) -> bool {
        self.stalled.load(Ordering::Relaxed) != FLOWING
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(FLOWING - 1)
    }

    pub(crate) fn since(&self) -> Instant {
        self.opened + Duration::from_millis(self.since.load(Ordering::Relaxed))
    }

    /// How long the connection has been in its phase.
    pub(crate) fn age(&self) -> Duration {
        self.since().elapsed()
    }

    /// Whether the client takes too long for what it has to do.
    pub(crate) fn is_too_slow(&self, limits: &Limits, now: Instant) -> bool {
        let limit = match self.get() {
            Phase::Idle => Some(limits.idle),
            Phase::ReadingHead => Some(limits.header_read),
            Phase::Handling | Phase::Writing => None,
        };
        let stalled =
            self.is_stalled().then(|| self.opened + Duration::from_millis(self.stalled.load(Ordering::Relaxed)));
        limit.is_some_and(|limit| now >= self.since() + limit)
            || stalled.is_some_and(|since| now >= since + limits.write_stall)
    }
}
