//! The items that an item refers to: they must be there when it is written, and some count who refers to them.

use keyfold_design::model::{Entity, OnDelete, Reference, TenantBinding};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::error::Error;
use crate::expression::Condition;
use crate::record::{DELETE_MARK, describe_identity};
use crate::runtime::Runtime;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

impl Runtime {
    /// Adds the checks and counters of an item's references, as it goes from its old state to its new one.
    pub(crate) async fn plan_references(
        &self,
        plan: &mut Plan,
        entity: &Entity,
        old: Option<&Attributes>,
        new: Option<&Attributes>,
    ) -> Result<(), Error> {
        for reference in &entity.references {
            let before = old.and_then(|old| target_of(reference, old));
            let after = new.and_then(|new| target_of(reference, new));
            if before == after {
                continue;
            }
            if let (Some(identity), Some(counter)) = (&before, &reference.counted_as) {
                self.plan_target(plan, reference, identity, old, Some((counter, -1))).await?;
            }
            if let Some(identity) = &after {
                let counter = reference.counted_as.as_ref().map(|counter| (counter, 1));
                self.plan_target(plan, reference, identity, new, counter).await?;
            }
        }
        Ok(())
    }

    async fn plan_target(
        &self,
        plan: &mut Plan,
        reference: &Reference,
        identity: &Attributes,
        child: Option<&Attributes>,
        counter: Option<(&String, i64)>,
    ) -> Result<(), Error> {
        let Some(target) = self.design.entity(reference.target) else { return Ok(()) };
        let dangling =
            || GuardFailure::MissingReference { attribute: reference.attribute.clone(), target: target.name.clone() };
        let joins = counter.is_none_or(|(_, by)| by > 0);
        // An update would bring back a target that is gone.
        let absent = if joins { dangling() } else { GuardFailure::ActionNotNeeded };
        let (key, failure) = match target.layout.key(|name| identity.get(name))? {
            Some(key) => (key, absent),
            // The identity alone does not give the key: the target is looked for, and may move meanwhile.
            None => match self.find_stored(target, identity).await? {
                Some(found) => (self.stored_key(&found.stored), GuardFailure::ChangedSinceRead),
                None if joins => return Err(absent.to_error(None)),
                None => return Ok(()),
            },
        };
        let mut guards = vec![Guard::new(Condition::Exists(self.partition_key().to_owned()), failure)];
        // What others wrote was never counted.
        if let (Some((counter, _)), false) = (counter, joins) {
            guards.push(Guard::new(Condition::AtLeast(counter.clone(), 1), GuardFailure::ActionNotNeeded));
        }
        if let Some(condition) = self.same_tenant(reference, target, child).filter(|_| joins) {
            guards.push(Guard::new(condition, dangling()));
        }
        if joins && self.can_be_marked(target) {
            let busy = GuardFailure::BeingDeleted {
                entity: target.name.clone(),
                identity: describe_identity(target, identity),
            };
            guards.push(Guard::new(Condition::Absent(DELETE_MARK.to_owned()), busy));
        }
        let effect = match counter {
            Some((counter, by)) => Effect::Update(AttributeChanges::count(counter, by)),
            None => Effect::Check,
        };
        plan.add(Action { key, effect, guards })
    }

    /// A reference stays within the tenant, where the target's key does not see to that. What is deleted with its target
    /// is a part of it and belongs to the same tenant, or to all as it does; anything else of a tenant may also refer to
    /// what belongs to all.
    fn same_tenant(&self, reference: &Reference, target: &Entity, child: Option<&Attributes>) -> Option<Condition> {
        let attribute = self.design.tenant.as_ref()?.attribute.clone();
        let tenant: Option<AttributeValue> = child?.get(&attribute).cloned();
        let is_part = reference.on_delete == OnDelete::Cascade;
        match (target.tenant, tenant) {
            (TenantBinding::Stored, Some(tenant)) => Some(Condition::Equals(attribute, tenant)),
            (TenantBinding::StoredOptionally, Some(tenant)) if is_part => Some(Condition::Equals(attribute, tenant)),
            (TenantBinding::StoredOptionally, Some(tenant)) => Some(Condition::AbsentOrEquals(attribute, tenant)),
            (TenantBinding::StoredOptionally, None) => Some(Condition::Absent(attribute)),
            _ => None,
        }
    }

    /// Whether items of the entity are marked while they are deleted: those that others may refer to.
    pub(crate) fn can_be_marked(&self, entity: &Entity) -> bool {
        self.guarded_references(entity).next().is_some()
    }
}

/// What identifies the target, where the item refers to one.
pub(crate) fn target_of(reference: &Reference, child: &Attributes) -> Option<Attributes> {
    let mut identity = Attributes::new();
    for (target, own) in &reference.mapping {
        identity.insert(target.clone(), child.get(own)?.clone());
    }
    Some(identity)
}
