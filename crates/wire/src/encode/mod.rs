//! The responses of the operations, written straight into the bytes that are sent.

mod admin;
mod batch;
mod capacity;
mod item;
mod page;
mod table;
#[cfg(test)]
mod tests;
mod transact;
mod value;

pub(crate) use admin::*;
pub(crate) use batch::{batch_get, batch_write};
pub(crate) use item::{get, write};
pub(crate) use page::page;
pub(crate) use table::described_table;
pub(crate) use transact::{transact_get, transact_write};
pub(crate) use value::attributes;
pub use value::attributes_json;
