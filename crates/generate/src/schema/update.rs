//! Schemas of patches with update operators and a condition.

use keyfold_design::model::{Attribute, AttributeType, Entity};
use serde_json::{Map, Value, json};

use super::attribute::{nullable, type_schema};
use super::{attribute_schema, settable};

/// The longest condition, in characters.
const LONGEST_CONDITION: usize = 4096;

/// What callers send to change an item by operators.
pub(super) fn schema(entity: &Entity) -> Value {
    let mut members = any_members();
    for (operator, is_changed) in [
        ("set", None),
        ("add", Some(amount as fn(&AttributeType) -> Option<Value>)),
        ("subtract", Some(amount)),
        ("append", Some(elements)),
        ("prepend", Some(elements)),
    ] {
        let schema = match is_changed {
            None => values(entity, |attribute| {
                let mut schema = attribute_schema(entity, attribute);
                schema.shift_remove("default");
                Some(Value::Object(if attribute.may_be_absent() { nullable(schema) } else { schema }))
            }),
            Some(operand) => values(entity, |attribute| operand(&attribute.value_type)),
        };
        let description = members.get(operator).and_then(|member| member.get("description")).cloned();
        let mut schema = schema;
        schema.extend(description.map(|description| ("description".to_owned(), description)));
        members.insert(operator.to_owned(), Value::Object(schema));
    }
    json!({
        "description": "A patch by operators. No two may change the same value.",
        "type": "object", "properties": members, "additionalProperties": false
    })
}

/// The members of a patch by operators, whatever its entity.
pub(crate) fn any_members() -> Map<String, Value> {
    let values = |description: &str| json!({"type": "object", "description": description});
    let members = json!({
        "set": values("Values by their paths, such as `address.city` or `lines[2].quantity`."),
        "remove": {
            "type": "array", "items": {"type": "string", "minLength": 1},
            "description": "Paths of values to be removed."
        },
        "add": values("What is added to numbers and sets, by their paths."),
        "subtract": values("What is subtracted from numbers, or removed from sets, by their paths."),
        "append": values("Elements for the ends of lists, by their paths."),
        "prepend": values("Elements for the beginnings of lists, by their paths."),
        "if": {
            "type": "string", "minLength": 1, "maxLength": LONGEST_CONDITION,
            "description": "What the stored item has to meet, such as `stock >= <least>`."
        },
        "with": {"type": "object", "description": "The arguments of the condition, by their parameters."}
    });
    match members {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// An object of operands: by attribute, and by paths into attributes that have parts.
fn values(entity: &Entity, operand: impl Fn(&Attribute) -> Option<Value>) -> Map<String, Value> {
    let changing =
        || settable(entity).map(|(attribute, _)| attribute).filter(|own| !entity.identity.contains(&own.name));
    let properties: Map<String, Value> =
        changing().filter_map(|attribute| Some((attribute.name.clone(), operand(attribute)?))).collect();
    let nested = changing().filter(|own| has_parts(&own.value_type));
    let patterns: Map<String, Value> =
        nested.map(|own| (format!("^{}[.\\[]", escaped(&own.name)), json!({}))).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !patterns.is_empty() {
        schema.insert("patternProperties".to_owned(), Value::Object(patterns));
    }
    schema.insert("additionalProperties".to_owned(), entity.open.into());
    schema
}

fn has_parts(value_type: &AttributeType) -> bool {
    matches!(value_type, AttributeType::List(_) | AttributeType::Map | AttributeType::Any)
}

/// What is added to a value of a type; `None` for types that take no addition.
fn amount(value_type: &AttributeType) -> Option<Value> {
    match value_type {
        AttributeType::Integer | AttributeType::Expiry(None) => {
            Some(Value::Object(type_schema(&AttributeType::Integer)))
        }
        AttributeType::Number | AttributeType::StringSet | AttributeType::NumberSet => {
            Some(Value::Object(type_schema(value_type)))
        }
        AttributeType::Any => Some(json!({"type": "number"})),
        _ => None,
    }
}

/// The elements of a list; `None` for types that are none.
fn elements(value_type: &AttributeType) -> Option<Value> {
    match value_type {
        AttributeType::List(_) => Some(Value::Object(type_schema(value_type))),
        AttributeType::Any => Some(json!({"type": "array"})),
        _ => None,
    }
}

/// A text within a regular expression.
fn escaped(text: &str) -> String {
    let is_special = |character: char| "\\^$.|?*+()[]{}/-".contains(character);
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if is_special(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
