//! Reads: one item by its identity, and pages of access patterns.

mod arguments;
mod batch;
mod cursor;
mod filter;
mod get;
mod pages;
mod prepared;
mod query;
mod request;
mod results;

pub(crate) use cursor::CursorCodec;
pub use cursor::CursorError;
pub use query::{Page, QueryOptions, Stopped};
