//! Reads: one item by its identity, and pages of access patterns.

mod arguments;
mod batch;
mod cursor;
mod filter;
mod get;
mod pages;
mod query;
mod request;

pub use query::{Page, QueryOptions, Stopped};
