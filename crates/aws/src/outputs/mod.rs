//! The SDK's outputs as ours: pure, one file for each family of operations.

mod batch;
mod capacity;
mod item;
mod table;
mod transact;

pub use batch::*;
pub use item::*;
pub use table::*;
pub use transact::*;
