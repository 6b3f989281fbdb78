//! Consumed capacity and item collection metrics.

use std::collections::BTreeMap;

use crate::value::AttributeValue;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReturnConsumedCapacity {
    #[default]
    None,
    Total,
    Indexes,
}

/// What one operation consumed of one table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConsumedCapacity {
    pub table_name: String,
    pub total: Units,
    /// The table's own part and each index's, where `INDEXES` was asked for.
    pub breakdown: Option<CapacityBreakdown>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct CapacityBreakdown {
    pub table: Units,
    pub global_indexes: BTreeMap<String, Units>,
    pub local_indexes: BTreeMap<String, Units>,
}

/// Capacity units; reads and writes are told apart only by transactional operations.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Units {
    pub capacity: f64,
    pub read: Option<f64>,
    pub write: Option<f64>,
}

/// The item collection a write touched, on a table with local indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCollectionMetrics {
    /// The name and value of the partition key.
    pub key: (String, AttributeValue),
    /// Lower and upper bound in gigabytes.
    pub size_estimate_gb: [f64; 2],
}
