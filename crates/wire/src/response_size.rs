//! How large the responses of operations may become, in bytes, so that memory can be reserved while one is produced.

use keyfold_dynamo::json_size;
use keyfold_dynamo::operation::{
    BatchGetItemInput, PageOptions, ReturnValues, Select, TransactGetItemsInput, TransactWriteItemsInput, WriteOptions,
};

pub(crate) fn write(options: &WriteOptions) -> usize {
    if options.return_values == ReturnValues::None && !options.return_old_on_failure { 0 } else { json_size::ITEM }
}

pub(crate) fn page(page: &PageOptions) -> usize {
    if page.select == Some(Select::Count) {
        return 0;
    }
    let count = page.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(0));
    items(count, json_size::PAGE)
}

pub(crate) fn batch_get(input: &BatchGetItemInput) -> usize {
    items(input.requests.iter().map(|(_, keys)| keys.keys.len()).sum(), json_size::BATCH)
}

pub(crate) fn transact_get(input: &TransactGetItemsInput) -> usize {
    items(input.gets.len(), json_size::TRANSACTION)
}

pub(crate) fn transact_write(input: &TransactWriteItemsInput) -> usize {
    items(input.writes.iter().filter(|write| write.return_old_on_failure).count(), json_size::TRANSACTION)
}

fn items(count: usize, most: usize) -> usize {
    count.saturating_mul(json_size::ITEM).min(most)
}
