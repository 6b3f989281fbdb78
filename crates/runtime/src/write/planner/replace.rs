//! Puts and upserts: what is stored decides whether an item is created or changed.

use keyfold_design::model::Verb;
use keyfold_dynamo::Attributes;

use crate::authorize::{Access, Authorized, authorize};
use crate::items::exists;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::confinement;
use crate::write::executor::Failure;
use crate::write::plan::GuardFailure;
use crate::write::planner::require_updatable;
use crate::write::verbs::PlannedWrite;

impl Runtime {
    pub(crate) async fn plan_replace(
        &self,
        authorized: &Authorized<'_>,
        given: &Attributes,
        generated_ids: &[String],
        merge: bool,
    ) -> Result<PlannedWrite, Failure> {
        let entity = authorized.entity();
        let confined = confinement(&self.design, authorized.caller());
        let Some(old) = self.find(entity, given).await? else {
            return self.plan_new(authorized, given, generated_ids).await;
        };
        let may_know = authorized.admits(&old.attributes) || self.may_read(authorized, &old.attributes);
        if !may_know || !confined.sees(entity, &old.attributes) {
            // To this caller the item is not there. Where they could create it, its key is one that cannot be used.
            self.plan_new(authorized, given, generated_ids).await?;
            return Err(Failure::Final(exists(entity, given)));
        }
        if !confined.may_change(entity, &old.attributes) {
            return Err(Failure::Final(exists(entity, given)));
        }
        authorized.require(&old.attributes)?;
        require_updatable(entity)?;
        let mut new = if merge { old.attributes.clone() } else { self.kept_attributes(authorized, &old) };
        new.extend(given.clone());
        if !merge {
            self.apply_defaults(entity, &mut new);
        }
        self.plan_transition(authorized, old, new, None).await
    }

    /// An item that is not there is created, which takes the right to do so.
    async fn plan_new(
        &self,
        authorized: &Authorized<'_>,
        given: &Attributes,
        generated_ids: &[String],
    ) -> Result<PlannedWrite, Failure> {
        let access =
            Access { caller: authorized.caller(), verb: Verb::Create, entity: authorized.entity(), pattern: None };
        let created = authorize(self.authorizer.as_ref(), access)?;
        let mut planned = self.plan_create(&created, given.clone(), generated_ids).await?;
        // Someone else may create it meanwhile: then it is changed.
        for guard in planned.plan.actions.first_mut().into_iter().flat_map(|action| &mut action.guards) {
            guard.failure = GuardFailure::ChangedSinceRead;
        }
        Ok(planned)
    }

    /// What a put does not replace: counters, since those who refer are still there, and what the caller does not see.
    fn kept_attributes(&self, authorized: &Authorized<'_>, old: &Record) -> Attributes {
        let mut seen = old.clone();
        authorized.conceal(&self.design, &mut seen);
        let is_kept = |name: &str| !seen.attributes.contains_key(name) || self.is_counter(authorized.entity(), name);
        let kept = old.attributes.iter().filter(|(name, _)| is_kept(name));
        kept.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}
