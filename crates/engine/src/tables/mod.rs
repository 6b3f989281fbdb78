//! The operations on tables themselves.

mod create;
mod delete;
mod describe;
mod index_rules;
mod key_schema;
mod tags;
mod time_to_live;
mod update;

pub use create::table_arn;

use std::sync::Arc;

use keyfold_dynamo::ServiceError;

use crate::catalog::{Table, TableDefinition, definition_row};
use crate::commit::{Commit, Landing};
use crate::engine::Shared;
use crate::store::Change;

impl Shared {
    /// The table that an operation on tables names.
    fn described_table(&self, name: &str) -> Result<Arc<Table>, ServiceError> {
        self.catalog.find(name).ok_or_else(|| {
            ServiceError::ResourceNotFound(format!("Requested resource not found: Table: {name} not found"))
        })
    }

    /// Replaces a table's definition while no writer is within its gate, and records it.
    fn redefine(
        &self,
        table: &Table,
        change: impl FnOnce(&mut TableDefinition),
        mut changes: Vec<Change>,
    ) -> Result<(Arc<TableDefinition>, Landing), ServiceError> {
        let mut gate = table.close();
        if gate.dropped {
            return Err(ServiceError::no_such_table());
        }
        let mut definition = (*gate.definition).clone();
        change(&mut definition);
        // Writes made under the old definition land first, so that whoever finds a value in flight from now on knows
        // that it was made under the new one.
        self.committer.barrier()?.wait()?;
        changes.push(definition_row(&definition)?);
        let (_, landing) = self.committer.enqueue(Commit { changes, ..Commit::default() })?;
        gate.definition = Arc::new(definition);
        Ok((Arc::clone(&gate.definition), landing))
    }
}
