//! Writes: parse the request, pass the table's gate, lock the items, work out new values and index rows from the old
//! ones, enqueue one commit, and answer once it is on disk.

mod batch;
mod changes;
mod intent;
mod key_rules;
mod pending;
mod single;
mod token;
mod transact;
mod value_rules;

pub use changes::{WriteCost, index_membership, row_changes};
pub use key_rules::{check_key, check_partition_size, check_sort_size};
pub use pending::Pending;
pub use token::TokenRecord;
pub use transact::report_by_table;

use std::sync::Arc;

use keyfold_dynamo::item::codec;
use keyfold_dynamo::{Attributes, ServiceError};

use crate::commit::store_failed;
use crate::engine::Shared;
use crate::in_flight::ItemLock;

/// A locked item's newest value, and whether it is still on its way to disk.
pub struct Newest {
    pub item: Option<Arc<Attributes>>,
    pub uncommitted: bool,
}

/// Reads the value a writer builds on.
pub fn newest(shared: &Shared, lock: &ItemLock<'_>, row: &[u8]) -> Result<Newest, ServiceError> {
    if let Some(uncommitted) = lock.uncommitted() {
        return Ok(Newest { item: uncommitted.item.clone(), uncommitted: true });
    }
    let stored = shared.store.get(row).map_err(|error| store_failed(&error))?;
    let item = stored.map(|bytes| decode(&bytes)).transpose()?;
    Ok(Newest { item: item.map(Arc::new), uncommitted: false })
}

pub fn decode(bytes: &[u8]) -> Result<Attributes, ServiceError> {
    codec::decode(bytes).map_err(|error| ServiceError::Internal(error.to_string()))
}
