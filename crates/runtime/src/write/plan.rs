//! A plan: actions on distinct items that happen together.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::TransactWrite;

use super::action::{Action, Apart, Effect};
use super::execute::error_of;
use crate::error::Error;
use crate::record::plain_text;

/// Actions that happen all or not at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    pub actions: Vec<Action>,
    /// What is written to other tables with them.
    pub beside: Vec<TransactWrite>,
    /// The items that writes of the call are about.
    written: Vec<Attributes>,
}

impl Plan {
    /// Actions on items that are known to be distinct.
    pub fn of(actions: Vec<Action>) -> Self {
        Self { actions, ..Self::default() }
    }

    /// Adds an action. A transaction may touch an item once only, so actions on one item are joined.
    pub fn add(&mut self, action: Action) -> Result<(), Error> {
        if matches!(&action.effect, Effect::Update(changes) if changes.is_empty()) && action.guards.is_empty() {
            return Ok(());
        }
        let Some(known) = self.actions.iter_mut().find(|known| known.key == action.key) else {
            self.actions.push(action);
            return Ok(());
        };
        let key = action.key.clone();
        known.join(action).map_err(|apart| match apart {
            Apart::Unjoinable => twice(&key),
            Apart::Unmet(meaning) => error_of(&meaning, None),
        })
    }

    /// Adds a write of a call, whose first action is about its own item. Each was planned on what is stored, so that two
    /// of one item would not know of each other.
    pub fn extend_with_write(&mut self, other: Plan) -> Result<(), Error> {
        if let Some(action) = other.actions.first() {
            if self.written.contains(&action.key) {
                return Err(twice(&action.key));
            }
            self.written.push(action.key.clone());
        }
        self.extend(other)
    }

    pub fn extend(&mut self, other: Plan) -> Result<(), Error> {
        other.actions.into_iter().try_for_each(|action| self.add(action))
    }

    pub fn refuse_too_many(&self) -> Result<(), Error> {
        let count = self.actions.len() + self.beside.len();
        if count <= TRANSACTION_ACTIONS {
            return Ok(());
        }
        Err(Error::constraint(
            "transaction size",
            None,
            format!(
                "the call changes {count} items, and a transaction of DynamoDB takes {TRANSACTION_ACTIONS} at most"
            ),
        ))
    }
}

fn twice(key: &Attributes) -> Error {
    let key: Vec<String> = key.values().map(plain_text).collect();
    Error::Invalid(format!("two writes of one call change the item at {}", key.join(", ")))
}
