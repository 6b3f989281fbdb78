//! The integration tests of `policy`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod agreement;
mod conditions;
mod diagnostics_page;
mod early_decisions;
mod files;
mod scenarios;
mod seed_sentences;
mod support;
mod texts;
