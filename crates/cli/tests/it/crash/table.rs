//! The table, shaped like the `platform` design: one overloaded table, three global indexes, one per projection kind.

use keyfold_conformance::Endpoint;
use serde_json::{Map, Value, json};

pub(crate) const TABLE: &str = "crash_app_data";
pub(crate) const INDEXES: [&str; 3] = ["GSI1", "GSI2", "GSI3"];
/// What GSI2 carries besides keys.
const INCLUDED: [&str; 2] = ["Title", "Revision"];

/// An item, its attributes in DynamoDB's JSON.
pub(crate) type Item = Map<String, Value>;

/// Partition and sort key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub partition: String,
    pub sort: String,
}

impl Key {
    pub(crate) fn of(item: &Item) -> Self {
        Self { partition: text(item, "PK").to_owned(), sort: text(item, "SK").to_owned() }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({"PK": {"S": self.partition}, "SK": {"S": self.sort}})
    }
}

/// A string attribute, empty if absent.
pub(crate) fn text<'a>(item: &'a Item, attribute: &str) -> &'a str {
    item.get(attribute).and_then(|value| value.get("S")).and_then(Value::as_str).unwrap_or_default()
}

/// A whole-number attribute, 0 if absent.
pub(crate) fn number(item: &Item, attribute: &str) -> i64 {
    let digits = item.get(attribute).and_then(|value| value.get("N")).and_then(Value::as_str);
    digits.map_or(0, |digits| digits.parse().expect("a whole number"))
}

pub(crate) fn item(attributes: Value) -> Item {
    match attributes {
        Value::Object(map) => map,
        other => panic!("not an item: {other}"),
    }
}

/// What the index holds for an item: nothing if the item lacks one of the index's keys.
pub(crate) fn index_row(index: &str, item: &Item) -> Option<Item> {
    let keys = [format!("{index}PK"), format!("{index}SK")];
    if !keys.iter().all(|key| item.contains_key(key)) {
        return None;
    }
    let carried = |name: &str| match index {
        "GSI1" => true,
        "GSI2" => INCLUDED.contains(&name),
        _ => false,
    };
    let is_key = |name: &String| name == "PK" || name == "SK" || keys.contains(name);
    Some(item.iter().filter(|(name, _)| is_key(name) || carried(name)).map(|(n, v)| (n.clone(), v.clone())).collect())
}

pub(crate) fn create(endpoint: &Endpoint) {
    let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    let schema = |prefix: &str| json!([key(&format!("{prefix}PK"), "HASH"), key(&format!("{prefix}SK"), "RANGE")]);
    let projections = [
        json!({"ProjectionType": "ALL"}),
        json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": INCLUDED}),
        json!({"ProjectionType": "KEYS_ONLY"}),
    ];
    let indexes: Vec<Value> = INDEXES
        .iter()
        .zip(projections)
        .map(|(index, projection)| json!({"IndexName": index, "KeySchema": schema(index), "Projection": projection}))
        .collect();
    let names = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK"];
    let attributes: Vec<Value> =
        names.iter().map(|name| json!({"AttributeName": name, "AttributeType": "S"})).collect();
    must(
        endpoint,
        "CreateTable",
        &json!({
            "TableName": TABLE,
            "AttributeDefinitions": attributes,
            "KeySchema": schema(""),
            "GlobalSecondaryIndexes": indexes,
            "BillingMode": "PAY_PER_REQUEST",
        }),
    );
    while description(endpoint).expect("the new table")["TableStatus"] != "ACTIVE" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// `None` if there is no such table.
pub(crate) fn description(endpoint: &Endpoint) -> Option<Value> {
    let response = endpoint.call("DescribeTable", &json!({"TableName": TABLE})).expect("an answer to DescribeTable");
    match response.error_type() {
        None => Some(response.body["Table"].clone()),
        Some("ResourceNotFoundException") => None,
        Some(_) => panic!("DescribeTable: {}", response.body),
    }
}

/// A call that has to succeed; returns the body.
pub(crate) fn must(endpoint: &Endpoint, operation: &str, request: &Value) -> Value {
    let response = endpoint.call(operation, request).unwrap_or_else(|error| panic!("{operation}: {error}"));
    assert!(response.is_success(), "{operation} answered {}: {}", response.status, response.body);
    response.body
}

/// All items of the table, or of an index, page by page.
pub(crate) fn scan(endpoint: &Endpoint, index: Option<&str>) -> Vec<Item> {
    let mut request = json!({"TableName": TABLE});
    match index {
        Some(index) => request["IndexName"] = json!(index),
        None => request["ConsistentRead"] = json!(true),
    }
    pages(endpoint, "Scan", request)
}

/// All rows of one partition of an index, page by page.
pub(crate) fn query(endpoint: &Endpoint, index: &str, partition: &str) -> Vec<Item> {
    pages(
        endpoint,
        "Query",
        json!({
            "TableName": TABLE,
            "IndexName": index,
            "KeyConditionExpression": format!("{index}PK = :partition"),
            "ExpressionAttributeValues": {":partition": {"S": partition}},
        }),
    )
}

fn pages(endpoint: &Endpoint, operation: &str, mut request: Value) -> Vec<Item> {
    let mut items = Vec::new();
    loop {
        let mut page = must(endpoint, operation, &request);
        match page["Items"].take() {
            Value::Array(found) => items.extend(found.into_iter().map(item)),
            other => panic!("{operation} answered no list of items: {other}"),
        }
        match page["LastEvaluatedKey"].take() {
            Value::Null => return items,
            key => request["ExclusiveStartKey"] = key,
        }
    }
}
