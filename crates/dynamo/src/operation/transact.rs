//! TransactGetItems and TransactWriteItems.

use std::collections::BTreeMap;

use super::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use crate::expression::{Condition, Projection, Update};
use crate::item::Item;
use crate::value::Attributes;

/// One read of a TransactGetItems.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactGet {
    /// The name of the table.
    pub table_name: String,
    /// The primary key of the item.
    pub key: Attributes,
    /// Absent: the whole item.
    pub projection: Option<Projection>,
}

/// The input of TransactGetItems, which reads items as of one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactGetItemsInput {
    /// 1 to 100 reads.
    pub gets: Vec<TransactGet>,
    /// Whether the output reports the consumed capacity; not by default.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The output of TransactGetItems.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactGetItemsOutput {
    /// In the order of the request; `None` where there is no item.
    pub items: Vec<Option<Item>>,
    /// One entry for each table; empty unless requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
}

/// One action of a TransactWriteItems.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct TransactWrite {
    /// The name of the table.
    pub table_name: String,
    /// What the action does.
    pub kind: TransactWriteKind,
    /// `ConditionExpression`; absent: the action is unconditional. A condition check must have one.
    pub condition: Option<Condition>,
    /// `ReturnValuesOnConditionCheckFailure: ALL_OLD`: the reason of a failed condition holds the stored item.
    pub return_old_on_failure: bool,
}

/// What an action of a transaction does.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum TransactWriteKind {
    /// Creates or replaces an item.
    Put {
        /// The whole item, with its primary key.
        item: Attributes,
    },
    /// Changes an item, or creates it.
    Update {
        /// The primary key of the item.
        key: Attributes,
        /// `UpdateExpression`.
        update: Update,
    },
    /// Deletes an item, if it exists.
    Delete {
        /// The primary key of the item.
        key: Attributes,
    },
    /// Changes nothing: the transaction fails unless the condition holds.
    ConditionCheck {
        /// The primary key of the item.
        key: Attributes,
    },
}

/// The input of TransactWriteItems, which carries out all actions or none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactWriteItemsInput {
    /// 1 to 100 actions on distinct items.
    pub writes: Vec<TransactWrite>,
    /// Makes retries idempotent for ten minutes; absent: each request is carried out anew.
    pub client_request_token: Option<String>,
    /// Whether the output reports the consumed capacity; not by default.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// `ReturnItemCollectionMetrics: SIZE`; `false` by default.
    pub return_collection_metrics: bool,
}

/// The output of TransactWriteItems.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactWriteItemsOutput {
    /// One entry for each table; empty unless requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
    /// By table name; empty unless requested, and for tables without local indexes.
    pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>,
}
