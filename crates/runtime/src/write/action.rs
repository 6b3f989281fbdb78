//! One action on one item, and what it means when its condition fails.

use keyfold_dynamo::operation::{
    Aliases, DeleteItemInput, PutItemInput, ReturnConsumedCapacity, ReturnValues, TransactWrite, TransactWriteKind,
    UpdateItemInput, WriteOptions,
};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Changes;
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
    Update(Changes),
    Delete,
    /// Nothing but the guards.
    Check,
}

/// A condition with its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Guard {
    pub condition: Condition,
    pub meaning: Meaning,
}

/// What it means that a guard does not hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// There is no such item.
    Missing { entity: String, identity: String },
    /// It belongs to all tenants, and is not the caller's to change.
    Shared { entity: String },
    /// There is one already.
    Present { entity: String, identity: String },
    /// It changed since it was read: plan again.
    Changed,
    /// It does not have the version that the caller expects.
    Unexpected { entity: String, identity: String },
    /// It is being deleted, or looked at for that: try again.
    Busy { entity: String, identity: String },
    /// Another item has the value.
    Taken { unique: String, attributes: Vec<String> },
    /// The item whose counter goes down is not there any more: there is nothing to count.
    Uncounted,
    /// What an attribute refers to is not there.
    Dangling { attribute: String, target: String },
}

impl Guard {
    pub fn new(condition: Condition, meaning: Meaning) -> Self {
        Self { condition, meaning }
    }
}

impl Action {
    /// The meaning of a failed condition, given the item as it was found; `None` where all guards hold by now.
    pub fn failed(&self, found: Option<&Attributes>) -> Option<&Meaning> {
        let failed = || self.guards.iter().filter(|guard| !guard.condition.holds(found)).map(|guard| &guard.meaning);
        failed().find(|meaning| **meaning != Meaning::Uncounted).or_else(|| failed().next())
    }

    /// Whether the action failed for nothing but a counter whose item is gone.
    pub fn counts_nothing(&self, found: Option<&Attributes>) -> bool {
        self.failed(found) == Some(&Meaning::Uncounted)
    }

    /// The whole item, where the action writes one.
    pub fn item(&self) -> Option<&Attributes> {
        match &self.effect {
            Effect::Put(item) => Some(item),
            _ => None,
        }
    }

    fn condition(&self, aliases: &mut AliasWriter) -> Option<String> {
        let mut conditions: Vec<Condition> = Vec::with_capacity(self.guards.len());
        for guard in &self.guards {
            if !conditions.contains(&guard.condition) {
                conditions.push(guard.condition.clone());
            }
        }
        conjunction(&conditions, aliases)
    }

    /// As an action of a transaction.
    pub fn into_transact(self, table: &str) -> TransactWrite {
        let mut aliases = AliasWriter::default();
        let update = match &self.effect {
            Effect::Update(changes) => changes.write(&mut aliases),
            _ => None,
        };
        let condition_expression = self.condition(&mut aliases);
        let kind = match self.effect {
            Effect::Put(item) => TransactWriteKind::Put { item },
            Effect::Update(_) => match update {
                Some(update_expression) => TransactWriteKind::Update { key: self.key, update_expression },
                None => TransactWriteKind::ConditionCheck { key: self.key },
            },
            Effect::Delete => TransactWriteKind::Delete { key: self.key },
            Effect::Check => TransactWriteKind::ConditionCheck { key: self.key },
        };
        TransactWrite {
            table_name: table.to_owned(),
            kind,
            condition_expression,
            aliases: aliases.into_aliases(),
            return_old_on_failure: true,
        }
    }

    /// As a request of its own.
    pub fn into_request(self, table: &str) -> Request {
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
        match self.effect {
            Effect::Put(item) => {
                Request::Put(PutItemInput { table_name, item, options: options(ReturnValues::None, aliases) })
            }
            Effect::Update(_) => Request::Update(UpdateItemInput {
                table_name,
                key: self.key,
                update_expression,
                options: options(ReturnValues::AllNew, aliases),
            }),
            Effect::Delete | Effect::Check => Request::Delete(DeleteItemInput {
                table_name,
                key: self.key,
                options: options(ReturnValues::None, aliases),
            }),
        }
    }

    /// Joins another action on the same item; `false` where the two cannot be one.
    pub fn join(&mut self, other: Action) -> bool {
        match (&mut self.effect, other.effect) {
            // What is put is there: a check of it has nothing left to ask.
            (Effect::Put(_), Effect::Check) => return true,
            (Effect::Put(item), Effect::Update(changes)) if changes.set.is_empty() && changes.remove.is_empty() => {
                changes.add.into_iter().for_each(|(name, by)| add_to(item, name, by));
                return true;
            }
            (Effect::Check, Effect::Put(item)) => {
                self.effect = Effect::Put(item);
                self.guards = other.guards;
                return true;
            }
            (Effect::Update(mine), Effect::Put(mut item)) if mine.set.is_empty() && mine.remove.is_empty() => {
                std::mem::take(&mut mine.add).into_iter().for_each(|(name, by)| add_to(&mut item, name, by));
                self.effect = Effect::Put(item);
                self.guards = other.guards;
                return true;
            }
            (Effect::Check | Effect::Update(_), Effect::Check) => {}
            (Effect::Check, effect @ (Effect::Update(_) | Effect::Delete)) => self.effect = effect,
            (Effect::Delete, Effect::Check) => {}
            // A counter of an item that goes away need not be kept.
            (Effect::Delete, Effect::Update(changes)) if changes.set.is_empty() => return true,
            (Effect::Update(mine), Effect::Delete) if mine.set.is_empty() => {
                self.effect = Effect::Delete;
                self.guards = other.guards;
                return true;
            }
            (Effect::Update(mine), Effect::Update(theirs)) => {
                let both_set = theirs.set.keys().any(|name| mine.set.contains_key(name));
                if both_set {
                    return false;
                }
                mine.set.extend(theirs.set);
                mine.remove.extend(theirs.remove);
                for (name, value) in theirs.add {
                    match value.as_number().and_then(keyfold_dynamo::Number::to_i64) {
                        Some(by) => mine.add_number(&name, by),
                        None => join_sets(&mut mine.add, name, value),
                    }
                }
                theirs.delete.into_iter().for_each(|(name, value)| join_sets(&mut mine.delete, name, value));
            }
            _ => return false,
        }
        for guard in other.guards {
            if !self.guards.contains(&guard) {
                self.guards.push(guard);
            }
        }
        true
    }
}

/// A request with its answer's shape.
pub enum Request {
    Put(PutItemInput),
    Update(UpdateItemInput),
    Delete(DeleteItemInput),
}

fn add_to(item: &mut Attributes, name: String, by: AttributeValue) {
    let sum = match (item.get(&name), &by) {
        (Some(AttributeValue::N(before)), AttributeValue::N(by)) => {
            before.checked_add(by).map_or(AttributeValue::N(*before), AttributeValue::N)
        }
        _ => by,
    };
    item.insert(name, sum);
}

fn join_sets(sets: &mut Attributes, name: String, value: AttributeValue) {
    match (sets.get_mut(&name), value) {
        (Some(AttributeValue::Ss(mine)), AttributeValue::Ss(theirs)) => mine.extend(theirs),
        (Some(AttributeValue::Ns(mine)), AttributeValue::Ns(theirs)) => mine.extend(theirs),
        (_, value) => {
            sets.insert(name, value);
        }
    }
}
