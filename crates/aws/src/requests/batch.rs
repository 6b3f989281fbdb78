//! BatchGetItem and BatchWriteItem.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::batch_get_item::builders::BatchGetItemInputBuilder;
use aws_sdk_dynamodb::operation::batch_write_item::builders::BatchWriteItemInputBuilder;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::operation::{BatchGetItemInput, BatchWriteItemInput, BatchWriteRequest, KeysAndAttributes};

use super::{capacity, collection_metrics, incomplete, names, only_if};
use crate::values::to_sdk;

pub(crate) fn batch_get_item(input: BatchGetItemInput) -> Result<BatchGetItemInputBuilder, ServiceError> {
    let requests: HashMap<String, types::KeysAndAttributes> = input
        .requests
        .into_iter()
        .map(|(table, wanted)| Ok((table, keys_and_attributes(wanted)?)))
        .collect::<Result<_, ServiceError>>()?;
    Ok(BatchGetItemInputBuilder::default()
        .set_request_items(Some(requests))
        .set_return_consumed_capacity(capacity(input.return_consumed_capacity)))
}

fn keys_and_attributes(wanted: KeysAndAttributes) -> Result<types::KeysAndAttributes, ServiceError> {
    let mut printer = Printer::new();
    let projection = wanted.projection.map(|projection| projection.print(&mut printer));
    types::KeysAndAttributes::builder()
        .set_keys(Some(wanted.keys.into_iter().map(to_sdk).collect()))
        .set_consistent_read(only_if(wanted.consistent_read))
        .set_projection_expression(projection)
        .set_expression_attribute_names(names(printer.into_aliases().names))
        .build()
        .map_err(incomplete)
}

pub(crate) fn batch_write_item(input: BatchWriteItemInput) -> Result<BatchWriteItemInputBuilder, ServiceError> {
    let requests: HashMap<String, Vec<types::WriteRequest>> = input
        .requests
        .into_iter()
        .map(|(table, writes)| Ok((table, writes.into_iter().map(write).collect::<Result<_, _>>()?)))
        .collect::<Result<_, ServiceError>>()?;
    Ok(BatchWriteItemInputBuilder::default()
        .set_request_items(Some(requests))
        .set_return_consumed_capacity(capacity(input.return_consumed_capacity))
        .set_return_item_collection_metrics(collection_metrics(input.return_collection_metrics)))
}

fn write(request: BatchWriteRequest) -> Result<types::WriteRequest, ServiceError> {
    let builder = types::WriteRequest::builder();
    Ok(match request {
        BatchWriteRequest::Put { item } => {
            let put = types::PutRequest::builder().set_item(Some(to_sdk(item))).build().map_err(incomplete)?;
            builder.put_request(put)
        }
        BatchWriteRequest::Delete { key } => {
            let delete = types::DeleteRequest::builder().set_key(Some(to_sdk(key))).build().map_err(incomplete)?;
            builder.delete_request(delete)
        }
    }
    .build())
}
