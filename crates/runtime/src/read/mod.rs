//! Reads: one item by its identity, and pages of access patterns.

mod cursor;
mod filter;
mod get;
mod query;
mod referring;

pub use query::{Page, QueryOptions, Stopped};
