//! Pages of Query and Scan.

use keyfold_dynamo::operation::PageOutput;

use super::capacity::consumed_capacity;
use super::value::{attributes, expected_size, item};
use crate::json::Writer;

pub(crate) fn page(output: &PageOutput) -> Vec<u8> {
    let items = output.items.as_deref().unwrap_or_default();
    let mut out = Writer::with_capacity(256 + items.iter().map(expected_size).sum::<usize>());
    out.object(|out| {
        if let Some(items) = &output.items {
            out.key("Items").array(items, item);
        }
        out.key("Count").integer(output.count);
        out.key("ScannedCount").integer(output.scanned_count);
        if let Some(key) = &output.last_evaluated_key {
            attributes(out.key("LastEvaluatedKey"), key);
        }
        if let Some(capacity) = &output.consumed_capacity {
            consumed_capacity(out.key("ConsumedCapacity"), capacity);
        }
    });
    out.into_bytes()
}
