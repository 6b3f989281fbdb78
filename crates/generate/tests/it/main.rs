//! The integration tests of `generate`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod design_document;
mod encryption;
mod iam;
mod schema_bounds;
mod schemas_agree;
mod series;
mod snapshots;
mod typescript;
