//! BatchGetItem and BatchWriteItem: what could not be done now comes back as unprocessed.

use aws_sdk_dynamodb::{operation, types};
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::operation::{BatchGetItemOutput, BatchWriteItemOutput, BatchWriteRequest, KeysAndAttributes};

use super::capacity::{all_consumed, metrics_by_table};
use super::item::items;
use crate::values::from_sent;

pub fn batch_get_item(told: operation::batch_get_item::BatchGetItemOutput) -> Result<BatchGetItemOutput, ServiceError> {
    let responses = told.responses.unwrap_or_default();
    let unprocessed = told.unprocessed_keys.unwrap_or_default();
    Ok(BatchGetItemOutput {
        responses: responses
            .into_iter()
            .map(|(table, found)| Ok((table, items(found)?)))
            .collect::<Result<_, ServiceError>>()?,
        unprocessed: in_order(unprocessed)
            .map(|(table, wanted)| Ok((table, keys_and_attributes(wanted)?)))
            .collect::<Result<_, ServiceError>>()?,
        consumed_capacity: all_consumed(told.consumed_capacity),
    })
}

fn keys_and_attributes(told: types::KeysAndAttributes) -> Result<KeysAndAttributes, ServiceError> {
    let names = told.expression_attribute_names.map(|names| names.into_iter().collect());
    let aliases = Aliases { names, values: None };
    let projection = told.projection_expression.map(|text| aliases.projection(&text)).transpose();
    Ok(KeysAndAttributes {
        keys: told.keys.into_iter().map(from_sent).collect::<Result<_, _>>()?,
        consistent_read: told.consistent_read.unwrap_or_default(),
        projection: projection.map_err(|error| ServiceError::Internal(format!("unprocessed keys: {error}")))?,
    })
}

pub fn batch_write_item(
    told: operation::batch_write_item::BatchWriteItemOutput,
) -> Result<BatchWriteItemOutput, ServiceError> {
    let unprocessed = told.unprocessed_items.unwrap_or_default();
    Ok(BatchWriteItemOutput {
        unprocessed: in_order(unprocessed)
            .map(|(table, writes)| Ok((table, writes.into_iter().map(write).collect::<Result<_, _>>()?)))
            .collect::<Result<_, ServiceError>>()?,
        consumed_capacity: all_consumed(told.consumed_capacity),
        item_collection_metrics: metrics_by_table(told.item_collection_metrics)?,
    })
}

fn write(told: types::WriteRequest) -> Result<BatchWriteRequest, ServiceError> {
    match (told.put_request, told.delete_request) {
        (Some(put), None) => Ok(BatchWriteRequest::Put { item: from_sent(put.item)? }),
        (None, Some(delete)) => Ok(BatchWriteRequest::Delete { key: from_sent(delete.key)? }),
        _ => Err(ServiceError::Internal("an unprocessed write is neither a put nor a delete".to_owned())),
    }
}

/// The SDK's maps have no order; names have one.
fn in_order<T>(map: std::collections::HashMap<String, T>) -> impl Iterator<Item = (String, T)> {
    map.into_iter().collect::<std::collections::BTreeMap<_, _>>().into_iter()
}
