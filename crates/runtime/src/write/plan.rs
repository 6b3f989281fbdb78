//! A plan: actions on distinct items that happen together.

use keyfold_dynamo::limits::TRANSACTION_ACTIONS;

use super::action::{Action, Effect};
use crate::error::Error;
use crate::record::plain_text;

/// Actions that happen all or not at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    pub actions: Vec<Action>,
}

impl Plan {
    /// Adds an action. A transaction may touch an item once only, so actions on one item are joined.
    pub fn add(&mut self, action: Action) -> Result<(), Error> {
        if matches!(&action.effect, Effect::Update(changes) if changes.is_empty()) && action.guards.is_empty() {
            return Ok(());
        }
        let Some(known) = self.actions.iter_mut().find(|known| known.key == action.key) else {
            self.actions.push(action);
            return Ok(());
        };
        let key: Vec<String> = action.key.values().map(plain_text).collect();
        if known.join(action) {
            return Ok(());
        }
        Err(Error::Invalid(format!("two writes of one call change the item at {}", key.join(", "))))
    }

    pub fn extend(&mut self, other: Plan) -> Result<(), Error> {
        other.actions.into_iter().try_for_each(|action| self.add(action))
    }

    pub fn refuse_too_many(&self) -> Result<(), Error> {
        if self.actions.len() <= TRANSACTION_ACTIONS {
            return Ok(());
        }
        Err(Error::constraint(
            "transaction size",
            None,
            format!(
                "the call changes {} items, and a transaction of DynamoDB takes {TRANSACTION_ACTIONS} at most",
                self.actions.len()
            ),
        ))
    }
}
