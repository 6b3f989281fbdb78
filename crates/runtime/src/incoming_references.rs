//! The references that lead to an entity, as the design declares them.

use std::collections::BTreeSet;

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

/// The counters of an entity that count nothing but items which a key range finds when it is deleted.
pub(crate) fn findable_counters(design: &Design, entity: &Entity) -> BTreeSet<String> {
    let (mut findable, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (_, reference) in design.references_to(entity) {
        let is_findable = reference.on_delete != OnDelete::Ignore && reference.range.is_some();
        let counters = if is_findable { &mut findable } else { &mut others };
        counters.extend(reference.counted_as.clone());
    }
    findable.difference(&others).cloned().collect()
}

/// The counters of an entity that prevent its delete and count items which no key range finds: only those items tell
/// that they are deleted as well.
pub(crate) fn unfindable_counters(design: &Design, entity: &Entity) -> BTreeSet<String> {
    let unfindable = guarding_references(design, entity).filter(|(_, reference)| reference.range.is_none());
    unfindable.filter_map(|(_, reference)| reference.counted_as.clone()).collect()
}
