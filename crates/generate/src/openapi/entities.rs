//! The operations of entities.

use keyfold_design::model::{Attribute, DeleteRule, Entity, Verb};
use keyfold_design::with_article;
use serde_json::{Map, Value, json};

use super::operation::{ANY_REQUEST, BODY, CHANGE, content, query_parameter, reference, request_body, responses};
use super::{Described, patterns};
use crate::schema::attribute_schema;

/// Adds the paths of an entity: its collection and its items.
pub(super) fn add_paths(paths: &mut Map<String, Value>, described: &Described<'_>, page_limit: usize) {
    let Described { entity, resource, .. } = described;
    let mut item = Map::new();
    let path_attributes = resource.path.iter().filter_map(|name| entity.attribute(name));
    let mut parameters: Vec<Value> = path_attributes.map(|attribute| path_parameter(entity, attribute)).collect();
    parameters.extend(tenant_parameter(described));
    if !parameters.is_empty() {
        item.insert("parameters".to_owned(), parameters.into());
    }
    item.insert("get".to_owned(), get(described));
    if resource.accepts(Verb::Update) {
        item.insert("put".to_owned(), put(described));
        item.insert("patch".to_owned(), patch(described));
    }
    if resource.accepts(Verb::Delete) {
        item.insert("delete".to_owned(), delete(entity));
    }
    let mut collection = Map::new();
    if let Some(list) = patterns::list(described, page_limit) {
        collection.insert("get".to_owned(), list);
    }
    if resource.accepts(Verb::Create) {
        let into = if resource.is_single() { &mut item } else { &mut collection };
        into.insert("post".to_owned(), post(described));
    }
    if !collection.is_empty() {
        paths.insert(format!("/{}", resource.segment), Value::Object(collection));
    }
    paths.insert(resource.template(), Value::Object(item));
}

/// A response with an item.
fn item_response(described: &Described<'_>, description: &str, is_new: bool) -> Value {
    let mut headers = Map::new();
    let etag = etag_description(described.entity);
    headers.insert("ETag".to_owned(), json!({"schema": {"type": "string"}, "description": etag}));
    if is_new {
        headers.insert("Location".to_owned(), json!({"schema": {"type": "string", "format": "uri-reference"}}));
    }
    json!({"description": description, "headers": headers, "content": content(reference(&described.names.item))})
}

/// A response to a write.
fn written_response(described: &Described<'_>, description: &str, is_new: bool) -> Value {
    item_response(described, &format!("{description} Without a body if the caller may not read it."), is_new)
}

/// What the ETag of an item is made of, with an example.
fn etag_description(entity: &Entity) -> String {
    if entity.version().is_none() {
        return "A weak tag of the content.".to_owned();
    }
    let counters: Vec<String> = entity.counters.iter().map(|counter| format!("`{counter}`")).collect();
    match counters.as_slice() {
        [] => "The version of the item: `\"7\"`.".to_owned(),
        [one] => format!("The version of the item and its {one}, which changes without a new version: `\"7-2\"`."),
        several => {
            let examples: String = (2..).take(several.len()).map(|count| format!("-{count}")).collect();
            let names = several.join(", ");
            format!(
                "The version of the item and its counters ({names}), which change without a new version: `\"7{examples}\"`."
            )
        }
    }
}

fn post(described: &Described<'_>) -> Value {
    let Described { entity, resource, names, .. } = described;
    let mut post = json!({
        "operationId": format!("create{}", entity.name),
        "summary": format!("Create {}", with_article(&entity.name)),
        "tags": [entity.name],
        "requestBody": request_body(reference(&names.new)),
        "responses": responses(
            vec![(201, written_response(described, "The item was created.", true))],
            &[&ANY_REQUEST, &BODY, &[409]],
        )
    });
    // A single item has the parameter on its path.
    if let (false, Some(parameter), Some(post)) =
        (resource.is_single(), tenant_parameter(described), post.as_object_mut())
    {
        post.insert("parameters".to_owned(), json!([parameter]));
    }
    post
}

fn get(described: &Described<'_>) -> Value {
    let name = &described.entity.name;
    json!({
        "operationId": format!("get{name}"),
        "summary": format!("Read {}", with_article(name)),
        "tags": [name],
        "parameters": [header("If-None-Match", "The ETag of the item that the client has.")],
        "responses": responses(
            vec![
                (200, item_response(described, "The item.", false)),
                (304, json!({"description": "The client has the current item."})),
            ],
            &[&ANY_REQUEST, &[422]],
        )
    })
}

fn put(described: &Described<'_>) -> Value {
    let name = &described.entity.name;
    json!({
        "operationId": format!("replace{name}"),
        "summary": format!("Create or replace {}", with_article(name)),
        "tags": [name],
        "parameters": [
            if_match(described.entity).unwrap_or_else(|| header("If-Match", "`*`: the item must exist.")),
            header("If-None-Match", "`*`: the item must not exist.")
        ],
        "requestBody": request_body(reference(&described.names.replacement)),
        "responses": responses(
            vec![
                (200, written_response(described, "The item was replaced.", false)),
                (201, written_response(described, "The item was created.", true)),
            ],
            &[&ANY_REQUEST, &BODY, &CHANGE],
        )
    })
}

fn patch(described: &Described<'_>) -> Value {
    let name = &described.entity.name;
    let schema = reference(&described.names.patch);
    json!({
        "operationId": format!("patch{name}"),
        "summary": format!("Change the given attributes of {}; null removes an attribute", with_article(name)),
        "tags": [name],
        "parameters": if_match(described.entity).into_iter().collect::<Vec<_>>(),
        "requestBody": {"required": true, "content": {
            "application/json": {"schema": schema},
            "application/merge-patch+json": {"schema": schema},
            "application/vnd.keyfold.update+json": {"schema": reference(&described.names.update)}
        }},
        "responses": responses(
            vec![(200, written_response(described, "The item after the change.", false))],
            &[&ANY_REQUEST, &BODY, &CHANGE],
        )
    })
}

fn delete(entity: &Entity) -> Value {
    let mut parameters: Vec<Value> = if_match(entity).into_iter().collect();
    if entity.delete == DeleteRule::CascadeWhenAsked {
        let description = "Whether to delete the items that refer to this one as well.";
        parameters.push(query_parameter("cascade", description, json!({"type": "boolean", "default": false})));
    }
    json!({
        "operationId": format!("delete{}", entity.name),
        "summary": format!("Delete {}", with_article(&entity.name)),
        "tags": [entity.name],
        "parameters": parameters,
        "responses": responses(
            vec![(204, json!({"description": "The item was deleted."}))],
            &[&ANY_REQUEST, &[422], &CHANGE],
        )
    })
}

/// The condition of a change that an item has a version; `None` where it has none.
fn if_match(entity: &Entity) -> Option<Value> {
    let compared = if entity.counters.is_empty() { "" } else { ", of which only the version is compared" };
    let description = format!("The ETag that the item must have{compared}, or `*` for any.");
    entity.version().map(|_| header("If-Match", &description))
}

fn header(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "header", "description": description, "schema": {"type": "string"}})
}

fn path_parameter(entity: &Entity, attribute: &Attribute) -> Value {
    let mut schema = attribute_schema(entity, attribute);
    schema.shift_remove("default");
    let is_text = schema.get("type").is_some_and(|name| name == "string");
    if is_text && !schema.contains_key("minLength") && !schema.contains_key("enum") {
        schema.insert("minLength".to_owned(), 1.into());
    }
    json!({"name": attribute.name, "in": "path", "required": true, "schema": schema})
}

/// The parameter `tenant`, which every item of a design with tenants takes.
fn tenant_parameter(described: &Described<'_>) -> Option<Value> {
    let Described { design, entity, resource, .. } = described;
    design.tenant.as_ref()?;
    let description = if resource.found_by_tenant {
        "The tenant of the item. Members may leave it out; operators must state it."
    } else if entity.scope.has_tenant() {
        "The tenant of the item, which may be left out: an item of another tenant is not found."
    } else {
        "Accepted like everywhere else; these items belong to no tenant."
    };
    Some(query_parameter("tenant", description, json!({"type": "string", "minLength": 1})))
}
