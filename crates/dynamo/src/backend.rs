//! The trait that a table backend implements: the embedded engine, or a client of DynamoDB itself.

use std::future::Future;
use std::pin::Pin;

use crate::error::ServiceError;
use crate::operation::*;
use crate::table::{TableDescription, Tags};

/// The future of one operation.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, ServiceError>> + Send + 'a>>;

/// Every operation that Keyfold asks of a table store, with DynamoDB's semantics.
pub trait Backend: Send + Sync {
    fn get_item(&self, input: GetItemInput) -> Answer<'_, GetItemOutput>;
    fn put_item(&self, input: PutItemInput) -> Answer<'_, WriteOutput>;
    fn update_item(&self, input: UpdateItemInput) -> Answer<'_, WriteOutput>;
    fn delete_item(&self, input: DeleteItemInput) -> Answer<'_, WriteOutput>;
    fn query(&self, input: QueryInput) -> Answer<'_, PageOutput>;
    fn scan(&self, input: ScanInput) -> Answer<'_, PageOutput>;
    fn batch_get_item(&self, input: BatchGetItemInput) -> Answer<'_, BatchGetItemOutput>;
    fn batch_write_item(&self, input: BatchWriteItemInput) -> Answer<'_, BatchWriteItemOutput>;
    fn transact_get_items(&self, input: TransactGetItemsInput) -> Answer<'_, TransactGetItemsOutput>;
    fn transact_write_items(&self, input: TransactWriteItemsInput) -> Answer<'_, TransactWriteItemsOutput>;

    fn create_table(&self, input: CreateTableInput) -> Answer<'_, TableDescription>;
    fn update_table(&self, input: UpdateTableInput) -> Answer<'_, TableDescription>;
    fn delete_table(&self, table_name: String) -> Answer<'_, TableDescription>;
    fn describe_table(&self, table_name: String) -> Answer<'_, TableDescription>;
    fn list_tables(&self, input: ListTablesInput) -> Answer<'_, ListTablesOutput>;

    fn describe_time_to_live(&self, table_name: String) -> Answer<'_, TimeToLiveDescription>;
    fn update_time_to_live(&self, input: UpdateTimeToLiveInput) -> Answer<'_, UpdateTimeToLiveInput>;
    fn describe_continuous_backups(&self, table_name: String) -> Answer<'_, ContinuousBackupsDescription>;
    fn describe_limits(&self) -> Answer<'_, LimitsDescription>;

    fn tag_resource(&self, arn: String, tags: Tags) -> Answer<'_, ()>;
    fn untag_resource(&self, arn: String, keys: Vec<String>) -> Answer<'_, ()>;
    fn list_tags_of_resource(&self, arn: String, next_token: Option<String>) -> Answer<'_, TagsPage>;
}
