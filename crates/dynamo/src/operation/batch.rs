//! BatchGetItem and BatchWriteItem. Tables are kept in the order of the request.

use std::collections::{BTreeMap, HashSet};

use super::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use crate::error::ServiceError;
use crate::expression::Projection;
use crate::item::Item;
use crate::value::Attributes;

/// The keys that BatchGetItem reads of one table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeysAndAttributes {
    /// The primary keys of the items, each at most once.
    pub keys: Vec<Attributes>,
    /// Whether every write before the read is visible; `false` in DynamoDB by default.
    pub consistent_read: bool,
    /// Absent: the whole items.
    pub projection: Option<Projection>,
}

impl KeysAndAttributes {
    /// Rejects a list that names an item twice.
    pub fn refuse_duplicates(&self) -> Result<(), ServiceError> {
        let distinct: HashSet<&Attributes> = self.keys.iter().collect();
        if distinct.len() < self.keys.len() {
            return Err(ServiceError::validation("Provided list of item keys contains duplicates"));
        }
        Ok(())
    }
}

/// The input of BatchGetItem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchGetItemInput {
    /// `RequestItems`: the keys, by table name.
    pub requests: Vec<(String, KeysAndAttributes)>,
    /// Whether the output reports the consumed capacity; not by default.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The output of BatchGetItem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchGetItemOutput {
    /// The items found, by table name and in no particular order.
    pub responses: BTreeMap<String, Vec<Item>>,
    /// `UnprocessedKeys`: the keys that were not read, to be requested again; empty if there are none.
    pub unprocessed: Vec<(String, KeysAndAttributes)>,
    /// One entry for each table; empty unless requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
}

/// One write of a BatchWriteItem; it has no condition.
#[derive(Debug, Clone, PartialEq)]
pub enum BatchWriteRequest {
    /// Creates or replaces an item.
    Put {
        /// The whole item, with its primary key.
        item: Attributes,
    },
    /// Deletes an item, if it exists.
    Delete {
        /// The primary key of the item.
        key: Attributes,
    },
}

/// The input of BatchWriteItem. The writes are independent of each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchWriteItemInput {
    /// `RequestItems`: the writes, by table name.
    pub requests: Vec<(String, Vec<BatchWriteRequest>)>,
    /// Whether the output reports the consumed capacity; not by default.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// `ReturnItemCollectionMetrics: SIZE`; `false` by default.
    pub return_collection_metrics: bool,
}

/// The output of BatchWriteItem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchWriteItemOutput {
    /// `UnprocessedItems`: the writes that were not carried out, to be requested again; empty if there are none.
    pub unprocessed: Vec<(String, Vec<BatchWriteRequest>)>,
    /// One entry for each table; empty unless requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
    /// By table name; empty unless requested, and for tables without local indexes.
    pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>,
}
