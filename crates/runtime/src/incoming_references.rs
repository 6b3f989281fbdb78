//! The references that lead to an entity, as the design declares them.

use keyfold_design::Design;
use keyfold_design::model::{Entity, OnDelete, Reference};

/// The references that prevent a delete, or whose items are deleted as well, with the entities that have them.
pub(crate) fn guarding_references<'d>(
    design: &'d Design,
    entity: &'d Entity,
) -> impl Iterator<Item = (&'d Entity, &'d Reference)> {
    design.references_to(entity).filter(|(_, reference)| reference.on_delete != OnDelete::Ignore)
}

/// Whether items of the entity get a deletion mark: those that others may refer to.
pub(crate) fn needs_deletion_mark(design: &Design, entity: &Entity) -> bool {
    guarding_references(design, entity).next().is_some()
}
