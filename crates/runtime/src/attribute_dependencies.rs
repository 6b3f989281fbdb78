//! How keys, rules, references and dependent items depend on attributes, as the design declares them.

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Entity, IndexKey};

/// Whether items of the entity have dependent items: lookups, or items derived from them.
pub(crate) fn has_dependent_items(entity: &Entity) -> bool {
    !entity.uniques.is_empty() || !entity.derived.is_empty()
}

/// Whether a patch needs the stored item: a key, a rule or a dependent item is made of changed and of stored values.
pub(crate) fn patch_needs_stored_item(
    design: &Design,
    entity: &Entity,
    changed: impl Fn(&str) -> bool + Copy,
    known: impl Fn(&str) -> bool + Copy,
) -> bool {
    let partly_known = |names: &[&str]| names.iter().any(|name| changed(name)) && !names.iter().all(|name| known(name));
    let keys = entity.layout.index_keys.iter().any(|index_key| {
        // An optional entry is added and removed as a whole.
        if index_key.is_sparse() {
            partly_known(&index_key.attributes().collect::<Vec<_>>())
        } else {
            index_key.parts().any(|part| partly_known(&part.template.attributes()))
        }
    });
    let moves = design.tenant.as_ref().is_some_and(|tenant| changed(&tenant.attribute));
    keys || moves
        || leaves_shared_key(entity, changed, known)
        || entity.layout.computed.iter().any(|computed| partly_known(&computed.template.attributes()))
        || entity.layout.key_attributes().into_iter().any(changed)
        || entity.attributes.iter().any(|attribute| {
            let follows = match &attribute.value_type {
                AttributeType::Expiry(Some(expiry)) => changed(&expiry.after),
                _ => attribute.same_as.as_ref().is_some_and(|other| changed(other)),
            };
            let computed = attribute.computed.as_ref();
            follows
                || computed.is_some_and(|template| template.attributes().into_iter().any(changed))
                || (attribute.fixed && changed(&attribute.name))
        })
        || entity.must_hold.iter().any(|rule| rule.expression.variables().iter().any(|name| changed(name)))
        || entity
            .references
            .iter()
            .any(|reference| changed(&reference.attribute) || reference.mapping.iter().any(|(_, own)| changed(own)))
        || dependent_items_depend_on(design, entity, changed)
}

/// Whether a key attribute that optional index entries share may stay or go with one that is not known: it stays as
/// long as the item has one of them.
fn leaves_shared_key(entity: &Entity, changed: impl Fn(&str) -> bool, known: impl Fn(&str) -> bool) -> bool {
    entity.layout.computed.iter().any(|computed| {
        let entries = || entity.layout.index_keys.iter().filter(|entry| computed.indexes.contains(&entry.index));
        entries().all(IndexKey::is_sparse)
            && entries().any(|entry| entry.attributes().any(&changed))
            && !entries().all(|entry| entry.attributes().all(&known))
    })
}

/// The attributes that a key, a rule, a reference or a dependent item combines with others.
pub(crate) fn combined_attributes(design: &Design, entity: &Entity) -> BTreeSet<String> {
    let names = entity.attributes.iter().map(|attribute| &attribute.name);
    names.filter(|name| is_combined(design, entity, name)).cloned().collect()
}

fn is_combined(design: &Design, entity: &Entity, name: &str) -> bool {
    let is_identity = |name: &str| entity.identity.iter().any(|part| part == name);
    let changed = |other: &str| other == name && !is_identity(other);
    patch_needs_stored_item(design, entity, changed, |other| other == name || is_identity(other))
}

/// Whether lookups or derived items depend on one of the attributes.
fn dependent_items_depend_on(design: &Design, entity: &Entity, is_changed: impl Fn(&str) -> bool) -> bool {
    // Dependent items expire together with their item.
    let expires = has_dependent_items(entity) && entity.expiry().is_some_and(|expiry| is_changed(&expiry.name));
    let uniques = entity.uniques.iter().any(|unique| {
        unique.layout.attributes().any(&is_changed) || unique.carries.iter().any(|name| is_changed(name))
    });
    expires
        || uniques
        || entity.derived.iter().map(|id| &design[*id]).any(|derived| {
            let each = derived.derivation.as_ref().and_then(|derivation| derivation.each.as_ref());
            each.is_some_and(|each| each.over.attributes().into_iter().any(&is_changed))
                || derived.attributes.iter().any(|attribute| is_changed(&attribute.name))
                || derived.layout.attributes().any(&is_changed)
        })
}
