//! The consistency check: every index equals a rebuild from the items, and the counts are correct.

use std::fmt;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::value::item_size;

use crate::catalog::{IndexDefinition, IndexState, TableDefinition};
use crate::commit::{Count, store_failed};
use crate::engine::Engine;
use crate::rows::layout;
use crate::shared::Shared;
use crate::store::Snapshot;
use crate::write::index_membership;

/// An inconsistency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The value of a row is not an item.
    UndecodableItem {
        /// The name of the table.
        table: String,
        /// The key of the row.
        row: Vec<u8>,
    },
    /// An item is stored under a row key that does not match its own key.
    MisplacedItem {
        /// The name of the table.
        table: String,
        /// The key of the row.
        row: Vec<u8>,
    },
    /// An item that belongs to an index has no row there.
    MissingIndexRow {
        /// The name of the table.
        table: String,
        /// The name of the index.
        index: String,
        /// The row key of the item.
        item_row: Vec<u8>,
    },
    /// An index has a row that does not belong to any item.
    StaleIndexRow {
        /// The name of the table.
        table: String,
        /// The name of the index.
        index: String,
        /// The key of the row.
        row: Vec<u8>,
    },
    /// The recorded size of a table or an index is wrong.
    WrongCount {
        /// The name of the table.
        table: String,
        /// The name of the table or of the index.
        range: String,
        /// The number of items and of bytes that are recorded.
        recorded: (u64, u64),
        /// The number of items and of bytes that are stored.
        found: (u64, u64),
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UndecodableItem { table, row } => {
                write!(out, "table `{table}`: the item at {} cannot be decoded", hex(row))
            }
            Self::MisplacedItem { table, row } => {
                write!(out, "table `{table}`: the item at {} is stored under the wrong key", hex(row))
            }
            Self::MissingIndexRow { table, index, item_row } => {
                write!(out, "table `{table}`: index `{index}` lacks the item at {}", hex(item_row))
            }
            Self::StaleIndexRow { table, index, row } => {
                write!(out, "table `{table}`: index `{index}` has a stale row at {}", hex(row))
            }
            Self::WrongCount { table, range, recorded, found } => write!(
                out,
                "table `{table}`: the recorded size of `{range}` is {} items and {} bytes, but {} items and {} bytes are stored",
                recorded.0, recorded.1, found.0, found.1
            ),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Engine {
    /// Reads all data once. Memory does not grow with the data: indexes are checked by lookups in both directions.
    pub fn check(&self) -> Result<Vec<Finding>, ServiceError> {
        let mut findings = Vec::new();
        let shared = self.shared()?;
        let snapshot = shared.store.snapshot();
        for table in shared.catalog.all() {
            check_table(&shared, snapshot.as_ref(), &table.definition(), &mut findings)?;
        }
        Ok(findings)
    }
}

fn check_table(
    shared: &Shared,
    snapshot: &dyn Snapshot,
    table: &TableDefinition,
    findings: &mut Vec<Finding>,
) -> Result<(), ServiceError> {
    let mut count = Count::default();
    let mut expected: Vec<Count> = vec![Count::default(); table.indexes.len()];
    for row in snapshot.range(layout::all_rows(table.id), false) {
        let (row, value) = row.map_err(|error| store_failed(&error))?;
        let Ok(item) = codec::decode(&value) else {
            findings.push(Finding::UndecodableItem { table: table.name.clone(), row: row.to_vec() });
            continue;
        };
        if layout::item_row(table.id, &table.key, &item).as_deref() != Some(&*row) {
            findings.push(Finding::MisplacedItem { table: table.name.clone(), row: row.to_vec() });
        }
        add(&mut count, item_size(&item));
        for (index, expected) in table.indexes.iter().zip(&mut expected) {
            let Some(index_row) = index_membership(index, &item, &row) else { continue };
            add(expected, table.projected_size(index, &item));
            let exists = snapshot.get(&index_row).map_err(|error| store_failed(&error))?.is_some();
            if !exists && index.state == IndexState::Active {
                findings.push(Finding::MissingIndexRow {
                    table: table.name.clone(),
                    index: index.name.clone(),
                    item_row: row.to_vec(),
                });
            }
        }
    }
    check_count(shared, table, &table.name, table.id, count, findings);
    for (index, expected) in table.indexes.iter().zip(expected) {
        check_index_rows(snapshot, table, index, findings)?;
        if index.state == IndexState::Active {
            check_count(shared, table, &index.name, index.id, expected, findings);
        }
    }
    Ok(())
}

fn add(count: &mut Count, size: usize) {
    count.items += 1;
    count.bytes += size as u64;
}

fn check_count(
    shared: &Shared,
    table: &TableDefinition,
    range: &str,
    id: layout::RangeId,
    found: Count,
    findings: &mut Vec<Finding>,
) {
    let recorded = shared.committer.count(id);
    if recorded != found {
        findings.push(Finding::WrongCount {
            table: table.name.clone(),
            range: range.to_owned(),
            recorded: (recorded.items, recorded.bytes),
            found: (found.items, found.bytes),
        });
    }
}

/// Every row of an index must belong to its item.
fn check_index_rows(
    snapshot: &dyn Snapshot,
    table: &TableDefinition,
    index: &IndexDefinition,
    findings: &mut Vec<Finding>,
) -> Result<(), ServiceError> {
    for row in snapshot.range(layout::all_rows(index.id), false) {
        let (row, _) = row.map_err(|error| store_failed(&error))?;
        let item_row = layout::referenced_item_row(table.id, &table.key, &index.key, &row);
        let stored = match &item_row {
            Some(item_row) => snapshot.get(item_row).map_err(|error| store_failed(&error))?,
            None => None,
        };
        let expected = stored
            .and_then(|bytes| codec::decode(&bytes).ok())
            .zip(item_row)
            .and_then(|(item, item_row)| index_membership(index, &item, &item_row));
        if expected.as_deref() != Some(&*row) {
            findings.push(Finding::StaleIndexRow {
                table: table.name.clone(),
                index: index.name.clone(),
                row: row.to_vec(),
            });
        }
    }
    Ok(())
}
