//! Limits on clients: sizes, timeouts, rates and origins, so that no client stalls the others.

pub(crate) mod cors;
pub(crate) mod rate;
pub(crate) mod request_slots;

use std::time::Duration;

use crate::limits::cors::Cors;
use crate::limits::rate::RateLimits;

/// The limits that protect the server from its clients. Each has a default, and none can be switched off.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum size of a request body, in bytes; 6 MiB by default. Larger ones get 413, and so do those above 64
    /// KiB in requests without a token.
    pub body_bytes: usize,
    /// The maximum size of all request bodies that are being received or handled, in bytes; 256 MiB by default, of
    /// which a quarter is for bodies up to 64 KiB. Further ones wait.
    pub bodies_bytes: usize,
    /// The maximum size of all large responses that are being produced or sent, in bytes; 256 MiB by default. Further
    /// ones wait, and clients that read less than 64 KiB per second are disconnected for them.
    pub responses_bytes: usize,
    /// The maximum nesting of a JSON body, in levels; 40 by default. DynamoDB stores up to 32.
    pub depth: usize,
    /// The time from the first byte of a request to the end of its head, and the idle time of a connection; 30 seconds
    /// by default. Then the connection is closed.
    pub header_read: Duration,
    /// The time from the end of the head to the end of the body; 20 seconds by default. Slower bodies get 408.
    pub body_read: Duration,
    /// The time to process a request, once it is read; 30 seconds by default. Slower ones get 503.
    pub request: Duration,
    /// The time after which a client that reads nothing of its response is disconnected; 30 seconds by default.
    pub write_stall: Duration,
    /// The maximum number of concurrent requests; 1024 by default. Further ones get 503 with a `Retry-After`, and so do
    /// those of an address or a subject that has three requests in progress for each that is still possible. Health
    /// checks and requests whose body has not arrived do not count.
    pub requests: usize,
    /// The maximum number of open connections; 4096 by default. When it is reached, idle connections, and slow ones of
    /// clients that hold many, are closed to admit new ones.
    pub connections: usize,
    /// The time for requests in flight to complete once the server is asked to stop; 20 seconds by default.
    pub drain: Duration,
    /// The maximum number of results on a page; 1000 by default.
    pub page: usize,
    /// How long the groups and permissions of a caller are cached; 2 seconds by default.
    pub membership: Duration,
    /// The rate limits of callers; none by default.
    pub rates: RateLimits,
    /// The origins whose web pages may read responses; none but the server's own by default.
    pub cors: Cors,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A transaction may hold 4 MB; JSON adds names, quotes and base64.
            body_bytes: 6 * 1024 * 1024,
            bodies_bytes: 256 * 1024 * 1024,
            responses_bytes: 256 * 1024 * 1024,
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

/// The maximum size of a request's head, in bytes.
const HEAD_BYTES: usize = 64 * 1024;
/// The maximum number of headers of a request.
const HEADERS: usize = 100;

impl Limits {
    /// The limits that apply to connections.
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
