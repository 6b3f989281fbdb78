//! How large JSON with items may become, in bytes, so that memory can be reserved while a response is produced. Binary
//! values grow by a third in base64. Many short attributes can make a response larger.

use crate::limits;

/// The largest item.
pub const ITEM: usize = in_json(limits::ITEM_BYTES);
/// The largest page. It ends with the item that exceeds the limit.
pub const PAGE: usize = in_json(limits::PAGE_BYTES) + ITEM;
/// The items of the largest BatchGetItem.
pub const BATCH: usize = in_json(limits::BATCH_GET_BYTES);
/// The items of the largest transaction.
pub const TRANSACTION: usize = in_json(limits::TRANSACTION_BYTES);

const fn in_json(bytes: usize) -> usize {
    bytes + bytes / 3
}
