//! Decoded requests, answered by the engine.

use keyfold_dynamo::{Backend, ServiceError};
use keyfold_engine::Engine;
use keyfold_wire::Request;
use pollster::block_on;

/// Has the engine answer a request, and drops the answer.
pub fn answer(engine: &Engine, request: Request) -> Result<(), ServiceError> {
    match request {
        Request::GetItem(input) => block_on(engine.get_item(input)).map(drop),
        Request::PutItem(input) => block_on(engine.put_item(input)).map(drop),
        Request::UpdateItem(input) => block_on(engine.update_item(input)).map(drop),
        Request::DeleteItem(input) => block_on(engine.delete_item(input)).map(drop),
        Request::Query(input) => block_on(engine.query(input)).map(drop),
        Request::Scan(input) => block_on(engine.scan(input)).map(drop),
        Request::BatchGetItem(input) => block_on(engine.batch_get_item(input)).map(drop),
        Request::BatchWriteItem(input) => block_on(engine.batch_write_item(input)).map(drop),
        Request::TransactGetItems(input) => block_on(engine.transact_get_items(input)).map(drop),
        Request::TransactWriteItems(input) => block_on(engine.transact_write_items(input)).map(drop),
        Request::CreateTable(input) => block_on(engine.create_table(input)).map(drop),
        Request::UpdateTable(input) => block_on(engine.update_table(input)).map(drop),
        Request::DeleteTable(table_name) => block_on(engine.delete_table(table_name)).map(drop),
        Request::DescribeTable(table_name) => block_on(engine.describe_table(table_name)).map(drop),
        Request::ListTables(input) => block_on(engine.list_tables(input)).map(drop),
        Request::DescribeTimeToLive(table_name) => block_on(engine.describe_time_to_live(table_name)).map(drop),
        Request::UpdateTimeToLive(input) => block_on(engine.update_time_to_live(input)).map(drop),
        Request::DescribeContinuousBackups(name) => block_on(engine.describe_continuous_backups(name)).map(drop),
        Request::DescribeKinesisStreamingDestination(name) => {
            block_on(engine.describe_kinesis_destinations(name)).map(drop)
        }
        Request::DescribeLimits => block_on(engine.describe_limits()).map(drop),
        Request::DescribeEndpoints => Ok(()),
        Request::TagResource { arn, tags } => block_on(engine.tag_resource(arn, tags)),
        Request::UntagResource { arn, keys } => block_on(engine.untag_resource(arn, keys)),
        Request::ListTagsOfResource { arn, next_token } => {
            block_on(engine.list_tags_of_resource(arn, next_token)).map(drop)
        }
    }
}
