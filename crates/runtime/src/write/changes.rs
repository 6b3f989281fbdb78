//! The changes of an update, and the expression that makes them.

use std::collections::BTreeSet;

use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::expression::AliasWriter;

/// What an update does to an item. What it does not name stays, also attributes that the design does not know.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    pub set: Attributes,
    pub remove: BTreeSet<String>,
    /// Numbers that are added to, and sets that take members.
    pub add: Attributes,
    /// Sets that lose members.
    pub delete: Attributes,
}

impl Changes {
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

    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.add.is_empty() && self.delete.is_empty()
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
