//! Patches that are sent without reading the stored item.

use keyfold_design::model::{Computed, Entity, IndexKey};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Planner;
use super::guards::version_guard;
use super::new_state::{derive_attributes, required};
use super::stamps::{Stamps, is_restamped};
use super::target::WriteTarget;
use crate::attribute_dependencies::patch_needs_stored_item;
use crate::authorize::Authorized;
use crate::error::Error;
use crate::write::command::PatchOptions;
use crate::write::operators::{BlindClauses, Resolved};
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

/// What a patch changes and requires.
pub(super) struct BlindPatch<'p> {
    pub given: &'p Attributes,
    pub operators: &'p Resolved<'p>,
    /// The guards of the caller's condition.
    pub condition: Vec<Guard>,
    pub options: &'p PatchOptions,
}

impl Planner<'_> {
    /// The plan of a patch whose keys and rules follow from the given attributes; `None` if it needs the stored item.
    pub(super) fn plan_blind_patch(
        &self,
        authorized: &Authorized<'_>,
        target: &WriteTarget,
        patch: BlindPatch<'_>,
    ) -> Result<Option<Plan>, Error> {
        let BlindPatch { given, operators, condition, options } = patch;
        let entity = authorized.entity();
        let identity = &target.identity;
        let is_given = |name: &str| given.contains_key(name) && !identity.contains_key(name);
        let is_rewritten = |name: &str| is_given(name) || is_restamped(entity, name);
        let changed = |name: &str| is_rewritten(name) || operators.changes(name);
        let known = |name: &str| given.contains_key(name) || identity.contains_key(name);
        if !entity.is_found_by_key() || patch_needs_stored_item(self.design, entity, changed, known) {
            return Ok(None);
        }
        let Some(BlindClauses { clauses, conditions }) = operators.blind() else { return Ok(None) };
        let mut attributes = given.clone();
        derive_attributes(entity, &mut attributes)?;
        check_given(entity, given)?;
        let mut changes = changes_of(entity, identity, &attributes, is_rewritten)?;
        changes.is_relative = !clauses.is_empty();
        changes.operators = clauses;
        Stamps::new(self.clock, authorized.caller().subject.as_deref())?.add_to(entity, &mut changes);
        let key = self.items.key_of(entity, identity)?;
        let mut guards = self.guards().existence(entity, identity, &target.confined);
        guards.extend(self.unchanged_index_keys(entity, &changes));
        guards.extend(version_guard(entity, identity, options.expected_version)?);
        guards.extend(condition);
        guards.extend(conditions.into_iter().map(|within| Guard::new(within, GuardFailure::ChangedSinceRead)));
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Update(changes), guards })?;
        Ok(Some(plan))
    }

    /// The index key parts that do not change must exist: an item that another program wrote may lack them, and one
    /// part alone makes no index entry. Such a patch is planned again, on the stored item.
    fn unchanged_index_keys(&self, entity: &Entity, changes: &AttributeChanges) -> Vec<Guard> {
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
            .map(|name| Guard::new(Condition::attribute_exists(name.clone()), GuardFailure::ChangedSinceRead))
            .collect()
    }
}

/// The rules for the single given attributes.
fn check_given(entity: &Entity, given: &Attributes) -> Result<(), Error> {
    for attribute in &entity.attributes {
        match given.get(&attribute.name) {
            Some(AttributeValue::Null) if !attribute.may_be_absent() => return Err(required(entity, attribute)),
            Some(AttributeValue::Null) | None => {}
            Some(value) => attribute.check(value)?,
        }
    }
    Ok(())
}

/// The changes of declared attributes, and of the keys computed from them.
fn changes_of(
    entity: &Entity,
    identity: &Attributes,
    attributes: &Attributes,
    changed: impl Fn(&str) -> bool + Copy,
) -> Result<AttributeChanges, Error> {
    let mut changes = AttributeChanges::default();
    let layout = &entity.layout;
    let known = |name: &str| {
        attributes.get(name).or_else(|| identity.get(name)).filter(|value| **value != AttributeValue::Null)
    };
    let whole = layout.compute(known)?;
    for computed in layout.computed.iter().filter(|computed| follows(entity, computed, changed)) {
        // The other part of an index key is not known here. It stays as it is unless the entry is optional.
        let mut indexes = layout.index_keys.iter().filter(|key| computed.indexes.contains(&key.index));
        let comes_and_goes = !computed.indexes.is_empty() && indexes.all(IndexKey::is_sparse);
        let value =
            if comes_and_goes { whole.get(&computed.name).cloned() } else { computed.template.render(known)? };
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
    Ok(changes)
}

/// Whether a computed attribute follows changed ones. An optional index entry comes and goes as a whole, so that the
/// half of its key that holds the identity alone follows the other half.
fn follows(entity: &Entity, computed: &Computed, changed: impl Fn(&str) -> bool + Copy) -> bool {
    let mut entries = entity.layout.index_keys.iter().filter(|entry| computed.indexes.contains(&entry.index));
    computed.template.attributes().into_iter().any(changed)
        || entries.any(|entry| entry.is_sparse() && entry.attributes().any(changed))
}
