//! The threads of fjall that flush and merge.

use ::fjall::{Database, PersistMode};

/// Fails if they have failed, and would never finish what is waited for. Writes nothing to disk.
pub(super) fn require_workers(database: &Database) -> Result<(), ::fjall::Error> {
    database.persist(PersistMode::Buffer)
}
