//! Whether an item meets a condition.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::number::Number;
use crate::value::{AttributeValue, Attributes};

use super::condition::{Condition, Operand};
use super::syntax::Comparison;

impl Condition {
    /// Whether an item passes; an absent item is an empty one.
    pub fn matches(&self, item: &Attributes) -> bool {
        match self {
            Self::Compare { left, operator, right } => match (left.find(item), right.find(item)) {
                (Some(left), Some(right)) => holds(*operator, &left, &right),
                // What is absent differs from everything, and compares with nothing otherwise.
                _ => *operator == Comparison::NotEqual,
            },
            Self::Between { operand, low, high } => {
                let (Some(value), Some(low), Some(high)) = (operand.find(item), low.find(item), high.find(item)) else {
                    return false;
                };
                holds(Comparison::GreaterOrEqual, &value, &low) && holds(Comparison::LessOrEqual, &value, &high)
            }
            Self::In { operand, candidates } => operand.find(item).is_some_and(|value| {
                candidates.iter().any(|candidate| candidate.find(item).is_some_and(|candidate| candidate == value))
            }),
            Self::AttributeExists(path) => path.find(item).is_some(),
            Self::AttributeNotExists(path) => path.find(item).is_none(),
            Self::AttributeType { operand, value_type } => {
                operand.find(item).is_some_and(|value| value.value_type() == *value_type)
            }
            Self::BeginsWith { operand, prefix } => match (operand.find(item), prefix.find(item)) {
                (Some(value), Some(prefix)) => begins_with(&value, &prefix),
                _ => false,
            },
            Self::Contains { operand, element } => match (operand.find(item), element.find(item)) {
                (Some(value), Some(element)) => contains(&value, &element),
                _ => false,
            },
            Self::Not(inner) => !inner.matches(item),
            Self::And(terms) => terms.iter().all(|term| term.matches(item)),
            Self::Or(terms) => terms.iter().any(|term| term.matches(item)),
        }
    }
}

impl Operand {
    /// What the operand is for an item, if it is anything.
    fn find<'a>(&'a self, item: &'a Attributes) -> Option<Cow<'a, AttributeValue>> {
        match self {
            Self::Path(path) => path.find(item).map(Cow::Borrowed),
            Self::Value(value) => Some(Cow::Borrowed(value)),
            Self::Size(inner) => {
                let size = size(inner.find(item)?.as_ref())?;
                Some(Cow::Owned(AttributeValue::N(Number::from(u64::try_from(size).unwrap_or(u64::MAX)))))
            }
        }
    }
}

fn holds(operator: Comparison, left: &AttributeValue, right: &AttributeValue) -> bool {
    match operator {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => compare_in_order(left, right).is_some_and(Ordering::is_lt),
        Comparison::LessOrEqual => compare_in_order(left, right).is_some_and(Ordering::is_le),
        Comparison::Greater => compare_in_order(left, right).is_some_and(Ordering::is_gt),
        Comparison::GreaterOrEqual => compare_in_order(left, right).is_some_and(Ordering::is_ge),
    }
}

/// The order of two values of one type that has an order: numbers by value, texts by their UTF-8 bytes, binary by
/// unsigned bytes.
pub(super) fn compare_in_order(left: &AttributeValue, right: &AttributeValue) -> Option<Ordering> {
    match (left, right) {
        (AttributeValue::S(left), AttributeValue::S(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        (AttributeValue::N(left), AttributeValue::N(right)) => Some(left.cmp(right)),
        (AttributeValue::B(left), AttributeValue::B(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn begins_with(value: &AttributeValue, prefix: &AttributeValue) -> bool {
    match (value, prefix) {
        (AttributeValue::S(text), AttributeValue::S(prefix)) => text.starts_with(prefix.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
        _ => false,
    }
}

/// A part of a text or of bytes, or an element of a set or a list.
fn contains(value: &AttributeValue, element: &AttributeValue) -> bool {
    match (value, element) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.contains(part.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(part)) => contains_bytes(bytes, part),
        (AttributeValue::Ss(set), AttributeValue::S(element)) => set.contains(element),
        (AttributeValue::Ns(set), AttributeValue::N(element)) => set.contains(element),
        (AttributeValue::Bs(set), AttributeValue::B(element)) => set.contains(element),
        (AttributeValue::L(list), element) => list.contains(element),
        _ => false,
    }
}

/// Searches as texts are searched, since that takes time in proportion to the lengths, not to their product: each byte
/// becomes the character with its number.
fn contains_bytes(bytes: &[u8], part: &[u8]) -> bool {
    let as_text = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect::<String>();
    as_text(bytes).contains(&as_text(part))
}

/// The length of a text in UTF-16 code units, of binary in bytes, or the number of elements; other types have no size.
fn size(value: &AttributeValue) -> Option<usize> {
    match value {
        AttributeValue::S(text) => Some(text.encode_utf16().count()),
        AttributeValue::B(bytes) => Some(bytes.len()),
        AttributeValue::M(map) => Some(map.len()),
        AttributeValue::L(list) => Some(list.len()),
        AttributeValue::Ss(set) => Some(set.len()),
        AttributeValue::Ns(set) => Some(set.len()),
        AttributeValue::Bs(set) => Some(set.len()),
        AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => None,
    }
}
