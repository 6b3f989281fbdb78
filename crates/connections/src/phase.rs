//! The phase of a connection, and when it began. A change costs two stores, so that no timer has to be set and
//! cancelled for every request: a watchdog checks the phase at intervals.
//!
//! The phase is that of the newest request. A client that pipelines requests and reads no response is detected by a
//! second clock: the time since a write stalled, whatever the phase.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::limits::Limits;

/// In the order in which connections make room for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Nothing of a request has arrived.
    Idle,
    /// The TLS handshake has not ended.
    Handshake,
    /// A part of a request's head has arrived.
    ReadingHead,
    /// The request handler waits for the body, [`within`](crate::within) its own limits.
    ReadingBody,
    /// The request is being handled, [`within`](crate::within) its own limits.
    Handling,
    /// The response is being sent.
    Writing,
}

/// The phase of a connection. Only the task of the connection changes it; others look for one that can make room.
pub(crate) struct PhaseCell {
    phase: AtomicU8,
    /// Milliseconds since the connection was opened.
    since: AtomicU64,
    /// The same, for the first write that waits for the client; [`NOT_STALLED`] while none does.
    stalled_since: AtomicU64,
    /// Bytes sent since the connection was opened.
    sent: AtomicU64,
    evicted: Notify,
    /// When the phase began in which the connection was last asked to make room.
    asked_since: AtomicU64,
    opened: Instant,
}

/// A client that makes no progress for longer than this makes room for others.
pub(crate) const STALE: Duration = Duration::from_secs(2);
const NOT_STALLED: u64 = u64::MAX;
const NOT_ASKED: u64 = u64::MAX;

impl PhaseCell {
    pub(crate) fn new() -> Self {
        Self {
            phase: AtomicU8::new(Phase::Handshake as u8),
            since: AtomicU64::new(0),
            stalled_since: AtomicU64::new(NOT_STALLED),
            sent: AtomicU64::new(0),
            evicted: Notify::new(),
            asked_since: AtomicU64::new(NOT_ASKED),
            opened: Instant::now(),
        }
    }

    pub(crate) fn get(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Idle,
            1 => Phase::Handshake,
            2 => Phase::ReadingHead,
            3 => Phase::ReadingBody,
            4 => Phase::Handling,
            // `new` and `set` store phases only.
            code => {
                debug_assert_eq!(code, Phase::Writing as u8);
                Phase::Writing
            }
        }
    }

    pub(crate) fn set(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
        self.since.store(self.now(), Ordering::Relaxed);
    }

    /// Records that a write waits for the client.
    pub(crate) fn mark_stalled(&self) {
        if !self.is_stalled() {
            self.stalled_since.store(self.now(), Ordering::Relaxed);
        }
    }

    /// Records that the operating system has taken so many bytes.
    pub(crate) fn add_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
        self.clear_stall();
    }

    /// Bytes sent since the connection was opened.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Asks the connection to make room for another.
    pub(crate) fn evict(&self) {
        self.asked_since.store(self.since.load(Ordering::Relaxed), Ordering::Relaxed);
        self.evicted.notify_one();
    }

    /// Whether the connection has been asked to make room in its current phase.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked_since.load(Ordering::Relaxed) == self.since.load(Ordering::Relaxed)
    }

    /// Completes when the connection is asked to make room while it waits for its client.
    pub(crate) async fn evicted(&self) {
        loop {
            self.evicted.notified().await;
            // A request may have arrived since, or the client has read something.
            if self.get() < Phase::Handling || self.is_stale(Instant::now()) {
                return;
            }
            self.asked_since.store(NOT_ASKED, Ordering::Relaxed);
        }
    }

    /// Records that the client has read something.
    pub(crate) fn clear_stall(&self) {
        if self.is_stalled() {
            self.stalled_since.store(NOT_STALLED, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_stalled(&self) -> bool {
        self.stalled_since.load(Ordering::Relaxed) != NOT_STALLED
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(NOT_STALLED - 1)
    }

    pub(crate) fn since(&self) -> Instant {
        self.opened + Duration::from_millis(self.since.load(Ordering::Relaxed))
    }

    /// How long the connection has been in its phase.
    pub(crate) fn age(&self) -> Duration {
        self.age_at(Instant::now())
    }

    pub(crate) fn age_at(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.since())
    }

    /// Whether a write has waited for the client for long.
    pub(crate) fn is_stale(&self, now: Instant) -> bool {
        self.stalled().is_some_and(|since| now >= since + STALE)
    }

    /// When a write began to wait for the client.
    fn stalled(&self) -> Option<Instant> {
        let since = self.stalled_since.load(Ordering::Relaxed);
        (since != NOT_STALLED).then(|| self.opened + Duration::from_millis(since))
    }

    /// Whether the client has exceeded the limit of the phase, or of a stalled write.
    pub(crate) fn is_timed_out(&self, limits: &Limits, now: Instant) -> bool {
        let limit = match self.get() {
            Phase::Idle => Some(limits.idle),
            Phase::ReadingHead => Some(limits.header_read),
            Phase::Handshake | Phase::ReadingBody | Phase::Handling | Phase::Writing => None,
        };
        limit.is_some_and(|limit| now >= self.since() + limit)
            || self.stalled().is_some_and(|since| now >= since + limits.write_stall)
    }
}
