//! The header `Idempotency-Key`, which makes a change safe to retry.

use serde_json::{Map, Value, json};

/// Adds the parameter to every change.
pub(super) fn add_key(paths: &mut Map<String, Value>) {
    let items = paths.iter_mut().filter(|(path, _)| *path != "/authorize");
    let operations = items.filter_map(|(_, item)| item.as_object_mut()).flatten();
    for (_, operation) in operations.filter(|(method, _)| is_change(method)) {
        let parameters = operation.as_object_mut().map(|own| own.entry("parameters").or_insert_with(|| json!([])));
        if let Some(parameters) = parameters.and_then(Value::as_array_mut) {
            parameters.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
        }
    }
}

fn is_change(method: &str) -> bool {
    ["post", "put", "patch", "delete"].contains(&method)
}

/// The parameter.
pub(super) fn key() -> Value {
    json!({
        "name": "Idempotency-Key", "in": "header",
        "description": "Makes the request safe to retry: for 24 hours, a request of the same caller with the same key gets \
            the response of the first one, with `Idempotency-Replayed: true`. A different request with the key gets 422.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
    })
}
