//! New items.

use keyfold_dynamo::Attributes;

use crate::authorize::Authorized;
use crate::expression::Condition;
use crate::items::exists;
use crate::record::{Record, describe_identity};
use crate::runtime::Runtime;
use crate::write::executor::Failure;
use crate::write::plan::{Action, Effect, Guard, GuardFailure, Plan};
use crate::write::verbs::PlannedWrite;

impl Runtime {
    pub(crate) async fn plan_create(
        &self,
        authorized: &Authorized<'_>,
        mut attributes: Attributes,
        generated_ids: &[String],
    ) -> Result<PlannedWrite, Failure> {
        let entity = authorized.entity();
        self.apply_defaults(entity, &mut attributes);
        self.stamp(entity, &mut attributes, None, authorized.caller().subject.as_deref());
        self.check_item(entity, &attributes)?;
        authorized.require(&attributes)?;
        let item = self.stored_form(entity, &attributes)?;
        let key = self.key_among(entity, &item, &attributes)?;
        // The key holds more than the identity: the item may be there under another key. An id just made is nobody's.
        let is_new = entity.identity.iter().any(|name| generated_ids.contains(name));
        if !entity.is_found_by_key() && !is_new && self.find_stored(entity, &attributes).await?.is_some() {
            return Err(Failure::Final(exists(entity, &attributes)));
        }
        let identity = describe_identity(entity, &attributes);
        let free = Condition::NotExists(self.partition_key().to_owned());
        let failure = GuardFailure::AlreadyExists { entity: entity.name.clone(), identity };
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Put(item), guards: vec![Guard::new(free, failure)] })?;
        self.plan_dependent_items(&mut plan, entity, None, Some(&attributes))?;
        self.plan_references(&mut plan, entity, None, Some(&attributes)).await?;
        self.plan_given_sequence_numbers(&mut plan, authorized, &attributes, generated_ids).await?;
        self.plan_ancestry(&mut plan, entity, None, &attributes).await?;
        Ok(PlannedWrite { plan, record: Some(Record { entity: entity.id, attributes, stored: Attributes::new() }) })
    }
}
