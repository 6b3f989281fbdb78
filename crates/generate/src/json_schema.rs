//! The JSON Schema document of a design: a definition for each schema of its entities.

use serde_json::{Map, Value};

use crate::schema::{SchemaNames, entity_schemas};
use crate::{File, Input, Target};

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    let design = input.design;
    let mut document = Map::new();
    let mut put = |name: &str, value: Value| document.insert(name.to_owned(), value);
    put("$schema", "https://json-schema.org/draft/2020-12/schema".into());
    put("$id", format!("urn:keyfold:{}", design.name).into());
    put("$comment", input.origin(Target::JsonSchema).into());
    put("title", design.name.as_str().into());
    if let Some(description) = &design.description {
        put("description", description.as_str().into());
    }
    put("$defs", Value::Object(entity_schemas(design, &SchemaNames::new(design))));
    let text = format!("{:#}\n", Value::Object(document));
    vec![File { path: format!("json-schema/{}.schema.json", design.name), text }]
}
