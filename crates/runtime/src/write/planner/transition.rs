//! The change of a stored item to a new state.

use std::collections::BTreeSet;

use keyfold_design::model::{Entity, Scope};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::guards::{Compared, version_guard};
use super::{PlannedWrite, Planner};
use crate::authorize::{Authorized, ItemChange};
use crate::deletion_mark::DELETION_MARK;
use crate::description::describe_identity;
use crate::error::Error;
use crate::record::Record;
use crate::tenancy::Confinement;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

/// The change of a stored item.
pub(super) struct Transition {
    /// The item as it was read.
    pub old: Record,
    /// The attributes that the item has afterwards.
    pub new: Attributes,
    /// Whether attributes that the design does not declare stay. A put replaces the whole item, and removes them.
    pub keeps_undeclared: bool,
    /// The version that the item must have; any if absent.
    pub expected_version: Option<u64>,
    /// The guards of the caller's condition, which the item met when it was read.
    pub condition: Vec<Guard>,
    /// The attributes whose new values follow from the stored ones.
    pub relative: BTreeSet<String>,
    /// The values that must not have changed since the item was read.
    pub compared: Compared,
    /// Whether attributes that are `fixed` may change.
    pub is_correction: bool,
}

impl Planner<'_> {
    /// Changes a stored item to a new state, provided that it is still as it was read.
    pub(super) async fn plan_transition(
        &self,
        authorized: &Authorized<'_>,
        confined: &Confinement,
        transition: Transition,
    ) -> Result<PlannedWrite, Error> {
        let Transition { old, mut new, keeps_undeclared, relative, compared, is_correction, .. } = transition;
        let entity = authorized.entity();
        new.retain(|_, value| *value != AttributeValue::Null);
        for attribute in entity.attributes.iter().filter(|attribute| attribute.fixed && !is_correction) {
            let before = old.attributes.get(&attribute.name);
            if before.is_some() && before != new.get(&attribute.name) {
                return Err(Error::constraint(
                    attribute.name.clone(),
                    Some(&attribute.name),
                    format!("`{}` of {} cannot change once it is set", attribute.name, entity.name),
                ));
            }
        }
        self.reject_other_tenant(entity, &old.attributes, &new)?;
        let reader = self.reader(authorized.caller());
        let mut item = self.new_state(reader).complete(
            authorized,
            &mut new,
            Some((&old.attributes, &relative)),
            !keeps_undeclared,
        )?;
        if keeps_undeclared {
            keep_undeclared(entity, &old.stored, &mut item);
        }
        let old_key = self.items.stored_key(&old.stored);
        let change = ItemChange { old: &old.attributes, new: &new, relative: &relative };
        let conceal = |error: Error| reader.conceal_value(entity, change, error);
        let new_key = self.items.key_of(entity, &new).map_err(|error| conceal(error.into()))?;
        let mut guards = self.guards().existence(entity, &old.attributes, confined);
        guards.extend(version_guard(entity, &old.attributes, transition.expected_version)?);
        guards.extend(transition.condition);
        guards.extend(self.guards().unchanged(entity, &old, compared));
        guards.extend(self.guards().as_read(entity, &old, &relative));
        let mut plan = Plan::default();
        if old_key == new_key {
            let mut changes = AttributeChanges::between(&old.stored, &item, |name| self.design.is_table_key(name));
            changes.is_relative = !relative.is_empty();
            plan.add(Action { key: old_key, effect: Effect::Update(changes), guards })?;
        } else {
            guards.extend(self.guards().counters(entity, &old));
            plan.add(Action { key: old_key, effect: Effect::Delete, guards })?;
            let free = Condition::attribute_not_exists(self.items.partition_key().to_owned());
            let failure =
                GuardFailure::AlreadyExists { entity: entity.name.clone(), identity: describe_identity(entity, &new) };
            plan.add(Action {
                key: new_key,
                effect: Effect::Put(item.clone()),
                guards: vec![Guard::new(free, failure)],
            })?;
        }
        self.dependents().plan_changes(&mut plan, entity, Some(&old.attributes), Some(&new)).map_err(conceal)?;
        self.references().plan_changes(&mut plan, entity, Some(&old.attributes), Some(&new)).await.map_err(conceal)?;
        self.references().plan_ancestors(&mut plan, entity, Some(&old.attributes), &new).await?;
        let record = Some(Record {
            entity: entity.id,
            attributes: new,
            is_readable: true,
            concealed: Attributes::new(),
            stored: item,
        });
        Ok(PlannedWrite { plan, record })
    }

    /// An item stays with its tenant: references to it were checked against the tenant.
    fn reject_other_tenant(&self, entity: &Entity, old: &Attributes, new: &Attributes) -> Result<(), Error> {
        let Some(tenant) = self.design.tenant.as_ref().filter(|_| entity.scope.has_tenant()) else { return Ok(()) };
        let (before, after) = (old.get(&tenant.attribute), new.get(&tenant.attribute));
        // An item that another program wrote may lack the tenant's attribute.
        let unknown = before.is_none() && entity.scope == Scope::Tenant;
        if before == after || unknown {
            return Ok(());
        }
        let message = format!("`{}` of {} cannot change: an item stays with its tenant", tenant.attribute, entity.name);
        Err(Error::constraint(tenant.attribute.clone(), Some(&tenant.attribute), message))
    }
}

/// Keeps attributes that the design does not declare. Those of an open entity are among the attributes already.
fn keep_undeclared(entity: &Entity, stored: &Attributes, item: &mut Attributes) {
    for (name, value) in stored {
        let computed = entity.layout.computed_names().any(|computed| computed == name);
        let known = computed || entity.open || name == DELETION_MARK || entity.attribute(name).is_some();
        if !known && !item.contains_key(name) {
            item.insert(name.clone(), value.clone());
        }
    }
}
