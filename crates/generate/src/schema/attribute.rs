//! The types and bounds of attributes.

use keyfold_design::model::{Attribute, AttributeType, Bound, LARGEST_EXACT_INTEGER, Stamp, Unit, exact_json_number};
use keyfold_dynamo::AttributeValue;
use serde_json::{Map, Value, json};

/// The schema of an attribute: its type within its bounds.
pub(crate) fn attribute_schema(attribute: &Attribute) -> Map<String, Value> {
    let mut schema = Map::new();
    if let Some(description) = &attribute.description {
        schema.insert("description".to_owned(), description.as_str().into());
    }
    schema.extend(type_schema(&attribute.value_type));
    for bound in &attribute.bounds {
        // Rounding would change the bound.
        if let (Some(keyword), Some(limit)) = (keyword(bound, &attribute.value_type), exact_json_number(&bound.limit)) {
            schema.insert(keyword.to_owned(), limit.into());
        }
    }
    if let Some(pattern) = &attribute.pattern {
        schema.insert("pattern".to_owned(), format!("^(?:{})$", pattern.source).into());
    }
    if let Some(default) = attribute.default.as_ref().and_then(plain) {
        schema.insert("default".to_owned(), default);
    }
    schema
}

/// The schema of a type's values.
pub(crate) fn type_schema(value_type: &AttributeType) -> Map<String, Value> {
    let schema = match value_type {
        AttributeType::String | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => json!({"type": "string"}),
        AttributeType::Integer => {
            json!({"type": "integer", "minimum": -LARGEST_EXACT_INTEGER, "maximum": LARGEST_EXACT_INTEGER})
        }
        AttributeType::Sequence(_) | AttributeType::Expiry(_) | AttributeType::Stamp(Stamp::Version) => {
            json!({"type": "integer", "minimum": 0, "maximum": LARGEST_EXACT_INTEGER})
        }
        AttributeType::Number => number(),
        AttributeType::Boolean => json!({"type": "boolean"}),
        AttributeType::Binary => json!({"type": "string", "contentEncoding": "base64"}),
        AttributeType::Date => json!({"type": "string", "format": "date"}),
        AttributeType::DateTime | AttributeType::Stamp(Stamp::CreatedAt | Stamp::ModifiedAt) => json!({
            "type": "string",
            "format": "date-time",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
        }),
        AttributeType::Ulid => json!({"type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"}),
        AttributeType::Uuid => json!({"type": "string", "format": "uuid", "pattern": "^[0-9a-f-]{36}$"}),
        AttributeType::Url => json!({"type": "string", "format": "uri"}),
        AttributeType::Email => json!({"type": "string", "format": "email", "maxLength": 254}),
        AttributeType::Enumeration(values) => json!({"type": "string", "enum": values.as_ref()}),
        AttributeType::StringSet => set(json!({"type": "string"})),
        AttributeType::NumberSet => set(number()),
        AttributeType::List(None) => json!({"type": "array"}),
        AttributeType::List(Some(element)) => json!({"type": "array", "items": type_schema(element)}),
        AttributeType::Map => json!({"type": "object"}),
        AttributeType::Any => json!({}),
    };
    match schema {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// A number with more digits than a double keeps is a string.
fn number() -> Value {
    json!({"type": ["number", "string"]})
}

fn set(items: Value) -> Value {
    json!({"type": "array", "items": items, "uniqueItems": true, "minItems": 1})
}

/// The same, or `null`.
pub(super) fn nullable(mut schema: Map<String, Value>) -> Map<String, Value> {
    match schema.get_mut("type") {
        Some(Value::Array(names)) => names.push("null".into()),
        Some(name) => *name = json!([name, "null"]),
        // A schema without a type accepts null already.
        None => {}
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    schema
}

/// The keyword of a bound. JSON Schema has none for bytes.
fn keyword(bound: &Bound, value_type: &AttributeType) -> Option<&'static str> {
    let (least, most) = match (bound.unit, value_type) {
        (Unit::Value, _) => ("minimum", "maximum"),
        (Unit::Characters, _) => ("minLength", "maxLength"),
        (Unit::Items, AttributeType::Map) => ("minProperties", "maxProperties"),
        (Unit::Items, _) => ("minItems", "maxItems"),
        (Unit::Bytes, _) => return None,
    };
    Some(if bound.at_least { least } else { most })
}

/// A default as JSON: designs have scalars and empty lists.
fn plain(value: &AttributeValue) -> Option<Value> {
    Some(match value {
        AttributeValue::S(text) => text.as_str().into(),
        AttributeValue::N(number) => exact_json_number(number).map_or_else(|| number.to_string().into(), Value::Number),
        AttributeValue::Bool(flag) => (*flag).into(),
        AttributeValue::L(items) => Value::Array(items.iter().map(plain).collect::<Option<_>>()?),
        _ => return None,
    })
}
