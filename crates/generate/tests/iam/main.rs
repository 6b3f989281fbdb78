//! The generated policies, evaluated as IAM does, against sessions that reach for what is not theirs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod attacks;
mod evaluator;
mod neighbours;
