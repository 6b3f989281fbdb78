//! BatchGetItem and BatchWriteItem.

use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::item::Undecodable;
use keyfold_dynamo::operation::{BatchGetItemOutput, BatchWriteItemOutput, BatchWriteRequest, KeysAndAttributes};

use super::capacity::{collection_metrics_by_table, consumed_capacities};
use super::value::{attributes, expected_size, items};
use crate::json::Writer;

pub(crate) fn batch_get(output: &BatchGetItemOutput) -> Result<Vec<u8>, Undecodable> {
    let expected: usize = output.responses.values().flatten().map(expected_size).sum();
    let mut out = Writer::with_capacity(256 + expected);
    out.begin_object();
    out.key("Responses").begin_object();
    for (table, found) in &output.responses {
        items(out.name(table), found)?;
    }
    out.end_object();
    out.key("UnprocessedKeys").object(|out| {
        for (table, keys) in &output.unprocessed {
            keys_and_attributes(out.name(table), keys);
        }
    });
    consumed_capacities(&mut out, &output.consumed_capacity);
    out.end_object();
    Ok(out.into_bytes())
}

fn keys_and_attributes(out: &mut Writer, keys: &KeysAndAttributes) {
    out.object(|out| {
        out.key("Keys").array(&keys.keys, attributes);
        if keys.consistent_read {
            out.key("ConsistentRead").boolean(true);
        }
        if let Some(projection) = &keys.projection {
            let mut printer = Printer::new();
            out.key("ProjectionExpression").string(&projection.print(&mut printer));
            out.key("ExpressionAttributeNames").object(|out| {
                for (alias, name) in printer.into_aliases().names.iter().flatten() {
                    out.name(alias).string(name);
                }
            });
        }
    });
}

pub(crate) fn batch_write(output: &BatchWriteItemOutput) -> Vec<u8> {
    let mut out = Writer::with_capacity(256);
    out.object(|out| {
        out.key("UnprocessedItems").object(|out| {
            for (table, requests) in &output.unprocessed {
                out.name(table).array(requests, write_request);
            }
        });
        collection_metrics_by_table(out, &output.item_collection_metrics);
        consumed_capacities(out, &output.consumed_capacity);
    });
    out.into_bytes()
}

fn write_request(out: &mut Writer, request: &BatchWriteRequest) {
    out.object(|out| match request {
        BatchWriteRequest::Put { item } => out.key("PutRequest").object(|out| attributes(out.key("Item"), item)),
        BatchWriteRequest::Delete { key } => out.key("DeleteRequest").object(|out| attributes(out.key("Key"), key)),
    });
}
