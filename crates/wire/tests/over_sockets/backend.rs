//! A backend that records its requests and returns the responses that the test sets.

use std::sync::Mutex;
use std::time::Duration;

use keyfold_dynamo::backend::{Backend, BackendFuture};
use keyfold_dynamo::error::ServiceError;
use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::*;
use keyfold_dynamo::{AttributeValue, Attributes};

/// What GetItem does.
#[derive(Clone)]
pub(crate) enum Behaviour {
    Item(Attributes),
    Nothing,
    Fail(ServiceError),
    Panic,
    Wait(Duration),
}

pub(crate) struct Scripted {
    behaviour: Mutex<Behaviour>,
    calls: Mutex<Vec<String>>,
}

impl Scripted {
    pub(crate) fn new(behaviour: Behaviour) -> Self {
        Self { behaviour: Mutex::new(behaviour), calls: Mutex::new(Vec::new()) }
    }

    pub(crate) fn behave(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
    }

    /// The names of the operations asked for so far, each with its input.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    fn record<'a, T: Send + 'a>(&self, call: String, output: T) -> BackendFuture<'a, T> {
        self.calls.lock().unwrap().push(call);
        Box::pin(async move { Ok(output) })
    }
}

pub(crate) fn item(size: usize) -> Attributes {
    Attributes::from([
        ("p".to_owned(), AttributeValue::S("key".to_owned())),
        ("text".to_owned(), AttributeValue::S("x".repeat(size))),
    ])
}

fn described(name: String) -> TableDescription {
    TableDescription {
        arn: Some(format!("arn:aws:dynamodb:us-east-1:000000000000:table/{name}")),
        name,
        id: Some("00000000-0000-0000-0000-000000000000".to_owned()),
        status: TableStatus::Active,
        created_at: Some(1.0),
        attribute_definitions: Vec::new(),
        key_schema: Vec::new(),
        global_indexes: Vec::new(),
        local_indexes: Vec::new(),
        billing_mode: BillingMode::PayPerRequest,
        on_demand_since: None,
        throughput: ThroughputDescription::default(),
        on_demand: None,
        size_bytes: 0,
        item_count: 0,
        deletion_protection: false,
        table_class: None,
    }
}

impl Backend for Scripted {
    fn get_item(&self, input: GetItemInput) -> BackendFuture<'_, GetItemOutput> {
        self.calls.lock().unwrap().push(format!("GetItem {}", input.table_name));
        let behaviour = self.behaviour.lock().unwrap().clone();
        Box::pin(async move {
            match behaviour {
                Behaviour::Item(item) => Ok(GetItemOutput { item: Some(item.into()), consumed_capacity: None }),
                Behaviour::Nothing => Ok(GetItemOutput::default()),
                Behaviour::Fail(error) => Err(error),
                Behaviour::Panic => panic!("a panic that a test asked for"),
                Behaviour::Wait(time) => {
                    tokio::time::sleep(time).await;
                    Ok(GetItemOutput::default())
                }
            }
        })
    }

    fn put_item(&self, input: PutItemInput) -> BackendFuture<'_, WriteOutput> {
        self.record(format!("PutItem {} {:?}", input.table_name, input.item), WriteOutput::default())
    }

    fn update_item(&self, input: UpdateItemInput) -> BackendFuture<'_, WriteOutput> {
        self.record(format!("UpdateItem {}", input.table_name), WriteOutput::default())
    }

    fn delete_item(&self, input: DeleteItemInput) -> BackendFuture<'_, WriteOutput> {
        self.record(format!("DeleteItem {}", input.table_name), WriteOutput::default())
    }

    fn query(&self, input: QueryInput) -> BackendFuture<'_, PageOutput> {
        let page = PageOutput { items: Some(Vec::new()), ..PageOutput::default() };
        self.record(format!("Query {}", input.table_name), page)
    }

    fn scan(&self, input: ScanInput) -> BackendFuture<'_, PageOutput> {
        self.record(format!("Scan {}", input.table_name), PageOutput::default())
    }

    fn batch_get_item(&self, input: BatchGetItemInput) -> BackendFuture<'_, BatchGetItemOutput> {
        self.record(format!("BatchGetItem {}", input.requests.len()), BatchGetItemOutput::default())
    }

    fn batch_write_item(&self, input: BatchWriteItemInput) -> BackendFuture<'_, BatchWriteItemOutput> {
        self.record(format!("BatchWriteItem {}", input.requests.len()), BatchWriteItemOutput::default())
    }

    fn transact_get_items(&self, input: TransactGetItemsInput) -> BackendFuture<'_, TransactGetItemsOutput> {
        self.record(format!("TransactGetItems {}", input.gets.len()), TransactGetItemsOutput::default())
    }

    fn transact_write_items(&self, input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        self.record(format!("TransactWriteItems {}", input.writes.len()), TransactWriteItemsOutput::default())
    }

    fn create_table(&self, input: CreateTableInput) -> BackendFuture<'_, TableDescription> {
        self.record(format!("CreateTable {}", input.table_name), described(input.table_name))
    }

    fn update_table(&self, input: UpdateTableInput) -> BackendFuture<'_, TableDescription> {
        self.record(format!("UpdateTable {}", input.table_name), described(input.table_name))
    }

    fn delete_table(&self, table_name: String) -> BackendFuture<'_, TableDescription> {
        self.record(format!("DeleteTable {table_name}"), described(table_name))
    }

    fn describe_table(&self, table_name: String) -> BackendFuture<'_, TableDescription> {
        self.record(format!("DescribeTable {table_name}"), described(table_name))
    }

    fn list_tables(&self, _: ListTablesInput) -> BackendFuture<'_, ListTablesOutput> {
        let output = ListTablesOutput { table_names: vec!["table".to_owned()], last_evaluated: None };
        self.record("ListTables".to_owned(), output)
    }

    fn describe_time_to_live(&self, table_name: String) -> BackendFuture<'_, TimeToLiveDescription> {
        let output = TimeToLiveDescription { status: TimeToLiveStatus::Disabled, attribute_name: None };
        self.record(format!("DescribeTimeToLive {table_name}"), output)
    }

    fn update_time_to_live(&self, input: UpdateTimeToLiveInput) -> BackendFuture<'_, UpdateTimeToLiveInput> {
        self.record(format!("UpdateTimeToLive {}", input.table_name), input)
    }

    fn describe_continuous_backups(&self, table_name: String) -> BackendFuture<'_, ContinuousBackupsDescription> {
        let output = ContinuousBackupsDescription { enabled: true, point_in_time_recovery: false };
        self.record(format!("DescribeContinuousBackups {table_name}"), output)
    }

    fn describe_kinesis_destinations(&self, table_name: String) -> BackendFuture<'_, KinesisDestinations> {
        let call = format!("DescribeKinesisStreamingDestination {table_name}");
        self.record(call, KinesisDestinations { table_name, destinations: Vec::new() })
    }

    fn describe_limits(&self) -> BackendFuture<'_, LimitsDescription> {
        self.record("DescribeLimits".to_owned(), LimitsDescription::default())
    }

    fn tag_resource(&self, arn: String, tags: Tags) -> BackendFuture<'_, ()> {
        self.record(format!("TagResource {arn} {tags:?}"), ())
    }

    fn untag_resource(&self, arn: String, keys: Vec<String>) -> BackendFuture<'_, ()> {
        self.record(format!("UntagResource {arn} {keys:?}"), ())
    }

    fn list_tags_of_resource(&self, arn: String, next_token: Option<String>) -> BackendFuture<'_, TagsPage> {
        self.record(format!("ListTagsOfResource {arn} {next_token:?}"), TagsPage::default())
    }
}
