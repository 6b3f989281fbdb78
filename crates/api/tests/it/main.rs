//! The integration tests of `api`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod identity_development;
mod identity_machines;
mod identity_rotation;
mod identity_support;
mod identity_tokens;
mod journal_audit;
mod journal_cost;
mod journal_idempotency;
mod journal_support;
mod over_sockets;
