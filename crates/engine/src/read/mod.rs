//! Reads: each sees one snapshot of the store, and never waits for a writer.

mod batch;
mod get;
mod page;
mod query;
mod scan;
mod select;
mod source;
mod start_key;

pub(crate) use page::count;
