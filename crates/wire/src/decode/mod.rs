//! Requests, from JSON to the typed inputs of the operations. Errors have the service's texts and come in its order:
//! first what cannot be read at all, then every member that breaks a constraint of the API, then parameters that are
//! not supported, then the values of attributes, then expressions.

mod batch;
mod constraint;
mod expression_parameters;
mod expressions;
mod item;
mod legacy;
mod query;
mod resource;
mod shape;
mod table;
mod table_members;
mod table_name;
mod table_settings;
mod table_update;
#[cfg(test)]
mod tests;
mod transact;
mod unsupported;
mod value;

pub(crate) use batch::*;
pub(crate) use item::*;
pub(crate) use query::*;
pub(crate) use resource::*;
pub(crate) use table::*;
pub(crate) use table_update::*;
pub(crate) use transact::*;
