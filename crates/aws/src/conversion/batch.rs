//! BatchGetItem and BatchWriteItem: what could not be done now comes back as unprocessed.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::batch_get_item::builders::BatchGetItemInputBuilder;
use aws_sdk_dynamodb::operation::batch_write_item::builders::BatchWriteItemInputBuilder;
use aws_sdk_dynamodb::{operation, types};
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::{Aliases, Printer};
use keyfold_dynamo::operation::{
    BatchGetItemInput, BatchGetItemOutput, BatchWriteItemInput, BatchWriteItemOutput, BatchWriteRequest,
    KeysAndAttributes,
};

use super::capacity::{all_consumed, metrics_by_table};
use super::item::items_from_sdk;
use super::{capacity, collection_metrics, incomplete, names, only_if, unexpected};
use crate::values::{from_sdk, to_sdk};

pub(crate) fn batch_get_item_to_sdk(input: BatchGetItemInput) -> Result<BatchGetItemInputBuilder, ServiceError> {
    let requests: HashMap<String, types::KeysAndAttributes> = input
        .requests
        .into_iter()
        .map(|(table, wanted)| Ok((table, keys_and_attributes_to_sdk(wanted)?)))
        .collect::<Result<_, ServiceError>>()?;
    Ok(BatchGetItemInputBuilder::default()
        .set_request_items(Some(requests))
        .set_return_consumed_capacity(capacity(input.return_consumed_capacity)))
}

fn keys_and_attributes_to_sdk(wanted: KeysAndAttributes) -> Result<types::KeysAndAttributes, ServiceError> {
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

pub(crate) fn batch_write_item_to_sdk(input: BatchWriteItemInput) -> Result<BatchWriteItemInputBuilder, ServiceError> {
    let requests: HashMap<String, Vec<types::WriteRequest>> = input
        .requests
        .into_iter()
        .map(|(table, writes)| Ok((table, writes.into_iter().map(write_to_sdk).collect::<Result<_, _>>()?)))
        .collect::<Result<_, ServiceError>>()?;
    Ok(BatchWriteItemInputBuilder::default()
        .set_request_items(Some(requests))
        .set_return_consumed_capacity(capacity(input.return_consumed_capacity))
        .set_return_item_collection_metrics(collection_metrics(input.return_collection_metrics)))
}

fn write_to_sdk(request: BatchWriteRequest) -> Result<types::WriteRequest, ServiceError> {
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

pub(crate) fn batch_get_item_from_sdk(
    output: operation::batch_get_item::BatchGetItemOutput,
) -> Result<BatchGetItemOutput, ServiceError> {
    let responses = output.responses.ok_or_else(|| unexpected("no responses to the keys of a batch"))?;
    Ok(BatchGetItemOutput {
        responses: responses
            .into_iter()
            .map(|(table, found)| Ok((table, items_from_sdk(found)?)))
            .collect::<Result<_, ServiceError>>()?,
        unprocessed: in_order(output.unprocessed_keys)
            .map(|(table, wanted)| Ok((table, keys_and_attributes_from_sdk(wanted)?)))
            .collect::<Result<_, ServiceError>>()?,
        consumed_capacity: all_consumed(output.consumed_capacity),
    })
}

fn keys_and_attributes_from_sdk(output: types::KeysAndAttributes) -> Result<KeysAndAttributes, ServiceError> {
    let names = output.expression_attribute_names.map(|names| names.into_iter().collect());
    let aliases = Aliases { names, values: None };
    let projection = output.projection_expression.map(|text| aliases.projection(&text)).transpose();
    Ok(KeysAndAttributes {
        keys: output.keys.into_iter().map(from_sdk).collect::<Result<_, _>>()?,
        consistent_read: output.consistent_read == Some(true),
        projection: projection.map_err(|error| ServiceError::Internal(format!("unprocessed keys: {error}")))?,
    })
}

pub(crate) fn batch_write_item_from_sdk(
    output: operation::batch_write_item::BatchWriteItemOutput,
) -> Result<BatchWriteItemOutput, ServiceError> {
    Ok(BatchWriteItemOutput {
        unprocessed: in_order(output.unprocessed_items)
            .map(|(table, writes)| Ok((table, writes.into_iter().map(write_from_sdk).collect::<Result<_, _>>()?)))
            .collect::<Result<_, ServiceError>>()?,
        consumed_capacity: all_consumed(output.consumed_capacity),
        item_collection_metrics: metrics_by_table(output.item_collection_metrics)?,
    })
}

fn write_from_sdk(output: types::WriteRequest) -> Result<BatchWriteRequest, ServiceError> {
    match (output.put_request, output.delete_request) {
        (Some(put), None) => Ok(BatchWriteRequest::Put { item: from_sdk(put.item)? }),
        (None, Some(delete)) => Ok(BatchWriteRequest::Delete { key: from_sdk(delete.key)? }),
        _ => Err(unexpected("an unprocessed write that is neither a put nor a delete")),
    }
}

/// What is unprocessed, by table; services may leave it out if everything was processed. The SDK's maps have no order;
/// names have one.
fn in_order<T>(unprocessed: Option<HashMap<String, T>>) -> impl Iterator<Item = (String, T)> {
    unprocessed.into_iter().flatten().collect::<std::collections::BTreeMap<_, _>>().into_iter()
}
