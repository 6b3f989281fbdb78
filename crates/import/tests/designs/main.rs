//! The tables of the five shipped designs, imported from the items that the runtime wrote.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod comes_back;
mod damaged;
mod runs;
#[path = "../support/sound.rs"]
mod sound;
mod world;
