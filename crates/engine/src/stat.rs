//! What an engine holds, for people.

use crate::engine::Engine;
use crate::store::StoreError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    pub disk_bytes: u64,
    pub tables: Vec<TableStat>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableStat {
    pub table: RangeStat,
    pub indexes: Vec<RangeStat>,
}

/// The items of a table or an index, and their bytes as DynamoDB counts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeStat {
    pub name: String,
    pub items: u64,
    pub bytes: u64,
}

impl Engine {
    pub fn stat(&self) -> Result<Stat, StoreError> {
        let range = |name: &str, id| {
            let count = self.shared.committer.count(id);
            RangeStat { name: name.to_owned(), items: count.items, bytes: count.bytes }
        };
        let tables = self.shared.catalog.all().into_iter().map(|table| {
            let definition = table.definition();
            TableStat {
                table: range(&definition.name, definition.id),
                indexes: definition.indexes.iter().map(|index| range(&index.name, index.id)).collect(),
            }
        });
        Ok(Stat { disk_bytes: self.shared.store.disk_bytes()?, tables: tables.collect() })
    }
}
