//! Query and Scan.

use super::{Aliases, ConsumedCapacity, ReturnConsumedCapacity};
use crate::item::Item;
use crate::value::Attributes;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Select {
    AllAttributes,
    AllProjectedAttributes,
    SpecificAttributes,
    Count,
}

/// What Query and Scan have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageOptions {
    pub index_name: Option<String>,
    pub limit: Option<i64>,
    pub exclusive_start_key: Option<Attributes>,
    pub filter_expression: Option<String>,
    pub projection_expression: Option<String>,
    pub select: Option<Select>,
    pub consistent_read: bool,
    pub aliases: Aliases,
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

#[derive(Debug, Clone, PartialEq)]
pub struct QueryInput {
    pub table_name: String,
    pub key_condition_expression: Option<String>,
    /// `ScanIndexForward`, true by default in the service.
    pub forward: bool,
    pub page: PageOptions,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScanInput {
    pub table_name: String,
    pub segment: Option<i64>,
    pub total_segments: Option<i64>,
    pub page: PageOptions,
}

/// A page of items.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageOutput {
    /// Absent with `Select: COUNT`.
    pub items: Option<Vec<Item>>,
    pub count: usize,
    pub scanned_count: usize,
    /// Where to go on; absent only at the end.
    pub last_evaluated_key: Option<Attributes>,
    pub consumed_capacity: Option<ConsumedCapacity>,
}
