//! A plan: actions on distinct items that are carried out together. Nothing here reads or writes a table.

mod action;
mod attribute_changes;
mod guard;
mod merge;
mod merge_error;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::TransactWrite;

pub(crate) use self::action::{Action, Effect, Request};
pub(crate) use self::attribute_changes::AttributeChanges;
pub(crate) use self::guard::{Guard, GuardFailure, shared_by_all_tenants};
use self::merge_error::MergeError;
use crate::description::plain_text;
use crate::error::Error;

/// Actions that are carried out all or not at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Plan {
    pub actions: Vec<Action>,
    /// Writes to other tables in the same transaction.
    pub side_writes: Vec<TransactWrite>,
    /// The keys of the items that the call's writes name.
    written: Vec<Attributes>,
}

impl Plan {
    /// Actions on items that are known to be distinct.
    pub(crate) fn from_actions(actions: Vec<Action>) -> Self {
        Self { actions, ..Self::default() }
    }

    /// Adds an action. A transaction may touch each item once, so actions on one item are merged.
    pub(crate) fn add(&mut self, action: Action) -> Result<(), Error> {
        if matches!(&action.effect, Effect::Update(changes) if changes.is_empty()) && action.guards.is_empty() {
            return Ok(());
        }
        let Some(known) = self.actions.iter_mut().find(|known| known.key == action.key) else {
            self.actions.push(action);
            return Ok(());
        };
        known.merge(action).map_err(|error| match error {
            // Its key may hold stored values that the caller may not read.
            MergeError::Incompatible => {
                Error::Invalid("two writes of one call change an item that depends on both".to_owned())
            }
            MergeError::GuardFails(failure) => failure.to_error(None),
        })
    }

    /// Marks the guards as those of one write of a transaction.
    pub(crate) fn assign_to_write(&mut self, position: usize) {
        let guards = self.actions.iter_mut().flat_map(|action| &mut action.guards);
        guards.for_each(|guard| guard.write = Some(position));
    }

    /// Whether the plan only checks items.
    pub(crate) fn changes_nothing(&self) -> bool {
        self.actions.iter().all(|action| action.effect == Effect::Check)
    }

    /// Adds a write of a call; its first action is on the item that it names. Each write was planned on the stored
    /// item, so that two writes of one item would not see each other.
    pub(crate) fn extend_with_write(&mut self, other: Plan) -> Result<(), Error> {
        if let Some(action) = other.actions.first() {
            if self.written.contains(&action.key) {
                return Err(conflicting_writes(&action.key));
            }
            self.written.push(action.key.clone());
        }
        self.extend(other)
    }

    pub(crate) fn extend(&mut self, other: Plan) -> Result<(), Error> {
        other.actions.into_iter().try_for_each(|action| self.add(action))
    }

    /// Rejects plans that no transaction holds.
    pub(crate) fn check_size(&self) -> Result<(), Error> {
        let count = self.actions.len() + self.side_writes.len();
        if count <= TRANSACTION_ACTIONS {
            return Ok(());
        }
        Err(Error::constraint(
            "transaction size",
            None,
            format!(
                "the call changes {count} items, but a transaction of DynamoDB takes {TRANSACTION_ACTIONS} at most"
            ),
        ))
    }
}

fn conflicting_writes(key: &Attributes) -> Error {
    let key: Vec<String> = key.values().map(plain_text).collect();
    Error::Invalid(format!("two writes of one call change the item at {}", key.join(", ")))
}
