//! GetItem, the single-item writes, Query and Scan.

use aws_sdk_dynamodb::operation::delete_item::DeleteItemOutput;
use aws_sdk_dynamodb::operation::put_item::PutItemOutput;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::update_item::UpdateItemOutput;
use aws_sdk_dynamodb::{operation, types};
use keyfold_dynamo::operation::{GetItemOutput, PageOutput, WriteOutput};
use keyfold_dynamo::{Item, ServiceError};

use super::capacity::{consumed, metrics};
use crate::values::{SdkAttributes, from_sdk, item_from_sdk};

pub(crate) fn get_item(output: operation::get_item::GetItemOutput) -> Result<GetItemOutput, ServiceError> {
    Ok(GetItemOutput {
        item: output.item.map(item_from_sdk).transpose()?,
        consumed_capacity: output.consumed_capacity.map(consumed),
    })
}

pub(crate) fn put_item(output: PutItemOutput) -> Result<WriteOutput, ServiceError> {
    write_output(output.attributes, output.consumed_capacity, output.item_collection_metrics)
}

pub(crate) fn update_item(output: UpdateItemOutput) -> Result<WriteOutput, ServiceError> {
    write_output(output.attributes, output.consumed_capacity, output.item_collection_metrics)
}

pub(crate) fn delete_item(output: DeleteItemOutput) -> Result<WriteOutput, ServiceError> {
    write_output(output.attributes, output.consumed_capacity, output.item_collection_metrics)
}

fn write_output(
    attributes: Option<SdkAttributes>,
    capacity: Option<types::ConsumedCapacity>,
    collection: Option<types::ItemCollectionMetrics>,
) -> Result<WriteOutput, ServiceError> {
    Ok(WriteOutput {
        attributes: attributes.map(from_sdk).transpose()?,
        consumed_capacity: capacity.map(consumed),
        item_collection_metrics: collection.map(metrics).transpose()?.flatten(),
    })
}

pub(crate) fn query(output: QueryOutput) -> Result<PageOutput, ServiceError> {
    Ok(PageOutput {
        items: output.items.map(items).transpose()?,
        count: count(output.count)?,
        scanned_count: count(output.scanned_count)?,
        last_evaluated_key: output.last_evaluated_key.map(from_sdk).transpose()?,
        consumed_capacity: output.consumed_capacity.map(consumed),
    })
}

pub(crate) fn scan(output: ScanOutput) -> Result<PageOutput, ServiceError> {
    Ok(PageOutput {
        items: output.items.map(items).transpose()?,
        count: count(output.count)?,
        scanned_count: count(output.scanned_count)?,
        last_evaluated_key: output.last_evaluated_key.map(from_sdk).transpose()?,
        consumed_capacity: output.consumed_capacity.map(consumed),
    })
}

pub(crate) fn items(output: Vec<SdkAttributes>) -> Result<Vec<Item>, ServiceError> {
    output.into_iter().map(item_from_sdk).collect()
}

fn count(output: i32) -> Result<usize, ServiceError> {
    usize::try_from(output)
        .map_err(|_| ServiceError::Internal(format!("the service returned the negative count {output}")))
}
