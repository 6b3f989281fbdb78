//! Actions that keep lookups and derived items in step with their item.

use keyfold_design::model::Entity;
use keyfold_dynamo::expression::{Comparison, Condition};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::dependent_items::{DependentContent, DependentItem, Dependents};
use crate::error::Error;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

impl Dependents<'_> {
    /// Adds the differences between the dependent items of the old state and those of the new one.
    pub(crate) fn plan_changes(
        &self,
        plan: &mut Plan,
        entity: &Entity,
        old: Option<&Attributes>,
        new: Option<&Attributes>,
    ) -> Result<(), Error> {
        let before = old.map_or(Ok(Vec::new()), |old| self.items_of(entity, old))?;
        let after = new.map_or(Ok(Vec::new()), |new| self.items_of(entity, new))?;
        for removed in before.iter().filter(|before| !after.iter().any(|after| after.replaces(before))) {
            plan.add(removal(entity, removed))?;
        }
        for written in after.into_iter().filter(|after| !before.contains(after)) {
            let is_new = !before.iter().any(|before| written.replaces(before));
            plan.add(self.addition(entity, written, is_new))?;
        }
        Ok(())
    }

    fn addition(&self, entity: &Entity, item: DependentItem, is_new: bool) -> Action {
        let DependentItem { key, content } = item;
        let tenant = self.items.design.tenant.as_ref().map(|tenant| tenant.attribute.clone());
        let (effect, guards) = match content {
            DependentContent::Lookup { item, unique, attributes } => {
                let taken = GuardFailure::UniqueValueTaken { unique: unique.clone(), attributes, tenant };
                let guards = match is_new {
                    true => vec![Guard::new(self.lookup_is_free(entity, &unique, &item), taken)],
                    false => lookup_is_own(entity, &unique, &item, &taken),
                };
                (Effect::Put(item), guards)
            }
            DependentContent::Derived { item, same_source, name, attributes } => {
                let taken = GuardFailure::UniqueValueTaken { unique: name, attributes, tenant };
                (Effect::Put(item), guards_for(same_source, &taken))
            }
            DependentContent::SharedSet { item, set, member } => {
                let mut changes = AttributeChanges { set: item, ..AttributeChanges::default() };
                changes.set.retain(|name, _| !self.items.design.is_table_key(name));
                changes.add.insert(set, member);
                (Effect::Update(changes), Vec::new())
            }
        };
        Action { key, effect, guards }
    }

    /// A unique value is free if no lookup has it, or one that has expired. Where lookups have a condition, the item's
    /// own may be there already, because another program did not remove it.
    fn lookup_is_free(&self, entity: &Entity, unique: &str, lookup: &Attributes) -> Condition {
        let absent = Condition::attribute_not_exists(self.items.partition_key().to_owned());
        let expired = entity.expiry().map(|expiry| {
            let now = AttributeValue::N(Number::from(self.clock.now_ms() / 1000));
            Condition::compare(expiry.name.as_str(), Comparison::Less, now)
        });
        let has_condition = entity.unique(unique).is_some_and(|unique| unique.layout.condition.is_some());
        let identity = entity.identity.iter().filter(|_| has_condition);
        let own = Condition::all(
            identity.filter_map(|name| Some(Condition::equals(name.clone(), lookup.get(name)?.clone()))),
        );
        expired.into_iter().chain(own).fold(absent, Condition::or)
    }
}

/// A lookup or derived item that belongs to another item by now stays.
fn removal(entity: &Entity, removed: &DependentItem) -> Action {
    let (effect, guards) = match &removed.content {
        DependentContent::Lookup { item, unique, .. } => {
            (Effect::Delete, lookup_is_own(entity, unique, item, &GuardFailure::ActionNotNeeded))
        }
        DependentContent::Derived { same_source, .. } => {
            (Effect::Delete, guards_for(same_source.clone(), &GuardFailure::ActionNotNeeded))
        }
        DependentContent::SharedSet { set, member, .. } => {
            let mut changes = AttributeChanges::default();
            changes.delete.insert(set.clone(), member.clone());
            (Effect::Update(changes), Vec::new())
        }
    };
    Action { key: removed.key.clone(), effect, guards }
}

/// The lookup belongs to the item: another item may have taken over an expired one, and an item that another program
/// wrote may never have had one. Attributes that the lookup lacks are not compared.
fn lookup_is_own(entity: &Entity, unique: &str, lookup: &Attributes, otherwise: &GuardFailure) -> Vec<Guard> {
    let is_identity = |name: &&str| entity.identity.iter().any(|own| own == name);
    let index_keys = entity.unique(unique).into_iter().flat_map(|unique| {
        let computed = unique.layout.computed.iter().filter(|computed| !computed.indexes.is_empty());
        computed.filter(|computed| computed.template.attributes().iter().any(&is_identity))
    });
    let names = entity.identity.iter().chain(index_keys.map(|computed| &computed.name));
    let own = names.filter_map(|name| Some(Condition::absent_or_equals(name.clone(), lookup.get(name)?.clone())));
    guards_for(own.collect(), otherwise)
}

fn guards_for(conditions: Vec<Condition>, otherwise: &GuardFailure) -> Vec<Guard> {
    conditions.into_iter().map(|condition| Guard::new(condition, otherwise.clone())).collect()
}
