//! How large the response to a request may become, so that memory can be reserved while it is produced.

use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{PageOptions, ReturnValues, Select, WriteOptions};

use crate::operation::{Operation, Request};

/// The largest item. Binary values grow by a third in base64.
const ITEM: usize = with_json(limits::ITEM_BYTES);
/// The largest page. It ends with the item that exceeds the limit.
const PAGE: usize = with_json(limits::PAGE_BYTES) + ITEM;
const BATCH: usize = with_json(limits::BATCH_GET_BYTES);
const TRANSACTION: usize = with_json(limits::TRANSACTION_BYTES);

const fn with_json(bytes: usize) -> usize {
    bytes + bytes / 3
}

/// What to reserve, in bytes; 0 for responses that are always small, or are produced at once. Many short attributes can
/// make a response larger.
pub(crate) fn estimate(request: &Request) -> usize {
    match request {
        Request::PutItem(input) => of_write(&input.options),
        Request::UpdateItem(input) => of_write(&input.options),
        Request::DeleteItem(input) => of_write(&input.options),
        Request::Query(input) => of_page(&input.page),
        Request::Scan(input) => of_page(&input.page),
        Request::BatchGetItem(input) => of_items(input.requests.iter().map(|(_, keys)| keys.keys.len()).sum(), BATCH),
        Request::TransactGetItems(input) => of_items(input.gets.len(), TRANSACTION),
        Request::TransactWriteItems(input) => {
            of_items(input.writes.iter().filter(|write| write.return_old_on_failure).count(), TRANSACTION)
        }
        Request::GetItem(_)
        | Request::BatchWriteItem(_)
        | Request::CreateTable(_)
        | Request::UpdateTable(_)
        | Request::DeleteTable(_)
        | Request::DescribeTable(_)
        | Request::ListTables(_)
        | Request::DescribeTimeToLive(_)
        | Request::UpdateTimeToLive(_)
        | Request::DescribeContinuousBackups(_)
        | Request::DescribeKinesisStreamingDestination(_)
        | Request::DescribeLimits
        | Request::DescribeEndpoints
        | Request::TagResource { .. }
        | Request::UntagResource { .. }
        | Request::ListTagsOfResource { .. } => 0,
    }
}

/// Whether an operation can be executed a second time instead of waiting with its response in memory.
pub(crate) fn is_repeatable(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::GetItem | Operation::Query | Operation::Scan | Operation::BatchGetItem | Operation::TransactGetItems
    )
}

fn of_write(options: &WriteOptions) -> usize {
    if options.return_values == ReturnValues::None && !options.return_old_on_failure { 0 } else { ITEM }
}

fn of_page(page: &PageOptions) -> usize {
    if page.select == Some(Select::Count) {
        return 0;
    }
    let items = page.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(0));
    of_items(items, PAGE)
}

fn of_items(items: usize, most: usize) -> usize {
    items.saturating_mul(ITEM).min(most)
}
