//! The server over real sockets, in front of a backend that answers what a test tells it to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod answers;
mod backend;
mod client;
mod drain;
mod errors;
mod isolation;
mod keep_alive;
mod limits;
mod packing;
mod server;
mod signatures;
