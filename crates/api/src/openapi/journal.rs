//! What the journal adds: requests that may be sent again, and the log of changes.

use keyfold_design::Design;
use serde_json::{Map, Value, json};

use super::operations::{ANYTIME, content, reference, responses};
use crate::routes::audit::{OUTCOMES, TAKE, VERBS};

/// Lets every change be sent again.
pub fn add_key(paths: &mut Map<String, Value>) {
    let addresses = paths.iter_mut().filter(|(path, _)| *path != "/authorize");
    let operations = addresses.filter_map(|(_, address)| address.as_object_mut()).flatten();
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

/// The parameter itself.
pub fn key() -> Value {
    json!({
        "name": "Idempotency-Key", "in": "header",
        "description": "Makes it safe to send the request again: for 24 hours the same key of the same caller gives the \
            answer that the change was given, with `Idempotency-Replayed: true`. Another request with it is 422.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
    })
}

/// The path of the log.
pub fn add_log(paths: &mut Map<String, Value>, schemas: &mut Map<String, Value>, design: &Design) {
    let parameter = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "description": description, "schema": schema});
    let text = || json!({"type": "string", "minLength": 1});
    let time = || json!({"type": "string", "format": "date-time"});
    let mut parameters = Vec::new();
    if design.tenant.is_some() {
        parameters.push(parameter("tenant", "Whose log; members have their own, operators say it.", text()));
    }
    parameters.extend([
        parameter("entity", "Of items of this entity.", text()),
        parameter("id", "Of this item: the segments of its path after the plural. Needs `entity`.", text()),
        parameter("subject", "What this caller did.", text()),
        parameter("verb", "What was done.", json!({"type": "string", "enum": VERBS})),
        parameter("outcome", "Whether it was.", json!({"type": "string", "enum": OUTCOMES})),
        parameter("from", "From this point in time on.", time()),
        parameter("to", "Up to this point in time, which is not included.", time()),
        parameter(
            "order",
            "The newest first, unless `forward`.",
            json!({"type": "string", "enum": ["forward", "reverse"]}),
        ),
        parameter(
            "take",
            "The most entries of the page.",
            json!({"type": "integer", "minimum": 1, "maximum": 100, "default": TAKE}),
        ),
        parameter("cursor", "Where the page before ended: its `next`.", json!({"type": "string"})),
    ]);
    let page = json!({
        "type": "object",
        "required": ["items", "count", "next"],
        "properties": {
            "items": {"type": "array", "items": reference("AuditEntry")},
            "count": {"type": "integer", "minimum": 0},
            "next": {"type": ["string", "null"], "description": "The cursor of the next page; null at the end."}
        }
    });
    let get = json!({
        "operationId": "audit",
        "summary": "Who did what to which item, when, allowed or denied",
        "tags": ["audit"],
        "parameters": parameters,
        "responses": responses(
            vec![(200, json!({
                "description": "A page.",
                "headers": {"Link": {"schema": {"type": "string"}, "description": "rel=\"next\", where there is more."}},
                "content": content(page)
            }))],
            &[&ANYTIME],
        )
    });
    paths.insert("/audit".to_owned(), json!({ "get": get }));
    schemas.insert("AuditEntry".to_owned(), entry());
}

fn entry() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "required": ["at", "by", "verb", "entity", "identity", "outcome", "requestId"],
        "properties": {
            "at": {"type": "string", "format": "date-time"},
            "subject": text("Who; absent for those who did not say."),
            "by": {"type": "string", "enum": ["token", "key", "anonymous"], "description": "What they showed."},
            "tenant": text("Whose item; absent where it belongs to none."),
            "verb": {"type": "string", "enum": VERBS},
            "entity": text("Of which entity; several, where a pattern was refused."),
            "identity": text("Which item: the segments of its path after the plural."),
            "outcome": {"type": "string", "enum": OUTCOMES},
            "requestId": {"type": "string"}
        }
    })
}
