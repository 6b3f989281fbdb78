//! One action on one item, and the request that carries it out.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{
    DeleteItemInput, PutItemInput, ReturnConsumedCapacity, ReturnValues, TransactWrite, TransactWriteKind,
    UpdateItemInput, WriteOptions,
};

use super::{AttributeChanges, Guard, GuardFailure};
use crate::error::Error;

/// An action of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Action {
    pub key: Attributes,
    pub effect: Effect,
    pub guards: Vec<Guard>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// The whole item, keys included.
    Put(Attributes),
    Update(AttributeChanges),
    Delete,
    /// Nothing but the guards.
    Check,
}

impl Action {
    /// The guard that failed, given the item that was found; `None` if all guards hold by now.
    pub(crate) fn failed_guard(&self, found: Option<&Attributes>) -> Option<&Guard> {
        let nothing = Attributes::new();
        let item = found.unwrap_or(&nothing);
        let failed = || self.guards.iter().filter(|guard| !guard.condition.matches(item));
        failed().find(|guard| guard.failure != GuardFailure::ActionNotNeeded).or_else(|| failed().next())
    }

    /// Whether the condition failed for this reason, given the item that was found.
    pub(crate) fn fails_because(&self, reason: &GuardFailure, found: Option<&Attributes>) -> bool {
        self.failed_guard(found).is_some_and(|guard| guard.failure == *reason)
    }

    /// Whether the condition failed because another item has the key or a unique value.
    pub(crate) fn fails_as_taken(&self, found: Option<&Attributes>) -> bool {
        self.failed_guard(found).is_some_and(|guard| guard.failure.is_taken())
    }

    /// Whether the plan can do without this action: it failed only because there is nothing to undo.
    pub(crate) fn is_not_needed(&self, found: Option<&Attributes>) -> bool {
        let optional = self.guards.iter().all(|guard| guard.failure == GuardFailure::ActionNotNeeded);
        optional && self.fails_because(&GuardFailure::ActionNotNeeded, found)
    }

    /// The conditions of all guards, each once.
    fn condition(&self) -> Option<Condition> {
        let mut conditions: Vec<&Condition> = Vec::with_capacity(self.guards.len());
        for guard in &self.guards {
            if !conditions.contains(&&guard.condition) {
                conditions.push(&guard.condition);
            }
        }
        Condition::all(conditions.into_iter().cloned())
    }

    /// As an action of a transaction.
    pub(crate) fn transact(&self, table: &str) -> Result<TransactWrite, Error> {
        let key = self.key.clone();
        let kind = match &self.effect {
            Effect::Put(item) => TransactWriteKind::Put { item: item.clone() },
            Effect::Update(changes) => match changes.update()? {
                Some(update) => TransactWriteKind::Update { key, update },
                None => TransactWriteKind::ConditionCheck { key },
            },
            Effect::Delete => TransactWriteKind::Delete { key },
            Effect::Check => TransactWriteKind::ConditionCheck { key },
        };
        let table_name = table.to_owned();
        Ok(TransactWrite { table_name, kind, condition: self.condition(), return_old_on_failure: true })
    }

    /// As a request of its own, which takes the item of a put with it; an update returns the values asked for.
    pub(crate) fn request(&mut self, table: &str, asked: ReturnValues) -> Result<Request, Error> {
        let condition = self.condition();
        let options = |return_values: ReturnValues| WriteOptions {
            condition,
            return_values,
            return_old_on_failure: true,
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            return_collection_metrics: false,
        };
        let table_name = table.to_owned();
        let key = self.key.clone();
        Ok(match &mut self.effect {
            Effect::Put(item) => {
                let options = options(ReturnValues::None);
                Request::Put(PutItemInput { table_name, item: std::mem::take(item), options })
            }
            Effect::Update(changes) => {
                Request::Update(UpdateItemInput { table_name, key, update: changes.update()?, options: options(asked) })
            }
            // A check alone is an update that changes nothing.
            Effect::Check => {
                Request::Update(UpdateItemInput { table_name, key, update: None, options: options(asked) })
            }
            Effect::Delete => {
                Request::Delete(DeleteItemInput { table_name, key, options: options(ReturnValues::None) })
            }
        })
    }
}

/// A request that carries out one action.
pub(crate) enum Request {
    Put(PutItemInput),
    Update(UpdateItemInput),
    Delete(DeleteItemInput),
}
