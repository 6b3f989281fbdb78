//! Records as tables for people, or as JSON for scripts.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use keyfold_design::Design;
use keyfold_design::model::EntityId;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Error, Record, json};
use serde_json::{Map, Value};

/// Records as JSON objects, each with the name of its entity.
pub(super) fn to_json(design: &Design, records: &[Record]) -> Vec<Value> {
    let object = |record: &Record| {
        let mut object = Map::new();
        object.insert("entity".to_owned(), Value::String(name_of(design, record.entity).to_owned()));
        object.insert("attributes".to_owned(), Value::Object(json::object(&record.attributes)));
        Value::Object(object)
    };
    records.iter().map(object).collect()
}

/// One table per entity, in order of first occurrence.
pub(super) fn to_tables(design: &Design, records: &[Record]) -> String {
    let mut entities: Vec<EntityId> = Vec::new();
    for record in records {
        if !entities.contains(&record.entity) {
            entities.push(record.entity);
        }
    }
    let tables: Vec<String> = entities
        .into_iter()
        .map(|id| {
            let own: Vec<&Record> = records.iter().filter(|record| record.entity == id).collect();
            let title = match own.len() {
                1 => design[id].name.clone(),
                count => format!("{} ({count})", design[id].plural),
            };
            format!("{title}\n{}", table(design, id, &own))
        })
        .collect();
    tables.join("\n\n")
}

fn table(design: &Design, id: EntityId, records: &[&Record]) -> Table {
    let mut columns: Vec<String> = design[id]
        .attributes
        .iter()
        .map(|attribute| attribute.name.clone())
        .filter(|name| records.iter().any(|record| record.attributes.contains_key(name)))
        .collect();
    for name in records.iter().flat_map(|record| record.attributes.keys()) {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    let mut table = Table::new();
    table.load_preset(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    if let [record] = records {
        // One item reads better from top to bottom.
        for name in &columns {
            table.add_row([name.clone(), cell(record, name)]);
        }
        return table;
    }
    table.set_header(&columns);
    for record in records {
        table.add_row(columns.iter().map(|name| cell(record, name)));
    }
    table
}

fn cell(record: &Record, name: &str) -> String {
    record.attributes.get(name).map(value_text).unwrap_or_default()
}

fn value_text(value: &AttributeValue) -> String {
    match json::plain(value) {
        Value::String(text) => text,
        value => value.to_string(),
    }
}

/// A key in the table: `PK=…, SK=…`.
pub(super) fn key_text(key: &Attributes) -> String {
    let parts: Vec<String> = key.iter().map(|(name, value)| format!("{name}={}", value_text(value))).collect();
    parts.join(", ")
}

fn name_of(design: &Design, id: EntityId) -> &str {
    &design[id].name
}

/// Prints an error on standard output as well if scripts asked for JSON.
pub(super) fn as_json_too(json: bool, outcome: anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
    if let (true, Err(error)) = (json, &outcome) {
        let kind = error.downcast_ref::<Error>().map_or("invalid", Error::kind);
        say!("{:#}", serde_json::json!({"error": kind, "message": format!("{error:#}")}));
    }
    outcome
}

/// The error of a call as JSON, for scripts.
pub(super) fn error_json(error: &Error, message: &str) -> Value {
    let mut object = serde_json::json!({"error": error.kind(), "message": message});
    if let (Error::Constraint(violation) | Error::ImpossibleIdentity(violation), Some(members)) =
        (error, object.as_object_mut())
    {
        members.insert("constraint".to_owned(), Value::String(violation.name.clone()));
        if let Some(attribute) = &violation.attribute {
            members.insert("attribute".to_owned(), Value::String(attribute.clone()));
        }
    }
    object
}
