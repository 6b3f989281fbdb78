//! The OpenAPI 3.1 document of a design, exact enough to make a client from.

mod journal;
mod operations;
mod schemas;
mod types;

use serde_json::{Map, Value, json};

use crate::journal::Journal;
use crate::limits::Limits;
use crate::served::ServedDesign;

/// The document.
pub fn document(served: &ServedDesign, limits: &Limits, journal: &Journal) -> Value {
    let design = served.design();
    let mut schemas = schemas::common();
    for (entity, resource) in design.entities.iter().zip(served.resources()) {
        schemas::add(&mut schemas, design, entity, resource);
    }
    let mut paths = Map::new();
    for (entity, resource) in design.entities.iter().zip(served.resources()) {
        operations::of_entity(&mut paths, entity, resource);
    }
    for pattern in &design.patterns {
        operations::of_pattern(&mut paths, design, pattern, limits);
    }
    operations::of_design(&mut paths, served);
    let mut parameters = Map::new();
    if journal.keeps_answers() {
        journal::add_key(&mut paths);
        parameters.insert("IdempotencyKey".to_owned(), journal::key());
    }
    if journal.keeps_log() {
        journal::add_log(&mut paths, &mut schemas, design);
    }
    let description = design.description.clone().unwrap_or_default();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": design.name,
            "description": description,
            "version": env!("CARGO_PKG_VERSION")
        },
        "servers": [{"url": format!("/v1/{}", design.name)}],
        "security": [{"token": []}, {"apiKey": []}, {}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": parameters,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "apiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}
            },
            "responses": {
                "Problem": {
                    "description": "What went wrong.",
                    "headers": {"X-Request-Id": {"schema": {"type": "string"}}},
                    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
                }
            }
        }
    })
}
