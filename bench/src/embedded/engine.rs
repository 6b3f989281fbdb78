//! The engine under measurement and the inputs it is given.

use crate::{
    Outcome,
    dataset::{License, PARTITION_ITEMS, account_partition, enterprise_partition, license_sort_key},
    http::workload::TABLE,
};
use keyfold_dynamo::{
    AttributeValue, Attributes, Backend as _, Number,
    expression::KeyCondition,
    operation::{
        BatchWriteItemInput, BatchWriteRequest, CreateTableInput, GetItemInput, PageOptions, PutItemInput, QueryInput,
    },
    table::{
        AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
    },
};
use keyfold_engine::{Engine, Options};
use pollster::block_on;
use std::path::Path;

/// Opens the engine as a server would: durable, with default settings.
pub(crate) fn open(folder: &Path) -> Outcome<Engine> {
    Ok(Engine::open(folder, Options::default())?)
}

/// Creates the table with its three indexes and loads it.
pub(crate) fn load(engine: &Engine, total: u64) -> Outcome<()> {
    block_on(engine.create_table(create_table()))?;
    for start in (0..total).step_by(25) {
        let puts = (start..(start + 25).min(total))
            .map(|number| Ok(BatchWriteRequest::Put { item: license(number, total)? }))
            .collect::<Outcome<Vec<_>>>()?;
        let input = BatchWriteItemInput { requests: vec![(TABLE.to_owned(), puts)], ..Default::default() };
        block_on(engine.batch_write_item(input))?;
    }
    Ok(())
}

/// One of `total` items.
pub(crate) fn license(number: u64, total: u64) -> Outcome<Attributes> {
    attributes(&License::new(number, total).json(0))
}

/// The table with its three indexes.
pub(crate) fn create_table() -> CreateTableInput {
    let schema = |hash: String, range: String| {
        vec![
            KeySchemaElement { name: hash, role: KeyRole::Hash },
            KeySchemaElement { name: range, role: KeyRole::Range },
        ]
    };
    let names = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK"];
    let indexes = [1, 2, 3].map(|number| IndexSpec {
        name: format!("GSI{number}"),
        key_schema: schema(format!("GSI{number}PK"), format!("GSI{number}SK")),
        projection: ProjectionSpec { projection_type: Some(ProjectionType::All), non_key_attributes: None },
        throughput: None,
        on_demand: None,
    });
    CreateTableInput {
        table_name: TABLE.to_owned(),
        attribute_definitions: names
            .map(|name| AttributeDefinition { name: name.to_owned(), key_type: KeyType::S })
            .to_vec(),
        key_schema: schema("PK".to_owned(), "SK".to_owned()),
        global_indexes: Some(indexes.to_vec()),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..Default::default()
    }
}

pub(crate) fn get_input(number: u64) -> GetItemInput {
    let key = [
        ("PK".to_owned(), AttributeValue::S(account_partition(number))),
        ("SK".to_owned(), AttributeValue::S(license_sort_key(number))),
    ];
    GetItemInput { table_name: TABLE.to_owned(), key: key.into(), ..Default::default() }
}

pub(crate) fn put_input(number: u64, total: u64) -> Outcome<PutItemInput> {
    let item = license(number, total)?;
    Ok(PutItemInput { table_name: TABLE.to_owned(), item, ..Default::default() })
}

/// A query of one table partition.
pub(crate) fn query_input(partition: u64) -> QueryInput {
    partition_query("PK", account_partition(partition * PARTITION_ITEMS), None)
}

/// A query of one GSI2 partition.
pub(crate) fn index_query_input(partition: u64) -> QueryInput {
    partition_query("GSI2PK", enterprise_partition(partition), Some("GSI2".to_owned()))
}

fn partition_query(key: &str, partition: String, index_name: Option<String>) -> QueryInput {
    QueryInput {
        table_name: TABLE.to_owned(),
        key_condition: KeyCondition::partition(key, AttributeValue::S(partition)),
        forward: true,
        page: PageOptions { index_name, ..Default::default() },
    }
}

/// An item in DynamoDB's JSON as attributes.
fn attributes(json: &str) -> Outcome<Attributes> {
    let value: serde_json::Value = serde_json::from_str(json)?;
    map(&value)
}

fn map(value: &serde_json::Value) -> Outcome<Attributes> {
    let object = value.as_object().ok_or("an item is not an object")?;
    object.iter().map(|(name, value)| Ok((name.clone(), attribute(value)?))).collect()
}

fn attribute(value: &serde_json::Value) -> Outcome<AttributeValue> {
    let (kind, inner) = value.as_object().and_then(|object| object.iter().next()).ok_or("a value has no type")?;
    let text = || inner.as_str().ok_or("a value is not a string");
    Ok(match kind.as_str() {
        "S" => AttributeValue::S(text()?.to_owned()),
        "N" => AttributeValue::N(Number::parse(text()?)?),
        "BOOL" => AttributeValue::Bool(inner.as_bool().ok_or("a value is not a Boolean")?),
        "M" => AttributeValue::M(map(inner)?),
        "L" => {
            let list = inner.as_array().ok_or("a list is not an array")?;
            AttributeValue::L(list.iter().map(attribute).collect::<Outcome<_>>()?)
        }
        other => return Err(format!("the data set has no values of type {other}").into()),
    })
}
