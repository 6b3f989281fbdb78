//! The integration tests of `api`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod audit_chain;
mod audit_log;
mod change_record_cost;
mod change_record_support;
mod idempotency;
mod identity_development;
mod identity_issuers;
mod identity_machines;
mod identity_revocations;
mod identity_rotation;
mod identity_sign_in;
mod identity_support;
mod identity_tokens;
mod over_sockets;
mod person_records;
