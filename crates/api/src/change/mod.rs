//! Changes: admission of a request that changes something, and execution with its records: the stored response and the audit log.

mod admission;
pub(crate) mod execution;

pub(crate) use admission::AdmittedChange;
use keyfold_design::model::{DeleteRule, Entity};

/// Rejects a cascade that the entity does not offer: silently ignored, it would look as if it had been carried out.
pub(crate) fn require_cascade(entity: &Entity) -> Result<(), String> {
    if entity.delete == DeleteRule::CascadeWhenAsked {
        return Ok(());
    }
    Err(format!("`cascade` does not apply to {}: the design does not say `delete: cascade when asked`", entity.name))
}
