//! Deletes of items that no other item can refer to.

use std::collections::BTreeSet;

use keyfold_design::model::Entity;
use keyfold_dynamo::Attributes;

use super::guards::{Compared, version_guard};
use super::permitted::require_deletable;
use super::{PlannedWrite, Planner};
use crate::attribute_dependencies::has_dependent_items;
use crate::authorize::{Authorized, ItemChange};
use crate::error::Error;
use crate::incoming_references::needs_deletion_mark;
use crate::record::Record;
use crate::write::command::DeleteOptions;
use crate::write::plan::{Action, Effect, Guard, Plan};

impl Planner<'_> {
    pub(super) async fn plan_delete(
        &self,
        authorized: &Authorized<'_>,
        mut identity: Attributes,
        options: DeleteOptions,
    ) -> Result<PlannedWrite, Error> {
        let entity = authorized.entity();
        require_deletable(entity, options)?;
        if needs_deletion_mark(self.design, entity) {
            return Err(Error::Invalid(format!(
                "other items may refer to {}: delete it in a separate call",
                entity.name
            )));
        }
        let target = self.targets().bind(authorized, &mut identity)?;
        let mut guards = self.guards().existence(entity, &target.identity, &target.confined);
        guards.extend(version_guard(entity, &target.identity, options.expected_version)?);
        let needs_item = authorized.reads_items()
            || !entity.is_found_by_key()
            || has_dependent_items(entity)
            || entity.references.iter().any(|reference| reference.counted_as.is_some());
        let mut plan = Plan::default();
        if !needs_item {
            let key = self.items.key_of(entity, &target.identity)?;
            plan.add(Action { key, effect: Effect::Delete, guards })?;
            return Ok(PlannedWrite { plan, record: None });
        }
        let old = self.targets().read(authorized, target).await?;
        guards.extend(self.guards().unchanged(entity, &old, Compared::for_change(authorized)));
        let removed = self.plan_removal(&mut plan, entity, &old, guards).await;
        let change = ItemChange { old: &old.attributes, new: &old.attributes, relative: &BTreeSet::new() };
        removed.map_err(|error| self.reader(authorized.caller()).conceal_value(entity, change, error))?;
        Ok(PlannedWrite { plan, record: None })
    }

    /// Deletes an item with its dependent items, and takes it off the counters of the items that it refers to.
    pub(crate) async fn plan_removal(
        &self,
        plan: &mut Plan,
        entity: &Entity,
        old: &Record,
        guards: Vec<Guard>,
    ) -> Result<(), Error> {
        plan.add(Action { key: self.items.stored_key(&old.stored), effect: Effect::Delete, guards })?;
        self.dependents().plan_changes(plan, entity, Some(&old.attributes), None)?;
        let mut counters = Plan::default();
        self.references().plan_changes(&mut counters, entity, Some(&old.attributes), None).await?;
        plan.extend(counters)
    }
}
