//! HTTP/1.1 connections for every endpoint of Keyfold, with or without TLS: limited in number, subject to timeouts, and
//! drained when the server stops.
//!
//! No timer is set and cancelled for each request. A connection records its phase and when it began; its watchdog
//! checks that at intervals, and polls the request handler with it: see [`within`].

mod connection;
mod head_lines;
mod host;
mod limits;
mod listener;
mod memory;
mod network;
mod paced_body;
mod peer;
mod phase;
mod readiness;
mod received_body;
mod room;
mod slow_reader;
mod stall_io;
mod tls;
mod watchdog;
mod watched_io;
mod within;

pub use connection::TlsConfig;
pub use host::{HostError, only_host};
pub use limits::Limits;
pub use listener::Listener;
pub use memory::{MemoryBudget, Reservation, ResponseMemory, SMALL_BYTES};
pub use network::network_of;
pub use paced_body::{PacedBody, TooSlow};
pub use peer::Peer;
pub use readiness::{Readiness, ReadinessSource};
pub use received_body::{BodyMemory, ReceiveError, ReceivedBody, TooManyValues, next_part, receive, work_on};
pub use room::waiting_connections;
pub use tls::{Tls, TlsError};
pub use within::{DeadlineExceeded, Within, within};
