//! Patches: the given attributes change, all others stay.

use std::collections::BTreeSet;

use keyfold_dynamo::Attributes;

use super::blind_patch::BlindPatch;
use super::guards::{Compared, version_guard};
use super::permitted::{reject_unsettable, require_updatable};
use super::transition::Transition;
use super::{PlannedWrite, Planner};
use crate::authorize::{Authorized, ItemChange};
use crate::error::Error;
use crate::record::Record;
use crate::tenancy::Confinement;
use crate::write::command::{PatchOptions, is_empty_patch};
use crate::write::plan::{Action, Effect, Guard, Plan};

/// How a patch is planned.
pub(super) struct Patch<'p> {
    pub options: &'p PatchOptions,
    /// Whether it may be sent without reading the stored item.
    pub may_be_blind: bool,
    /// Whether it may change what the design says never changes.
    pub is_correction: bool,
}

impl Planner<'_> {
    pub(super) async fn plan_patch(
        &self,
        authorized: &Authorized<'_>,
        mut given: Attributes,
        patch: Patch<'_>,
    ) -> Result<PlannedWrite, Error> {
        let Patch { options, may_be_blind, is_correction } = patch;
        let entity = authorized.entity();
        reject_unsettable(entity, given.keys().map(String::as_str))?;
        if !is_correction {
            require_updatable(entity)?;
        }
        let target = self.targets().bind(authorized, &mut given)?;
        let operators = options.operators.resolve(entity, &given)?;
        reject_unsettable(entity, operators.roots().into_iter())?;
        let is_empty = operators.is_empty() && is_empty_patch(self.design, entity, &given);
        let condition = self.condition_guards(authorized, &target.identity, options.condition.as_ref())?;
        if may_be_blind
            && !is_empty
            && !authorized.reads_items()
            && self.may_set_all(authorized, given.keys().map(String::as_str).chain(operators.roots()))
            && let Some(condition) = condition
        {
            let blind = BlindPatch { given: &given, operators: &operators, condition, options };
            if let Some(plan) = self.plan_blind_patch(authorized, &target, blind)? {
                return Ok(PlannedWrite { plan, record: None });
            }
        }
        let confined = target.confined.clone();
        let old = self.targets().read(authorized, target).await?;
        let condition = self.require_condition(authorized, &old, options.condition.as_ref())?;
        if is_empty && given.iter().all(|(name, value)| old.attributes.get(name) == Some(value)) {
            self.require_settable_changes(authorized, &old.attributes, &given)?;
            return self.plan_check(authorized, &confined, old, options, condition);
        }
        let relative: BTreeSet<String> = operators.roots().into_iter().map(str::to_owned).collect();
        let changed = operators.apply(&old.attributes).map_err(|error| {
            let change = ItemChange { old: &old.attributes, new: &old.attributes, relative: &relative };
            self.reader(authorized.caller()).conceal_value(entity, change, error)
        })?;
        given.extend(changed);
        self.require_settable_changes(authorized, &old.attributes, &given)?;
        let mut new = old.attributes.clone();
        new.extend(given);
        let (compared, expected_version) = (Compared::for_change(authorized), options.expected_version);
        let transition = Transition {
            old,
            new,
            keeps_undeclared: true,
            expected_version,
            condition,
            relative,
            compared,
            is_correction,
        };
        self.plan_transition(authorized, &confined, transition).await
    }

    /// An empty patch changes nothing, not even the version: it only requires the item, at the expected version.
    fn plan_check(
        &self,
        authorized: &Authorized<'_>,
        confined: &Confinement,
        old: Record,
        options: &PatchOptions,
        condition: Vec<Guard>,
    ) -> Result<PlannedWrite, Error> {
        let entity = authorized.entity();
        let version = version_guard(entity, &old.attributes, options.expected_version)?;
        if let Some(mismatch) = version.iter().find(|guard| !guard.condition.matches(&old.stored)) {
            return Err(mismatch.to_error(Some(&old.stored)));
        }
        let mut guards = self.guards().existence(entity, &old.attributes, confined);
        guards.extend(version);
        guards.extend(condition);
        guards.extend(self.guards().unchanged(entity, &old, Compared::for_change(authorized)));
        let mut plan = Plan::default();
        plan.add(Action { key: self.items.stored_key(&old.stored), effect: Effect::Check, guards })?;
        Ok(PlannedWrite { plan, record: Some(old) })
    }
}
