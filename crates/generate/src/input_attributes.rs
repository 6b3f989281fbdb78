//! What callers give of an item, and what has to be given.

use keyfold_design::Design;
use keyfold_design::model::{Attribute, Entity, TenantBinding};

/// Whether callers set an attribute: not what follows from something else, or is kept by the runtime.
pub fn is_settable(design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
    let is_counter = entity.referenced_by.iter().any(|incoming| {
        let child = design.entity(incoming.child);
        let reference = child.and_then(|child| child.references.get(incoming.reference));
        reference.is_some_and(|reference| reference.counted_as.as_deref() == Some(&attribute.name))
    });
    attribute.same_as.is_none() && !attribute.value_type.is_kept_by_runtime() && !is_counter
}

/// Whether an attribute says whose an item is: members need not give it.
pub fn is_callers_tenant(design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
    let is_tenant = design.tenant.as_ref().is_some_and(|tenant| tenant.attribute == attribute.name);
    is_tenant && entity.scope.has_tenant() && entity.tenant != TenantBinding::IsTenant
}

/// Whether a new item cannot be made without the attribute: nothing stands in for it.
pub fn has_to_be_given(design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
    !attribute.optional
        && attribute.default.is_none()
        && attribute.generator.is_none()
        && !is_callers_tenant(design, entity, attribute)
}
