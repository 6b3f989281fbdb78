//! The SDK's outputs as ours: pure, one file for each family of operations.

mod batch;
mod capacity;
mod item;
mod table;
mod transact;

pub(crate) use batch::*;
pub(crate) use item::*;
pub(crate) use table::*;
pub(crate) use transact::*;
