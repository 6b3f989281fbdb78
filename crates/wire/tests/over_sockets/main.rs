//! The server over real sockets, in front of a backend with responses that the test sets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod backend;
mod client;
mod drain;
mod errors;
mod hosts;
mod isolation;
mod keep_alive;
mod limits;
mod packing;
mod responses;
mod server;
mod signatures;
mod slow_readers;
