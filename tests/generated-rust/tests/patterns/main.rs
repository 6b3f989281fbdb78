//! Every access pattern of every design through the generated Rust, over DynamoDB's protocol, on data that the runtime
//! wrote: the results are the runtime's own, in process, whole and page by page.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[macro_use]
mod world;
mod agencies;
mod albums;
mod archive;
mod catalogue;
mod moves;
mod platform;
mod visits;
