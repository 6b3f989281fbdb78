//! New items.

use keyfold_dynamo::Attributes;

use super::action::{Action, Effect, Guard, Meaning};
use super::execute::Failure;
use super::find::exists;
use super::plan::Plan;
use super::verbs::Planned;
use crate::authorize::Authorized;
use crate::expression::Condition;
use crate::record::{Record, describe_identity};
use crate::runtime::Runtime;

impl Runtime {
    pub(super) async fn plan_create(
        &self,
        authorized: &Authorized<'_>,
        mut attributes: Attributes,
        drawn: &[String],
    ) -> Result<Planned, Failure> {
        let entity = authorized.entity();
        self.fill_new(entity, &mut attributes);
        self.stamp(entity, &mut attributes, None, authorized.caller().subject.as_deref());
        self.check_item(entity, &attributes)?;
        authorized.require(&attributes)?;
        let item = self.stored_form(entity, &attributes)?;
        let key = self.key_among(entity, &item, &attributes)?;
        // The key holds more than the identity: the item may be there under another key. An id just made is nobody's.
        let is_new = entity.identity.iter().any(|name| drawn.contains(name));
        if !entity.is_found_by_key() && !is_new && self.find_even_going(entity, &attributes).await?.is_some() {
            return Err(Failure::Final(exists(entity, &attributes)));
        }
        let identity = describe_identity(entity, &attributes);
        let free = Condition::NotExists(self.partition_key().to_owned());
        let meaning = Meaning::Present { entity: entity.name.clone(), identity };
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Put(item), guards: vec![Guard::new(free, meaning)] })?;
        self.plan_satellites(&mut plan, entity, None, Some(&attributes))?;
        self.plan_references(&mut plan, entity, None, Some(&attributes)).await?;
        self.plan_given_ids(&mut plan, authorized, &attributes, drawn).await?;
        self.plan_ancestry(&mut plan, entity, None, &attributes).await?;
        Ok(Planned { plan, record: Some(Record { entity: entity.id, attributes, stored: Attributes::new() }) })
    }
}
