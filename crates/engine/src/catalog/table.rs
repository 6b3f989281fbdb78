//! One table: its definition, behind the gate for writers.

use std::sync::Arc;

use keyfold_dynamo::ServiceError;
use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::TableDefinition;
use crate::rows::layout::RangeId;

/// Writers hold the gate open (read) while they compute and enqueue a write; a change of the definition closes it
/// (write) for a moment. So every write is made under one definition, and once an index exists no writer can miss it.
pub(crate) struct Table {
    pub name: String,
    pub id: RangeId,
    gate: RwLock<TableGate>,
}

pub(crate) struct TableGate {
    pub definition: Arc<TableDefinition>,
    /// Set when the table is deleted: nobody may write to it any more.
    pub dropped: bool,
}

impl Table {
    pub(crate) fn new(definition: TableDefinition) -> Self {
        Self {
            name: definition.name.clone(),
            id: definition.id,
            gate: RwLock::new(TableGate { definition: Arc::new(definition), dropped: false }),
        }
    }

    /// The current definition, for readers.
    pub(crate) fn definition(&self) -> Arc<TableDefinition> {
        Arc::clone(&self.gate.read().definition)
    }

    /// Enters the gate as a writer.
    pub(crate) fn enter(&self) -> Result<RwLockReadGuard<'_, TableGate>, ServiceError> {
        let gate = self.gate.read();
        if gate.dropped { Err(ServiceError::no_such_table()) } else { Ok(gate) }
    }

    /// Closes the gate to change the definition.
    pub(crate) fn close(&self) -> RwLockWriteGuard<'_, TableGate> {
        self.gate.write()
    }
}
