//! References that form a tree: no item is its own ancestor.

use keyfold_design::model::{Entity, Reference};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Condition;

use super::guards::kind_condition;
use super::references::{References, referenced_identity};
use crate::error::Error;
use crate::items::identity_of;
use crate::record::Record;
use crate::write::plan::{Action, Effect, Guard, GuardFailure, Plan};

/// The maximum depth of a tree: each ancestor takes an action of the transaction.
const MAX_DEPTH: usize = 50;

/// An item as a transaction leaves it.
pub(crate) struct WrittenItem<'a> {
    pub entity: &'a Entity,
    pub attributes: &'a Attributes,
    /// Whether the transaction creates it, so that no stored item can be below it.
    pub is_new: bool,
}

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
                require_ancestor(entity, reference, &own, &ancestor, ancestors)?;
                // No item can be below an item that does not exist yet.
                if old.is_none() {
                    break;
                }
                let Some(record) = self.ancestor(entity, reference, &ancestor, new).await? else { break };
                plan.add(self.unmoved(entity, reference, &record))?;
                next = referenced_identity(reference, &record.attributes);
                ancestors += 1;
            }
        }
        Ok(())
    }

    /// The same for items that one transaction puts below each other: an item that it creates can be an ancestor as
    /// well.
    pub(super) async fn plan_ancestors_within(
        &self,
        plan: &mut Plan,
        written: &[WrittenItem<'_>],
    ) -> Result<(), Error> {
        for item in written {
            for reference in item.entity.references.iter().filter(|reference| reference.acyclic) {
                let own = identity_of(item.entity, item.attributes)?;
                let mut next = referenced_identity(reference, item.attributes);
                let mut ancestors = 0;
                while let Some(ancestor) = next {
                    require_ancestor(item.entity, reference, &own, &ancestor, ancestors)?;
                    next = match written_state(written, item.entity, &ancestor) {
                        Some(state) => referenced_identity(reference, state),
                        // Planned with the item alone, unless a written item has led here.
                        None if ancestors == 0 || item.is_new => break,
                        None => {
                            let found = self.ancestor(item.entity, reference, &ancestor, item.attributes).await?;
                            let Some(record) = found else { break };
                            plan.add(self.unmoved(item.entity, reference, &record))?;
                            referenced_identity(reference, &record.attributes)
                        }
                    };
                    ancestors += 1;
                }
            }
        }
        Ok(())
    }

    /// A stored ancestor. Another tenant's is none: the reference to it is rejected, and its own ancestors are not
    /// read.
    async fn ancestor(
        &self,
        entity: &Entity,
        reference: &Reference,
        identity: &Attributes,
        child: &Attributes,
    ) -> Result<Option<Record>, Error> {
        let same_tenant = self.same_tenant(reference, entity, Some(child));
        let is_same = |found: &Record| same_tenant.as_ref().is_none_or(|condition| condition.matches(&found.stored));
        Ok(self.items.find(entity, identity).await?.filter(is_same))
    }

    /// The condition that a stored ancestor still has the parent that was read.
    fn unmoved(&self, entity: &Entity, reference: &Reference, ancestor: &Record) -> Action {
        let conditions = reference.mapping.iter().filter(|(theirs, own)| theirs != own).map(|(_, own)| {
            let condition = match ancestor.stored.get(own) {
                Some(value) => Condition::equals(own.clone(), value.clone()),
                None => Condition::attribute_not_exists(own.clone()),
            };
            Guard::new(condition, GuardFailure::ChangedSinceRead)
        });
        let key = self.items.stored_key(&ancestor.stored);
        let kind = kind_condition(entity).map(|condition| Guard::new(condition, GuardFailure::ChangedSinceRead));
        Action { key, effect: Effect::Check, guards: conditions.chain(kind).collect() }
    }
}

/// Rejects an item as its own ancestor, and more ancestors than a transaction can check.
fn require_ancestor(
    entity: &Entity,
    reference: &Reference,
    own: &Attributes,
    ancestor: &Attributes,
    ancestors: usize,
) -> Result<(), Error> {
    if ancestor != own && ancestors < MAX_DEPTH {
        return Ok(());
    }
    let why = if ancestor == own { "it would be its own ancestor" } else { "the tree is too deep" };
    let message = format!("`{}` of {} cannot be set: {why}", reference.attribute, entity.name);
    Err(Error::constraint(reference.attribute.clone(), Some(&reference.attribute), message))
}

fn written_state<'w>(written: &'w [WrittenItem<'_>], entity: &Entity, identity: &Attributes) -> Option<&'w Attributes> {
    let is_it = |item: &&WrittenItem<'_>| {
        item.entity.id == entity.id && identity_of(entity, item.attributes).is_ok_and(|own| own == *identity)
    };
    written.iter().find(is_it).map(|item| item.attributes)
}
