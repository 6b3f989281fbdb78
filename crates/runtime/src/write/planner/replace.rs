//! Puts and upserts: the item is created or changed, depending on whether it exists.

use std::collections::BTreeSet;

use keyfold_design::model::Verb;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Condition;

use super::guards::{Compared, kind_condition};
use super::new_state::apply_defaults;
use super::permitted::require_updatable;
use super::transition::Transition;
use super::{PlannedWrite, Planner};
use crate::authorize::{Access, Authorized, authorize};
use crate::description::describe_identity;
use crate::error::Error;
use crate::items::exists;
use crate::record::Record;
use crate::tenancy::confinement;
use crate::write::plan::{Guard, GuardFailure};

impl Planner<'_> {
    pub(super) async fn plan_replace(
        &self,
        authorized: &Authorized<'_>,
        given: &Attributes,
        generated_ids: &[String],
        merge: bool,
    ) -> Result<PlannedWrite, Error> {
        let entity = authorized.entity();
        let confined = confinement(self.design, authorized.caller());
        let Some(old) = self.items.find(entity, given).await? else {
            let mut planned = self.plan_new(authorized, given, generated_ids).await?;
            // Another caller may create it meanwhile: then the write is planned again as a change.
            if let Some(action) = planned.plan.actions.first_mut() {
                // But another entity may have the same key.
                let free = Condition::attribute_not_exists(self.items.partition_key().to_owned());
                let taken = GuardFailure::AlreadyExists {
                    entity: entity.name.clone(),
                    identity: describe_identity(entity, given),
                };
                let kind = kind_condition(entity).map(|own| Guard::new(free.or(own), taken));
                for guard in &mut action.guards {
                    guard.failure = GuardFailure::ChangedSinceRead;
                }
                // Looked at first: to plan again would not help.
                drop(action.guards.splice(..0, kind));
            }
            return Ok(planned);
        };
        let may_know =
            authorized.admits(&old.attributes) || self.reader(authorized.caller()).may_read(entity, &old.attributes);
        if !may_know || !confined.sees(entity, &old.attributes) {
            // For this caller the item does not exist. If they may create it, the plan fails since its key is taken,
            // and where something else is wrong, exactly as it would for a free key.
            return self.plan_new(authorized, given, generated_ids).await;
        }
        if !confined.may_change(entity, &old.attributes) {
            return Err(exists(entity, given));
        }
        authorized.require(&old.attributes)?;
        require_updatable(entity)?;
        self.require_settable_changes(authorized, &old.attributes, given)?;
        let mut new = if merge { old.attributes.clone() } else { self.kept_attributes(authorized, &old) };
        new.extend(given.clone());
        if !merge {
            apply_defaults(entity, &mut new);
        }
        let compared = if merge { Compared::for_change(authorized) } else { Compared::WholeItem };
        let transition = Transition {
            old,
            new,
            keeps_undeclared: merge,
            expected_version: None,
            condition: Vec::new(),
            relative: BTreeSet::new(),
            compared,
            is_correction: false,
        };
        self.plan_transition(authorized, &confined, transition).await
    }

    /// Creates an item that does not exist, which takes the right to create.
    async fn plan_new(
        &self,
        authorized: &Authorized<'_>,
        given: &Attributes,
        generated_ids: &[String],
    ) -> Result<PlannedWrite, Error> {
        let access =
            Access { caller: authorized.caller(), verb: Verb::Create, entity: authorized.entity(), pattern: None };
        let created = authorize(self.authorizer, access)?;
        self.plan_create(&created, given.clone(), generated_ids).await
    }

    /// The attributes that a put keeps: counters, since the referring items still exist, and attributes that the caller
    /// does not see or may not set.
    fn kept_attributes(&self, authorized: &Authorized<'_>, old: &Record) -> Attributes {
        let entity = authorized.entity();
        let is_kept = |name: &str| {
            let keeps = |own| authorized.keeps(self.design, own, Some(&old.attributes)) != Some(false);
            entity.is_counter(name) || entity.attribute(name).is_some_and(keeps)
        };
        let kept = old.attributes.iter().filter(|(name, _)| is_kept(name));
        kept.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}
