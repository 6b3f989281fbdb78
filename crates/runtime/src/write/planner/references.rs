//! The items that an item refers to: they must exist when it is written, and some count the items that refer to them.

use keyfold_design::model::{Entity, OnDelete, Reference, TenantBinding};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::guards::kind_condition;
use crate::deletion_mark::DELETION_MARK;
use crate::description::describe_identity;
use crate::error::Error;
use crate::incoming_references::needs_deletion_mark;
use crate::items::Items;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

/// Plans what follows from the references of an item.
#[derive(Clone, Copy)]
pub(super) struct References<'r> {
    pub items: Items<'r>,
}

impl References<'_> {
    /// Adds the checks and counters for the references that differ between the old state and the new one.
    pub(crate) async fn plan_changes(
        &self,
        plan: &mut Plan,
        entity: &Entity,
        old: Option<&Attributes>,
        new: Option<&Attributes>,
    ) -> Result<(), Error> {
        for reference in &entity.references {
            let before = old.and_then(|old| referenced_identity(reference, old));
            let after = new.and_then(|new| referenced_identity(reference, new));
            if before == after {
                continue;
            }
            if let (Some(identity), Some(counter)) = (&before, &reference.counted_as) {
                self.plan_referenced_item(plan, reference, identity, old, Some((counter, -1))).await?;
            }
            if let Some(identity) = &after {
                let counter = reference.counted_as.as_ref().map(|counter| (counter, 1));
                self.plan_referenced_item(plan, reference, identity, new, counter).await?;
            }
        }
        Ok(())
    }

    async fn plan_referenced_item(
        &self,
        plan: &mut Plan,
        reference: &Reference,
        identity: &Attributes,
        child: Option<&Attributes>,
        counter: Option<(&String, i64)>,
    ) -> Result<(), Error> {
        let target = &self.items.design[reference.target];
        let missing =
            || GuardFailure::MissingReference { attribute: reference.attribute.clone(), target: target.name.clone() };
        let refers = counter.is_none_or(|(_, by)| by > 0);
        // An update would create a target that is gone.
        let absent = if refers { missing() } else { GuardFailure::ActionNotNeeded };
        let same_tenant = self.same_tenant(reference, target, child).filter(|_| refers);
        let (key, failure) = match target.layout.key(|name| identity.get(name))? {
            Some(key) => (key, absent),
            // The identity does not give the whole key: the target is read, and may move meanwhile. Another tenant's is
            // none.
            None => match self
                .items
                .find_stored(target, identity)
                .await?
                .filter(|found| same_tenant.as_ref().is_none_or(|condition| condition.matches(&found.stored)))
            {
                Some(found) => (self.items.stored_key(&found.stored), GuardFailure::ChangedSinceRead),
                None if refers => return Err(absent.to_error(None)),
                None => return Ok(()),
            },
        };
        let mut guards = vec![Guard::new(Condition::attribute_exists(self.items.partition_key().to_owned()), failure)];
        let other_kind = if refers { missing() } else { GuardFailure::ActionNotNeeded };
        guards.extend(kind_condition(target).map(|condition| Guard::new(condition, other_kind)));
        // An item that another program wrote was never counted.
        if let (Some((counter, _)), false) = (counter, refers) {
            guards.push(Guard::new(Condition::at_least(counter, 1), GuardFailure::ActionNotNeeded));
        }
        if let Some(condition) = same_tenant {
            guards.push(Guard::new(condition, missing()));
        }
        if refers && needs_deletion_mark(self.items.design, target) {
            let being_deleted = GuardFailure::BeingDeleted {
                entity: target.name.clone(),
                identity: describe_identity(target, identity),
            };
            guards.push(Guard::new(Condition::attribute_not_exists(DELETION_MARK.to_owned()), being_deleted));
        }
        let effect = match counter {
            Some((counter, by)) => Effect::Update(AttributeChanges::count(counter, by)),
            None => Effect::Check,
        };
        plan.add(Action { key, effect, guards })
    }

    /// A reference stays within the tenant; the condition is needed if the target's key does not ensure that. An item
    /// that is deleted with its target has the same tenant, or none, as the target. Other items may also refer to
    /// targets that belong to all tenants.
    pub(super) fn same_tenant(
        &self,
        reference: &Reference,
        target: &Entity,
        child: Option<&Attributes>,
    ) -> Option<Condition> {
        let attribute = self.items.design.tenant.as_ref()?.attribute.clone();
        let tenant: Option<AttributeValue> = child?.get(&attribute).cloned();
        let is_part = reference.on_delete == OnDelete::Cascade;
        match (target.tenant, tenant) {
            (TenantBinding::Stored, Some(tenant)) => Some(Condition::equals(attribute, tenant)),
            (TenantBinding::StoredOptionally, Some(tenant)) if is_part => Some(Condition::equals(attribute, tenant)),
            (TenantBinding::StoredOptionally, Some(tenant)) => Some(Condition::absent_or_equals(attribute, tenant)),
            (TenantBinding::StoredOptionally, None) => Some(Condition::attribute_not_exists(attribute)),
            _ => None,
        }
    }
}

/// The identity of the item that a reference leads to; `None` if it leads nowhere.
pub(crate) fn referenced_identity(reference: &Reference, child: &Attributes) -> Option<Attributes> {
    let mut identity = Attributes::new();
    for (target, own) in &reference.mapping {
        identity.insert(target.clone(), child.get(own)?.clone());
    }
    Some(identity)
}
