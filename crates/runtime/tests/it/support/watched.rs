//! A backend that shows every request to a hook before it goes on to the engine.

use std::sync::Arc;

use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::{TableDescription, Tags};
use keyfold_dynamo::{Answer, Backend, ServiceError};

/// A request for items.
#[derive(Debug, Clone)]
pub enum Call {
    Get(GetItemInput),
    Put(PutItemInput),
    Update(UpdateItemInput),
    Delete(DeleteItemInput),
    Query(QueryInput),
    Scan,
    BatchGet(BatchGetItemInput),
    BatchWrite(BatchWriteItemInput),
    Transact(TransactWriteItemsInput),
}

impl Call {
    pub fn is_write(&self) -> bool {
        matches!(self, Self::Put(_) | Self::Update(_) | Self::Delete(_) | Self::BatchWrite(_) | Self::Transact(_))
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Get(_) => "GetItem",
            Self::Put(_) => "PutItem",
            Self::Update(_) => "UpdateItem",
            Self::Delete(_) => "DeleteItem",
            Self::Query(_) => "Query",
            Self::Scan => "Scan",
            Self::BatchGet(_) => "BatchGetItem",
            Self::BatchWrite(_) => "BatchWriteItem",
            Self::Transact(_) => "TransactWriteItems",
        }
    }

    /// How many actions a transaction has.
    pub fn actions(&self) -> usize {
        match self {
            Self::Transact(input) => input.writes.len(),
            _ => 1,
        }
    }
}

/// Looks at requests, holds them up, or fails them.
pub trait Hook: Send + Sync {
    fn before(&self, call: Call) -> Answer<'_, ()>;

    /// After the request has been carried out; an error is a lost answer.
    fn after(&self, _call: Call) -> Answer<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

/// Lets everything pass.
pub struct Nothing;

impl Hook for Nothing {
    fn before(&self, _: Call) -> Answer<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

pub struct Watched<H> {
    pub inner: Arc<dyn Backend>,
    pub hook: H,
}

macro_rules! watched {
    ($($method:ident, $call:ident, $input:ty, $output:ty;)*) => {
        $(fn $method(&self, input: $input) -> Answer<'_, $output> {
            Box::pin(async move {
                let call = Call::$call(input.clone());
                self.hook.before(call.clone()).await?;
                let output = self.inner.$method(input).await?;
                self.hook.after(call).await?;
                Ok(output)
            })
        })*
    };
}

/// The operations that are not about items, handed on to `$inner`.
macro_rules! hand_on_tables {
    ($inner:ident) => {
        fn scan(&self, input: ScanInput) -> Answer<'_, PageOutput> {
            self.$inner.scan(input)
        }
        fn transact_get_items(&self, input: TransactGetItemsInput) -> Answer<'_, TransactGetItemsOutput> {
            self.$inner.transact_get_items(input)
        }
        fn create_table(&self, input: CreateTableInput) -> Answer<'_, TableDescription> {
            self.$inner.create_table(input)
        }
        fn update_table(&self, input: UpdateTableInput) -> Answer<'_, TableDescription> {
            self.$inner.update_table(input)
        }
        fn delete_table(&self, table_name: String) -> Answer<'_, TableDescription> {
            self.$inner.delete_table(table_name)
        }
        fn describe_table(&self, table_name: String) -> Answer<'_, TableDescription> {
            self.$inner.describe_table(table_name)
        }
        fn list_tables(&self, input: ListTablesInput) -> Answer<'_, ListTablesOutput> {
            self.$inner.list_tables(input)
        }
        fn describe_time_to_live(&self, table_name: String) -> Answer<'_, TimeToLiveDescription> {
            self.$inner.describe_time_to_live(table_name)
        }
        fn update_time_to_live(&self, input: UpdateTimeToLiveInput) -> Answer<'_, UpdateTimeToLiveInput> {
            self.$inner.update_time_to_live(input)
        }
        fn describe_continuous_backups(&self, table_name: String) -> Answer<'_, ContinuousBackupsDescription> {
            self.$inner.describe_continuous_backups(table_name)
        }
        fn describe_limits(&self) -> Answer<'_, LimitsDescription> {
            self.$inner.describe_limits()
        }
        fn tag_resource(&self, arn: String, tags: Tags) -> Answer<'_, ()> {
            self.$inner.tag_resource(arn, tags)
        }
        fn untag_resource(&self, arn: String, keys: Vec<String>) -> Answer<'_, ()> {
            self.$inner.untag_resource(arn, keys)
        }
        fn list_tags_of_resource(&self, arn: String, next_token: Option<String>) -> Answer<'_, TagsPage> {
            self.$inner.list_tags_of_resource(arn, next_token)
        }
    };
}
pub(crate) use hand_on_tables;

impl<H: Hook> Backend for Watched<H> {
    watched! {
        get_item, Get, GetItemInput, GetItemOutput;
        put_item, Put, PutItemInput, WriteOutput;
        update_item, Update, UpdateItemInput, WriteOutput;
        delete_item, Delete, DeleteItemInput, WriteOutput;
        query, Query, QueryInput, PageOutput;
        batch_get_item, BatchGet, BatchGetItemInput, BatchGetItemOutput;
        batch_write_item, BatchWrite, BatchWriteItemInput, BatchWriteItemOutput;
        transact_write_items, Transact, TransactWriteItemsInput, TransactWriteItemsOutput;
    }
    hand_on_tables!(inner);
}

/// What a service that has too much to do answers.
pub fn throttled() -> ServiceError {
    ServiceError::ProvisionedThroughputExceeded(
        "The level of configured provisioned throughput was exceeded".to_owned(),
    )
}
