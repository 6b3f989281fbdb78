//! What can be done: the operations of entities, patterns, and the design as a whole.

use keyfold_design::Design;
use keyfold_design::model::{AttributeType, DeleteRule, Entity, Parameter, Pattern, Verb};
use serde_json::{Map, Value, json};

use super::schemas::in_collection;
use super::types::{of_attribute, of_type};
use crate::limits::Limits;
use crate::resource::Resource;
use crate::served::ServedDesign;

/// What any request may be answered with.
pub(super) const ANYTIME: [u16; 7] = [400, 401, 403, 404, 429, 500, 503];
/// What a request with a body may be answered with besides.
const OF_BODIES: [u16; 4] = [408, 413, 415, 422];
const OF_CHANGES: [u16; 3] = [409, 412, 428];

pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

pub(super) fn content(schema: Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

/// The responses of an operation: those that tell of success, and problems.
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

fn shown(entity: &Entity, description: &str, created: bool) -> Value {
    let mut headers = json!({"ETag": {"schema": {"type": "string"}, "description": "The version."}});
    if let (true, Some(headers)) = (created, headers.as_object_mut()) {
        headers.insert("Location".to_owned(), json!({"schema": {"type": "string", "format": "uri-reference"}}));
    }
    json!({"description": description, "headers": headers, "content": content(reference(&entity.name))})
}

/// The paths of an entity.
pub fn of_entity(paths: &mut Map<String, Value>, entity: &Entity, resource: &Resource) {
    let name = &entity.name;
    let mut item = Map::new();
    let mut parameters: Vec<Value> = resource.path.iter().map(|part| path_parameter(entity, part)).collect();
    if resource.found_by_tenant {
        parameters.push(tenant_parameter());
    }
    if !parameters.is_empty() {
        item.insert("parameters".to_owned(), Value::Array(parameters));
    }
    item.insert("get".to_owned(), get(entity));
    if resource.takes(Verb::Update) {
        item.insert("put".to_owned(), put(entity));
        item.insert("patch".to_owned(), patch(entity));
    }
    if resource.takes(Verb::Delete) {
        item.insert("delete".to_owned(), delete(entity));
    }
    let collection = format!("/{}", resource.segment);
    if resource.takes(Verb::Create) {
        let mut post = json!({
            "operationId": format!("create{name}"),
            "summary": format!("Create {}", with_article(name)),
            "tags": [name],
            "requestBody": {"required": true, "content": content(reference(&format!("{name}Input")))},
            "responses": responses(
                vec![(201, shown(entity, "It was created.", true))],
                &[&ANYTIME, &OF_BODIES, &[409]],
            )
        });
        if let (true, Some(post)) = (resource.tenant.is_some() && !resource.is_single(), post.as_object_mut()) {
            post.insert("parameters".to_owned(), json!([tenant_parameter()]));
        }
        if resource.is_single() {
            item.insert("post".to_owned(), post);
        } else {
            paths.insert(collection.clone(), json!({ "post": post }));
        }
    }
    paths.insert(resource.template(), Value::Object(item));
}

fn get(entity: &Entity) -> Value {
    json!({
        "operationId": format!("get{}", entity.name),
        "summary": format!("Read {}", with_article(&entity.name)),
        "tags": [entity.name],
        "parameters": [header("If-None-Match", "The ETag of what is known already.")],
        "responses": responses(
            vec![
                (200, shown(entity, "The item.", false)),
                (304, json!({"description": "It is as known."})),
            ],
            &[&ANYTIME],
        )
    })
}

fn put(entity: &Entity) -> Value {
    json!({
        "operationId": format!("replace{}", entity.name),
        "summary": format!("Create or replace {}", with_article(&entity.name)),
        "tags": [entity.name],
        "parameters": [
            header("If-Match", "The ETag that the item has to have, or `*` for any."),
            header("If-None-Match", "`*`: the item must not be there.")
        ],
        "requestBody": {"required": true, "content": content(reference(&format!("{}Replacement", entity.name)))},
        "responses": responses(
            vec![
                (200, shown(entity, "It was replaced.", false)),
                (201, shown(entity, "It was created.", true)),
            ],
            &[&ANYTIME, &OF_BODIES, &OF_CHANGES],
        )
    })
}

fn patch(entity: &Entity) -> Value {
    let schema = reference(&format!("{}Patch", entity.name));
    json!({
        "operationId": format!("patch{}", entity.name),
        "summary": format!("Change what is given of {}; null takes an attribute away", with_article(&entity.name)),
        "tags": [entity.name],
        "parameters": [header("If-Match", "The ETag that the item has to have.")],
        "requestBody": {"required": true, "content": {
            "application/json": {"schema": schema},
            "application/merge-patch+json": {"schema": schema}
        }},
        "responses": responses(
            vec![(200, shown(entity, "The item as it is now.", false))],
            &[&ANYTIME, &OF_BODIES, &OF_CHANGES],
        )
    })
}

fn delete(entity: &Entity) -> Value {
    let mut parameters = vec![header("If-Match", "The ETag that the item has to have.")];
    let asked = entity.delete == DeleteRule::CascadeWhenAsked;
    let cascade = if asked { "Deletes what belongs to it as well." } else { "Changes nothing for this entity." };
    parameters.push(json!({
        "name": "cascade", "in": "query", "description": cascade,
        "schema": {"type": "boolean", "default": false}
    }));
    json!({
        "operationId": format!("delete{}", entity.name),
        "summary": format!("Delete {}", with_article(&entity.name)),
        "tags": [entity.name],
        "parameters": parameters,
        "responses": responses(
            vec![(204, json!({"description": "It is gone."}))],
            &[&ANYTIME, &[422], &OF_CHANGES],
        )
    })
}

fn header(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "header", "description": description, "schema": {"type": "string"}})
}

fn path_parameter(entity: &Entity, name: &str) -> Value {
    let schema = entity.attribute(name).map(of_attribute).unwrap_or_default();
    let mut schema: Map<String, Value> = schema.into_iter().filter(|(word, _)| word != "default").collect();
    let is_text = schema.get("type") == Some(&Value::from("string"));
    if is_text && !schema.contains_key("minLength") && !schema.contains_key("enum") {
        schema.insert("minLength".to_owned(), Value::from(1));
    }
    json!({"name": name, "in": "path", "required": true, "schema": schema})
}

fn tenant_parameter() -> Value {
    json!({
        "name": "tenant", "in": "query",
        "description": "Whose it is. Members need not say it; operators have to.",
        "schema": {"type": "string", "minLength": 1}
    })
}

/// The path of a pattern.
pub fn of_pattern(paths: &mut Map<String, Value>, design: &Design, pattern: &Pattern, limits: &Limits) {
    let pinned = match &pattern.tenant {
        keyfold_design::model::TenantMode::Pinned { parameter } => Some(parameter.as_str()),
        _ => None,
    };
    let mut parameters: Vec<Value> = pattern.parameters.iter().map(|parameter| argument(parameter, pinned)).collect();
    parameters.extend([
        json!({"name": "take", "in": "query", "description": "The most results of the page.",
            "schema": {"type": "integer", "minimum": 1, "maximum": limits.page}}),
        json!({"name": "limit", "in": "query", "description": "The most items looked at.",
            "schema": {"type": "integer", "minimum": 1, "maximum": 1_000_000}}),
        json!({"name": "budget", "in": "query", "description": "The most read units spent.",
            "schema": {"type": "number", "exclusiveMinimum": 0}}),
        json!({"name": "cursor", "in": "query", "description": "Where the page before ended: its `next`.",
            "schema": {"type": "string"}}),
        json!({"name": "order", "in": "query", "schema": {"type": "string", "enum": ["forward", "reverse"]}}),
    ]);
    let names = pattern.entities().filter_map(|id| design.entity(id)).map(|entity| entity.name.as_str());
    let page = json!({
        "type": "object",
        "required": ["items", "count", "next", "readUnits", "stopped"],
        "properties": {
            "items": {"type": "array", "items": in_collection(names)},
            "count": {"type": "integer", "minimum": 0},
            "next": {"type": ["string", "null"], "description": "The cursor of the next page; null at the end."},
            "readUnits": {"type": "number"},
            "stopped": {"type": "string", "enum": ["end", "full", "budget"]}
        }
    });
    let description = pattern.description.clone().unwrap_or_else(|| format!("`{}`", pattern.source));
    let get = json!({
        "operationId": camel_case(&pattern.slug),
        "summary": pattern.name,
        "description": description,
        "tags": ["patterns"],
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
    paths.insert(format!("/patterns/{}", pattern.slug), json!({ "get": get }));
}

fn argument(parameter: &Parameter, pinned: Option<&str>) -> Value {
    let mut schema = of_type(&parameter.value_type);
    if let Some(least) = parameter.at_least_characters {
        schema.insert("minLength".to_owned(), Value::from(least));
    } else if matches!(parameter.value_type, AttributeType::String) {
        schema.insert("minLength".to_owned(), Value::from(1));
    }
    let is_own = pinned == Some(parameter.name.as_str());
    let schema = match parameter.many {
        true => json!({"type": "array", "items": schema, "minItems": 1}),
        false => Value::Object(schema),
    };
    let mut argument = json!({"name": parameter.name, "in": "query", "required": !is_own, "schema": schema});
    if let (true, Some(argument)) = (is_own, argument.as_object_mut()) {
        let description = "The tenant. Members need not say it; operators have to.";
        argument.insert("description".to_owned(), Value::from(description));
    }
    argument
}

/// The paths that every design has.
pub fn of_design(paths: &mut Map<String, Value>, served: &ServedDesign) {
    let design = served.design();
    let entities =
        || design.entities.iter().zip(served.resources()).filter(|(_, resource)| resource.takes(Verb::Create));
    let subject = |suffix: &str| {
        let names = entities().filter(|(_, resource)| suffix == "Input" || resource.takes(Verb::Update));
        let properties: Map<String, Value> =
            names.map(|(entity, _)| (entity.name.clone(), reference(&format!("{}{suffix}", entity.name)))).collect();
        json!({
            "type": "object", "properties": properties,
            "minProperties": 1, "maxProperties": 1, "additionalProperties": false
        })
    };
    let write = json!({
        "type": "object",
        "properties": {
            "create": subject("Input"), "put": subject("Input"), "upsert": subject("Patch"), "patch": subject("Patch"),
            "delete": {"type": "object", "minProperties": 1, "maxProperties": 1,
                "additionalProperties": {"type": "object"}},
            "version": {"type": "integer", "minimum": 0},
            "cascade": {"type": "boolean"}
        },
        "additionalProperties": false
    });
    let items = in_collection(design.entities.iter().map(|entity| entity.name.as_str()));
    let transactions = json!({
        "operationId": "transact",
        "summary": "Several writes, all or none",
        "tags": ["transactions"],
        "requestBody": {"required": true, "content": content(json!({
            "type": "object", "required": ["writes"], "additionalProperties": false,
            "properties": {"writes": {"type": "array", "minItems": 1, "maxItems": 100, "items": write}}
        }))},
        "responses": responses(
            vec![(200, json!({"description": "Each item as it is now; null for deletes.", "content": content(json!({
                "type": "object", "required": ["items"],
                "properties": {"items": {"type": "array", "items": {"anyOf": [items, {"type": "null"}]}}}
            }))}))],
            &[&ANYTIME, &OF_BODIES, &OF_CHANGES],
        )
    });
    paths.insert("/transactions".to_owned(), json!({ "post": transactions }));
    let names: Vec<&str> = design.entities.iter().map(|entity| entity.name.as_str()).collect();
    let authorize = json!({
        "operationId": "authorize",
        "summary": "May I, and which rule says so",
        "tags": ["authorization"],
        "requestBody": {"required": true, "content": content(json!({
            "type": "object", "required": ["verb", "entity"], "additionalProperties": false,
            "properties": {
                "verb": {"type": "string", "enum": Verb::ALL.map(Verb::as_str)},
                "entity": {"type": "string", "enum": names},
                "item": {"type": "object", "description": "The item as it is, or would be."}
            }
        }))},
        "responses": responses(
            vec![(200, json!({"description": "The answer.", "content": content(reference("Decision"))}))],
            &[&ANYTIME, &OF_BODIES],
        )
    });
    paths.insert("/authorize".to_owned(), json!({ "post": authorize }));
}

/// `licenses-by-enterprise` is `licensesByEnterprise`.
fn camel_case(slug: &str) -> String {
    let mut words = slug.split('-');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(letters.as_str());
    }
    name
}

fn with_article(name: &str) -> String {
    let vowel = name.starts_with(['A', 'E', 'I', 'O']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}
