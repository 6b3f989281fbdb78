//! The integration tests of `dynamo`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod aliases;
mod conditions;
mod expression_properties;
mod generated;
mod key_conditions;
mod naive_evaluator;
mod numbers;
mod projections;
mod request;
mod updates;
