//! Brings a response into the form in which two servers must agree: what DynamoDB leaves open is sorted or masked.

use serde_json::{Map, Number, Value, json};

use crate::endpoint::Response;
use crate::message;

/// Members of table descriptions that differ between any two tables or servers.
const MASKED: &[&str] = &[
    "CreationDateTime",
    "IndexArn",
    "IndexSizeBytes",
    "ItemCount",
    "LastDecreaseDateTime",
    "LastIncreaseDateTime",
    "LastUpdateToPayPerRequestDateTime",
    "SizeEstimateRangeGB",
    "TableArn",
    "TableId",
    "TableSizeBytes",
];

/// Whether a table is still being created when the response leaves is a matter of timing.
const MASKED_DURING_CHANGE: &[&str] = &["TableStatus", "IndexStatus", "Backfilling"];

/// The document that is compared: status, error or body, and the protocol's headers.
#[must_use]
pub fn normalize(operation: &str, response: &Response) -> Value {
    let body = if response.is_success() { body(operation, &response.body) } else { error(response) };
    json!({"status": response.status, "body": body, "protocol": protocol(response)})
}

/// The error without the spelling of its envelope; `Message` and `message` are the same member.
fn error(response: &Response) -> Value {
    let Value::Object(members) = &response.body else {
        return response.body.clone();
    };
    let mut result = members.clone();
    result.remove("Message");
    result.remove("message");
    if let Some(name) = response.error_type() {
        result.insert("__type".to_owned(), name.into());
    }
    if let Some(text) = response.error_message() {
        result.insert("message".to_owned(), message::normalize(text).into());
    }
    let mut result = Value::Object(result);
    sort_sets(&mut result);
    result
}

fn protocol(response: &Response) -> Value {
    let checksum = response.header("x-amz-crc32").map(|sent| {
        let computed = crc32fast::hash(&response.raw_body).to_string();
        if sent == computed { "matches the body".to_owned() } else { format!("{sent} instead of {computed}") }
    });
    json!({
        "content-type": response.header("content-type"),
        "x-amz-crc32": checksum,
        "x-amzn-requestid": response.header("x-amzn-requestid").map(|_| "present"),
    })
}

fn body(operation: &str, body: &Value) -> Value {
    let mut result = body.clone();
    sort_sets(&mut result);
    match operation {
        "CreateTable" | "UpdateTable" | "DeleteTable" => {
            mask(&mut result, MASKED);
            mask(&mut result, MASKED_DURING_CHANGE);
            sort_descriptions(&mut result);
        }
        "DescribeTable" => {
            mask(&mut result, MASKED);
            sort_descriptions(&mut result);
        }
        "ListTables" => keep_own_tables(&mut result),
        "ListTagsOfResource" => sort_member(&mut result, "Tags"),
        "DescribeEndpoints" => mask(&mut result, &["Address"]),
        "DescribeContinuousBackups" => {
            mask(&mut result, &["EarliestRestorableDateTime", "LatestRestorableDateTime"]);
        }
        _ => {
            mask(&mut result, &["SizeEstimateRangeGB"]);
            sort_batches(&mut result);
        }
    }
    result
}

/// Sets have no order, numbers no spelling: `1` and `1.0` are the same capacity.
pub(crate) fn sort_sets(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let is_set = members.len() == 1 && members.keys().all(|key| matches!(key.as_str(), "SS" | "NS" | "BS"));
            for inner in members.values_mut() {
                match inner {
                    Value::Array(elements) if is_set => sort(elements),
                    other => sort_sets(other),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(sort_sets),
        Value::Number(number) => {
            if let Some(float) = number.as_f64().and_then(Number::from_f64) {
                *number = float;
            }
        }
        _ => {}
    }
}

fn mask(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(members) => {
            for (key, inner) in members.iter_mut() {
                if names.contains(&key.as_str()) {
                    *inner = "<masked>".into();
                } else {
                    mask(inner, names);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| mask(value, names)),
        _ => {}
    }
}

/// Indexes, attribute definitions and projected attributes are listed in no particular order; a key schema is.
fn sort_descriptions(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, inner) in members.iter_mut() {
                sort_descriptions(inner);
                if key.ends_with("SecondaryIndexes") || key == "AttributeDefinitions" || key == "NonKeyAttributes" {
                    sort_elements(inner);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(sort_descriptions),
        _ => {}
    }
}

/// The other side, or other users of the server, have tables too.
fn keep_own_tables(value: &mut Value) {
    let is_own = |name: &Value| name.as_str().is_some_and(|name| name.starts_with('$'));
    if let Some(Value::Array(names)) = value.get_mut("TableNames") {
        names.retain(is_own);
    }
    if let Some(last) = value.get_mut("LastEvaluatedTableName")
        && !is_own(last)
    {
        *last = "<another user's table>".into();
    }
}

/// The response of a batch lists tables, and the items of a table, in any order.
fn sort_batches(value: &mut Value) {
    if let Some(Value::Object(tables)) = value.get_mut("Responses") {
        tables.values_mut().for_each(sort_elements);
    }
    for name in ["UnprocessedItems", "ItemCollectionMetrics"] {
        if let Some(Value::Object(tables)) = value.get_mut(name) {
            tables.values_mut().for_each(sort_elements);
        }
    }
    if let Some(Value::Array(tables)) = value.get_mut("ConsumedCapacity") {
        tables.sort_by_cached_key(|table| table.get("TableName").map(Value::to_string));
    }
}

fn sort_member(value: &mut Value, name: &str) {
    if let Some(member) = value.get_mut(name) {
        sort_elements(member);
    }
}

fn sort_elements(value: &mut Value) {
    if let Value::Array(elements) = value {
        sort(elements);
    }
}

/// Any total order will do, as long as both sides use the same, however they write their numbers.
pub(crate) fn sort(elements: &mut [Value]) {
    elements.sort_by_cached_key(|element| {
        let mut element = element.clone();
        trim_numbers(&mut element);
        element.to_string()
    });
}

/// Takes the zeroes at the end of fractions away: `{"N": "1.50"}` is `{"N": "1.5"}`.
fn trim_numbers(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, inner) in members.iter_mut() {
                match inner {
                    Value::String(number) if key == "N" && number.contains('.') => {
                        *number = number.trim_end_matches('0').trim_end_matches('.').to_owned();
                    }
                    other => trim_numbers(other),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(trim_numbers),
        _ => {}
    }
}

/// Sorts runs of items that share the index's sort key; an index that has none, or a projection that hides it, leaves
/// the whole result without an order.
pub(crate) fn sort_ties(items: &mut [Value], sort_key: Option<&str>) {
    let key_of = |item: &Value| sort_key.and_then(|name| item.get(name)).cloned();
    if items.iter().any(|item| key_of(item).is_none()) {
        return sort(items);
    }
    items.chunk_by_mut(|a, b| key_of(a) == key_of(b)).for_each(sort);
}

/// What all pages of a result say together.
pub(crate) fn merge_pages(pages: &[Response], mut items: Vec<Value>, order: Order<'_>, count_pages: bool) -> Response {
    items.iter_mut().for_each(sort_sets);
    match order {
        Order::None => sort(&mut items),
        Order::SortKey(name) => sort_ties(&mut items, name),
        Order::Promised => {}
    }
    let sum = |name: &str| -> u64 { pages.iter().filter_map(|page| page.body.get(name)?.as_u64()).sum() };
    let mut body = Map::new();
    body.insert("Count".to_owned(), sum("Count").into());
    body.insert("ScannedCount".to_owned(), sum("ScannedCount").into());
    if pages.iter().any(|page| page.body.get("Items").is_some()) {
        body.insert("Items".to_owned(), items.into());
    }
    if count_pages {
        let sizes = pages.iter().map(|page| page.body.get("ScannedCount").cloned().unwrap_or_default()).collect();
        body.insert("ScannedCount of each page".to_owned(), sizes);
    }
    if let [only] = pages
        && let Some(capacity) = only.body.get("ConsumedCapacity")
    {
        body.insert("ConsumedCapacity".to_owned(), capacity.clone());
    }
    let mut merged = pages.first().cloned().unwrap_or_else(|| Response {
        status: 200,
        body: Value::Null,
        headers: Vec::new(),
        raw_body: Vec::new(),
    });
    merged.body = Value::Object(body);
    merged
}

/// What DynamoDB promises about the order of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order<'a> {
    None,
    /// Ordered by this attribute; items that share it come in any order.
    SortKey(Option<&'a str>),
    Promised,
}

#[cfg(test)]
mod tests;
