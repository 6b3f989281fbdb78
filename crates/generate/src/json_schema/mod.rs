//! JSON Schema, draft 2020-12: each entity as the backend shows it, and as it is given to be created.

mod types;

use keyfold_design::Design;
use keyfold_design::model::{Attribute, AttributeType, Entity};

use crate::input_attributes::{has_to_be_given, is_settable};
use crate::json::{Json, texts};
use crate::{File, Input, Target};

pub fn files(input: &Input<'_>) -> Vec<File> {
    let design = input.design;
    let mut definitions = Vec::new();
    for entity in &design.entities {
        definitions.push((entity.name.clone(), shown(entity)));
        if entity.is_written_directly() {
            definitions.push((given_name(design, entity), given(design, entity)));
        }
    }
    let mut fields = vec![
        ("$schema", Json::from("https://json-schema.org/draft/2020-12/schema")),
        ("$id", Json::from(format!("urn:keyfold:{}", design.name))),
        ("$comment", Json::from(input.origin(Target::JsonSchema))),
        ("title", Json::from(design.name.as_str())),
    ];
    if let Some(description) = &design.description {
        fields.push(("description", Json::from(description.as_str())));
    }
    fields.push(("$defs", Json::Object(definitions)));
    let schema = Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    vec![File { path: format!("json-schema/{}.schema.json", design.name), text: schema.to_text() }]
}

/// `NewLicense`, unless an entity is called so.
fn given_name(design: &Design, entity: &Entity) -> String {
    let mut name = format!("New{}", entity.name);
    while design.entity_named(&name).is_some() {
        name.push_str("Input");
    }
    name
}

/// An item as it is shown. Others may write items too, so that what only Keyfold keeps need not be there.
fn shown(entity: &Entity) -> Json {
    let is_there = |attribute: &Attribute| {
        !attribute.may_be_absent()
            && attribute.visible_to.is_none()
            && !matches!(attribute.value_type, AttributeType::Stamp(_) | AttributeType::Expiry(_))
            && attribute.same_as.as_ref().and_then(|name| entity.attribute(name)).is_none_or(|other| !other.optional)
    };
    of_attributes(entity, entity.attributes.iter().collect(), is_there)
}

/// What a caller gives for a new item.
fn given(design: &Design, entity: &Entity) -> Json {
    let settable = entity.attributes.iter().filter(|attribute| is_settable(design, entity, attribute)).collect();
    of_attributes(entity, settable, |attribute| has_to_be_given(design, entity, attribute))
}

fn of_attributes(entity: &Entity, attributes: Vec<&Attribute>, is_needed: impl Fn(&Attribute) -> bool) -> Json {
    let mut fields: Vec<(String, Json)> = Vec::new();
    if let Some(description) = &entity.description {
        fields.push(("description".to_owned(), Json::from(description.as_str())));
    }
    fields.push(("type".to_owned(), Json::from("object")));
    let properties = attributes.iter().map(|attribute| (attribute.name.clone(), types::of_attribute(attribute)));
    fields.push(("properties".to_owned(), Json::Object(properties.collect())));
    let needed: Vec<&str> =
        attributes.iter().filter(|attribute| is_needed(attribute)).map(|attribute| attribute.name.as_str()).collect();
    if !needed.is_empty() {
        fields.push(("required".to_owned(), texts(needed)));
    }
    fields.push(("additionalProperties".to_owned(), Json::from(entity.open)));
    Json::Object(fields)
}
