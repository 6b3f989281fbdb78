//! TransactGetItems and TransactWriteItems.

use std::collections::BTreeMap;

use super::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use crate::expression::{Condition, Projection, Update};
use crate::item::Item;
use crate::value::Attributes;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactGet {
    pub table_name: String,
    pub key: Attributes,
    /// Absent: the whole item.
    pub projection: Option<Projection>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactGetItemsInput {
    pub gets: Vec<TransactGet>,
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactGetItemsOutput {
    /// In the order of the request; `None` where there is no item.
    pub items: Vec<Option<Item>>,
    pub consumed_capacity: Vec<ConsumedCapacity>,
}

/// One action of a write transaction.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct TransactWrite {
    pub table_name: String,
    pub kind: TransactWriteKind,
    pub condition: Option<Condition>,
    pub return_old_on_failure: bool,
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub enum TransactWriteKind {
    Put { item: Attributes },
    Update { key: Attributes, update: Update },
    Delete { key: Attributes },
    ConditionCheck { key: Attributes },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactWriteItemsInput {
    pub writes: Vec<TransactWrite>,
    pub client_request_token: Option<String>,
    pub return_consumed_capacity: ReturnConsumedCapacity,
    pub return_collection_metrics: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactWriteItemsOutput {
    pub consumed_capacity: Vec<ConsumedCapacity>,
    pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>,
}
