//! BatchGetItem and BatchWriteItem. Tables are kept in the order of the request.

use std::collections::{BTreeMap, HashSet};

use super::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use crate::error::ServiceError;
use crate::expression::Projection;
use crate::item::Item;
use crate::value::Attributes;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeysAndAttributes {
    pub keys: Vec<Attributes>,
    pub consistent_read: bool,
    /// Absent: the whole items.
    pub projection: Option<Projection>,
}

impl KeysAndAttributes {
    /// Refuses a list that names an item twice.
    pub fn refuse_duplicates(&self) -> Result<(), ServiceError> {
        let distinct: HashSet<&Attributes> = self.keys.iter().collect();
        if distinct.len() < self.keys.len() {
            return Err(ServiceError::validation("Provided list of item keys contains duplicates"));
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchGetItemInput {
    pub requests: Vec<(String, KeysAndAttributes)>,
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchGetItemOutput {
    pub responses: BTreeMap<String, Vec<Item>>,
    pub unprocessed: Vec<(String, KeysAndAttributes)>,
    pub consumed_capacity: Vec<ConsumedCapacity>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum BatchWriteRequest {
    Put { item: Attributes },
    Delete { key: Attributes },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchWriteItemInput {
    pub requests: Vec<(String, Vec<BatchWriteRequest>)>,
    pub return_consumed_capacity: ReturnConsumedCapacity,
    pub return_collection_metrics: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchWriteItemOutput {
    pub unprocessed: Vec<(String, Vec<BatchWriteRequest>)>,
    pub consumed_capacity: Vec<ConsumedCapacity>,
    pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>,
}
