//! Limits on the size and the duration of requests, so that no client stalls the others.

use std::time::Duration;

/// The limits of an endpoint. None of them can be switched off.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum size of a request's body in bytes, compressed and decompressed; 24 MiB by default.
    pub body_bytes: usize,
    /// The maximum size in bytes of all bodies that are being received or handled, 256 MiB by default; further ones
    /// wait. A quarter is for bodies up to 64 KiB. The rest is at least `body_bytes`.
    pub bodies_bytes: usize,
    /// The maximum size in bytes of all large responses that are being produced or sent, 256 MiB by default; further
    /// ones wait, and clients that read less than 64 KiB per second are disconnected for them. Responses up to 64 KiB
    /// are not large.
    pub responses_bytes: usize,
    /// The maximum size of a request's head in bytes, at least 8 KiB; 32 KiB by default.
    pub header_bytes: usize,
    /// The maximum number of headers of a request; 100 by default.
    pub header_count: usize,
    /// From the first byte of a request to the end of its head; 10 seconds by default.
    pub header_read: Duration,
    /// From the end of the head to the end of the body; 30 seconds by default.
    pub body_read: Duration,
    /// How long the backend may take for its response; 60 seconds by default.
    pub request: Duration,
    /// How long the client may read nothing of a response; 30 seconds by default.
    pub write_stall: Duration,
    /// How long a connection may stay open without a request; 120 seconds by default.
    pub idle: Duration,
    /// With this many connections open, 4096 by default, those that have been idle for a second are closed to make
    /// room, and new ones wait.
    pub connections: usize,
    /// How long requests in flight may take once the server is asked to stop; 20 seconds by default.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // 16 MiB is the largest batch. Its binary values grow by a third in base64, and every attribute carries a
            // few bytes of JSON.
            body_bytes: 24 * 1024 * 1024,
            bodies_bytes: 256 * 1024 * 1024,
            responses_bytes: 256 * 1024 * 1024,
            header_bytes: 32 * 1024,
            header_count: 100,
            header_read: Duration::from_secs(10),
            body_read: Duration::from_secs(30),
            request: Duration::from_secs(60),
            write_stall: Duration::from_secs(30),
            idle: Duration::from_secs(120),
            connections: 4096,
            drain: Duration::from_secs(20),
        }
    }
}

impl Limits {
    /// The limits that the connection itself enforces.
    pub(crate) fn for_connections(&self) -> keyfold_connections::Limits {
        keyfold_connections::Limits {
            header_bytes: self.header_bytes,
            header_count: self.header_count,
            header_read: self.header_read,
            handling: self.body_read.min(self.request),
            write_stall: self.write_stall,
            idle: self.idle,
            connections: self.connections,
            drain: self.drain,
        }
    }
}
