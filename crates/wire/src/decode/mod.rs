//! Requests, from JSON to the typed inputs of the operations. What is wrong is told as the service tells it, and in its
//! order: first what cannot be read at all, then every member that breaks a constraint of the API, then parameters that
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

use crate::failure::Failure;
use crate::json::Reader;
use crate::request::{Operation, Request};

/// Reads a request: the operation from the text of the `X-Amz-Target` header, its input from the body.
pub fn decode_request(target: &str, body: &[u8]) -> Result<Request, Failure> {
    decode_input(Operation::from_target(target).ok_or(Failure::UnknownOperation)?, body)
}

pub(crate) fn decode_input(operation: Operation, body: &[u8]) -> Result<Request, Failure> {
    let mut reader = Reader::new(body)?;
    Ok(match operation {
        Operation::GetItem => Request::GetItem(item::get_item(&mut reader)?),
        Operation::PutItem => Request::PutItem(item::put_item(&mut reader)?),
        Operation::UpdateItem => Request::UpdateItem(item::update_item(&mut reader)?),
        Operation::DeleteItem => Request::DeleteItem(item::delete_item(&mut reader)?),
        Operation::Query => Request::Query(query::query(&mut reader)?),
        Operation::Scan => Request::Scan(query::scan(&mut reader)?),
        Operation::BatchGetItem => Request::BatchGetItem(batch::batch_get_item(&mut reader)?),
        Operation::BatchWriteItem => Request::BatchWriteItem(batch::batch_write_item(&mut reader)?),
        Operation::TransactGetItems => Request::TransactGetItems(transact::transact_get_items(&mut reader)?),
        Operation::TransactWriteItems => Request::TransactWriteItems(transact::transact_write_items(&mut reader)?),
        Operation::CreateTable => Request::CreateTable(table::create_table(&mut reader)?),
        Operation::UpdateTable => Request::UpdateTable(table_update::update_table(&mut reader)?),
        Operation::DeleteTable => Request::DeleteTable(resource::table_only(&mut reader)?),
        Operation::DescribeTable => Request::DescribeTable(resource::table_only(&mut reader)?),
        Operation::ListTables => Request::ListTables(resource::list_tables(&mut reader)?),
        Operation::DescribeTimeToLive => Request::DescribeTimeToLive(resource::table_only(&mut reader)?),
        Operation::UpdateTimeToLive => Request::UpdateTimeToLive(resource::update_time_to_live(&mut reader)?),
        Operation::DescribeContinuousBackups => Request::DescribeContinuousBackups(resource::table_only(&mut reader)?),
        Operation::DescribeLimits => resource::nothing(&mut reader).map(|()| Request::DescribeLimits)?,
        Operation::DescribeEndpoints => resource::nothing(&mut reader).map(|()| Request::DescribeEndpoints)?,
        Operation::TagResource => resource::tag_resource(&mut reader)?,
        Operation::UntagResource => resource::untag_resource(&mut reader)?,
        Operation::ListTagsOfResource => resource::list_tags_of_resource(&mut reader)?,
    })
}
