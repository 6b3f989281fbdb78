//! Query and Scan.

use super::{ConsumedCapacity, ReturnConsumedCapacity};
use crate::error::ServiceError;
use crate::expression::{Condition, KeyCondition, Projection};
use crate::item::Item;
use crate::value::Attributes;

/// `Select`: what Query and Scan return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Select {
    /// All attributes of the items, `ALL_ATTRIBUTES`.
    AllAttributes,
    /// All attributes that the index projects, `ALL_PROJECTED_ATTRIBUTES`.
    AllProjectedAttributes,
    /// The attributes of the projection expression, `SPECIFIC_ATTRIBUTES`.
    SpecificAttributes,
    /// The number of items alone, `COUNT`.
    Count,
}

/// The options that Query and Scan share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageOptions {
    /// The index to read; absent: the table itself.
    pub index_name: Option<String>,
    /// The number of items to read before filtering; absent: up to 1 MB.
    pub limit: Option<i64>,
    /// The page starts after this key; absent: at the beginning.
    pub exclusive_start_key: Option<Attributes>,
    /// `FilterExpression`; absent: every item that is read is returned.
    pub filter: Option<Condition>,
    /// Absent: what `select` says.
    pub projection: Option<Projection>,
    /// Absent: all attributes of a table, the projected ones of an index, or those of the projection.
    pub select: Option<Select>,
    /// Whether every write before the read is visible; `false` in DynamoDB by default. Global indexes do not support
    /// it.
    pub consistent_read: bool,
    /// Whether the output reports the consumed capacity; not by default.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The input of Query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryInput {
    /// The name of the table.
    pub table_name: String,
    /// `KeyConditionExpression`: one partition, and a range of its sort keys.
    pub key_condition: KeyCondition,
    /// `ScanIndexForward`: whether sort keys ascend; `true` in DynamoDB by default.
    pub forward: bool,
    /// The options that Query shares with Scan.
    pub page: PageOptions,
}

/// The input of Scan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScanInput {
    /// The name of the table.
    pub table_name: String,
    /// The segment of a parallel scan, from 0; absent: the scan is sequential.
    pub segment: Option<i64>,
    /// The number of segments; absent: the scan is sequential.
    pub total_segments: Option<i64>,
    /// The options that Scan shares with Query.
    pub page: PageOptions,
}

impl ScanInput {
    /// The segment and the number of segments of a parallel scan; `None` for a sequential one.
    pub fn parallel_segment(&self) -> Result<Option<(u64, u64)>, ServiceError> {
        let whole = |member: &str, value: i64| {
            u64::try_from(value).map_err(|_| {
                ServiceError::validation(format!(
                    "1 validation error detected: Value '{value}' at '{member}' failed to satisfy constraint: Member must have value greater than or equal to 0"
                ))
            })
        };
        match (self.segment, self.total_segments) {
            (None, None) => Ok(None),
            (Some(_), None) => Err(ServiceError::validation(
                "The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
            )),
            (None, Some(_)) => Err(ServiceError::validation(
                "The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
            )),
            (Some(segment), Some(total)) if segment >= total => Err(ServiceError::validation(format!(
                "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: {segment} is not less than TotalSegments: {total}"
            ))),
            (Some(segment), Some(total)) => Ok(Some((whole("segment", segment)?, whole("totalSegments", total)?))),
        }
    }
}

/// The output of Query and Scan: a page of items.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageOutput {
    /// Absent with [`Select::Count`].
    pub items: Option<Vec<Item>>,
    /// The number of items that passed the filter.
    pub count: usize,
    /// The number of items that were read.
    pub scanned_count: usize,
    /// Where the next page starts; absent only at the end.
    pub last_evaluated_key: Option<Attributes>,
    /// Absent unless it was requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
}
