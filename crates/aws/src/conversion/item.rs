//! GetItem, PutItem, UpdateItem and DeleteItem.

use aws_sdk_dynamodb::operation::delete_item::DeleteItemOutput;
use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemInputBuilder;
use aws_sdk_dynamodb::operation::get_item::builders::GetItemInputBuilder;
use aws_sdk_dynamodb::operation::put_item::PutItemOutput;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemInputBuilder;
use aws_sdk_dynamodb::operation::update_item::UpdateItemOutput;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemInputBuilder;
use aws_sdk_dynamodb::types::ReturnValue;
use aws_sdk_dynamodb::{operation, types};
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::operation::{
    DeleteItemInput, GetItemInput, GetItemOutput, PutItemInput, ReturnValues, UpdateItemInput, WriteOutput,
};
use keyfold_dynamo::{Item, ServiceError};

use super::capacity::{consumed, metrics};
use super::{capacity, collection_metrics, names, old_on_failure, only_if, values};
use crate::values::{SdkAttributes, from_sdk, item_from_sdk, to_sdk};

pub(crate) fn get_item_to_sdk(input: GetItemInput) -> GetItemInputBuilder {
    let mut printer = Printer::new();
    let projection = input.projection.map(|projection| projection.print(&mut printer));
    GetItemInputBuilder::default()
        .table_name(input.table_name)
        .set_key(Some(to_sdk(input.key)))
        .set_consistent_read(only_if(input.consistent_read))
        .set_projection_expression(projection)
        .set_expression_attribute_names(names(printer.into_aliases().names))
        .set_return_consumed_capacity(capacity(input.return_consumed_capacity))
}

/// Sets what all writes have in common: the builders have the same setters, but no trait. The condition is printed
/// after the other expressions.
macro_rules! with_write_options {
    ($builder:expr, $options:expr, $printer:ident) => {{
        let (options, mut printer) = ($options, $printer);
        let condition = options.condition.map(|condition| condition.print(&mut printer));
        let aliases = printer.into_aliases();
        $builder
            .set_condition_expression(condition)
            .set_expression_attribute_names(names(aliases.names))
            .set_expression_attribute_values(values(aliases.values))
            .set_return_values(return_values_to_sdk(options.return_values))
            .set_return_values_on_condition_check_failure(old_on_failure(options.return_old_on_failure))
            .set_return_consumed_capacity(capacity(options.return_consumed_capacity))
            .set_return_item_collection_metrics(collection_metrics(options.return_collection_metrics))
    }};
}

pub(crate) fn put_item_to_sdk(input: PutItemInput) -> PutItemInputBuilder {
    let printer = Printer::new();
    let builder = PutItemInputBuilder::default().table_name(input.table_name).set_item(Some(to_sdk(input.item)));
    with_write_options!(builder, input.options, printer)
}

pub(crate) fn update_item_to_sdk(input: UpdateItemInput) -> UpdateItemInputBuilder {
    let mut printer = Printer::new();
    let update = input.update.map(|update| update.print(&mut printer));
    let builder = UpdateItemInputBuilder::default()
        .table_name(input.table_name)
        .set_key(Some(to_sdk(input.key)))
        .set_update_expression(update);
    with_write_options!(builder, input.options, printer)
}

pub(crate) fn delete_item_to_sdk(input: DeleteItemInput) -> DeleteItemInputBuilder {
    let printer = Printer::new();
    let builder = DeleteItemInputBuilder::default().table_name(input.table_name).set_key(Some(to_sdk(input.key)));
    with_write_options!(builder, input.options, printer)
}

fn return_values_to_sdk(requested: ReturnValues) -> Option<ReturnValue> {
    match requested {
        ReturnValues::None => None,
        ReturnValues::AllOld => Some(ReturnValue::AllOld),
        ReturnValues::UpdatedOld => Some(ReturnValue::UpdatedOld),
        ReturnValues::AllNew => Some(ReturnValue::AllNew),
        ReturnValues::UpdatedNew => Some(ReturnValue::UpdatedNew),
    }
}

pub(crate) fn get_item_from_sdk(output: operation::get_item::GetItemOutput) -> Result<GetItemOutput, ServiceError> {
    Ok(GetItemOutput {
        item: output.item.map(item_from_sdk).transpose()?,
        consumed_capacity: output.consumed_capacity.and_then(consumed),
    })
}

pub(crate) fn put_item_from_sdk(output: PutItemOutput) -> Result<WriteOutput, ServiceError> {
    write_output(output.attributes, output.consumed_capacity, output.item_collection_metrics)
}

pub(crate) fn update_item_from_sdk(output: UpdateItemOutput) -> Result<WriteOutput, ServiceError> {
    write_output(output.attributes, output.consumed_capacity, output.item_collection_metrics)
}

pub(crate) fn delete_item_from_sdk(output: DeleteItemOutput) -> Result<WriteOutput, ServiceError> {
    write_output(output.attributes, output.consumed_capacity, output.item_collection_metrics)
}

fn write_output(
    attributes: Option<SdkAttributes>,
    capacity: Option<types::ConsumedCapacity>,
    collection: Option<types::ItemCollectionMetrics>,
) -> Result<WriteOutput, ServiceError> {
    Ok(WriteOutput {
        attributes: attributes.map(from_sdk).transpose()?,
        consumed_capacity: capacity.and_then(consumed),
        item_collection_metrics: collection.map(metrics).transpose()?.flatten(),
    })
}

pub(crate) fn items_from_sdk(output: Vec<SdkAttributes>) -> Result<Vec<Item>, ServiceError> {
    output.into_iter().map(item_from_sdk).collect()
}
