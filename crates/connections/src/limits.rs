//! Bounds on what a client may do with a connection.

use std::time::Duration;

#[derive(Debug, Clone)]
pub struct Limits {
    /// The most bytes of a request's head; not less than 8 KiB.
    pub header_bytes: usize,
    pub header_count: usize,
    /// From the first byte of a request to the end of its head, and for the handshake of TLS.
    pub header_read: Duration,
    /// The shortest time that something [`within`](crate::within) a limit has while a request is answered.
    pub handling: Duration,
    /// How long the client may take nothing of an answer that is being sent.
    pub write_stall: Duration,
    /// How long a connection may stay open without a request.
    pub idle: Duration,
    /// With this many connections open, those that have been idle for a second are closed to make room, and new ones
    /// wait.
    pub connections: usize,
    /// How long requests in flight may take once the server is asked to stop.
    pub drain: Duration,
}

/// What is going on is looked at so often at least.
const LOOK: Duration = Duration::from_secs(1);
/// And so often at most.
const SHORTEST_LOOK: Duration = Duration::from_millis(10);

impl Limits {
    /// How long the watchdog may look away while something is going on: within twice its limit it notices everything
    /// whose time is up, and as a rule within a second.
    pub(crate) fn look(&self) -> Duration {
        self.header_read.min(self.handling).min(self.write_stall).clamp(SHORTEST_LOOK, LOOK)
    }
}
