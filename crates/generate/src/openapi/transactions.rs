//! The operation that executes several writes at once.

use keyfold_design::model::Verb;
use serde_json::{Map, Value, json};

use super::Described;
use super::operation::{ANY_REQUEST, BODY, CHANGE, content, reference, request_body, responses, written_item};
use crate::schema::any_members;

pub(super) fn path(entities: &[Described<'_>]) -> Value {
    let new = one_of(entities, Verb::Create, |described| &described.names.new);
    let patch = one_of(entities, Verb::Update, |described| &described.names.patch);
    let verbs = json!({
        "create": new, "put": new, "upsert": patch, "patch": patch,
        "delete": {"type": "object", "minProperties": 1, "maxProperties": 1,
            "additionalProperties": {"type": "object"}},
        "version": {"type": "integer", "minimum": 0},
        "cascade": {"type": "boolean"}
    });
    // The operators of a patch, which are members beside the verb.
    let members: Map<String, Value> = verbs.as_object().cloned().into_iter().flatten().chain(any_members()).collect();
    let write = json!({"type": "object", "properties": members, "additionalProperties": false});
    let items = written_item(entities.iter().map(|described| (described.entity, described.names.item.as_str())));
    let post = json!({
        "operationId": "transact",
        "summary": "Execute several writes, all or none",
        "tags": ["transactions"],
        "requestBody": request_body(json!({
            "type": "object", "required": ["writes"], "additionalProperties": false,
            "properties": {"writes": {"type": "array", "minItems": 1, "maxItems": 100, "items": write}}
        })),
        "responses": responses(
            vec![(200, json!({
                "description": "Each item after its write; null for a delete. An item that the caller may not read has a version only.",
                "content": content(json!({
                    "type": "object", "required": ["items"],
                    "properties": {"items": {"type": "array", "items": {"anyOf": [items, {"type": "null"}]}}}
                }))
            }))],
            &[&ANY_REQUEST, &BODY, &CHANGE],
        )
    });
    json!({ "post": post })
}

/// An object with one property: the name of an entity that accepts the verb, with its input.
fn one_of<'d>(entities: &'d [Described<'d>], verb: Verb, schema: impl Fn(&'d Described<'d>) -> &'d str) -> Value {
    let properties: Map<String, Value> = entities
        .iter()
        .filter(|described| described.resource.accepts(verb))
        .map(|described| (described.entity.name.clone(), reference(schema(described))))
        .collect();
    json!({
        "type": "object", "properties": properties,
        "minProperties": 1, "maxProperties": 1, "additionalProperties": false
    })
}
