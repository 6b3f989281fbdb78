//! GetItem, PutItem, UpdateItem and DeleteItem.

use super::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use crate::error::ServiceError;
use crate::expression::{Condition, Projection, Update};
use crate::item::Item;
use crate::limits::ITEM_BYTES;
use crate::value::{Attributes, item_size};

/// The input of GetItem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GetItemInput {
    /// The name of the table.
    pub table_name: String,
    /// The primary key of the item.
    pub key: Attributes,
    /// Whether every write before the read is visible; `false` in DynamoDB by default.
    pub consistent_read: bool,
    /// Absent: the whole item.
    pub projection: Option<Projection>,
    /// Whether the output reports the consumed capacity; not by default.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The output of GetItem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GetItemOutput {
    /// The item, or the requested parts of it; absent if there is none.
    pub item: Option<Item>,
    /// Absent unless it was requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// `ReturnValues`: which attributes a single-item write returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReturnValues {
    /// None, `NONE`.
    #[default]
    None,
    /// All attributes before the write, `ALL_OLD`.
    AllOld,
    /// The updated attributes before the write, `UPDATED_OLD`; UpdateItem only.
    UpdatedOld,
    /// All attributes after the write, `ALL_NEW`; UpdateItem only.
    AllNew,
    /// The updated attributes after the write, `UPDATED_NEW`; UpdateItem only.
    UpdatedNew,
}

/// The options that all single-item writes share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOptions {
    /// `ConditionExpression`; absent: the write is unconditional.
    pub condition: Option<Condition>,
    /// The attributes to return; none by default.
    pub return_values: ReturnValues,
    /// `ReturnValuesOnConditionCheckFailure: ALL_OLD`: a failed condition returns the stored item. `false` by default.
    pub return_old_on_failure: bool,
    /// Whether the output reports the consumed capacity; not by default.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// `ReturnItemCollectionMetrics: SIZE`; `false` by default.
    pub return_collection_metrics: bool,
}

/// The input of PutItem, which creates or replaces an item.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PutItemInput {
    /// The name of the table.
    pub table_name: String,
    /// The whole item, with its primary key.
    pub item: Attributes,
    /// Condition and output.
    pub options: WriteOptions,
}

/// The input of DeleteItem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeleteItemInput {
    /// The name of the table.
    pub table_name: String,
    /// The primary key of the item.
    pub key: Attributes,
    /// Condition and output.
    pub options: WriteOptions,
}

/// The input of UpdateItem, which changes an item, or creates it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateItemInput {
    /// The name of the table.
    pub table_name: String,
    /// The primary key of the item.
    pub key: Attributes,
    /// `UpdateExpression`; absent: the item is created with its key alone if it does not exist.
    pub update: Option<Update>,
    /// Condition and output.
    pub options: WriteOptions,
}

/// The output of PutItem, UpdateItem and DeleteItem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOutput {
    /// The requested attributes; absent if none were requested or there was no item.
    pub attributes: Option<Attributes>,
    /// Absent unless it was requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// Absent unless requested, and for tables without local indexes.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}

/// Rejects an item that is larger than [`ITEM_BYTES`].
pub fn check_item_size(item: &Attributes) -> Result<(), ServiceError> {
    if item_size(item) <= ITEM_BYTES {
        return Ok(());
    }
    Err(ServiceError::validation("Item size has exceeded the maximum allowed size"))
}
