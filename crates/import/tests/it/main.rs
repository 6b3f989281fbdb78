//! The integration tests of `import`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod cloudformation;
mod conventions;
mod designs;
mod hostile;
mod sound;
mod soundness;
