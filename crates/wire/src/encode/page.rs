//! Pages of Query and Scan.

use keyfold_dynamo::operation::PageOutput;
use keyfold_dynamo::value::item_size;

use super::capacity::consumed_capacity;
use super::value::attributes;
use crate::json::Writer;

pub(crate) fn page(output: &PageOutput) -> Vec<u8> {
    let mut out = Writer::with_capacity(256 + expected_size(output));
    out.object(|out| {
        if let Some(items) = &output.items {
            out.key("Items").array(items, attributes);
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

/// About the length of the JSON: the first item stands for the others, and half as much again for the wrapping.
fn expected_size(output: &PageOutput) -> usize {
    let items = output.items.as_deref().unwrap_or_default();
    items.first().map_or(0, |item| items.len() * (64 + item_size(item) * 3 / 2))
}
