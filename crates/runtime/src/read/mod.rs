//! Reads: one item by its identity, and pages of access patterns.

mod arguments;
mod batch;
mod filter;
mod get;
mod item_problem;
mod page;
mod pages;
mod prepared;
mod query;
mod request;
mod results;
mod tenant_filter;

pub(crate) use filter::condition as filter_condition;
pub use item_problem::ItemProblem;
pub use page::{Page, QueryOptions, StopReason};
