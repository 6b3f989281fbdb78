//! TransactGetItems and TransactWriteItems.

use keyfold_dynamo::operation::{TransactGetItemsOutput, TransactWriteItemsOutput};

use super::capacity::{collection_metrics_by_table, consumed_capacities};
use super::value::{expected_size, item};
use crate::json::Writer;

pub(crate) fn transact_get(output: &TransactGetItemsOutput) -> Vec<u8> {
    let mut out = Writer::with_capacity(256 + output.items.iter().flatten().map(expected_size).sum::<usize>());
    out.object(|out| {
        consumed_capacities(out, &output.consumed_capacity);
        out.key("Responses").array(&output.items, |out, found| {
            out.object(|out| {
                if let Some(found) = found {
                    item(out.key("Item"), found);
                }
            });
        });
    });
    out.into_bytes()
}

pub(crate) fn transact_write(output: &TransactWriteItemsOutput) -> Vec<u8> {
    let mut out = Writer::with_capacity(256);
    out.object(|out| {
        consumed_capacities(out, &output.consumed_capacity);
        collection_metrics_by_table(out, &output.item_collection_metrics);
    });
    out.into_bytes()
}
