//! The integration tests of `design`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod access_plans;
mod conditional_keys;
mod days;
mod kinds;
mod language_reference;
mod model_of_designs;
mod notation_of_documents;
mod reading_faults;
mod robustness;
mod sentinels;
mod shipped_designs;
