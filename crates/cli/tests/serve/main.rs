//! `keyfold serve` and `keyfold config show`, as people start them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod configuration;
mod credentials;
mod encryption;
mod logs;
mod process;
mod story;
