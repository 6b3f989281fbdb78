//! HTTP/1.1 connections, for every endpoint of Keyfold: accepted while there is room, in the clear or not, watched over
//! so that no client keeps one for long, and drained when the server stops.
//!
//! No timer is set and cancelled with each request. A connection knows what it is doing and since when; its watchdog
//! looks at that now and then, and on the way at what is being answered: see [`within`].

mod connection;
mod limits;
mod listener;
mod phase;
mod stall_io;
mod watchdog;
mod watched_io;
mod within;

pub use limits::Limits;
pub use listener::{Listener, TlsConfig};
pub use within::{TooLate, Within, within};
