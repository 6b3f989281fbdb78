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
    /// The item whose counter goes down is not there any more or has not counted, or a lookup that goes is another's by
    /// now: there is nothing to keep.
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
        let only_counts = self.guards.iter().all(|guard| guard.meaning == Meaning::Uncounted);
        only_counts && self.failed(found) == Some(&Meaning::Uncounted)
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

    /// As a request of its own, which takes the item of a put with it; an update answers with what is asked for.
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

    /// Whether this changes what the other was planned on: two albums that each go below the other, in one call.
    fn disturbs(&self, other: &Action) -> bool {
        let Effect::Update(changes) = &self.effect else { return false };
        other.guards.iter().filter(|guard| guard.meaning == Meaning::Changed).any(|guard| match &guard.condition {
            Condition::Equals(name, _) | Condition::Absent(name) => changes.touches(name),
            _ => false,
        })
    }

    /// Whether both count up from the same number: together they count further.
    fn counts_alike(&self, other: &Action) -> bool {
        let only_adds = |action: &Action| matches!(&action.effect, Effect::Update(changes) if changes.only_adds());
        self.guards == other.guards && only_adds(self) && only_adds(other)
    }

    /// Joins another action on the same item: a transaction may touch it once only.
    pub fn join(&mut self, other: Action) -> Result<(), Apart> {
        let disturbed = !self.counts_alike(&other) && (self.disturbs(&other) || other.disturbs(self));
        match (&mut self.effect, other.effect) {
            (Effect::Check | Effect::Update(_), Effect::Check | Effect::Update(_)) if disturbed => {
                return Err(Apart::Unjoinable);
            }
            // What is put is there: a check of it is made here and now.
            (Effect::Put(item), effect @ (Effect::Check | Effect::Update(_))) => {
                count_into(item, effect, &other.guards)?;
                return Ok(());
            }
            (effect @ (Effect::Check | Effect::Update(_)), Effect::Put(mut item)) => {
                count_into(&mut item, effect.clone(), &self.guards)?;
                self.effect = Effect::Put(item);
                self.guards = other.guards;
                return Ok(());
            }
            // A counter of an item that goes away need not be kept; nobody can refer to it any more.
            (Effect::Delete, Effect::Update(changes)) if changes.only_counts_down() => return Ok(()),
            (Effect::Update(mine), Effect::Delete) if mine.only_counts_down() => {
                self.effect = Effect::Delete;
                self.guards = other.guards;
                return Ok(());
            }
            (Effect::Check | Effect::Update(_), Effect::Check) => {}
            (Effect::Check, effect @ Effect::Update(_)) => self.effect = effect,
            (Effect::Update(mine), Effect::Update(theirs)) => {
                if !mine.join(theirs) {
                    return Err(Apart::Unjoinable);
                }
            }
            // Two items of one call with one unique value.
            (Effect::Put(_), Effect::Put(_)) => {
                let taken = other.guards.into_iter().find(|guard| matches!(guard.meaning, Meaning::Taken { .. }));
                return Err(taken.map_or(Apart::Unjoinable, |guard| Apart::Unmet(guard.meaning)));
            }
            _ => return Err(Apart::Unjoinable),
        }
        for guard in other.guards {
            if !self.guards.contains(&guard) {
                self.guards.push(guard);
            }
        }
        // Only what does nothing but count down can be left out where nothing was counted.
        if self.guards.iter().any(|guard| guard.meaning != Meaning::Uncounted) {
            self.guards.retain(|guard| {
                guard.meaning != Meaning::Uncounted || !matches!(guard.condition, Condition::AtLeast(..))
            });
        }
        Ok(())
    }
}

/// Why two actions on one item cannot be one.
pub enum Apart {
    Unjoinable,
    /// One puts an item that the other's guard does not hold for.
    Unmet(Meaning),
}

/// Counts on an item that is put by the same plan, if the guards hold for it.
fn count_into(item: &mut Attributes, effect: Effect, guards: &[Guard]) -> Result<(), Apart> {
    let mut unmet = guards.iter().filter(|guard| !guard.condition.holds(Some(item))).peekable();
    let uncounted = unmet.peek().is_some();
    if let Some(unmet) = unmet.find(|guard| guard.meaning != Meaning::Uncounted) {
        return Err(Apart::Unmet(unmet.meaning.clone()));
    }
    if uncounted {
        return Ok(());
    }
    let Effect::Update(changes) = effect else { return Ok(()) };
    if !changes.set.is_empty() || !changes.remove.is_empty() || !changes.delete.is_empty() {
        return Err(Apart::Unjoinable);
    }
    changes.add.into_iter().for_each(|(name, by)| add_to(item, name, by));
    Ok(())
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
