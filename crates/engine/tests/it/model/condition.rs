//! Conditions as the generator makes them, and whether an item meets them, worked out the plain way.

use std::cmp::Ordering;

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::model::path::{Path, look_up};

#[derive(Debug, Clone)]
pub(super) enum Operand {
    Path(Path),
    Value(AttributeValue),
    Size(Path),
}

#[derive(Debug, Clone)]
pub(super) enum Condition {
    /// With one of `=`, `<>`, `<`, `<=`, `>`, `>=`.
    Compare(Operand, &'static str, Operand),
    Between(Operand, Operand, Operand),
    In(Operand, Vec<Operand>),
    Exists(Path),
    NotExists(Path),
    HasType(Path, &'static str),
    BeginsWith(Path, AttributeValue),
    Contains(Path, Operand),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

fn value_of(operand: &Operand, item: &Attributes) -> Option<AttributeValue> {
    match operand {
        Operand::Path(path) => look_up(item, path).cloned(),
        Operand::Value(value) => Some(value.clone()),
        Operand::Size(path) => {
            let size = match look_up(item, path)? {
                // The service counts as Java does: in units of UTF-16.
                AttributeValue::S(text) => text.encode_utf16().count(),
                AttributeValue::B(bytes) => bytes.len(),
                AttributeValue::L(list) => list.len(),
                AttributeValue::M(map) => map.len(),
                AttributeValue::Ss(set) => set.len(),
                AttributeValue::Ns(set) => set.len(),
                AttributeValue::Bs(set) => set.len(),
                AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => return None,
            };
            Some(crate::scene::n(size))
        }
    }
}

/// The order of two values, where DynamoDB has one for them.
pub(super) fn order(one: &AttributeValue, two: &AttributeValue) -> Option<Ordering> {
    match (one, two) {
        (AttributeValue::S(one), AttributeValue::S(two)) => Some(one.bytes().cmp(two.bytes())),
        (AttributeValue::N(one), AttributeValue::N(two)) => Some(one.cmp(two)),
        (AttributeValue::B(one), AttributeValue::B(two)) => Some(one.cmp(two)),
        _ => None,
    }
}

fn compare(one: Option<AttributeValue>, operator: &str, two: Option<AttributeValue>) -> bool {
    let (Some(one), Some(two)) = (one, two) else { return operator == "<>" };
    match operator {
        "=" => one == two,
        "<>" => one != two,
        "<" => order(&one, &two) == Some(Ordering::Less),
        ">" => order(&one, &two) == Some(Ordering::Greater),
        "<=" => matches!(order(&one, &two), Some(Ordering::Less | Ordering::Equal)),
        ">=" => matches!(order(&one, &two), Some(Ordering::Greater | Ordering::Equal)),
        other => panic!("no such comparison: {other}"),
    }
}

pub(super) fn holds(condition: &Condition, item: &Attributes) -> bool {
    let value = |operand: &Operand| value_of(operand, item);
    match condition {
        Condition::Compare(one, operator, two) => compare(value(one), operator, value(two)),
        Condition::Between(middle, low, high) => {
            let (middle, low, high) = (value(middle), value(low), value(high));
            compare(middle.clone(), ">=", low) && compare(middle, "<=", high)
        }
        Condition::In(one, candidates) => candidates.iter().any(|candidate| compare(value(one), "=", value(candidate))),
        Condition::Exists(path) => look_up(item, path).is_some(),
        Condition::NotExists(path) => look_up(item, path).is_none(),
        Condition::HasType(path, name) => look_up(item, path).is_some_and(|value| type_name(value) == *name),
        Condition::BeginsWith(path, prefix) => match (look_up(item, path), prefix) {
            (Some(AttributeValue::S(text)), AttributeValue::S(prefix)) => text.starts_with(prefix.as_str()),
            (Some(AttributeValue::B(bytes)), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
            _ => false,
        },
        Condition::Contains(path, element) => match (look_up(item, path), value(element)) {
            (Some(whole), Some(element)) => contains(whole, &element),
            _ => false,
        },
        Condition::Not(inner) => !holds(inner, item),
        Condition::And(one, two) => holds(one, item) && holds(two, item),
        Condition::Or(one, two) => holds(one, item) || holds(two, item),
    }
}

fn contains(whole: &AttributeValue, element: &AttributeValue) -> bool {
    match (whole, element) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.contains(part.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(part)) => {
            (0..=bytes.len()).any(|start| bytes[start..].starts_with(part))
        }
        (AttributeValue::L(list), element) => list.iter().any(|other| other == element),
        (AttributeValue::Ss(set), AttributeValue::S(element)) => set.iter().any(|other| other == element),
        (AttributeValue::Ns(set), AttributeValue::N(element)) => set.iter().any(|other| other == element),
        (AttributeValue::Bs(set), AttributeValue::B(element)) => set.iter().any(|other| other == element),
        _ => false,
    }
}

fn type_name(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "S",
        AttributeValue::N(_) => "N",
        AttributeValue::B(_) => "B",
        AttributeValue::Bool(_) => "BOOL",
        AttributeValue::Null => "NULL",
        AttributeValue::M(_) => "M",
        AttributeValue::L(_) => "L",
        AttributeValue::Ss(_) => "SS",
        AttributeValue::Ns(_) => "NS",
        AttributeValue::Bs(_) => "BS",
    }
}
