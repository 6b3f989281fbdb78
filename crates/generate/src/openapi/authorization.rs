//! The operation that explains a decision of the rules.

use keyfold_design::Design;
use keyfold_design::model::Verb;
use serde_json::{Value, json};

use super::operation::{ANY_REQUEST, BODY, content, reference, request_body, responses};

pub(super) fn path(design: &Design, decision: &str) -> Value {
    let names: Vec<&str> = design.entities.iter().map(|entity| entity.name.as_str()).collect();
    let post = json!({
        "operationId": "authorize",
        "summary": "Ask whether the caller is allowed to do something; operators are told by which rule",
        "tags": ["authorization"],
        "requestBody": request_body(json!({
            "type": "object", "required": ["verb", "entity"], "additionalProperties": false,
            "properties": {
                "verb": {"type": "string", "enum": Verb::ALL.map(Verb::as_str)},
                "entity": {"type": "string", "enum": names},
                "item": {"type": "object", "description": "The item as it is or would be."}
            }
        })),
        "responses": responses(
            vec![(200, json!({"description": "The decision.", "content": content(reference(decision))}))],
            &[&ANY_REQUEST, &BODY],
        )
    });
    json!({ "post": post })
}

pub(super) fn decision_schema() -> Value {
    json!({
        "type": "object",
        "required": ["decision", "because", "rules", "notSettable"],
        "properties": {
            "decision": {"type": "string", "enum": ["allowed", "denied", "by item"]},
            "because": {"type": "string"},
            "rules": {"type": "array", "description": "The rules that decide, for operators. Empty for others.", "items": {
                "type": "object",
                "required": ["id", "text"],
                "properties": {
                    "id": {"type": "string"},
                    "text": {"type": "string"},
                    "file": {"type": ["string", "null"]},
                    "line": {"type": ["integer", "null"]}
                }
            }},
            "notSettable": {
                "type": "array", "items": {"type": "string"},
                "description": "For `create` and `update`: the attributes whose `settable by` excludes the caller."
            }
        }
    })
}
