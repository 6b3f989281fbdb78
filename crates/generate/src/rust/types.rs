//! Types of Rust for the types of a design.

use keyfold_design::model::{Attribute, AttributeType, Entity, Stamp};
use keyfold_design::template::{TimestampFormat, ValueKind};
use keyfold_dynamo::AttributeValue;

use super::names::{Enumeration, Names};

/// The type of a field.
pub(super) fn owned(value_type: &AttributeType, enumeration: Option<&Enumeration>) -> String {
    match value_type {
        AttributeType::String
        | AttributeType::Url
        | AttributeType::Email
        | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => "String".to_owned(),
        AttributeType::Integer => "i64".to_owned(),
        AttributeType::Number => "typed::Number".to_owned(),
        AttributeType::Boolean => "bool".to_owned(),
        AttributeType::Binary => "typed::Binary".to_owned(),
        AttributeType::Date => "typed::Date".to_owned(),
        AttributeType::DateTime(format)
        | AttributeType::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => timestamp(*format).to_owned(),
        AttributeType::Moment(_) => "typed::Moment".to_owned(),
        AttributeType::Ulid => "typed::Ulid".to_owned(),
        AttributeType::Uuid => "typed::Uuid".to_owned(),
        AttributeType::Sequence(_) | AttributeType::Expiry(_) | AttributeType::Stamp(Stamp::Version) => {
            "u64".to_owned()
        }
        AttributeType::Enumeration(_) => enumeration.map_or("String", |found| found.name.as_str()).to_owned(),
        AttributeType::StringSet => "BTreeSet<String>".to_owned(),
        AttributeType::NumberSet => "BTreeSet<typed::Number>".to_owned(),
        AttributeType::List(Some(element)) => format!("Vec<{}>", owned(element, enumeration)),
        AttributeType::List(None) => "Vec<typed::Any>".to_owned(),
        AttributeType::Map => "BTreeMap<String, typed::Any>".to_owned(),
        AttributeType::Any => "typed::Any".to_owned(),
    }
}

fn timestamp(format: TimestampFormat) -> &'static str {
    match format {
        _ if format == TimestampFormat::default() => "typed::DateTime",
        _ if format.is_number() => "i64",
        _ => "typed::Timestamp",
    }
}

pub(super) fn of_attribute(names: &Names, entity: &Entity, attribute: &Attribute) -> String {
    owned(&attribute.value_type, names.enumeration(entity, &attribute.name))
}

/// The type of a parameter that is only read: `&str` rather than `String`, and small values as they are.
pub(super) fn borrowed(owned: &str) -> String {
    match owned {
        "String" => "&str".to_owned(),
        large if is_large(large) => format!("&{large}"),
        small => small.to_owned(),
    }
}

fn is_large(owned: &str) -> bool {
    owned.contains('<') || matches!(owned, "typed::Any" | "typed::Binary" | "typed::Timestamp")
}

/// The type of what a placeholder stands for, where the entity does not declare it.
pub(super) fn of_kind(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::Text | ValueKind::Enumeration(_) | ValueKind::Binary => "String",
        ValueKind::Integer => "i64",
        ValueKind::Number => "typed::Number",
        ValueKind::Boolean => "bool",
        ValueKind::Date => "typed::Date",
        ValueKind::DateTime(format) => timestamp(*format),
        ValueKind::Moment(_) => "typed::Moment",
        ValueKind::Ulid => "typed::Ulid",
        ValueKind::Uuid => "typed::Uuid",
    }
}

/// A default as an expression; `None` for types that have none in Rust.
pub(super) fn default_of(attribute: &Attribute, enumeration: Option<&Enumeration>) -> Option<String> {
    let value = attribute.default.as_ref()?;
    Some(match (value, &attribute.value_type) {
        (AttributeValue::S(text), AttributeType::Enumeration(_)) => {
            let found = enumeration?;
            let (_, variant) = found.variants.iter().find(|(value, _)| value == text)?;
            format!("{}::{variant}", found.name)
        }
        (AttributeValue::S(text), AttributeType::String | AttributeType::Url | AttributeType::Email) => {
            format!("{text:?}.to_owned()")
        }
        (AttributeValue::N(number), AttributeType::Integer | AttributeType::Sequence(_)) => {
            number.to_i64()?.to_string()
        }
        (AttributeValue::N(number), AttributeType::Number) => format!("typed::Number::from({}_i64)", number.to_i64()?),
        (AttributeValue::Bool(flag), AttributeType::Boolean) => flag.to_string(),
        (AttributeValue::L(items), AttributeType::List(_)) if items.is_empty() => "Vec::new()".to_owned(),
        _ => return None,
    })
}
