//! Patches: what is given changes, everything else stays.

use keyfold_design::model::{Entity, IndexKey, Stamp};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::authorize::Authorized;
use crate::caller::Caller;
use crate::error::Error;
use crate::expression::Condition;
use crate::runtime::Runtime;
use crate::write::executor::Failure;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};
use crate::write::planner::WriteTarget;
use crate::write::planner::require_updatable;
use crate::write::verbs::{PatchOptions, PlannedWrite};

impl Runtime {
    pub(crate) async fn plan_patch(
        &self,
        authorized: &Authorized<'_>,
        mut given: Attributes,
        options: PatchOptions,
        blindly: bool,
    ) -> Result<PlannedWrite, Failure> {
        let entity = authorized.entity();
        self.reject_unsettable(entity, &given)?;
        require_updatable(entity)?;
        let target = self.bind_target(authorized, &mut given)?;
        if blindly
            && !authorized.reads_items()
            && let Some(plan) = self.plan_blind_patch(authorized, &target, &given, options)?
        {
            return Ok(PlannedWrite { plan, record: None });
        }
        let found = self.find(entity, &target.identity).await?;
        let old = self.require_changeable(authorized, target, found)?;
        let mut new = old.attributes.clone();
        new.extend(given);
        self.plan_transition(authorized, old, new, options.expected_version).await
    }

    /// A patch that needs nothing of the stored item: every key and rule it touches follows from what is given.
    fn plan_blind_patch(
        &self,
        authorized: &Authorized<'_>,
        target: &WriteTarget,
        given: &Attributes,
        options: PatchOptions,
    ) -> Result<Option<Plan>, Error> {
        let entity = authorized.entity();
        let identity = &target.identity;
        let changed = |name: &str| given.contains_key(name) && !identity.contains_key(name);
        let known = |name: &str| given.contains_key(name) || identity.contains_key(name);
        if !entity.is_found_by_key() || self.needs_old_item(entity, changed, known) {
            return Ok(None);
        }
        let mut attributes = given.clone();
        self.derive_attributes(entity, &mut attributes);
        for attribute in &entity.attributes {
            match given.get(&attribute.name) {
                Some(AttributeValue::Null) if !attribute.may_be_absent() => {
                    return Err(Error::constraint(
                        attribute.name.clone(),
                        Some(&attribute.name),
                        format!("`{}` of {} is required", attribute.name, entity.name),
                    ));
                }
                Some(AttributeValue::Null) | None => {}
                Some(value) => attribute.check(value)?,
            }
        }
        let mut changes = AttributeChanges::default();
        let layout = &entity.layout;
        let given = |name: &str| attributes.get(name).filter(|value| **value != AttributeValue::Null);
        let whole = layout.compute(given)?;
        for computed in
            layout.computed.iter().filter(|computed| computed.template.attributes().into_iter().any(changed))
        {
            // The other half of an index key is not known here. Where the item is in the index anyway, it stays as it is.
            let mut indexes = layout.index_keys.iter().filter(|key| computed.indexes.contains(&key.index));
            let comes_and_goes = !computed.indexes.is_empty() && indexes.all(IndexKey::is_sparse);
            let value =
                if comes_and_goes { whole.get(&computed.name).cloned() } else { computed.template.render(given)? };
            match value {
                Some(value) => drop(changes.set.insert(computed.name.clone(), value)),
                None => drop(changes.remove.insert(computed.name.clone())),
            }
        }
        for (name, value) in attributes.iter().filter(|(name, _)| !identity.contains_key(*name)) {
            match value {
                AttributeValue::Null => drop(changes.remove.insert(name.clone())),
                _ if entity.attribute(name).is_some_and(|attribute| !attribute.is_stored()) => {}
                value => drop(changes.set.insert(name.clone(), value.clone())),
            }
        }
        self.stamp_changes(entity, &mut changes, authorized.caller());
        let key = self.key_of(entity, identity)?;
        let mut guards = self.presence(entity, identity, &target.confined);
        guards.extend(self.other_halves(entity, &changes));
        guards.extend(self.expected(entity, identity, options.expected_version)?);
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Update(changes), guards })?;
        Ok(Some(plan))
    }

    /// The halves of index keys that stay as they are have to be there: an item that others wrote may lack them, and one
    /// half alone would be no entry. Such a patch is planned again, with a look at the item.
    fn other_halves(&self, entity: &Entity, changes: &AttributeChanges) -> Vec<Guard> {
        let halves = entity.layout.index_keys.iter().filter(|index_key| !index_key.is_sparse()).flat_map(|index_key| {
            let touched = index_key.parts().any(|part| changes.set.contains_key(&part.key.name));
            index_key.parts().filter(move |part| touched && !changes.touches(&part.key.name))
        });
        let mut names: Vec<&String> =
            halves.map(|part| &part.key.name).filter(|name| !self.design.is_table_key(name)).collect();
        names.sort();
        names.dedup();
        names
            .into_iter()
            .map(|name| Guard::new(Condition::Exists(name.clone()), GuardFailure::ChangedSinceRead))
            .collect()
    }

    /// Whether a patch cannot be made without looking at the stored item.
    fn needs_old_item(
        &self,
        entity: &Entity,
        changed: impl Fn(&str) -> bool + Copy,
        known: impl Fn(&str) -> bool + Copy,
    ) -> bool {
        let half_known =
            |names: &[&str]| names.iter().any(|name| changed(name)) && !names.iter().all(|name| known(name));
        let keys = entity.layout.index_keys.iter().any(|index_key| {
            // An entry that may be absent comes and goes as a whole.
            if index_key.is_sparse() {
                let names: Vec<&str> = index_key.parts().flat_map(|part| part.template.attributes()).collect();
                half_known(&names)
            } else {
                index_key.parts().any(|part| half_known(&part.template.attributes()))
            }
        });
        let moves = self.design.tenant.as_ref().is_some_and(|tenant| changed(&tenant.attribute));
        keys || moves
            || entity.layout.computed.iter().any(|computed| half_known(&computed.template.attributes()))
            || entity.layout.key_attributes().into_iter().any(changed)
            || entity.attributes.iter().any(|attribute| {
                let follows = match &attribute.value_type {
                    keyfold_design::model::AttributeType::Expiry(Some(expiry)) => changed(&expiry.after),
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

    fn stamp_changes(&self, entity: &Entity, changes: &mut AttributeChanges, caller: &Caller) {
        if let Some(attribute) = entity.stamp(Stamp::ModifiedAt) {
            let now = AttributeValue::S(crate::clock::timestamp(self.clock.now_ms()));
            changes.set.insert(attribute.name.clone(), now);
        }
        if let (Some(attribute), Some(subject)) = (entity.stamp(Stamp::ModifiedBy), &caller.subject) {
            changes.set.insert(attribute.name.clone(), AttributeValue::S(subject.clone()));
        }
        if let Some(attribute) = entity.version() {
            changes.add_number(&attribute.name, 1);
        }
    }
}
