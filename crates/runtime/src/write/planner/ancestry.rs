//! References that form a tree: no item is its own ancestor.

use keyfold_design::model::Entity;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Condition;

use super::references::{References, referenced_identity};
use crate::error::Error;
use crate::items::identity_of;
use crate::write::plan::{Action, Effect, Guard, GuardFailure, Plan};

/// The maximum depth of a tree: each ancestor takes an action of the transaction.
const MAX_DEPTH: usize = 50;

impl References<'_> {
    /// Reads the ancestors of an item that gets a new parent, and makes the write conditional on them, so that two
    /// concurrent moves cannot form a cycle.
    pub(super) async fn plan_ancestors(
        &self,
        plan: &mut Plan,
        entity: &Entity,
        old: Option<&Attributes>,
        new: &Attributes,
    ) -> Result<(), Error> {
        for reference in entity.references.iter().filter(|reference| reference.acyclic) {
            let own = identity_of(entity, new)?;
            let mut next = referenced_identity(reference, new);
            if next == old.and_then(|old| referenced_identity(reference, old)) {
                continue;
            }
            let mut ancestors = 0;
            while let Some(ancestor) = next {
                if ancestor == own || ancestors == MAX_DEPTH {
                    let why = if ancestor == own { "it would be its own ancestor" } else { "the tree is too deep" };
                    let message = format!("`{}` of {} cannot be set: {why}", reference.attribute, entity.name);
                    let error = Error::constraint(reference.attribute.clone(), Some(&reference.attribute), message);
                    return Err(error);
                }
                // No item can be below an item that does not exist yet.
                if old.is_none() {
                    break;
                }
                let Some(record) = self.items.find(entity, &ancestor).await? else { break };
                let conditions = reference.mapping.iter().filter(|(theirs, own)| theirs != own).map(|(_, own)| {
                    let condition = match record.stored.get(own) {
                        Some(value) => Condition::equals(own.clone(), value.clone()),
                        None => Condition::attribute_not_exists(own.clone()),
                    };
                    Guard::new(condition, GuardFailure::ChangedSinceRead)
                });
                let key = self.items.stored_key(&record.stored);
                plan.add(Action { key, effect: Effect::Check, guards: conditions.collect() })?;
                next = referenced_identity(reference, &record.attributes);
                ancestors += 1;
            }
        }
        Ok(())
    }
}
