//! Patches: the given attributes change, all others stay.

use keyfold_dynamo::Attributes;

use super::guards::Compared;
use super::permitted::{reject_unsettable, require_updatable};
use super::{PlannedWrite, Planner};
use crate::authorize::Authorized;
use crate::error::Error;
use crate::write::command::PatchOptions;

impl Planner<'_> {
    pub(super) async fn plan_patch(
        &self,
        authorized: &Authorized<'_>,
        mut given: Attributes,
        options: PatchOptions,
        may_be_blind: bool,
    ) -> Result<PlannedWrite, Error> {
        let entity = authorized.entity();
        reject_unsettable(entity, &given)?;
        require_updatable(entity)?;
        let target = self.targets().bind(authorized, &mut given)?;
        if may_be_blind
            && !authorized.reads_items()
            && let Some(plan) = self.plan_blind_patch(authorized, &target, &given, options)?
        {
            return Ok(PlannedWrite { plan, reads: Vec::new(), record: None });
        }
        let confined = target.confined.clone();
        let old = self.targets().read(authorized, target).await?;
        let mut new = old.attributes.clone();
        new.extend(given);
        let compared = Compared::for_change(authorized);
        self.plan_transition(authorized, &confined, old, new, options.expected_version, compared).await
    }
}
