//! The operations of DynamoDB: one input and one output for each, shaped as the service's API has them, with
//! enumerations, numbers and values already parsed. Expressions stay texts here; a backend that evaluates them parses
//! them with [`crate::expression`], one that forwards them sends them on.

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

use std::collections::BTreeMap;

use crate::value::Attributes;

/// `ExpressionAttributeNames`: `#alias` to attribute name.
pub type NameAliases = BTreeMap<String, String>;
/// `ExpressionAttributeValues`: `:name` to value.
pub type ValueAliases = Attributes;

/// The expression parameters that most operations share.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub struct Aliases {
    pub names: Option<NameAliases>,
    pub values: Option<ValueAliases>,
}
