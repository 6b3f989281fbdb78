//! One action on one item, and the request that carries it out.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::{
    Aliases, DeleteItemInput, PutItemInput, ReturnConsumedCapacity, ReturnValues, TransactWrite, TransactWriteKind,
    UpdateItemInput, WriteOptions,
};

use super::{AttributeChanges, Guard, GuardFailure};
use crate::expression::{AliasWriter, Condition, conjunction};

/// An action of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    pub key: Attributes,
    pub effect: Effect,
    pub guards: Vec<Guard>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// The whole item, keys included.
    Put(Attributes),
    Update(AttributeChanges),
    Delete,
    /// Nothing but the guards.
    Check,
}

impl Action {
    /// Why the condition failed, given the item that was found; `None` if all guards hold by now.
    pub fn failure(&self, found: Option<&Attributes>) -> Option<&GuardFailure> {
        let failed = || self.guards.iter().filter(|guard| !guard.condition.holds(found)).map(|guard| &guard.failure);
        failed().find(|failure| **failure != GuardFailure::ActionNotNeeded).or_else(|| failed().next())
    }

    /// Whether the plan can do without this action: it failed only because there is nothing left to take back.
    pub fn is_not_needed(&self, found: Option<&Attributes>) -> bool {
        let optional = self.guards.iter().all(|guard| guard.failure == GuardFailure::ActionNotNeeded);
        optional && self.failure(found) == Some(&GuardFailure::ActionNotNeeded)
    }

    /// The whole item, where the action writes one.
    pub fn item(&self) -> Option<&Attributes> {
        match &self.effect {
            Effect::Put(item) => Some(item),
            _ => None,
        }
    }

    fn condition(&self, aliases: &mut AliasWriter) -> Option<String> {
        let mut conditions: Vec<&Condition> = Vec::with_capacity(self.guards.len());
        for guard in &self.guards {
            if !conditions.contains(&&guard.condition) {
                conditions.push(&guard.condition);
            }
        }
        conjunction(conditions, aliases)
    }

    /// As an action of a transaction.
    pub fn transact(&self, table: &str) -> TransactWrite {
        let mut aliases = AliasWriter::default();
        let update = match &self.effect {
            Effect::Update(changes) => changes.write(&mut aliases),
            _ => None,
        };
        let condition_expression = self.condition(&mut aliases);
        let key = self.key.clone();
        let kind = match &self.effect {
            Effect::Put(item) => TransactWriteKind::Put { item: item.clone() },
            Effect::Update(_) => match update {
                Some(update_expression) => TransactWriteKind::Update { key, update_expression },
                None => TransactWriteKind::ConditionCheck { key },
            },
            Effect::Delete => TransactWriteKind::Delete { key },
            Effect::Check => TransactWriteKind::ConditionCheck { key },
        };
        TransactWrite {
            table_name: table.to_owned(),
            kind,
            condition_expression,
            aliases: aliases.into_aliases(),
            return_old_on_failure: true,
        }
    }

    /// As a request of its own, which takes the item of a put out of the action. An update returns the values asked for.
    pub fn request(&mut self, table: &str, asked: ReturnValues) -> Request {
        let mut aliases = AliasWriter::default();
        let update_expression = match &self.effect {
            Effect::Update(changes) => changes.write(&mut aliases),
            _ => None,
        };
        let condition_expression = self.condition(&mut aliases);
        let options = |return_values: ReturnValues, aliases: Aliases| WriteOptions {
            condition_expression,
            aliases,
            return_values,
            return_old_on_failure: true,
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            return_collection_metrics: false,
        };
        let table_name = table.to_owned();
        let aliases = aliases.into_aliases();
        match &mut self.effect {
            Effect::Put(item) => {
                let options = options(ReturnValues::None, aliases);
                Request::Put(PutItemInput { table_name, item: std::mem::take(item), options })
            }
            // A check alone is an update that changes nothing.
            Effect::Update(_) | Effect::Check => Request::Update(UpdateItemInput {
                table_name,
                key: self.key.clone(),
                update_expression,
                options: options(asked, aliases),
            }),
            Effect::Delete => Request::Delete(DeleteItemInput {
                table_name,
                key: self.key.clone(),
                options: options(ReturnValues::None, aliases),
            }),
        }
    }
}

/// A request with its answer's shape.
pub enum Request {
    Put(PutItemInput),
    Update(UpdateItemInput),
    Delete(DeleteItemInput),
}
