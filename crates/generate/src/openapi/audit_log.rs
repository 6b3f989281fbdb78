//! The operation that reads the audit log.

use keyfold_design::Design;
use serde_json::{Value, json};

use super::AuditLog;
use super::operation::{ANY_REQUEST, cursor_parameter, next_cursor, page, query_parameter, reference, responses};

pub(super) fn path(design: &Design, log: &AuditLog, entry: &str) -> Value {
    let text = || json!({"type": "string", "minLength": 1});
    let time = || json!({"type": "string", "format": "date-time"});
    let mut parameters = Vec::new();
    if design.tenant.is_some() {
        let description = "The tenant whose log is read. Members may leave it out; operators must state it.";
        parameters.push(query_parameter("tenant", description, text()));
    }
    parameters.extend([
        query_parameter("entity", "Only entries about items of this entity.", text()),
        query_parameter(
            "id",
            "Only entries about this item: the segments of its path after the plural. Needs `entity`.",
            text(),
        ),
        query_parameter("subject", "Only requests of this caller.", text()),
        query_parameter("verb", "Only requests with this verb.", json!({"type": "string", "enum": log.verbs})),
        query_parameter("outcome", "Only requests with this outcome.", json!({"type": "string", "enum": log.outcomes})),
        query_parameter("from", "The earliest time, inclusive.", time()),
        query_parameter("to", "The latest time, exclusive.", time()),
        query_parameter(
            "order",
            "`reverse`, the default, lists the newest entries first.",
            json!({"type": "string", "enum": ["forward", "reverse"]}),
        ),
        query_parameter(
            "take",
            "The maximum number of entries on the page.",
            json!({"type": "integer", "minimum": 1, "maximum": log.page_limit, "default": log.default_page}),
        ),
        cursor_parameter(),
    ]);
    let entries = json!({
        "type": "object",
        "required": ["items", "count", "next"],
        "properties": {
            "items": {"type": "array", "items": reference(entry)},
            "count": {"type": "integer", "minimum": 0},
            "next": next_cursor()
        }
    });
    let get = json!({
        "operationId": "audit",
        "summary": "Read the audit log: who did what to which item, when, allowed or denied",
        "tags": ["audit"],
        "parameters": parameters,
        "responses": responses(vec![(200, page(entries))], &[&ANY_REQUEST])
    });
    json!({ "get": get })
}

pub(super) fn entry_schema(log: &AuditLog) -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "required": ["at", "by", "verb", "entity", "identity", "outcome", "requestId"],
        "properties": {
            "at": {"type": "string", "format": "date-time"},
            "subject": text("The caller; absent for an anonymous one."),
            "by": {"type": "string", "enum": ["token", "key", "command", "anonymous"], "description": "The kind of credential."},
            "tenant": text("The tenant of the item; absent where it belongs to none."),
            "verb": {"type": "string", "enum": log.verbs},
            "entity": text("The entity of the item; several for a denied access pattern."),
            "identity": text("The item: the segments of its path after the plural; several with commas between them."),
            "outcome": {"type": "string", "enum": log.outcomes},
            "requestId": {"type": "string"},
            "pattern": text("The access pattern of an audited read of several items."),
            "items": {"type": "integer", "minimum": 1, "description": "The number of items that it returned."},
            "count": {
                "type": "integer", "minimum": 1,
                "description": "The number of requests that the entry stands for, where that is not one."
            },
            "since": {"type": "string", "format": "date-time", "description": "The time of the first of them."},
            "truncated": {
                "type": "boolean",
                "description": "Whether the identity was too long, and the entry has its beginning, or not all items."
            }
        }
    })
}
