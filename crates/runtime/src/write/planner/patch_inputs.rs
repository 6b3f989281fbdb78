//! What a patch has to know of the stored item.

use keyfold_design::model::{AttributeType, Entity};

use super::Planner;
use super::dependent_items::has_dependent_items;

impl Planner<'_> {
    /// Whether a patch needs the stored item: a key, a rule or a dependent item is made of changed and of stored values.
    pub(super) fn patch_needs_stored_item(
        &self,
        entity: &Entity,
        changed: impl Fn(&str) -> bool + Copy,
        known: impl Fn(&str) -> bool + Copy,
    ) -> bool {
        let partly_known =
            |names: &[&str]| names.iter().any(|name| changed(name)) && !names.iter().all(|name| known(name));
        let keys = entity.layout.index_keys.iter().any(|index_key| {
            // An optional entry is added and removed as a whole.
            if index_key.is_sparse() {
                let names: Vec<&str> = index_key.parts().flat_map(|part| part.template.attributes()).collect();
                partly_known(&names)
            } else {
                index_key.parts().any(|part| partly_known(&part.template.attributes()))
            }
        });
        let moves = self.design.tenant.as_ref().is_some_and(|tenant| changed(&tenant.attribute));
        keys || moves
            || entity.layout.computed.iter().any(|computed| partly_known(&computed.template.attributes()))
            || entity.layout.key_attributes().into_iter().any(changed)
            || entity.attributes.iter().any(|attribute| {
                let follows = match &attribute.value_type {
                    AttributeType::Expiry(Some(expiry)) => changed(&expiry.after),
                    _ => attribute.same_as.as_ref().is_some_and(|other| changed(other)),
                };
                follows || (attribute.fixed && changed(&attribute.name))
            })
            || entity.must_hold.iter().any(|rule| rule.expression.variables().iter().any(|name| changed(name)))
            || entity
                .references
                .iter()
                .any(|reference| changed(&reference.attribute) || reference.mapping.iter().any(|(_, own)| changed(own)))
            || self.dependent_items_depend_on(entity, changed)
    }

    /// Whether lookups or derived items depend on one of the attributes.
    fn dependent_items_depend_on(&self, entity: &Entity, is_changed: impl Fn(&str) -> bool) -> bool {
        // Dependent items expire together with their item.
        let expires = has_dependent_items(entity) && entity.expiry().is_some_and(|expiry| is_changed(&expiry.name));
        let uniques = entity
            .uniques
            .iter()
            .any(|unique| unique.attributes.iter().chain(&unique.carries).any(|name| is_changed(name)));
        expires
            || uniques
            || entity.derived.iter().filter_map(|id| self.design.entity(*id)).any(|derived| {
                let each = derived.derivation.as_ref().and_then(|derivation| derivation.each.as_ref());
                each.is_some_and(|each| each.over.attributes().into_iter().any(&is_changed))
                    || derived.attributes.iter().any(|attribute| is_changed(&attribute.name))
                    || derived
                        .layout
                        .computed
                        .iter()
                        .any(|computed| computed.template.attributes().into_iter().any(&is_changed))
            })
    }
}
