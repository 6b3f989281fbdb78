//! The parts that operations share: references, bodies, responses, problems.

use keyfold_design::model::Entity;
use serde_json::{Map, Value, json};

/// The problems that any request may end with.
pub(super) const ANY_REQUEST: [u16; 7] = [400, 401, 403, 404, 429, 500, 503];
/// The problems of a request body.
pub(super) const BODY: [u16; 4] = [408, 413, 415, 422];
/// The problems of a change of an item that exists.
pub(super) const CHANGE: [u16; 3] = [409, 412, 428];

pub(super) fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

pub(super) fn content(schema: Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

pub(super) fn request_body(schema: Value) -> Value {
    json!({"required": true, "content": content(schema)})
}

/// The responses of an operation: the successful ones, and problems.
pub(super) fn responses(success: Vec<(u16, Value)>, problems: &[&[u16]]) -> Value {
    let mut responses = Map::new();
    for (status, response) in success {
        responses.insert(status.to_string(), response);
    }
    for status in problems.iter().copied().flatten() {
        responses.insert(status.to_string(), json!({"$ref": "#/components/responses/Problem"}));
    }
    Value::Object(responses)
}

/// The response with a page of a collection.
pub(super) fn page(schema: Value) -> Value {
    json!({
        "description": "A page.",
        "headers": {"Link": {"schema": {"type": "string"}, "description": "`rel=\"next\"`, unless this is the last page."}},
        "content": content(schema)
    })
}

/// The property `next` of a page.
pub(super) fn next_cursor() -> Value {
    json!({"type": ["string", "null"], "description": "The cursor of the next page; null on the last page."})
}

/// A parameter of the query string.
pub(super) fn query_parameter(name: &str, description: &str, schema: Value) -> Value {
    json!({"name": name, "in": "query", "description": description, "schema": schema})
}

/// The parameter `cursor` of a page.
pub(super) fn cursor_parameter() -> Value {
    query_parameter("cursor", "The cursor of the page: `next` of the page before it.", json!({"type": "string"}))
}

/// An item in a collection, with the name of its entity and its address.
pub(super) fn collection_of<'d>(items: impl Iterator<Item = (&'d Entity, Value)>) -> Value {
    one_of(items.map(|(entity, item)| entity_item(entity, &entity.name, item)).collect())
}

/// An item after a write: its version instead, where the caller may not read it.
pub(super) fn written_item<'d>(entities: impl Iterator<Item = (&'d Entity, &'d str)>) -> Value {
    let variants = entities.map(|(entity, name)| {
        let mut item = entity_item(entity, name, json!({"anyOf": [reference(name), {"type": "null"}]}));
        if let Some(properties) = item.get_mut("properties").and_then(Value::as_object_mut) {
            let description = "The version of an item that the caller may not read.";
            properties.insert("version".to_owned(), json!({"type": ["integer", "null"], "description": description}));
        }
        item
    });
    one_of(variants.collect())
}

fn entity_item(entity: &Entity, name: &str, item: Value) -> Value {
    let is_hidden = |name: &String| entity.attribute(name).is_some_and(|own| own.visible_to.is_some());
    // An item has no address for those who do not see what identifies it.
    let href = match entity.identity.iter().any(is_hidden) {
        true => json!({"type": ["string", "null"], "format": "uri-reference"}),
        false => json!({"type": "string", "format": "uri-reference"}),
    };
    json!({
        "type": "object",
        "required": ["type", "href", "item"],
        "properties": {
            "type": {"type": "string", "const": name},
            "href": href,
            "item": item
        }
    })
}

fn one_of(variants: Vec<Value>) -> Value {
    match <[Value; 1]>::try_from(variants) {
        Ok([only]) => only,
        Err(variants) => json!({ "oneOf": variants }),
    }
}

/// The schema of a problem.
pub(super) fn problem_schema(codes: &[&str]) -> Value {
    json!({
        "type": "object",
        "description": "A problem as defined by RFC 9457.",
        "required": ["type", "title", "status", "detail", "code", "requestId"],
        "properties": {
            "type": {"type": "string", "format": "uri-reference"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "code": {"type": "string", "enum": codes},
            "field": {"type": "string", "description": "The attribute or parameter concerned."},
            "rule": {"type": "string", "description": "The name of the violated rule."},
            "current": {"type": "object", "description": "The item as it is now."},
            "requestId": {"type": "string"}
        }
    })
}
