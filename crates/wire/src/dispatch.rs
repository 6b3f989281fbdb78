//! Hands a request to the backend and writes down its answer.

use keyfold_dynamo::{Backend, ServiceError};

use crate::encode;
use crate::request::Request;

/// `host` is the address under which the client reached the server.
pub(crate) async fn dispatch(backend: &dyn Backend, request: Request, host: &str) -> Result<Vec<u8>, ServiceError> {
    Ok(match request {
        Request::GetItem(input) => encode::get(&backend.get_item(input).await?)?,
        Request::PutItem(input) => encode::write(&backend.put_item(input).await?),
        Request::UpdateItem(input) => encode::write(&backend.update_item(input).await?),
        Request::DeleteItem(input) => encode::write(&backend.delete_item(input).await?),
        Request::Query(input) => encode::page(&backend.query(input).await?)?,
        Request::Scan(input) => encode::page(&backend.scan(input).await?)?,
        Request::BatchGetItem(input) => encode::batch_get(&backend.batch_get_item(input).await?)?,
        Request::BatchWriteItem(input) => encode::batch_write(&backend.batch_write_item(input).await?),
        Request::TransactGetItems(input) => encode::transact_get(&backend.transact_get_items(input).await?)?,
        Request::TransactWriteItems(input) => encode::transact_write(&backend.transact_write_items(input).await?),
        Request::CreateTable(input) => encode::described_table("TableDescription", &backend.create_table(input).await?),
        Request::UpdateTable(input) => encode::described_table("TableDescription", &backend.update_table(input).await?),
        Request::DeleteTable(name) => encode::described_table("TableDescription", &backend.delete_table(name).await?),
        Request::DescribeTable(name) => encode::described_table("Table", &backend.describe_table(name).await?),
        Request::ListTables(input) => encode::list_tables(&backend.list_tables(input).await?),
        Request::DescribeTimeToLive(name) => encode::time_to_live(&backend.describe_time_to_live(name).await?),
        Request::UpdateTimeToLive(input) => {
            encode::time_to_live_specification(&backend.update_time_to_live(input).await?)
        }
        Request::DescribeContinuousBackups(name) => {
            encode::continuous_backups(&backend.describe_continuous_backups(name).await?)
        }
        Request::DescribeLimits => encode::limits(&backend.describe_limits().await?),
        Request::DescribeEndpoints => encode::endpoints(host),
        Request::TagResource { arn, tags } => {
            backend.tag_resource(arn, tags).await?;
            Vec::new()
        }
        Request::UntagResource { arn, keys } => {
            backend.untag_resource(arn, keys).await?;
            Vec::new()
        }
        Request::ListTagsOfResource { arn, next_token } => {
            encode::tags_page(&backend.list_tags_of_resource(arn, next_token).await?)
        }
    })
}
