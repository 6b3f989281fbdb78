//! BatchGetItem and BatchWriteItem: what could not be done now comes back as unprocessed.

use aws_sdk_dynamodb::{operation, types};
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::operation::{BatchGetItemOutput, BatchWriteItemOutput, BatchWriteRequest, KeysAndAttributes};

use super::capacity::{all_consumed, metrics_by_table};
use super::item::items;
use crate::values::from_sdk;

pub(crate) fn batch_get_item(
    output: operation::batch_get_item::BatchGetItemOutput,
) -> Result<BatchGetItemOutput, ServiceError> {
    let responses = output.responses.unwrap_or_default();
    let unprocessed = output.unprocessed_keys.unwrap_or_default();
    Ok(BatchGetItemOutput {
        responses: responses
            .into_iter()
            .map(|(table, found)| Ok((table, items(found)?)))
            .collect::<Result<_, ServiceError>>()?,
        unprocessed: in_order(unprocessed)
            .map(|(table, wanted)| Ok((table, keys_and_attributes(wanted)?)))
            .collect::<Result<_, ServiceError>>()?,
        consumed_capacity: all_consumed(output.consumed_capacity),
    })
}

fn keys_and_attributes(output: types::KeysAndAttributes) -> Result<KeysAndAttributes, ServiceError> {
    let names = output.expression_attribute_names.map(|names| names.into_iter().collect());
    let aliases = Aliases { names, values: None };
    let projection = output.projection_expression.map(|text| aliases.projection(&text)).transpose();
    Ok(KeysAndAttributes {
        keys: output.keys.into_iter().map(from_sdk).collect::<Result<_, _>>()?,
        consistent_read: output.consistent_read.unwrap_or_default(),
        projection: projection.map_err(|error| ServiceError::Internal(format!("unprocessed keys: {error}")))?,
    })
}

pub(crate) fn batch_write_item(
    output: operation::batch_write_item::BatchWriteItemOutput,
) -> Result<BatchWriteItemOutput, ServiceError> {
    let unprocessed = output.unprocessed_items.unwrap_or_default();
    Ok(BatchWriteItemOutput {
        unprocessed: in_order(unprocessed)
            .map(|(table, writes)| Ok((table, writes.into_iter().map(write).collect::<Result<_, _>>()?)))
            .collect::<Result<_, ServiceError>>()?,
        consumed_capacity: all_consumed(output.consumed_capacity),
        item_collection_metrics: metrics_by_table(output.item_collection_metrics)?,
    })
}

fn write(output: types::WriteRequest) -> Result<BatchWriteRequest, ServiceError> {
    match (output.put_request, output.delete_request) {
        (Some(put), None) => Ok(BatchWriteRequest::Put { item: from_sdk(put.item)? }),
        (None, Some(delete)) => Ok(BatchWriteRequest::Delete { key: from_sdk(delete.key)? }),
        _ => Err(ServiceError::Internal("an unprocessed write is neither a put nor a delete".to_owned())),
    }
}

/// The SDK's maps have no order; names have one.
fn in_order<T>(map: std::collections::HashMap<String, T>) -> impl Iterator<Item = (String, T)> {
    map.into_iter().collect::<std::collections::BTreeMap<_, _>>().into_iter()
}
