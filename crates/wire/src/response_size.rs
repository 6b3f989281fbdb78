//! How large the responses of operations may become, in bytes, so that memory can be reserved while one is produced. Many
//! short attributes can make a response larger.

use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{
    BatchGetItemInput, PageOptions, ReturnValues, Select, TransactGetItemsInput, TransactWriteItemsInput, WriteOptions,
};

/// The largest item. Binary values grow by a third in base64.
const ITEM: usize = with_json(limits::ITEM_BYTES);
/// The largest page. It ends with the item that exceeds the limit.
const PAGE: usize = with_json(limits::PAGE_BYTES) + ITEM;
const BATCH: usize = with_json(limits::BATCH_GET_BYTES);
const TRANSACTION: usize = with_json(limits::TRANSACTION_BYTES);

const fn with_json(bytes: usize) -> usize {
    bytes + bytes / 3
}

pub(crate) fn write(options: &WriteOptions) -> usize {
    if options.return_values == ReturnValues::None && !options.return_old_on_failure { 0 } else { ITEM }
}

pub(crate) fn page(page: &PageOptions) -> usize {
    if page.select == Some(Select::Count) {
        return 0;
    }
    let count = page.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(0));
    items(count, PAGE)
}

pub(crate) fn batch_get(input: &BatchGetItemInput) -> usize {
    items(input.requests.iter().map(|(_, keys)| keys.keys.len()).sum(), BATCH)
}

pub(crate) fn transact_get(input: &TransactGetItemsInput) -> usize {
    items(input.gets.len(), TRANSACTION)
}

pub(crate) fn transact_write(input: &TransactWriteItemsInput) -> usize {
    items(input.writes.iter().filter(|write| write.return_old_on_failure).count(), TRANSACTION)
}

fn items(count: usize, most: usize) -> usize {
    count.saturating_mul(ITEM).min(most)
}
