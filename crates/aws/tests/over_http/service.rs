//! A service with a table of its own for each test.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use keyfold_aws::{Aws, Options};
use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::operation::{
    CreateTableInput, GetItemInput, PutItemInput, ReturnConsumedCapacity, UpdateItemInput, WriteOptions,
};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Item, Number};
use keyfold_engine::Engine;
use keyfold_test_server::serve;

pub(crate) struct Service {
    pub url: String,
    pub table: String,
    pub aws: Aws,
    /// The engine behind the service, where it is ours.
    pub engine: Option<Arc<Engine>>,
}

impl Service {
    pub(crate) async fn engine() -> Self {
        let engine = Arc::new(Engine::in_memory(keyfold_engine::Options::default()).unwrap());
        let url = serve(engine.clone()).await.unwrap();
        Self::at(url, Some(engine)).await
    }

    pub(crate) async fn dynamodb_local() -> Self {
        let url = std::env::var("KEYFOLD_DYNAMODB_LOCAL_URL").expect("KEYFOLD_DYNAMODB_LOCAL_URL says where it is");
        Self::at(url, None).await
    }

    async fn at(url: String, engine: Option<Arc<Engine>>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let table = format!("over-http-{}-{number}", std::process::id());
        let aws = client(&url).await;
        aws.create_table(table_input(&table)).await.unwrap();
        Self { url, table, aws, engine }
    }

    pub(crate) async fn put(&self, item: Attributes) {
        let input = PutItemInput { table_name: self.table.clone(), item, ..PutItemInput::default() };
        self.aws.put_item(input).await.unwrap();
    }

    /// The item with this partition key.
    pub(crate) async fn stored(&self, id: &str) -> Option<Attributes> {
        let input = GetItemInput {
            table_name: self.table.clone(),
            key: key(id),
            consistent_read: true,
            ..GetItemInput::default()
        };
        self.aws.get_item(input).await.unwrap().item.map(|item| Item::into_attributes(item).unwrap())
    }

    /// An update; the values of its expression are by their aliases.
    pub(crate) fn update(
        &self,
        id: &str,
        expression: &str,
        values: &[(&str, AttributeValue)],
        options: WriteOptions,
    ) -> UpdateItemInput {
        let update = Some(aliases(values).update(expression).unwrap());
        UpdateItemInput { table_name: self.table.clone(), key: key(id), update, options }
    }
}

/// A client of a service that is not Amazon's.
pub(crate) async fn client(url: &str) -> Aws {
    Aws::connect(Options { endpoint: Some(url.to_owned()), ..Options::default() }).await
}

/// A table with the partition key `pk` and an index by `group` and `points`.
pub(crate) fn table_input(name: &str) -> CreateTableInput {
    let definition = |name: &str, key_type| AttributeDefinition { name: name.to_owned(), key_type };
    let element = |name: &str, role| KeySchemaElement { name: name.to_owned(), role };
    CreateTableInput {
        table_name: name.to_owned(),
        attribute_definitions: vec![
            definition("pk", KeyType::S),
            definition("group", KeyType::S),
            definition("points", KeyType::N),
        ],
        key_schema: vec![element("pk", KeyRole::Hash)],
        global_indexes: Some(vec![IndexSpec {
            name: "byGroup".to_owned(),
            key_schema: vec![element("group", KeyRole::Hash), element("points", KeyRole::Range)],
            projection: ProjectionSpec { projection_type: Some(ProjectionType::All), non_key_attributes: None },
            throughput: None,
            on_demand: None,
        }]),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTableInput::default()
    }
}

pub(crate) fn key(id: &str) -> Attributes {
    Attributes::from([("pk".to_owned(), text(id))])
}

pub(crate) fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

pub(crate) fn number(number: i64) -> AttributeValue {
    AttributeValue::N(Number::parse(&number.to_string()).unwrap())
}

pub(crate) fn attributes(pairs: &[(&str, AttributeValue)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// An item of the table, in the index.
pub(crate) fn member(id: &str, group: &str, points: i64) -> Attributes {
    attributes(&[("pk", text(id)), ("group", text(group)), ("points", number(points))])
}

/// Options with a condition; the values are by their aliases.
pub(crate) fn under(condition: &str, values: &[(&str, AttributeValue)]) -> WriteOptions {
    WriteOptions { condition: Some(aliases(values).condition(condition).unwrap()), ..reporting() }
}

/// Options without a condition.
pub(crate) fn reporting() -> WriteOptions {
    WriteOptions { return_consumed_capacity: ReturnConsumedCapacity::Total, ..WriteOptions::default() }
}

pub(crate) fn aliases(values: &[(&str, AttributeValue)]) -> Aliases {
    let names = Some([("#n".to_owned(), "name".to_owned())].into());
    Aliases { names, values: (!values.is_empty()).then(|| attributes(values)) }
}
