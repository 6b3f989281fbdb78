//! The integration tests of `conformance`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod endpoint_speaks_http;
mod scenarios_cover_the_api;
