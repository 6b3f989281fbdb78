//! A replacement of an item under a version: a patch that leaves nothing of what was there.

use keyfold_design::Design;
use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes};

/// The patch: what is given, and every other attribute that callers set at its default, or away, except those that are
/// kept. `stored` is what an open entity's item has besides what is declared.
pub(super) fn replacement(
    design: &Design,
    entity: &Entity,
    mut given: Attributes,
    stored: &Attributes,
    kept: &[String],
) -> Attributes {
    // As in a replacement without a version, `null` states nothing.
    given.retain(|_, value| *value != AttributeValue::Null);
    let is_reset = |name: &String| !entity.identity.contains(name) && !kept.contains(name);
    for attribute in entity.settable_attributes().filter(|attribute| is_reset(&attribute.name)) {
        let absent = || attribute.default.clone().unwrap_or(AttributeValue::Null);
        given.entry(attribute.name.clone()).or_insert_with(absent);
    }
    for name in stored.keys().filter(|name| entity.attribute(name).is_none()) {
        given.entry(name.clone()).or_insert(AttributeValue::Null);
    }
    // The tenant of an item does not change: one that is not given is the one it has.
    if let Some(tenant) = &design.tenant
        && given.get(&tenant.attribute) == Some(&AttributeValue::Null)
    {
        given.remove(&tenant.attribute);
    }
    given
}
