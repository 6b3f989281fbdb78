//! Consumed capacity and item collection metrics.

use std::collections::BTreeMap;

use crate::value::AttributeValue;

/// `ReturnConsumedCapacity`: whether a response reports the consumed capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReturnConsumedCapacity {
    /// Not at all, `NONE`.
    #[default]
    None,
    /// As a total for each table, `TOTAL`.
    Total,
    /// For each table and each of its indexes, `INDEXES`.
    Indexes,
}

/// The capacity that one operation consumed of one table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConsumedCapacity {
    /// The name of the table.
    pub table_name: String,
    /// The table and its indexes together.
    pub total: Units,
    /// The shares of the table and of each index; absent unless `INDEXES` was requested.
    pub breakdown: Option<CapacityBreakdown>,
}

/// Consumed capacity by table and index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CapacityBreakdown {
    /// The share of the table itself.
    pub table: Units,
    /// The shares of global indexes, by name; without those that were not used.
    pub global_indexes: BTreeMap<String, Units>,
    /// The shares of local indexes, by name; without those that were not used.
    pub local_indexes: BTreeMap<String, Units>,
}

/// Capacity units. Only transactional operations report reads and writes separately.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Units {
    /// Reads and writes together; multiples of 0.5.
    pub capacity: f64,
    /// Read capacity units; absent outside transactions.
    pub read: Option<f64>,
    /// Write capacity units; absent outside transactions.
    pub write: Option<f64>,
}

/// The item collection that a write changed: all items of a partition, in a table with local indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCollectionMetrics {
    /// The name and value of the partition key.
    pub key: (String, AttributeValue),
    /// Lower and upper bound of its size in gigabytes.
    pub size_estimate_gb: [f64; 2],
}
