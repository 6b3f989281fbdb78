//! JSON Schema (draft 2020-12) of a design's entities: as they are read, created, replaced and patched. The JSON Schema
//! document and the OpenAPI document both contain these schemas.

mod attribute;
mod names;
mod update;

use keyfold_design::Design;
use keyfold_design::model::{Attribute, Entity, Verb};
use serde_json::{Map, Value};

pub(crate) use attribute::{attribute_schema, type_schema};
pub(crate) use names::{EntityNames, SchemaNames};
pub(crate) use update::any_members;

/// The schemas of all entities, by their names.
pub(crate) fn entity_schemas(design: &Design, names: &SchemaNames) -> Map<String, Value> {
    let mut schemas = Map::new();
    for (entity, names) in design.entities.iter().zip(names.entities()) {
        schemas.insert(names.item.clone(), item(entity));
        if entity.accepts(Verb::Create) {
            schemas.insert(names.new.clone(), new(design, entity));
        }
        if entity.accepts(Verb::Update) {
            schemas.insert(names.replacement.clone(), replacement(design, entity));
            schemas.insert(names.patch.clone(), patch(entity));
            schemas.insert(names.update.clone(), update::schema(entity));
        }
    }
    schemas
}

/// An item as it is read.
fn item(entity: &Entity) -> Value {
    let mut schema = Map::new();
    if let Some(description) = &entity.description {
        schema.insert("description".to_owned(), description.as_str().into());
    }
    let attributes = entity.attributes.iter().map(|attribute| (attribute, attribute_schema(entity, attribute)));
    schema.extend(object(entity, attributes, |attribute| entity.is_always_present(attribute)));
    Value::Object(schema)
}

/// An item of which only some attributes are read.
pub(crate) fn projected_item(entity: &Entity, names: &[String]) -> Value {
    let is_read = |attribute: &&Attribute| names.contains(&attribute.name);
    let attributes = entity.attributes.iter().filter(is_read);
    let attributes = attributes.map(|attribute| (attribute, attribute_schema(entity, attribute)));
    Value::Object(object(entity, attributes, |attribute| entity.is_always_present(attribute)))
}

/// What callers give for a new item.
fn new(design: &Design, entity: &Entity) -> Value {
    let is_required = |attribute: &Attribute| design.is_required_input(entity, attribute);
    Value::Object(object(entity, settable(entity), is_required))
}

/// What callers give to replace an item: its identity is known from elsewhere.
fn replacement(design: &Design, entity: &Entity) -> Value {
    let is_required = |attribute: &Attribute| {
        design.is_required_input(entity, attribute) && !entity.identity.contains(&attribute.name)
    };
    Value::Object(object(entity, settable(entity), is_required))
}

/// What callers give to change an item. `null` removes an attribute.
fn patch(entity: &Entity) -> Value {
    let attributes = settable(entity).map(|(attribute, mut schema)| {
        schema.shift_remove("default");
        (attribute, if attribute.may_be_absent() { attribute::nullable(schema) } else { schema })
    });
    Value::Object(object(entity, attributes, |_| false))
}

fn settable(entity: &Entity) -> impl Iterator<Item = (&Attribute, Map<String, Value>)> {
    entity.settable_attributes().map(|attribute| (attribute, attribute_schema(entity, attribute)))
}

fn object<'e>(
    entity: &Entity,
    attributes: impl Iterator<Item = (&'e Attribute, Map<String, Value>)>,
    is_required: impl Fn(&Attribute) -> bool,
) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required: Vec<Value> = Vec::new();
    for (attribute, schema) in attributes {
        properties.insert(attribute.name.clone(), Value::Object(schema));
        if is_required(attribute) {
            required.push(attribute.name.as_str().into());
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), entity.open.into());
    schema
}
