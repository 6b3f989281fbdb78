//! The attribute changes of an update.

use std::collections::BTreeSet;

use keyfold_dynamo::expression::{Path, SetAction, Update, ValueAction};
use keyfold_dynamo::{AttributeValue, Attributes, Number, ServiceError};

use super::merge_error::MergeError;
use crate::write::operators::OperatorClauses;

/// Changes to the attributes of one item. All other attributes stay, including those that the design does not declare.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct AttributeChanges {
    pub set: Attributes,
    pub remove: BTreeSet<String>,
    /// Amounts added to numbers, and members added to sets.
    pub add: Attributes,
    /// Members removed from sets.
    pub delete: Attributes,
    /// Changes that update operators make, of attributes that nothing above changes.
    pub operators: OperatorClauses,
    /// Whether the changes follow from stored values, so that they must not be made twice.
    pub is_relative: bool,
}

impl AttributeChanges {
    /// Adds to a counter.
    pub(crate) fn count(attribute: &str, by: i64) -> Self {
        let add = Attributes::from([(attribute.to_owned(), AttributeValue::N(Number::from(by)))]);
        Self { add, ..Self::default() }
    }

    /// Whether an attribute changes.
    pub(crate) fn touches(&self, name: &str) -> bool {
        self.set.contains_key(name)
            || self.remove.contains(name)
            || self.add.contains_key(name)
            || self.delete.contains_key(name)
            || self.operators.roots().any(|root| root == name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.only_adds() && self.add.is_empty()
    }

    /// Whether counters decrease and nothing else changes.
    pub(crate) fn only_decrements(&self) -> bool {
        let down = |value: &AttributeValue| value.as_number().is_some_and(|number| *number < Number::ZERO);
        self.only_adds() && self.add.values().all(down)
    }

    /// Whether the update does nothing but add to numbers and sets.
    pub(crate) fn only_adds(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.delete.is_empty() && self.operators.is_empty()
    }

    /// Whether the update only removes members from sets.
    pub(crate) fn only_removes_members(&self) -> bool {
        let others = self.set.is_empty() && self.remove.is_empty() && self.add.is_empty() && self.operators.is_empty();
        others && !self.delete.is_empty()
    }

    /// Merges other changes into these. Fails if the two change one attribute in different ways, or if a sum is not a
    /// number of DynamoDB.
    pub(crate) fn merge(&mut self, other: Self) -> Result<(), MergeError> {
        let different_values = other.set.iter().any(|(name, value)| self.set.get(name).is_some_and(|own| own != value));
        let different_clauses =
            other.clauses().any(|(name, clause)| self.clauses().any(|own| own.0 == name && own.1 != clause));
        let same_operators = other.operators.roots().any(|root| self.touches(root));
        if different_values || different_clauses || same_operators {
            return Err(MergeError::Incompatible);
        }
        self.operators.extend(other.operators);
        self.is_relative |= other.is_relative;
        self.set.extend(other.set);
        self.remove.extend(other.remove);
        other.add.into_iter().try_for_each(|(name, value)| merge_value(&mut self.add, name, value))?;
        other.delete.into_iter().try_for_each(|(name, value)| merge_value(&mut self.delete, name, value))
    }

    /// Each attribute with the clause that changes it.
    fn clauses(&self) -> impl Iterator<Item = (&String, Clause)> {
        let set = self.set.keys().map(|name| (name, Clause::Set));
        let remove = self.remove.iter().map(|name| (name, Clause::Remove));
        let add = self.add.keys().map(|name| (name, Clause::Add));
        let operators = self.operators.roots().map(|name| (name, Clause::Operator));
        set.chain(remove).chain(add).chain(self.delete.keys().map(|name| (name, Clause::Delete))).chain(operators)
    }

    /// Whether an item has every value that is set, and no attribute that is removed.
    pub(crate) fn are_applied_to(&self, stored: &Attributes) -> bool {
        self.set.iter().all(|(name, value)| stored.get(name) == Some(value))
            && self.remove.iter().all(|name| !stored.contains_key(name))
    }

    /// From one item to another; the keys of the table never change.
    pub(crate) fn between(old: &Attributes, new: &Attributes, is_key: impl Fn(&str) -> bool) -> Self {
        let mut changes = Self::default();
        for (name, value) in new.iter().filter(|(name, _)| !is_key(name)) {
            if old.get(name) != Some(value) {
                changes.set.insert(name.clone(), value.clone());
            }
        }
        changes.remove.extend(old.keys().filter(|name| !is_key(name) && !new.contains_key(*name)).cloned());
        changes
    }

    /// The update; `None` where nothing changes.
    pub(crate) fn update(&self) -> Result<Option<Update>, ServiceError> {
        if self.is_empty() {
            return Ok(None);
        }
        let OperatorClauses { mut set, mut remove, mut add, mut delete } = self.operators.clone();
        set.extend(self.set.iter().map(|(name, value)| SetAction::value(name, value.clone())));
        remove.extend(self.remove.iter().map(Path::attribute));
        let value_action = |(name, value): (&String, &AttributeValue)| ValueAction::new(name, value.clone());
        add.extend(self.add.iter().map(value_action));
        delete.extend(self.delete.iter().map(value_action));
        Update::new(set, remove, add, delete).map(Some)
    }
}

/// The clauses of an update expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clause {
    Set,
    Remove,
    Add,
    Delete,
    Operator,
}

/// Adds two amounts of one number, or unites two sets of members.
fn merge_value(values: &mut Attributes, name: String, value: AttributeValue) -> Result<(), MergeError> {
    match (values.get_mut(&name), value) {
        (None, value) => drop(values.insert(name, value)),
        (Some(AttributeValue::N(own)), AttributeValue::N(other)) => {
            *own = own.checked_add(&other).map_err(|_| MergeError::Incompatible)?;
        }
        (Some(AttributeValue::Ss(own)), AttributeValue::Ss(other)) => own.extend(other),
        (Some(AttributeValue::Ns(own)), AttributeValue::Ns(other)) => own.extend(other),
        (Some(_), _) => return Err(MergeError::Incompatible),
    }
    Ok(())
}
