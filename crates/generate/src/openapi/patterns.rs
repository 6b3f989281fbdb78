//! The operations of access patterns.

use keyfold_design::Design;
use keyfold_design::access::AccessParameter;
use keyfold_design::model::{AttributeType, Pattern};
use serde_json::{Value, json};

use super::operation::{ANY_REQUEST, collection_item, cursor_parameter, next_cursor, page, query_parameter, responses};
use crate::naming::camel;
use crate::schema::type_schema;

/// The path of a pattern.
pub(super) fn path(design: &Design, pattern: &Pattern, page_limit: usize) -> Value {
    let plan = design.access_plan(pattern.id);
    let mut parameters: Vec<Value> = plan.parameters.iter().map(argument).collect();
    parameters.extend([
        query_parameter(
            "take",
            "The maximum number of results on the page.",
            json!({
                "type": "integer",
                "minimum": 1,
                "maximum": page_limit,
                "default": page_limit.min(plan.page_size as usize)
            }),
        ),
        query_parameter(
            "limit",
            "The maximum number of items to examine.",
            json!({"type": "integer", "minimum": 1, "maximum": 1_000_000}),
        ),
        query_parameter(
            "budget",
            "The maximum number of read units to spend.",
            json!({"type": "number", "exclusiveMinimum": 0}),
        ),
        cursor_parameter(),
        json!({"name": "order", "in": "query", "schema": {"type": "string", "enum": ["forward", "reverse"]}}),
    ]);
    let entities = plan.results.iter().map(|result| &design[result.entity]);
    let results = json!({
        "type": "object",
        "required": ["items", "count", "next", "readUnits", "stopped"],
        "properties": {
            "items": {"type": "array", "items": collection_item(entities)},
            "count": {"type": "integer", "minimum": 0},
            "next": next_cursor(),
            "readUnits": {"type": "number"},
            "stopped": {"type": "string", "enum": ["end", "full", "limit", "examined", "budget"]},
            "problems": {
                "type": "array",
                "description": "The items that the page leaves out because they do not fit the design; absent without any.",
                "items": {
                    "type": "object",
                    "required": ["key", "expected", "detail"],
                    "properties": {
                        "key": {"type": "object", "description": "The item's key in the table."},
                        "expected": {"type": "string", "description": "The entity that the item should be."},
                        "detail": {"type": "string", "description": "What does not fit."}
                    }
                }
            }
        }
    });
    let get = json!({
        "operationId": camel(&pattern.slug),
        "summary": pattern.name,
        "description": pattern.description.clone().unwrap_or_else(|| format!("`{}`", pattern.source)),
        "tags": ["patterns"],
        "parameters": parameters,
        "responses": responses(vec![(200, page(results))], &[&ANY_REQUEST])
    });
    json!({ "get": get })
}

/// A parameter of the pattern itself. The tenant is optional: it is bound to the caller's own.
fn argument(parameter: &AccessParameter) -> Value {
    let mut schema = type_schema(&parameter.value_type);
    if let Some(least) = parameter.at_least_characters {
        schema.insert("minLength".to_owned(), least.into());
    } else if matches!(parameter.value_type, AttributeType::String) {
        schema.insert("minLength".to_owned(), 1.into());
    }
    let schema = match parameter.list_of_at_most {
        Some(most) => json!({"type": "array", "items": schema, "minItems": 1, "maxItems": most}),
        None => Value::Object(schema),
    };
    let mut argument =
        json!({"name": parameter.name, "in": "query", "required": !parameter.is_tenant, "schema": schema});
    if let (true, Some(argument)) = (parameter.is_tenant, argument.as_object_mut()) {
        let description = "The tenant. Members may leave it out; operators must state it.";
        argument.insert("description".to_owned(), description.into());
    }
    argument
}
