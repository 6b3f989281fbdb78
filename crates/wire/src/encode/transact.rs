//! TransactGetItems and TransactWriteItems.

use keyfold_dynamo::item::Undecodable;
use keyfold_dynamo::operation::{TransactGetItemsOutput, TransactWriteItemsOutput};

use super::capacity::{collection_metrics_by_table, consumed_capacities};
use super::value::{expected_size, item};
use crate::json::Writer;

pub(crate) fn transact_get(output: &TransactGetItemsOutput) -> Result<Vec<u8>, Undecodable> {
    let mut out = Writer::with_capacity(256 + output.items.iter().flatten().map(expected_size).sum::<usize>());
    out.begin_object();
    consumed_capacities(&mut out, &output.consumed_capacity);
    out.key("Responses").begin_array();
    for found in &output.items {
        out.begin_object();
        if let Some(found) = found {
            item(out.key("Item"), found)?;
        }
        out.end_object();
    }
    out.end_array();
    out.end_object();
    Ok(out.into_bytes())
}

pub(crate) fn transact_write(output: &TransactWriteItemsOutput) -> Vec<u8> {
    let mut out = Writer::with_capacity(256);
    out.object(|out| {
        consumed_capacities(out, &output.consumed_capacity);
        collection_metrics_by_table(out, &output.item_collection_metrics);
    });
    out.into_bytes()
}
