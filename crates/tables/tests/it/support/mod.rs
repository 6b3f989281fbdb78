//! Tables to plan for and to copy, and a backend that misbehaves on demand.

mod unruly;

pub(crate) use unruly::{Mischief, Unruly};

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use keyfold_dynamo::operation::{
    BatchWriteItemInput, BatchWriteRequest, CreateTableInput, PutItemInput, ScanInput, UpdateTimeToLiveInput,
};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
};
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_engine::{Engine, Options};
use keyfold_environment::Backoff;
use keyfold_tables::DesiredTable;
use keyfold_tables::copy::{CopyOptions, Side};

pub(crate) fn engine() -> Arc<Engine> {
    Arc::new(Engine::in_memory(Options::default()).unwrap())
}

pub(crate) fn schema(partition: &str, sort: Option<&str>) -> Vec<KeySchemaElement> {
    let element = |name: &str, role| KeySchemaElement { name: name.to_owned(), role };
    let sort = sort.map(|name| element(name, KeyRole::Range));
    std::iter::once(element(partition, KeyRole::Hash)).chain(sort).collect()
}

pub(crate) fn index(name: &str, partition: &str, sort: Option<&str>, projects: ProjectionType) -> IndexSpec {
    IndexSpec {
        name: name.to_owned(),
        key_schema: schema(partition, sort),
        projection: ProjectionSpec { projection_type: Some(projects), non_key_attributes: None },
        throughput: None,
        on_demand: None,
    }
}

/// A table on demand with keys `PK` and `SK`, and indexes on attributes that are texts but for `score`.
pub(crate) fn table(name: &str, indexes: Vec<IndexSpec>) -> DesiredTable {
    let mut names = vec!["PK".to_owned(), "SK".to_owned()];
    for element in indexes.iter().flat_map(|index| &index.key_schema) {
        if !names.contains(&element.name) {
            names.push(element.name.clone());
        }
    }
    let key_type = |name: &str| if name == "score" { KeyType::N } else { KeyType::S };
    let definitions = names.into_iter().map(|name| AttributeDefinition { key_type: key_type(&name), name });
    let create = CreateTableInput {
        table_name: name.to_owned(),
        attribute_definitions: definitions.collect(),
        key_schema: schema("PK", Some("SK")),
        global_indexes: Some(indexes).filter(|indexes| !indexes.is_empty()),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTableInput::default()
    };
    DesiredTable { create, ..DesiredTable::default() }
}

pub(crate) fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

/// An item of many kinds of values.
pub(crate) fn item(number: u64) -> Attributes {
    Attributes::from([
        ("PK".to_owned(), text(&format!("ACCOUNT#{}", number % 97))),
        ("SK".to_owned(), text(&format!("ORDER#{number:08}"))),
        ("owner".to_owned(), text(&format!("owner {}", number % 11))),
        ("score".to_owned(), AttributeValue::N(number.into())),
        ("raw".to_owned(), AttributeValue::B(number.to_be_bytes().to_vec())),
        ("flags".to_owned(), AttributeValue::L(vec![AttributeValue::Bool(true), AttributeValue::Null])),
        ("words".to_owned(), AttributeValue::Ss(["b".to_owned(), "a".to_owned()].into())),
    ])
}

pub(crate) async fn put(backend: &dyn Backend, table: &str, item: Attributes) {
    backend.put_item(PutItemInput { table_name: table.to_owned(), item, ..PutItemInput::default() }).await.unwrap();
}

pub(crate) async fn fill(backend: &dyn Backend, table: &str, numbers: std::ops::Range<u64>) {
    let all: Vec<u64> = numbers.collect();
    for some in all.chunks(25) {
        let puts = some.iter().map(|number| BatchWriteRequest::Put { item: item(*number) }).collect();
        let input = BatchWriteItemInput { requests: vec![(table.to_owned(), puts)], ..Default::default() };
        assert!(backend.batch_write_item(input).await.unwrap().unprocessed.is_empty());
    }
}

pub(crate) async fn expire_by(backend: &dyn Backend, table: &str, attribute: &str) {
    let input =
        UpdateTimeToLiveInput { table_name: table.to_owned(), enabled: true, attribute_name: attribute.to_owned() };
    backend.update_time_to_live(input).await.unwrap();
}

/// Everything in a table or an index, by key.
pub(crate) async fn everything(
    backend: &dyn Backend,
    table: &str,
    index: Option<&str>,
) -> BTreeMap<String, Attributes> {
    let mut all = BTreeMap::new();
    let mut scan = ScanInput { table_name: table.to_owned(), ..ScanInput::default() };
    scan.page.index_name = index.map(str::to_owned);
    loop {
        let page = backend.scan(scan.clone()).await.unwrap();
        for item in page.items.unwrap() {
            let item = item.into_attributes().unwrap();
            let key = format!("{:?} {:?}", item["PK"], item["SK"]);
            assert!(all.insert(key, item).is_none(), "an item came twice");
        }
        scan.page.exclusive_start_key = page.last_evaluated_key;
        if scan.page.exclusive_start_key.is_none() {
            return all;
        }
    }
}

pub(crate) fn impatient() -> Backoff {
    Backoff { first: Duration::from_micros(50), longest: Duration::from_millis(1), attempts: 6 }
}

pub(crate) fn side(backend: &Arc<dyn Backend>, table: &str, location: &str) -> Side {
    Side { backend: Arc::clone(backend), table: table.to_owned(), location: location.to_owned() }
}

pub(crate) fn options(progress_file: &std::path::Path) -> CopyOptions {
    CopyOptions { backoff: impatient(), ..CopyOptions::new(progress_file.to_owned()) }
}
