//! The attribute changes of an update.

use std::collections::BTreeSet;

use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::expression::AliasWriter;

/// Changes to the attributes of one item. All other attributes stay, including those that the design does not declare.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AttributeChanges {
    pub set: Attributes,
    pub remove: BTreeSet<String>,
    /// Amounts added to numbers, and members added to sets.
    pub add: Attributes,
    /// Members removed from sets.
    pub delete: Attributes,
}

impl AttributeChanges {
    /// Adds to a counter.
    pub fn count(attribute: &str, by: i64) -> Self {
        let mut changes = Self::default();
        changes.add_number(attribute, by);
        changes
    }

    pub fn add_number(&mut self, attribute: &str, by: i64) {
        let before = self.add.get(attribute).and_then(AttributeValue::as_number).copied().unwrap_or(Number::ZERO);
        let by = Number::parse(&by.to_string()).unwrap_or(Number::ZERO);
        let sum = before.checked_add(&by).unwrap_or(before);
        self.add.insert(attribute.to_owned(), AttributeValue::N(sum));
    }

    /// Whether an attribute changes.
    pub fn touches(&self, name: &str) -> bool {
        self.set.contains_key(name)
            || self.remove.contains(name)
            || self.add.contains_key(name)
            || self.delete.contains_key(name)
    }

    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.add.is_empty() && self.delete.is_empty()
    }

    /// Whether counters decrease and nothing else changes.
    pub fn only_decrements(&self) -> bool {
        let down = |value: &AttributeValue| value.as_number().is_some_and(|number| *number < Number::ZERO);
        self.set.is_empty() && self.remove.is_empty() && self.delete.is_empty() && self.add.values().all(down)
    }

    /// Whether the update only adds to numbers and sets.
    pub fn only_adds(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.delete.is_empty()
    }

    /// Whether the update only removes members from sets.
    pub fn only_removes_members(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.add.is_empty() && !self.delete.is_empty()
    }

    /// Merges other changes into these; `false` if the two change one attribute in different ways.
    pub fn merge(&mut self, other: Self) -> bool {
        let different_values = other.set.iter().any(|(name, value)| self.set.get(name).is_some_and(|own| own != value));
        let different_clauses =
            other.names().any(|(name, kind)| self.names().any(|(own, own_kind)| own == name && own_kind != kind));
        if different_values || different_clauses {
            return false;
        }
        self.set.extend(other.set);
        self.remove.extend(other.remove);
        for (name, value) in other.add {
            match value.as_number().and_then(Number::to_i64) {
                Some(by) => self.add_number(&name, by),
                None => merge_sets(&mut self.add, name, value),
            }
        }
        other.delete.into_iter().for_each(|(name, value)| merge_sets(&mut self.delete, name, value));
        true
    }

    /// Each attribute with the clause that changes it.
    fn names(&self) -> impl Iterator<Item = (&String, u8)> {
        let set = self.set.keys().map(|name| (name, 0));
        let remove = self.remove.iter().map(|name| (name, 1));
        let add = self.add.keys().map(|name| (name, 2));
        set.chain(remove).chain(add).chain(self.delete.keys().map(|name| (name, 3)))
    }

    /// Whether an item has every value that is set, and no attribute that is removed.
    pub fn are_applied_to(&self, stored: &Attributes) -> bool {
        self.set.iter().all(|(name, value)| stored.get(name) == Some(value))
            && self.remove.iter().all(|name| !stored.contains_key(name))
    }

    /// From one item to another; the keys of the table never change.
    pub fn between(old: &Attributes, new: &Attributes, is_key: impl Fn(&str) -> bool) -> Self {
        let mut changes = Self::default();
        for (name, value) in new.iter().filter(|(name, _)| !is_key(name)) {
            if old.get(name) != Some(value) {
                changes.set.insert(name.clone(), value.clone());
            }
        }
        changes.remove.extend(old.keys().filter(|name| !is_key(name) && !new.contains_key(*name)).cloned());
        changes
    }

    /// The update expression; `None` where nothing changes.
    pub fn write(&self, aliases: &mut AliasWriter) -> Option<String> {
        let mut clauses = Vec::new();
        let mut clause = |word: &str, parts: Vec<String>| {
            if !parts.is_empty() {
                clauses.push(format!("{word} {}", parts.join(", ")));
            }
        };
        let set = self.set.iter().map(|(name, value)| format!("{} = {}", aliases.name(name), aliases.value(value)));
        clause("SET", set.collect());
        clause("REMOVE", self.remove.iter().map(|name| aliases.name(name)).collect());
        let add = self.add.iter().map(|(name, value)| format!("{} {}", aliases.name(name), aliases.value(value)));
        clause("ADD", add.collect());
        let delete = self.delete.iter().map(|(name, value)| format!("{} {}", aliases.name(name), aliases.value(value)));
        clause("DELETE", delete.collect());
        (!clauses.is_empty()).then(|| clauses.join(" "))
    }
}

fn merge_sets(sets: &mut Attributes, name: String, value: AttributeValue) {
    match (sets.get_mut(&name), value) {
        (Some(AttributeValue::Ss(mine)), AttributeValue::Ss(theirs)) => mine.extend(theirs),
        (Some(AttributeValue::Ns(mine)), AttributeValue::Ns(theirs)) => mine.extend(theirs),
        (_, value) => drop(sets.insert(name, value)),
    }
}
