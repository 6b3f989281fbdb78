//! The engine as a backend. Point operations run where they are called; operations that may take long step aside.

use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::{TableDescription, Tags};
use keyfold_dynamo::{Backend, BackendFuture};

use crate::engine::Engine;
use crate::offload::{heavy, heavy_if_many};

impl Backend for Engine {
    fn get_item(&self, input: GetItemInput) -> BackendFuture<'_, GetItemOutput> {
        Box::pin(async move { self.shared()?.get_item(&input) })
    }

    fn put_item(&self, input: PutItemInput) -> BackendFuture<'_, WriteOutput> {
        Box::pin(async move { self.shared()?.put_item(input)?.settle().await })
    }

    fn update_item(&self, input: UpdateItemInput) -> BackendFuture<'_, WriteOutput> {
        Box::pin(async move { self.shared()?.update_item(input)?.settle().await })
    }

    fn delete_item(&self, input: DeleteItemInput) -> BackendFuture<'_, WriteOutput> {
        Box::pin(async move { self.shared()?.delete_item(input)?.settle().await })
    }

    fn query(&self, input: QueryInput) -> BackendFuture<'_, PageOutput> {
        Box::pin(async move { self.shared()?.query(&input).await })
    }

    fn scan(&self, input: ScanInput) -> BackendFuture<'_, PageOutput> {
        Box::pin(async move { self.shared()?.scan(&input).await })
    }

    fn batch_get_item(&self, input: BatchGetItemInput) -> BackendFuture<'_, BatchGetItemOutput> {
        Box::pin(async move {
            let keys = input.requests.iter().map(|(_, request)| request.keys.len()).sum();
            heavy_if_many(keys, || self.shared()?.batch_get_item(input))
        })
    }

    fn batch_write_item(&self, input: BatchWriteItemInput) -> BackendFuture<'_, BatchWriteItemOutput> {
        Box::pin(async move { self.shared()?.batch_write_item(input)?.settle().await })
    }

    fn transact_get_items(&self, input: TransactGetItemsInput) -> BackendFuture<'_, TransactGetItemsOutput> {
        Box::pin(async move { heavy_if_many(input.gets.len(), || self.shared()?.transact_get_items(&input)) })
    }

    fn transact_write_items(&self, input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        Box::pin(async move {
            heavy_if_many(input.writes.len(), || self.shared()?.transact_write_items(input))?.settle().await
        })
    }

    fn create_table(&self, input: CreateTableInput) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move { heavy(|| self.shared()?.create_table(input))?.settle().await })
    }

    fn update_table(&self, input: UpdateTableInput) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move { heavy(|| self.shared()?.update_table(input))?.settle().await })
    }

    fn delete_table(&self, table_name: String) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move { heavy(|| self.shared()?.delete_table(&table_name))?.settle().await })
    }

    fn describe_table(&self, table_name: String) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move { self.shared()?.describe_table(&table_name) })
    }

    fn list_tables(&self, input: ListTablesInput) -> BackendFuture<'_, ListTablesOutput> {
        Box::pin(async move { self.shared()?.list_tables(&input) })
    }

    fn describe_time_to_live(&self, table_name: String) -> BackendFuture<'_, TimeToLiveDescription> {
        Box::pin(async move { self.shared()?.describe_time_to_live(&table_name) })
    }

    fn update_time_to_live(&self, input: UpdateTimeToLiveInput) -> BackendFuture<'_, UpdateTimeToLiveInput> {
        Box::pin(async move { heavy(|| self.shared()?.update_time_to_live(input))?.settle().await })
    }

    fn describe_continuous_backups(&self, table_name: String) -> BackendFuture<'_, ContinuousBackupsDescription> {
        Box::pin(async move { self.shared()?.describe_continuous_backups(&table_name) })
    }

    fn describe_kinesis_destinations(&self, table_name: String) -> BackendFuture<'_, KinesisDestinations> {
        Box::pin(async move { self.shared()?.describe_kinesis_destinations(&table_name) })
    }

    fn describe_limits(&self) -> BackendFuture<'_, LimitsDescription> {
        Box::pin(async move { Ok(self.shared()?.describe_limits()) })
    }

    fn tag_resource(&self, arn: String, tags: Tags) -> BackendFuture<'_, ()> {
        Box::pin(async move { heavy(|| self.shared()?.tag_resource(&arn, tags))?.settle().await })
    }

    fn untag_resource(&self, arn: String, keys: Vec<String>) -> BackendFuture<'_, ()> {
        Box::pin(async move { heavy(|| self.shared()?.untag_resource(&arn, &keys))?.settle().await })
    }

    fn list_tags_of_resource(&self, arn: String, next_token: Option<String>) -> BackendFuture<'_, TagsPage> {
        Box::pin(async move { self.shared()?.list_tags_of_resource(&arn, next_token.as_deref()) })
    }
}
