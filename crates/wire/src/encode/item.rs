//! GetItem, and the writes of one item.

use keyfold_dynamo::item::Undecodable;
use keyfold_dynamo::operation::{GetItemOutput, WriteOutput};

use super::capacity::{collection_metrics, consumed_capacity};
use super::value::{attributes, expected_size, item};
use crate::json::Writer;

pub(crate) fn get(output: &GetItemOutput) -> Result<Vec<u8>, Undecodable> {
    let mut out = Writer::with_capacity(64 + output.item.as_ref().map_or(0, expected_size));
    out.begin_object();
    if let Some(found) = &output.item {
        item(out.key("Item"), found)?;
    }
    if let Some(capacity) = &output.consumed_capacity {
        consumed_capacity(out.key("ConsumedCapacity"), capacity);
    }
    out.end_object();
    Ok(out.into_bytes())
}

pub(crate) fn write(output: &WriteOutput) -> Vec<u8> {
    let mut out = Writer::with_capacity(if output.attributes.is_some() { 2048 } else { 64 });
    out.object(|out| {
        if let Some(values) = &output.attributes {
            attributes(out.key("Attributes"), values);
        }
        if let Some(capacity) = &output.consumed_capacity {
            consumed_capacity(out.key("ConsumedCapacity"), capacity);
        }
        if let Some(metrics) = &output.item_collection_metrics {
            collection_metrics(out.key("ItemCollectionMetrics"), metrics);
        }
    });
    out.into_bytes()
}
