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
use crate::values::{SentAttributes, from_sent, item_from_sent};

pub fn get_item(told: operation::get_item::GetItemOutput) -> Result<GetItemOutput, ServiceError> {
    Ok(GetItemOutput {
        item: told.item.map(item_from_sent).transpose()?,
        consumed_capacity: told.consumed_capacity.map(consumed),
    })
}

pub fn put_item(told: PutItemOutput) -> Result<WriteOutput, ServiceError> {
    written(told.attributes, told.consumed_capacity, told.item_collection_metrics)
}

pub fn update_item(told: UpdateItemOutput) -> Result<WriteOutput, ServiceError> {
    written(told.attributes, told.consumed_capacity, told.item_collection_metrics)
}

pub fn delete_item(told: DeleteItemOutput) -> Result<WriteOutput, ServiceError> {
    written(told.attributes, told.consumed_capacity, told.item_collection_metrics)
}

fn written(
    attributes: Option<SentAttributes>,
    capacity: Option<types::ConsumedCapacity>,
    collection: Option<types::ItemCollectionMetrics>,
) -> Result<WriteOutput, ServiceError> {
    Ok(WriteOutput {
        attributes: attributes.map(from_sent).transpose()?,
        consumed_capacity: capacity.map(consumed),
        item_collection_metrics: collection.map(metrics).transpose()?.flatten(),
    })
}

pub fn query(told: QueryOutput) -> Result<PageOutput, ServiceError> {
    Ok(PageOutput {
        items: told.items.map(items).transpose()?,
        count: count(told.count),
        scanned_count: count(told.scanned_count),
        last_evaluated_key: told.last_evaluated_key.map(from_sent).transpose()?,
        consumed_capacity: told.consumed_capacity.map(consumed),
    })
}

pub fn scan(told: ScanOutput) -> Result<PageOutput, ServiceError> {
    Ok(PageOutput {
        items: told.items.map(items).transpose()?,
        count: count(told.count),
        scanned_count: count(told.scanned_count),
        last_evaluated_key: told.last_evaluated_key.map(from_sent).transpose()?,
        consumed_capacity: told.consumed_capacity.map(consumed),
    })
}

pub fn items(told: Vec<SentAttributes>) -> Result<Vec<Item>, ServiceError> {
    told.into_iter().map(item_from_sent).collect()
}

fn count(told: i32) -> usize {
    usize::try_from(told).unwrap_or_default()
}
