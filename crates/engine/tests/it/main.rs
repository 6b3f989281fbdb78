//! The integration tests of `engine`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod async_runtimes;
mod checks;
mod concurrent_writers;
mod damaged_block;
mod damaged_files;
mod folder_files;
mod health;
mod idempotency_tokens;
mod key_order;
mod maintenance;
mod model;
mod online_index;
mod pages;
mod reads_do_not_wait_for_writers;
mod restart;
mod scene;
mod sizes_and_capacity;
mod store_failure;
mod tables;
mod time_to_live;
