//! Conditions on top-level attributes, built without text.

use crate::number::Number;
use crate::value::AttributeValue;

use super::condition::{Condition, Operand};
use super::path::Path;
use super::syntax::Comparison;

impl Condition {
    /// The attribute exists.
    pub fn attribute_exists(name: impl Into<String>) -> Self {
        Self::AttributeExists(Path::attribute(name))
    }

    /// The attribute does not exist.
    pub fn attribute_not_exists(name: impl Into<String>) -> Self {
        Self::AttributeNotExists(Path::attribute(name))
    }

    /// The attribute compares with the value in this way.
    pub fn compare(name: impl Into<String>, operator: Comparison, value: AttributeValue) -> Self {
        Self::Compare { left: attribute(name), operator, right: Operand::Value(value) }
    }

    /// The attribute has this value.
    pub fn equals(name: impl Into<String>, value: AttributeValue) -> Self {
        Self::compare(name, Comparison::Equal, value)
    }

    /// The attribute is absent or has another value.
    pub fn not_equals(name: impl Into<String>, value: AttributeValue) -> Self {
        Self::compare(name, Comparison::NotEqual, value)
    }

    /// The attribute is this number or a larger one.
    pub fn at_least(name: impl Into<String>, least: u64) -> Self {
        Self::compare(name, Comparison::GreaterOrEqual, AttributeValue::N(Number::from(least)))
    }

    /// The attribute is absent or has this value.
    pub fn absent_or_equals(name: impl Into<String>, value: AttributeValue) -> Self {
        let name = name.into();
        Self::attribute_not_exists(name.as_str()).or(Self::equals(name, value))
    }

    /// The attribute is absent or a number up to this one.
    pub fn absent_or_at_most(name: impl Into<String>, most: u64) -> Self {
        let name = name.into();
        let most = AttributeValue::N(Number::from(most));
        Self::attribute_not_exists(name.as_str()).or(Self::compare(name, Comparison::LessOrEqual, most))
    }

    /// The attribute lies between two values, both included.
    pub fn between(name: impl Into<String>, low: AttributeValue, high: AttributeValue) -> Self {
        Self::Between { operand: attribute(name), low: Operand::Value(low), high: Operand::Value(high) }
    }

    /// The attribute has one of these values, at most 100.
    pub fn is_in(name: impl Into<String>, candidates: impl IntoIterator<Item = AttributeValue>) -> Self {
        Self::In { operand: attribute(name), candidates: candidates.into_iter().map(Operand::Value).collect() }
    }

    /// The attribute is a string or binary value with this prefix.
    pub fn begins_with(name: impl Into<String>, prefix: AttributeValue) -> Self {
        Self::BeginsWith { operand: attribute(name), prefix: Operand::Value(prefix) }
    }

    /// The attribute is a string with this part, or a set or list with this element.
    pub fn contains(name: impl Into<String>, element: AttributeValue) -> Self {
        Self::Contains { operand: attribute(name), element: Operand::Value(element) }
    }

    /// This condition or another.
    pub fn or(self, other: Self) -> Self {
        Self::Or(vec![self, other])
    }

    /// All of the terms; `None` without terms.
    pub fn all(terms: impl IntoIterator<Item = Self>) -> Option<Self> {
        join(terms, Self::And)
    }

    /// At least one of the terms; `None` without terms.
    pub fn any(terms: impl IntoIterator<Item = Self>) -> Option<Self> {
        join(terms, Self::Or)
    }
}

fn attribute(name: impl Into<String>) -> Operand {
    Operand::Path(Path::attribute(name))
}

fn join(terms: impl IntoIterator<Item = Condition>, several: fn(Vec<Condition>) -> Condition) -> Option<Condition> {
    let mut terms: Vec<Condition> = terms.into_iter().collect();
    if terms.len() > 1 { Some(several(terms)) } else { terms.pop() }
}
