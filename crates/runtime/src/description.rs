//! Items and values in the texts of errors and explanations.

use keyfold_design::counted;
use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes};

/// The identity of an item, for people: `accountId=…, licenseId=…`.
pub(crate) fn describe_identity(entity: &Entity, attributes: &Attributes) -> String {
    let mut text = String::with_capacity(64);
    for (place, name) in entity.identity.iter().enumerate() {
        if place > 0 {
            text.push_str(", ");
        }
        text.push_str(name);
        text.push('=');
        match attributes.get(name) {
            Some(AttributeValue::S(value)) => text.push_str(value),
            Some(value) => text.push_str(&plain_text(value)),
            None => text.push('?'),
        }
    }
    text
}

/// The key of a stored item, for people: `PK=…, SK=…`.
pub(crate) fn describe_key(entity: &Entity, stored: &Attributes) -> String {
    let parts = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort);
    let parts: Vec<String> = parts
        .filter_map(|part| Some(format!("{}={}", part.key.name, plain_text(stored.get(&part.key.name)?))))
        .collect();
    parts.join(", ")
}

/// A scalar as text.
pub(crate) fn plain_text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::Bool(flag) => flag.to_string(),
        AttributeValue::B(bytes) => counted(bytes.len(), "byte"),
        _ => "…".to_owned(),
    }
}
