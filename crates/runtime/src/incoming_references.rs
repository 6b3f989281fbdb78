//! The references that lead to an entity, as the design declares them.

use keyfold_design::Design;
use keyfold_design::model::{Entity, OnDelete, Reference};

/// Every reference to the entity, with the entity that has it.
fn incoming<'d>(design: &'d Design, entity: &'d Entity) -> impl Iterator<Item = (&'d Entity, &'d Reference)> {
    entity.referenced_by.iter().filter_map(|incoming| {
        let child = design.entity(incoming.child)?;
        Some((child, child.references.get(incoming.reference)?))
    })
}

/// The references that prevent a delete, or whose items are deleted as well.
pub(crate) fn guarded<'d>(design: &'d Design, entity: &'d Entity) -> impl Iterator<Item = (&'d Entity, &'d Reference)> {
    incoming(design, entity).filter(|(_, reference)| reference.on_delete != OnDelete::Ignore)
}

/// Whether items of the entity get a deletion mark: those that others may refer to.
pub(crate) fn needs_deletion_mark(design: &Design, entity: &Entity) -> bool {
    guarded(design, entity).next().is_some()
}
