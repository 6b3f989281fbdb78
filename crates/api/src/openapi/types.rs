//! The types and bounds of attributes as JSON Schema.

use keyfold_design::model::{Attribute, AttributeType, Stamp, Unit};
use keyfold_dynamo::AttributeValue;
use keyfold_runtime::json;
use serde_json::{Map, Value, json};

use crate::whole_numbers::LARGEST;

/// The schema of a type's values.
pub fn of_type(value_type: &AttributeType) -> Map<String, Value> {
    let schema = match value_type {
        AttributeType::String | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => json!({"type": "string"}),
        AttributeType::Integer => json!({"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}),
        AttributeType::Sequence(_) | AttributeType::Expiry(_) | AttributeType::Stamp(Stamp::Version) => {
            json!({"type": "integer", "minimum": 0, "maximum": LARGEST})
        }
        // A number of more digits than a double keeps is a text.
        AttributeType::Number => json!({"type": ["number", "string"]}),
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
        AttributeType::StringSet => {
            json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true, "minItems": 1})
        }
        AttributeType::NumberSet => {
            json!({"type": "array", "items": {"type": ["number", "string"]}, "uniqueItems": true, "minItems": 1})
        }
        AttributeType::List(element) => {
            let items = element.as_deref().map_or_else(|| json!({}), |element| Value::Object(of_type(element)));
            json!({"type": "array", "items": items})
        }
        AttributeType::Map => json!({"type": "object"}),
        AttributeType::Any => json!({}),
    };
    match schema {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The schema of an attribute: its type within its bounds.
pub fn of_attribute(attribute: &Attribute) -> Map<String, Value> {
    let mut schema = of_type(&attribute.value_type);
    if let Some(description) = &attribute.description {
        schema.insert("description".to_owned(), Value::from(description.clone()));
    }
    for bound in &attribute.bounds {
        // A bound that no double is equal to would be another bound.
        let limit = json::plain(&AttributeValue::N(bound.limit));
        if !limit.is_number() {
            continue;
        }
        let word = match (bound.unit, &attribute.value_type) {
            (Unit::Value, _) if bound.at_least => "minimum",
            (Unit::Value, _) => "maximum",
            (Unit::Characters, _) if bound.at_least => "minLength",
            (Unit::Characters, _) => "maxLength",
            (Unit::Items, AttributeType::Map) if bound.at_least => "minProperties",
            (Unit::Items, AttributeType::Map) => "maxProperties",
            (Unit::Items, _) if bound.at_least => "minItems",
            (Unit::Items, _) => "maxItems",
            (Unit::Bytes, _) => continue,
        };
        schema.insert(word.to_owned(), limit);
    }
    if let Some(pattern) = &attribute.pattern {
        schema.insert("pattern".to_owned(), Value::from(format!("^(?:{})$", pattern.source)));
    }
    if let Some(default) = &attribute.default {
        schema.insert("default".to_owned(), json::plain(default));
    }
    schema
}

/// The same, or `null`: what a patch takes away.
pub fn or_null(mut schema: Map<String, Value>) -> Map<String, Value> {
    match schema.get("type").cloned() {
        Some(Value::String(name)) => {
            schema.insert("type".to_owned(), json!([name, "null"]));
            if let Some(Value::Array(values)) = schema.get_mut("enum") {
                values.push(Value::Null);
            }
            schema
        }
        Some(Value::Array(mut names)) => {
            names.push(Value::from("null"));
            schema.insert("type".to_owned(), Value::Array(names));
            schema
        }
        _ => schema,
    }
}
