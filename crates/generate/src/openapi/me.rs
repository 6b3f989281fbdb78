//! The operation that describes the caller, and the header with the tenant in which they act.

use serde_json::{Map, Value, json};

use super::operation::{ANY_REQUEST, content, responses};

pub(super) fn path() -> Value {
    let names = || json!({"type": "array", "items": {"type": "string"}});
    let schema = json!({
        "type": "object",
        "required": ["subject", "tenant", "roles", "groups", "permissions", "operator"],
        "properties": {
            "subject": {"type": "string"},
            "tenant": {"type": ["string", "null"]},
            "roles": names(),
            "groups": names(),
            "permissions": names(),
            "scopes": names(),
            "operator": {"type": "boolean"},
            "memberships": {"type": "array", "items": {
                "type": "object",
                "required": ["tenant", "role"],
                "properties": {"tenant": {"type": "string"}, "role": {"type": ["string", "null"]}}
            }}
        }
    });
    let get = json!({
        "operationId": "me",
        "summary": "Describe the caller, and list the tenants in which they may act",
        "tags": ["authorization"],
        "responses": responses(
            vec![(200, json!({"description": "The caller.", "content": content(schema)}))],
            &[&ANY_REQUEST],
        )
    });
    json!({ "get": get })
}

/// Adds the header to every operation.
pub(super) fn add_tenant(paths: &mut Map<String, Value>) {
    for (_, operation) in paths.iter_mut().filter_map(|(_, item)| item.as_object_mut()).flatten() {
        let parameters = operation.as_object_mut().map(|own| own.entry("parameters").or_insert_with(|| json!([])));
        if let Some(parameters) = parameters.and_then(Value::as_array_mut) {
            parameters.push(json!({"$ref": "#/components/parameters/Tenant"}));
        }
    }
}

/// The parameter.
pub(super) fn tenant() -> Value {
    json!({
        "name": "Keyfold-Tenant", "in": "header",
        "description": "The tenant in which the caller acts, where their token names none. They have to be a member of it.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 1024}
    })
}
