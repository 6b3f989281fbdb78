//! TransactGetItems and TransactWriteItems.

use aws_sdk_dynamodb::operation;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{TransactGetItemsOutput, TransactWriteItemsOutput};

use super::capacity::{all_consumed, metrics_by_table};
use crate::values::item_from_sdk;

pub(crate) fn transact_get_items(
    output: operation::transact_get_items::TransactGetItemsOutput,
) -> Result<TransactGetItemsOutput, ServiceError> {
    let responses = output.responses.unwrap_or_default().into_iter();
    Ok(TransactGetItemsOutput {
        items: responses.map(|output| output.item.map(item_from_sdk).transpose()).collect::<Result<_, _>>()?,
        consumed_capacity: all_consumed(output.consumed_capacity),
    })
}

pub(crate) fn transact_write_items(
    output: operation::transact_write_items::TransactWriteItemsOutput,
) -> Result<TransactWriteItemsOutput, ServiceError> {
    Ok(TransactWriteItemsOutput {
        consumed_capacity: all_consumed(output.consumed_capacity),
        item_collection_metrics: metrics_by_table(output.item_collection_metrics)?,
    })
}
