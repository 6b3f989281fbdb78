//! Sets to which several sources contribute: the item is deleted with its last member.

use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::error::Error;
use crate::items::Items;
use crate::write::plan::{Action, Effect, Guard, GuardFailure, Plan};

/// Completes plans that remove members from shared sets.
#[derive(Clone, Copy)]
pub(crate) struct SharedSets<'r> {
    pub items: Items<'r>,
}

impl SharedSets<'_> {
    /// Decides for each set that loses members whether its item is deleted. This needs the whole plan, since several
    /// writes may remove members of one set.
    pub(crate) async fn settle(&self, plan: &mut Plan) -> Result<(), Error> {
        let mut settled = Vec::with_capacity(plan.actions.len());
        for action in std::mem::take(&mut plan.actions) {
            match removed_members(&action) {
                None => settled.push(action),
                Some((set, members)) => settled.extend(self.settle_action(action, set, members).await?),
            }
        }
        plan.actions = settled;
        Ok(())
    }

    /// `None` if the item does not exist: an update would create it.
    async fn settle_action(
        &self,
        mut action: Action,
        set: String,
        members: AttributeValue,
    ) -> Result<Option<Action>, Error> {
        let Some(stored) = self.items.attributes_at_key(action.key.clone()).await? else { return Ok(None) };
        let all = stored.get(&set).is_none_or(|stored| is_within(stored, &members));
        if !all {
            action.guards.push(Guard::new(Condition::not_equals(set, members), GuardFailure::ChangedSinceRead));
        } else if self.has_nothing_but(&stored, &set) {
            let condition = match stored.get(&set) {
                Some(value) => Condition::equals(set, value.clone()),
                None => Condition::attribute_not_exists(set),
            };
            action.guards.push(Guard::new(condition, GuardFailure::ChangedSinceRead));
            action.effect = Effect::Delete;
        }
        Ok(Some(action))
    }

    /// Whether the item holds nothing but its keys, its set and declared or computed attributes.
    fn has_nothing_but(&self, stored: &Attributes, set: &str) -> bool {
        let Some(entity) = self.items.design.recognize(stored).map(|id| &self.items.design[id]) else { return false };
        stored.keys().all(|name| {
            name == set
                || entity.layout.computed_names().any(|computed| computed == name)
                || self.items.design.is_table_key(name)
                || entity.attribute(name).is_some()
        })
    }
}

/// The set and the members of an action that only removes members from one set.
fn removed_members(action: &Action) -> Option<(String, AttributeValue)> {
    let Effect::Update(changes) = &action.effect else { return None };
    let mut sets = changes.delete.iter();
    match (sets.next(), sets.next()) {
        (Some((set, members)), None) if changes.only_removes_members() => Some((set.clone(), members.clone())),
        _ => None,
    }
}

fn is_within(set: &AttributeValue, members: &AttributeValue) -> bool {
    match (set, members) {
        (AttributeValue::Ss(set), AttributeValue::Ss(members)) => set.is_subset(members),
        (AttributeValue::Ns(set), AttributeValue::Ns(members)) => set.is_subset(members),
        _ => false,
    }
}
