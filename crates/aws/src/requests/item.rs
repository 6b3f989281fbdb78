//! GetItem, PutItem, UpdateItem and DeleteItem.

use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemInputBuilder;
use aws_sdk_dynamodb::operation::get_item::builders::GetItemInputBuilder;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemInputBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemInputBuilder;
use aws_sdk_dynamodb::types::ReturnValue;
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::operation::{DeleteItemInput, GetItemInput, PutItemInput, ReturnValues, UpdateItemInput};

use super::{capacity, collection_metrics, names, old_on_failure, only_if, values};
use crate::values::to_sdk;

pub(crate) fn get_item(input: GetItemInput) -> GetItemInputBuilder {
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

pub(crate) fn put_item(input: PutItemInput) -> PutItemInputBuilder {
    let options = input.options;
    let mut printer = Printer::new();
    let condition = options.condition.map(|condition| condition.print(&mut printer));
    let aliases = printer.into_aliases();
    PutItemInputBuilder::default()
        .table_name(input.table_name)
        .set_item(Some(to_sdk(input.item)))
        .set_condition_expression(condition)
        .set_expression_attribute_names(names(aliases.names))
        .set_expression_attribute_values(values(aliases.values))
        .set_return_values(return_values(options.return_values))
        .set_return_values_on_condition_check_failure(old_on_failure(options.return_old_on_failure))
        .set_return_consumed_capacity(capacity(options.return_consumed_capacity))
        .set_return_item_collection_metrics(collection_metrics(options.return_collection_metrics))
}

pub(crate) fn update_item(input: UpdateItemInput) -> UpdateItemInputBuilder {
    let options = input.options;
    let mut printer = Printer::new();
    let update = input.update.map(|update| update.print(&mut printer));
    let condition = options.condition.map(|condition| condition.print(&mut printer));
    let aliases = printer.into_aliases();
    UpdateItemInputBuilder::default()
        .table_name(input.table_name)
        .set_key(Some(to_sdk(input.key)))
        .set_update_expression(update)
        .set_condition_expression(condition)
        .set_expression_attribute_names(names(aliases.names))
        .set_expression_attribute_values(values(aliases.values))
        .set_return_values(return_values(options.return_values))
        .set_return_values_on_condition_check_failure(old_on_failure(options.return_old_on_failure))
        .set_return_consumed_capacity(capacity(options.return_consumed_capacity))
        .set_return_item_collection_metrics(collection_metrics(options.return_collection_metrics))
}

pub(crate) fn delete_item(input: DeleteItemInput) -> DeleteItemInputBuilder {
    let options = input.options;
    let mut printer = Printer::new();
    let condition = options.condition.map(|condition| condition.print(&mut printer));
    let aliases = printer.into_aliases();
    DeleteItemInputBuilder::default()
        .table_name(input.table_name)
        .set_key(Some(to_sdk(input.key)))
        .set_condition_expression(condition)
        .set_expression_attribute_names(names(aliases.names))
        .set_expression_attribute_values(values(aliases.values))
        .set_return_values(return_values(options.return_values))
        .set_return_values_on_condition_check_failure(old_on_failure(options.return_old_on_failure))
        .set_return_consumed_capacity(capacity(options.return_consumed_capacity))
        .set_return_item_collection_metrics(collection_metrics(options.return_collection_metrics))
}

fn return_values(requested: ReturnValues) -> Option<ReturnValue> {
    match requested {
        ReturnValues::None => None,
        ReturnValues::AllOld => Some(ReturnValue::AllOld),
        ReturnValues::UpdatedOld => Some(ReturnValue::UpdatedOld),
        ReturnValues::AllNew => Some(ReturnValue::AllNew),
        ReturnValues::UpdatedNew => Some(ReturnValue::UpdatedNew),
    }
}
