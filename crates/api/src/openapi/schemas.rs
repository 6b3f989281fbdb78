//! What an entity looks like: as it is read, created, replaced and patched.

use keyfold_design::Design;
use keyfold_design::model::{Attribute, AttributeType, Entity, Stamp, Verb};
use serde_json::{Map, Value, json};

use super::types::{of_attribute, or_null};
use crate::resource::Resource;
use crate::settable::is_settable;

/// Adds the schemas of an entity.
pub fn add(schemas: &mut Map<String, Value>, design: &Design, entity: &Entity, resource: &Resource) {
    let name = &entity.name;
    let all = entity.attributes.iter().map(|attribute| (attribute, of_attribute(attribute)));
    let mut shown = object(entity, all, |attribute| is_always_there(entity, attribute));
    if let Some(description) = &entity.description {
        shown.insert("description".to_owned(), Value::from(description.clone()));
    }
    schemas.insert(name.clone(), Value::Object(shown));
    if !resource.takes(Verb::Create) {
        return;
    }
    let settable = || {
        let settable = entity.attributes.iter().filter(|attribute| is_settable(design, entity, attribute));
        settable.map(|attribute| (attribute, of_attribute(attribute)))
    };
    let tenant = resource.tenant.as_deref();
    let needed = |attribute: &Attribute| {
        !attribute.optional
            && attribute.default.is_none()
            && attribute.generator.is_none()
            && Some(attribute.name.as_str()) != tenant
    };
    schemas.insert(format!("{name}Input"), Value::Object(object(entity, settable(), needed)));
    if !resource.takes(Verb::Update) {
        return;
    }
    let replaced = |attribute: &Attribute| needed(attribute) && !entity.identity.contains(&attribute.name);
    schemas.insert(format!("{name}Replacement"), Value::Object(object(entity, settable(), replaced)));
    let patched = settable().map(|(attribute, mut schema)| {
        schema.remove("default");
        (attribute, if attribute.optional { or_null(schema) } else { schema })
    });
    schemas.insert(format!("{name}Patch"), Value::Object(object(entity, patched, |_| false)));
}

fn object<'e>(
    entity: &Entity,
    attributes: impl Iterator<Item = (&'e Attribute, Map<String, Value>)>,
    needed: impl Fn(&Attribute) -> bool,
) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (attribute, schema) in attributes {
        properties.insert(attribute.name.clone(), Value::Object(schema));
        if needed(attribute) {
            required.push(Value::from(attribute.name.clone()));
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Value::from("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema.insert("additionalProperties".to_owned(), Value::Bool(entity.open));
    schema
}

/// Whether every item that is shown has the attribute.
fn is_always_there(entity: &Entity, attribute: &Attribute) -> bool {
    if attribute.visible_to.is_some() {
        return false;
    }
    let origin = match (&attribute.same_as, &attribute.value_type) {
        (Some(other), _) => Some(other),
        (None, AttributeType::Expiry(Some(expiry))) => Some(&expiry.after),
        _ => None,
    };
    match (origin, &attribute.value_type) {
        (Some(origin), _) => entity.attribute(origin).is_some_and(|origin| is_always_there(entity, origin)),
        // Callers without a token leave no name.
        (None, AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy)) => false,
        _ => !attribute.may_be_absent(),
    }
}

/// The schemas that every design has.
pub fn common() -> Map<String, Value> {
    let codes: Vec<&str> = crate::problem::Kind::ALL.iter().map(|kind| kind.code).collect();
    let common = json!({
        "Problem": {
            "type": "object",
            "description": "What went wrong, as RFC 9457 tells it.",
            "required": ["type", "title", "status", "detail", "code", "requestId"],
            "properties": {
                "type": {"type": "string", "format": "uri-reference"},
                "title": {"type": "string"},
                "status": {"type": "integer"},
                "detail": {"type": "string"},
                "code": {"type": "string", "enum": codes},
                "field": {"type": "string", "description": "The attribute or parameter concerned."},
                "rule": {"type": "string", "description": "The name of the rule that does not hold."},
                "current": {"type": "object", "description": "The item as it is now."},
                "requestId": {"type": "string"}
            }
        },
        "Decision": {
            "type": "object",
            "required": ["decision", "because", "rules"],
            "properties": {
                "decision": {"type": "string", "enum": ["allowed", "denied", "by item"]},
                "because": {"type": "string"},
                "rules": {"type": "array", "items": {
                    "type": "object",
                    "required": ["id", "text"],
                    "properties": {
                        "id": {"type": "string"},
                        "text": {"type": "string"},
                        "file": {"type": ["string", "null"]},
                        "line": {"type": ["integer", "null"]}
                    }
                }}
            }
        }
    });
    match common {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// An item among others.
pub fn in_collection<'n>(names: impl Iterator<Item = &'n str>) -> Value {
    let variants: Vec<Value> = names
        .map(|name| {
            json!({
                "type": "object",
                "required": ["type", "href", "item"],
                "properties": {
                    "type": {"type": "string", "const": name},
                    "href": {"type": "string", "format": "uri-reference"},
                    "item": {"$ref": format!("#/components/schemas/{name}")}
                }
            })
        })
        .collect();
    match <[Value; 1]>::try_from(variants) {
        Ok([only]) => only,
        Err(variants) => json!({ "oneOf": variants }),
    }
}
