//! Writes: check the request, enter the table's gate, lock the items, compute new values and index rows from the old
//! ones, enqueue one commit, and respond once it is on disk.

mod batch;
mod changes;
mod intent;
mod key_rules;
mod pending;
mod single;
mod token;
mod transact;
mod value_rules;

pub(crate) use changes::{index_membership, row_changes};
pub(crate) use key_rules::{check_key, check_partition_size, check_sort_size};
pub(crate) use pending::Pending;
pub(crate) use token::TokenRecord;
pub(crate) use transact::report_by_table;

use std::sync::Arc;

use keyfold_dynamo::item::codec;
use keyfold_dynamo::{Attributes, ServiceError};

use crate::commit::store_failed;
use crate::in_flight::ItemLock;
use crate::shared::Shared;

/// The newest value of a locked item, and whether it is not on disk yet.
pub(crate) struct Newest {
    pub item: Option<Arc<Attributes>>,
    pub uncommitted: bool,
}

/// Reads the value that a write is based on.
pub(crate) fn read_newest(shared: &Shared, lock: &ItemLock<'_>, row: &[u8]) -> Result<Newest, ServiceError> {
    if let Some(uncommitted) = lock.uncommitted() {
        return Ok(Newest { item: uncommitted.item.clone(), uncommitted: true });
    }
    let stored = shared.store.get(row).map_err(|error| store_failed(&error))?;
    let item = stored.map(|bytes| decode(&bytes)).transpose()?;
    Ok(Newest { item: item.map(Arc::new), uncommitted: false })
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Attributes, ServiceError> {
    codec::decode(bytes).map_err(|error| ServiceError::Internal(error.to_string()))
}
