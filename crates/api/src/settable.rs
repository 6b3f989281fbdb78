//! Which attributes callers set themselves.

use keyfold_design::Design;
use keyfold_design::model::{Attribute, Entity};

/// Whether callers set an attribute: it is neither kept by Keyfold, nor a copy, nor a counter.
pub fn is_settable(design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
    !attribute.value_type.is_kept_by_runtime()
        && attribute.same_as.is_none()
        && !is_counter(design, entity, &attribute.name)
}

/// Whether an attribute counts those who refer to the item.
fn is_counter(design: &Design, entity: &Entity, name: &str) -> bool {
    entity.referenced_by.iter().any(|incoming| {
        let reference = design.entity(incoming.child).and_then(|child| child.references.get(incoming.reference));
        reference.is_some_and(|reference| reference.counted_as.as_deref() == Some(name))
    })
}
