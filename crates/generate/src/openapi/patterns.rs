//! The operations of access patterns.

use keyfold_design::Design;
use keyfold_design::access::{AccessParameter, AccessPlan, ItemSource};
use keyfold_design::model::{AttributeType, Pattern};
use serde_json::{Value, json};

use super::Described;
use super::operation::{
    ANY_REQUEST, collection_of, cursor_parameter, next_cursor, page, query_parameter, reference, responses,
};
use crate::naming::{camel, pascal};
use crate::schema::{projected_item, type_schema};

/// The path of a pattern.
pub(super) fn path(design: &Design, pattern: &Pattern, page_limit: usize) -> Value {
    let plan = design.access_plan(pattern.id);
    let mut parameters: Vec<Value> = plan.parameters.iter().map(argument).collect();
    parameters.extend(paging(plan, page_limit));
    let description = pattern.description.clone().unwrap_or_else(|| format!("`{}`", pattern.source));
    let description = description + &design.only_when(plan);
    let get = json!({
        "operationId": camel(&pattern.slug),
        "summary": pattern.name,
        "description": description,
        "tags": ["patterns"],
        "parameters": parameters,
        "responses": responses(vec![(200, page(results(design, plan)))], &[&ANY_REQUEST])
    });
    json!({ "get": get })
}

/// The operation that lists all items of an entity, by the pattern that does; `None` where none does.
pub(super) fn list(described: &Described<'_>, page_limit: usize) -> Option<Value> {
    let Described { design, entity, resource, .. } = described;
    let plan = design.listing_of(entity).filter(|_| !resource.is_single())?;
    let pattern = design.patterns.get(plan.pattern.index())?;
    let mut parameters = paging(plan, page_limit);
    if design.tenant.is_some() {
        let description = match plan.parameters.is_empty() {
            true => "The tenant whose items are listed. Members may leave it out.",
            false => "The tenant whose items are listed. Members may leave it out; operators must state it.",
        };
        parameters.push(query_parameter("tenant", description, json!({"type": "string", "minLength": 1})));
    }
    Some(json!({
        "operationId": format!("list{}", pascal(&entity.plural)),
        "summary": format!("List all items of {}", entity.name),
        "description": format!("The access pattern `{}`.", pattern.name),
        "tags": [entity.name],
        "parameters": parameters,
        "responses": responses(vec![(200, page(results(design, plan)))], &[&ANY_REQUEST])
    }))
}

/// The parameters of every page.
fn paging(plan: &AccessPlan, page_limit: usize) -> Vec<Value> {
    vec![
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
    ]
}

/// The schema of a page.
fn results(design: &Design, plan: &AccessPlan) -> Value {
    let items = plan.results.iter().map(|result| {
        let entity = &design[result.entity];
        let schema = match &result.source {
            ItemSource::Projected { attributes, .. } => projected_item(entity, attributes),
            _ => reference(&entity.name),
        };
        (entity, schema)
    });
    json!({
        "type": "object",
        "required": ["items", "count", "next", "readUnits", "stopped"],
        "properties": {
            "items": {"type": "array", "items": collection_of(items)},
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
    })
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
