//! Keyfold in-process beside the bare store that holds the same rows.

pub(crate) mod bare;
pub(crate) mod benchmark;
pub(crate) mod engine;
pub(crate) mod many_writers;
