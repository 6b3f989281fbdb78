//! Table operations.

mod create;
mod delete;
mod describe;
mod index_rules;
mod key_schema;
mod tags;
mod time_to_live;
mod update;

pub(crate) use create::table_arn;

use std::sync::Arc;

use keyfold_dynamo::ServiceError;

use crate::catalog::{Table, TableDefinition, definition_row};
use crate::commit::{Commit, CommitHandle};
use crate::shared::Shared;
use crate::store::Change;

impl Shared {
    /// The table of a table operation; DynamoDB's error text differs from that of item operations.
    fn existing_table(&self, name: &str) -> Result<Arc<Table>, ServiceError> {
        self.catalog.find(name).ok_or_else(|| {
            ServiceError::ResourceNotFound(format!("Requested resource not found: Table: {name} not found"))
        })
    }

    /// Replaces and stores a table's definition while its gate is closed to writers.
    fn redefine(
        &self,
        table: &Table,
        change: impl FnOnce(&mut TableDefinition),
        mut changes: Vec<Change>,
    ) -> Result<(Arc<TableDefinition>, CommitHandle), ServiceError> {
        let mut gate = table.close();
        if gate.dropped {
            return Err(ServiceError::no_such_table());
        }
        let mut definition = (*gate.definition).clone();
        change(&mut definition);
        // Writes made under the old definition are on disk first, so that every value in flight from now on was made
        // under the new one.
        self.committer.barrier()?.wait_blocking()?;
        changes.push(definition_row(&definition)?);
        let (_, handle) = self.committer.enqueue(Commit { changes, ..Commit::default() })?;
        gate.definition = Arc::new(definition);
        Ok((Arc::clone(&gate.definition), handle))
    }
}
