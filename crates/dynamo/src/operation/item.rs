//! GetItem, PutItem, UpdateItem and DeleteItem.

use super::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use crate::error::ServiceError;
use crate::expression::{Condition, Projection, Update};
use crate::item::Item;
use crate::limits::ITEM_BYTES;
use crate::value::{Attributes, item_size};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct GetItemInput {
    pub table_name: String,
    pub key: Attributes,
    pub consistent_read: bool,
    /// Absent: the whole item.
    pub projection: Option<Projection>,
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct GetItemOutput {
    pub item: Option<Item>,
    pub consumed_capacity: Option<ConsumedCapacity>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReturnValues {
    #[default]
    None,
    AllOld,
    UpdatedOld,
    AllNew,
    UpdatedNew,
}

/// What single-item writes have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOptions {
    pub condition: Option<Condition>,
    pub return_values: ReturnValues,
    /// `ReturnValuesOnConditionCheckFailure: ALL_OLD`.
    pub return_old_on_failure: bool,
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// `ReturnItemCollectionMetrics: SIZE`.
    pub return_collection_metrics: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct PutItemInput {
    pub table_name: String,
    pub item: Attributes,
    pub options: WriteOptions,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeleteItemInput {
    pub table_name: String,
    pub key: Attributes,
    pub options: WriteOptions,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateItemInput {
    pub table_name: String,
    pub key: Attributes,
    /// Absent: the item is created with its key alone if it does not exist.
    pub update: Option<Update>,
    pub options: WriteOptions,
}

/// The answer of a single-item write.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOutput {
    pub attributes: Option<Attributes>,
    pub consumed_capacity: Option<ConsumedCapacity>,
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}

/// Refuses an item that is larger than the service stores.
pub fn check_item_size(item: &Attributes) -> Result<(), ServiceError> {
    if item_size(item) <= ITEM_BYTES {
        return Ok(());
    }
    Err(ServiceError::validation("Item size has exceeded the maximum allowed size"))
}
