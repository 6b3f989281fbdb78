//! DeleteTable: the table is gone at once; its rows are deleted in the background.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::table::{TableDescription, TableStatus};

use crate::catalog::TableDefinition;
use crate::commit::Commit;
use crate::rows::layout::{self, RangeId};
use crate::shared::Shared;
use crate::store::Change;
use crate::write::Pending;

impl Shared {
    pub(crate) fn delete_table(&self, name: &str) -> Result<Pending<TableDescription>, ServiceError> {
        let _one_at_a_time = self.definitions.lock();
        let table = self.existing_table(name)?;
        let mut gate = table.close();
        if gate.definition.deletion_protection {
            return Err(ServiceError::validation(
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
            ));
        }
        let definition = std::sync::Arc::clone(&gate.definition);
        let mut changes: Vec<Change> = ranges(&definition).map(purge).collect();
        changes.push(Change::Remove(layout::table_record(name)));
        let (_, handle) = self.committer.enqueue(Commit { changes, ..Commit::default() })?;
        gate.dropped = true;
        drop(gate);
        self.catalog.remove(name);
        let mut description = self.describe(&definition);
        description.status = TableStatus::Deleting;
        for index in &mut description.global_indexes {
            index.status = Some(TableStatus::Deleting);
        }
        Ok(Pending::new(Ok(description), Some(handle)))
    }
}

/// The range ids of a table, its indexes and its expiry list.
fn ranges(definition: &TableDefinition) -> impl Iterator<Item = RangeId> {
    std::iter::once(definition.id)
        .chain(definition.indexes.iter().map(|index| index.id))
        .chain(definition.time_to_live.iter().map(|time_to_live| time_to_live.id))
}

/// Schedules the rows of a range for deletion.
pub(super) fn purge(range: RangeId) -> Change {
    Change::Put(layout::purge_ticket(range), Vec::new())
}
