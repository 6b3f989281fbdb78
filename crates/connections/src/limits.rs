//! Limits of a connection.

use std::time::Duration;

/// The limits of the connections of one endpoint, which sets the defaults. None of them can be switched off.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum size of a request's head in bytes; less than 8 KiB counts as 8 KiB.
    pub header_bytes: usize,
    /// The maximum number of headers of a request.
    pub header_count: usize,
    /// From the first byte of a request to the end of its head; also the limit of the TLS handshake, which is ten
    /// seconds at most.
    pub header_read: Duration,
    /// The shortest limit that a request handler passes to [`within`](crate::within).
    pub handling: Duration,
    /// How long the client may read nothing of a response.
    pub write_stall: Duration,
    /// How long a connection may stay open without a request.
    pub idle: Duration,
    /// With this many connections open, others are closed to make room for new ones: those that have been idle for a
    /// second, and of clients with more connections than the new one's client also those that wait for a handshake, for
    /// the rest of a request, or for their client to read a response. If there are none, new connections wait, except
    /// that a few clients with no other connection are served. While others wait, no client gets more than two thirds.
    pub connections: usize,
    /// How long requests in flight may take once the server is asked to stop.
    pub drain: Duration,
}

/// A connection that has been idle for this long makes room for any other, and closes if file descriptors are needed.
pub(crate) const MIN_IDLE: Duration = Duration::from_secs(1);
/// The longest interval between two checks of a busy connection.
const MAX_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The shortest interval between two checks.
const MIN_CHECK_INTERVAL: Duration = Duration::from_millis(10);

impl Limits {
    /// The interval between two checks of a busy connection. The watchdog notices a timeout within twice its limit, and
    /// usually within a second.
    pub(crate) fn check_interval(&self) -> Duration {
        self.header_read.min(self.handling).min(self.write_stall).clamp(MIN_CHECK_INTERVAL, MAX_CHECK_INTERVAL)
    }
}
