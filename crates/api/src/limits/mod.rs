//! Limits on clients: sizes, timeouts, rates and origins, so that no client stalls the others.

pub(crate) mod cors;
pub(crate) mod rate;

use std::time::Duration;

use crate::limits::cors::Cors;
use crate::limits::rate::RateLimits;

#[derive(Debug, Clone)]
pub struct Limits {
    /// The most bytes of a request's body.
    pub body_bytes: usize,
    /// The deepest nesting of a JSON body; DynamoDB's documents go to 32.
    pub depth: usize,
    /// From the first byte of a request to the end of its head; also how long a connection may be idle.
    pub header_read: Duration,
    /// From the end of the head to the end of the body.
    pub body_read: Duration,
    /// How long a request may take once it is read.
    pub request: Duration,
    /// How long the client may take nothing of an answer that is being sent.
    pub write_stall: Duration,
    /// The maximum number of concurrent requests; further ones are rejected with a Retry-After.
    pub requests: usize,
    /// The most open connections; idle ones make room for new ones, which wait until there is some.
    pub connections: usize,
    /// How long requests in flight may take once the server is asked to stop.
    pub drain: Duration,
    /// The most results of a page.
    pub page: usize,
    /// How long the groups and permissions of a caller may be kept.
    pub membership: Duration,
    /// How many requests callers may make.
    pub rates: RateLimits,
    /// Whose web pages may use the backend.
    pub cors: Cors,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A transaction may hold 4 MB; JSON adds names, quotes and base64.
            body_bytes: 6 * 1024 * 1024,
            depth: 40,
            header_read: Duration::from_secs(30),
            body_read: Duration::from_secs(20),
            request: Duration::from_secs(30),
            write_stall: Duration::from_secs(30),
            requests: 1024,
            connections: 4096,
            drain: Duration::from_secs(20),
            page: 1000,
            membership: Duration::from_secs(2),
            rates: RateLimits::default(),
            cors: Cors::default(),
        }
    }
}

/// The most bytes of a request's head.
const HEAD_BYTES: usize = 64 * 1024;
/// The most headers of a request.
const HEADERS: usize = 100;

impl Limits {
    /// Those that are the connection's own business.
    pub(crate) fn of_connections(&self) -> keyfold_connections::Limits {
        keyfold_connections::Limits {
            header_bytes: HEAD_BYTES,
            header_count: HEADERS,
            header_read: self.header_read,
            handling: self.body_read.min(self.request),
            write_stall: self.write_stall,
            idle: self.header_read,
            connections: self.connections,
            drain: self.drain,
        }
    }
}
