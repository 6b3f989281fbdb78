//! The sizes of tables and indexes, for people.

use std::collections::BTreeMap;

use keyfold_dynamo::ServiceError;

use crate::OpenError;
use crate::catalog::{self, TableDefinition};
use crate::commit::{Count, decode_count, store_failed};
use crate::engine::Engine;
use crate::rows::layout::{self, RangeId};
use crate::store::Snapshot;

/// The sizes of everything in an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// Bytes that the store takes on disk; 0 for a store in memory.
    pub disk_bytes: u64,
    /// In the order of their names.
    pub tables: Vec<TableStat>,
}

/// The sizes of a table and its indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableStat {
    /// The table itself.
    pub table: RangeStat,
    /// Its global and local indexes.
    pub indexes: Vec<RangeStat>,
}

/// The items of a table or an index, and their bytes as DynamoDB counts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeStat {
    /// The name of the table or of the index.
    pub name: String,
    /// The number of items.
    pub items: u64,
    /// The sum of the items' sizes in bytes, by DynamoDB's rules.
    pub bytes: u64,
}

impl Engine {
    /// The sizes as of the last commit; nothing is scanned.
    pub fn stat(&self) -> Result<Stat, ServiceError> {
        let shared = self.shared()?;
        let tables = shared.catalog.all().into_iter().map(|table| {
            let definition = table.definition();
            TableStat::new(&definition, |id| shared.committer.count(id))
        });
        Ok(Stat {
            disk_bytes: shared.store.disk_bytes().map_err(|error| store_failed(&error))?,
            tables: tables.collect(),
        })
    }
}

impl TableStat {
    fn new(definition: &TableDefinition, count: impl Fn(RangeId) -> Count) -> Self {
        let range = |name: &str, id| {
            let count = count(id);
            RangeStat { name: name.to_owned(), items: count.items, bytes: count.bytes }
        };
        Self {
            table: range(&definition.name, definition.id),
            indexes: definition.indexes.iter().map(|index| range(&index.name, index.id)).collect(),
        }
    }
}

/// The sizes in a snapshot.
pub(crate) fn stat_of(snapshot: &dyn Snapshot, disk_bytes: u64) -> Result<Stat, OpenError> {
    let mut counts = BTreeMap::new();
    for row in snapshot.range(layout::all_counters(), false) {
        let (key, value) = row?;
        let count = layout::range_id(&key)
            .zip(decode_count(&value))
            .ok_or_else(|| OpenError::undecodable("the size of a table", &key))?;
        counts.extend([count]);
    }
    let mut tables = Vec::new();
    for row in snapshot.range(layout::all_table_records(), false) {
        let (key, value) = row?;
        let definition = catalog::decode_definition(&value).map_err(|_| OpenError::undecodable_definition(&key))?;
        tables.push(TableStat::new(&definition, |id| counts.get(&id).copied().unwrap_or_default()));
    }
    Ok(Stat { disk_bytes, tables })
}
