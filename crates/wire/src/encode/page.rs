//! Pages of Query and Scan.

use keyfold_dynamo::item::Undecodable;
use keyfold_dynamo::operation::PageOutput;

use super::capacity::consumed_capacity;
use super::value::{attributes, expected_size, items};
use crate::json::Writer;

pub(crate) fn page(output: &PageOutput) -> Result<Vec<u8>, Undecodable> {
    let expected: usize = output.items.iter().flatten().map(expected_size).sum();
    let mut out = Writer::with_capacity(256 + expected);
    out.begin_object();
    if let Some(found) = &output.items {
        items(out.key("Items"), found)?;
    }
    out.key("Count").integer(output.count);
    out.key("ScannedCount").integer(output.scanned_count);
    if let Some(key) = &output.last_evaluated_key {
        attributes(out.key("LastEvaluatedKey"), key);
    }
    if let Some(capacity) = &output.consumed_capacity {
        consumed_capacity(out.key("ConsumedCapacity"), capacity);
    }
    out.end_object();
    Ok(out.into_bytes())
}
