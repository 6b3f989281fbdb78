//! How much memory a body takes while it is handled. A program of its own, since its allocator counts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../../wire/tests/counting_allocator/mod.rs"]
mod counting_allocator;
mod over_sockets;
