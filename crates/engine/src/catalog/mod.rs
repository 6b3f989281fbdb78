//! The tables: their definitions, which are kept in the store, and the gate of each table.

mod definition;
mod record;
mod table;

pub(crate) use definition::{
    IndexDefinition, IndexKind, IndexProjection, IndexState, TableDefinition, ThroughputSetting, TimeToLive,
};
pub(crate) use table::Table;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use keyfold_dynamo::ServiceError;
use parking_lot::RwLock;

use crate::OpenError;
use crate::rows::layout::{self, RangeId};
use crate::store::{Change, Store};

/// All tables by name.
pub(crate) struct Catalog {
    tables: RwLock<BTreeMap<String, Arc<Table>>>,
    next_id: AtomicU32,
}

impl Catalog {
    /// Reads the definitions of all tables.
    pub(crate) fn load(store: &dyn Store) -> Result<Self, OpenError> {
        let mut tables = BTreeMap::new();
        for row in store.snapshot().range(layout::all_table_records(), false) {
            let (key, value) = row?;
            let definition = record::decode(&value).map_err(|_| OpenError::undecodable_definition(&key))?;
            tables.insert(definition.name.clone(), Arc::new(Table::new(definition)));
        }
        let key = layout::next_range_id();
        let next_id = match store.get(&key)? {
            Some(bytes) => <[u8; 4]>::try_from(&*bytes)
                .map(u32::from_be_bytes)
                .map_err(|_| OpenError::undecodable("the number of the next table", &key))?,
            None => 1,
        };
        Ok(Self { tables: RwLock::new(tables), next_id: AtomicU32::new(next_id) })
    }

    /// The table of an item operation.
    pub(crate) fn table(&self, name: &str) -> Result<Arc<Table>, ServiceError> {
        self.find(name).ok_or_else(ServiceError::no_such_table)
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<Table>> {
        self.tables.read().get(name).cloned()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Table>> {
        self.tables.read().values().cloned().collect()
    }

    /// The names that follow `after`, in order, at most `limit` of them, and whether more follow.
    pub(crate) fn names_after(&self, after: Option<&str>, limit: usize) -> (Vec<String>, bool) {
        let tables = self.tables.read();
        let mut names: Vec<String> = tables
            .keys()
            .filter(|name| after.is_none_or(|after| name.as_str() > after))
            .take(limit + 1)
            .cloned()
            .collect();
        let more = names.len() > limit;
        names.truncate(limit);
        (names, more)
    }

    /// Adds a table unless its name is taken; `false` if it is.
    pub(crate) fn add(&self, table: Arc<Table>) -> bool {
        let mut tables = self.tables.write();
        if tables.contains_key(&table.name) {
            return false;
        }
        tables.insert(table.name.clone(), table);
        true
    }

    pub(crate) fn remove(&self, name: &str) {
        self.tables.write().remove(name);
    }

    /// Allocates ids for new tables and indexes, with the row that records it. Ids are never reused.
    pub(crate) fn allocate_ids(&self, count: u32) -> (RangeId, Change) {
        let first = self.next_id.fetch_add(count, Ordering::SeqCst);
        let next = first.saturating_add(count);
        (first, Change::Put(layout::next_range_id(), next.to_be_bytes().to_vec()))
    }
}

/// A stored definition.
pub(crate) fn decode_definition(record: &[u8]) -> Result<TableDefinition, record::Undecodable> {
    record::decode(record)
}

/// The row that stores a definition.
pub(crate) fn definition_row(definition: &TableDefinition) -> Result<Change, ServiceError> {
    let record = record::encode(definition)
        .map_err(|error| ServiceError::Internal(format!("a table definition cannot be stored: {error}")))?;
    Ok(Change::Put(layout::table_record(&definition.name), record))
}
