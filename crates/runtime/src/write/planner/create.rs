//! New items.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Condition;

use super::new_state::apply_defaults;
use super::{PlannedWrite, Planner};
use crate::authorize::Authorized;
use crate::description::describe_identity;
use crate::error::Error;
use crate::record::Record;
use crate::write::plan::{Action, Effect, Guard, GuardFailure, Plan};

impl Planner<'_> {
    pub(crate) async fn plan_create(
        &self,
        authorized: &Authorized<'_>,
        mut attributes: Attributes,
        generated_ids: &[String],
    ) -> Result<PlannedWrite, Error> {
        let entity = authorized.entity();
        self.require_settable_values(authorized, &attributes, generated_ids)?;
        apply_defaults(entity, &mut attributes);
        let item =
            self.new_state(self.reader(authorized.caller())).complete(authorized, &mut attributes, None, true)?;
        let key = self.items.key_among(entity, &item, &attributes)?;
        let identity = describe_identity(entity, &attributes);
        let free = Condition::attribute_not_exists(self.items.partition_key().to_owned());
        let free = Guard::new(free, GuardFailure::AlreadyExists { entity: entity.name.clone(), identity });
        // Before the search, so that it finds every item that was created before the sequences were as read here.
        let given_ids = self.sequences().read_given(entity, &attributes, generated_ids).await?;
        // The key holds more than the identity, so the item may exist at another key, unless its id was just generated.
        let is_new = entity.identity.iter().any(|name| generated_ids.contains(name));
        let other_key = if entity.is_found_by_key() || is_new {
            None
        } else {
            let found = self.items.find_stored(entity, &attributes).await?;
            found.map(|found| self.items.stored_key(&found.stored)).filter(|other| *other != key)
        };
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Put(item), guards: vec![free.clone()] })?;
        // Rejected with the rest of the plan, so that what else is wrong is reported first.
        if let Some(key) = other_key {
            plan.add(Action { key, effect: Effect::Check, guards: vec![free] })?;
        }
        self.dependents().plan_changes(&mut plan, entity, None, Some(&attributes))?;
        self.references().plan_changes(&mut plan, entity, None, Some(&attributes)).await?;
        self.sequences().plan_given(&mut plan, authorized, given_ids)?;
        self.references().plan_ancestors(&mut plan, entity, None, &attributes).await?;
        let record = Some(Record {
            entity: entity.id,
            attributes,
            is_readable: true,
            concealed: Attributes::new(),
            stored: Attributes::new(),
        });
        Ok(PlannedWrite { plan, record })
    }
}
