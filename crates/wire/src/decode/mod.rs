//! Requests, from JSON to the typed inputs of the operations. Errors have the service's texts and come in its order: first what cannot be read at all, then every member that breaks a constraint of the API, then parameters that
//! are not supported, then the values of attributes, then expressions.

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
mod table_update;
#[cfg(test)]
mod tests;
mod transact;
mod unsupported;
mod value;

pub(crate) use batch::{batch_get_item, batch_write_item};
pub(crate) use item::{delete_item, get_item, put_item, update_item};
pub(crate) use query::{query, scan};
pub(crate) use resource::{
    list_tables, list_tags_of_resource, nothing, table_only, tag_resource, untag_resource, update_time_to_live,
};
pub(crate) use table::create_table;
pub(crate) use table_update::update_table;
pub(crate) use transact::{transact_get_items, transact_write_items};
