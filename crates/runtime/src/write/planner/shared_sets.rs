//! Sets that several sources share: whoever leaves last takes the item along.

use keyfold_dynamo::operation::GetItemInput;
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use crate::error::Error;
use crate::expression::Condition;
use crate::runtime::Runtime;
use crate::write::plan::{Action, Effect, Guard, GuardFailure, Plan};

impl Runtime {
    /// Looks at the sets that members leave, once the whole plan is known: several writes may take members from one.
    pub(crate) async fn settle_shared_sets(&self, plan: &mut Plan) -> Result<(), Error> {
        let mut settled = Vec::with_capacity(plan.actions.len());
        for action in std::mem::take(&mut plan.actions) {
            match leaving(&action) {
                None => settled.push(action),
                Some((set, members)) => settled.extend(self.settle(action, set, members).await?),
            }
        }
        plan.actions = settled;
        Ok(())
    }

    /// `None` where there is nothing to leave: an update would bring the item back, empty.
    async fn settle(&self, mut action: Action, set: String, members: AttributeValue) -> Result<Option<Action>, Error> {
        let input = GetItemInput {
            table_name: self.table.clone(),
            key: action.key.clone(),
            consistent_read: true,
            ..GetItemInput::default()
        };
        let found = self.get_item(input).await?.item.map(Item::into_attributes);
        let Some(stored) = found.transpose().map_err(ServiceError::from)? else { return Ok(None) };
        let all = stored.get(&set).is_none_or(|stored| is_within(stored, &members));
        if !all {
            action.guards.push(Guard::new(Condition::Differs(set, members), GuardFailure::ChangedSinceRead));
        } else if self.is_nothing_but(&stored, &set) {
            let condition = match stored.get(&set) {
                Some(value) => Condition::Equals(set, value.clone()),
                None => Condition::Absent(set),
            };
            action.guards.push(Guard::new(condition, GuardFailure::ChangedSinceRead));
            action.effect = Effect::Delete;
        }
        Ok(Some(action))
    }

    /// Whether the item holds no more than its keys, its set and what the design computes: nobody else's attributes.
    fn is_nothing_but(&self, stored: &Attributes, set: &str) -> bool {
        let Some(entity) = self.design.recognise(stored).and_then(|id| self.design.entity(id)) else { return false };
        stored.keys().all(|name| {
            name == set
                || entity.layout.computed_names().any(|computed| computed == name)
                || self.design.is_table_key(name)
                || entity.attribute(name).is_some()
        })
    }
}

/// The set that an action takes members from, and nothing else.
fn leaving(action: &Action) -> Option<(String, AttributeValue)> {
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
