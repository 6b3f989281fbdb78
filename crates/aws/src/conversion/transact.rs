//! TransactGetItems and TransactWriteItems.

use aws_sdk_dynamodb::operation::transact_get_items::builders::TransactGetItemsInputBuilder;
use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsInputBuilder;
use aws_sdk_dynamodb::{operation, types};
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::operation::{
    TransactGet, TransactGetItemsInput, TransactGetItemsOutput, TransactWrite, TransactWriteItemsInput,
    TransactWriteItemsOutput, TransactWriteKind,
};

use super::capacity::{all_consumed, metrics_by_table};
use super::{capacity, collection_metrics, incomplete, names, old_on_failure, unexpected, values};
use crate::values::{item_from_sdk, to_sdk};

pub(crate) fn transact_get_items_to_sdk(
    input: TransactGetItemsInput,
) -> Result<TransactGetItemsInputBuilder, ServiceError> {
    let gets: Vec<types::TransactGetItem> = input.gets.into_iter().map(get_to_sdk).collect::<Result<_, _>>()?;
    Ok(TransactGetItemsInputBuilder::default()
        .set_transact_items(Some(gets))
        .set_return_consumed_capacity(capacity(input.return_consumed_capacity)))
}

fn get_to_sdk(wanted: TransactGet) -> Result<types::TransactGetItem, ServiceError> {
    let mut printer = Printer::new();
    let projection = wanted.projection.map(|projection| projection.print(&mut printer));
    let get = types::Get::builder()
        .table_name(wanted.table_name)
        .set_key(Some(to_sdk(wanted.key)))
        .set_projection_expression(projection)
        .set_expression_attribute_names(names(printer.into_aliases().names))
        .build()
        .map_err(incomplete)?;
    Ok(types::TransactGetItem::builder().get(get).build())
}

/// Without a token of the caller's the SDK makes one, and keeps it when it sends the request again.
pub(crate) fn transact_write_items_to_sdk(
    input: TransactWriteItemsInput,
) -> Result<TransactWriteItemsInputBuilder, ServiceError> {
    let writes: Vec<types::TransactWriteItem> = input.writes.into_iter().map(write_to_sdk).collect::<Result<_, _>>()?;
    Ok(TransactWriteItemsInputBuilder::default()
        .set_transact_items(Some(writes))
        .set_client_request_token(input.client_request_token)
        .set_return_consumed_capacity(capacity(input.return_consumed_capacity))
        .set_return_item_collection_metrics(collection_metrics(input.return_collection_metrics)))
}

fn write_to_sdk(write: TransactWrite) -> Result<types::TransactWriteItem, ServiceError> {
    let table = write.table_name;
    let mut printer = Printer::new();
    let update = match &write.kind {
        TransactWriteKind::Update { update, .. } => update.print(&mut printer),
        _ => String::new(),
    };
    let condition = write.condition.map(|condition| condition.print(&mut printer));
    let aliases = printer.into_aliases();
    let (names, values) = (names(aliases.names), values(aliases.values));
    let on_failure = old_on_failure(write.return_old_on_failure);
    let action = types::TransactWriteItem::builder();
    let action = match write.kind {
        TransactWriteKind::Put { item } => {
            let put = types::Put::builder()
                .table_name(table)
                .set_item(Some(to_sdk(item)))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure);
            action.put(put.build().map_err(incomplete)?)
        }
        TransactWriteKind::Update { key, .. } => {
            let action_update = types::Update::builder()
                .table_name(table)
                .set_key(Some(to_sdk(key)))
                .update_expression(update)
                .set_condition_expression(condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure);
            action.update(action_update.build().map_err(incomplete)?)
        }
        TransactWriteKind::Delete { key } => {
            let delete = types::Delete::builder()
                .table_name(table)
                .set_key(Some(to_sdk(key)))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure);
            action.delete(delete.build().map_err(incomplete)?)
        }
        TransactWriteKind::ConditionCheck { key } => {
            // The service refuses a check without a condition, and says so better than the SDK.
            let check = types::ConditionCheck::builder()
                .table_name(table)
                .set_key(Some(to_sdk(key)))
                .condition_expression(condition.unwrap_or_default())
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure);
            action.condition_check(check.build().map_err(incomplete)?)
        }
    };
    Ok(action.build())
}

pub(crate) fn transact_get_items_from_sdk(
    output: operation::transact_get_items::TransactGetItemsOutput,
) -> Result<TransactGetItemsOutput, ServiceError> {
    let responses = output.responses.ok_or_else(|| unexpected("no responses to the reads of a transaction"))?;
    Ok(TransactGetItemsOutput {
        items: responses
            .into_iter()
            .map(|output| output.item.map(item_from_sdk).transpose())
            .collect::<Result<_, _>>()?,
        consumed_capacity: all_consumed(output.consumed_capacity),
    })
}

pub(crate) fn transact_write_items_from_sdk(
    output: operation::transact_write_items::TransactWriteItemsOutput,
) -> Result<TransactWriteItemsOutput, ServiceError> {
    Ok(TransactWriteItemsOutput {
        consumed_capacity: all_consumed(output.consumed_capacity),
        item_collection_metrics: metrics_by_table(output.item_collection_metrics)?,
    })
}
