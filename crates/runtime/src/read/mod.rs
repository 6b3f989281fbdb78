//! Reads: one item by its identity, and pages of access patterns.

mod arguments;
mod batch;
mod filter;
mod get;
mod page;
mod pages;
mod prepared;
mod query;
mod request;
mod results;
mod tenant_filter;

pub use page::{Page, QueryOptions, StopReason};
