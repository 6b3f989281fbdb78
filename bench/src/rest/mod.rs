//! The REST backend beside a bare axum handler (the floor) and the DynamoDB endpoint of the same process.

pub(crate) mod backend;
pub(crate) mod benchmark;
pub(crate) mod floor;
pub(crate) mod requests;
pub(crate) mod sample;
