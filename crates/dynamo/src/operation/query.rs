//! Query and Scan.

use super::{ConsumedCapacity, ReturnConsumedCapacity};
use crate::error::ServiceError;
use crate::expression::{Condition, KeyCondition, Projection};
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
    pub filter: Option<Condition>,
    /// Absent: what `select` says.
    pub projection: Option<Projection>,
    pub select: Option<Select>,
    pub consistent_read: bool,
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

#[derive(Debug, Clone, PartialEq)]
pub struct QueryInput {
    pub table_name: String,
    pub key_condition: KeyCondition,
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

impl ScanInput {
    /// The segment and the number of segments, where the scan is parallel.
    pub fn parallel_segment(&self) -> Result<Option<(u64, u64)>, ServiceError> {
        let whole = |value: i64| u64::try_from(value).unwrap_or(0);
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
            (Some(segment), Some(total)) => Ok(Some((whole(segment), whole(total)))),
        }
    }
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
