//! The operations of DynamoDB: one input and one output for each, shaped as the service's API has them, with
//! enumerations, numbers, values and expressions already parsed. A backend that forwards expressions prints them with
//! [`crate::expression::Printer`].

mod batch;
mod capacity;
mod item;
mod query;
mod table;
mod transact;

pub use batch::*;
pub use capacity::*;
pub use item::*;
pub use query::*;
pub use table::*;
pub use transact::*;
