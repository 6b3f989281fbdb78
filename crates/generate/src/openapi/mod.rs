//! The OpenAPI 3.1 document of a design, exact enough to generate clients from. The REST server serves the same bytes.

mod audit_log;
mod authorization;
mod entities;
mod idempotency;
mod me;
mod operation;
mod operations;
mod patterns;
mod transactions;

pub use operations::{Operation, operations};

use keyfold_design::Design;
use keyfold_design::model::{Entity, Resource};
use serde_json::{Map, Value, json};

use crate::schema::{EntityNames, SchemaNames, entity_schemas};
use crate::{File, Input};

/// The properties of the server in the document.
#[derive(Debug, Clone)]
pub struct Server {
    /// The maximum number of results on a page.
    pub page_limit: usize,
    /// The codes of the problems that it reports.
    pub problem_codes: Vec<&'static str>,
    /// Whether it accepts `Idempotency-Key`.
    pub idempotency: bool,
    /// The audit log, where it keeps one.
    pub audit_log: Option<AuditLog>,
}

/// The words and page sizes of an audit log.
#[derive(Debug, Clone)]
pub struct AuditLog {
    pub verbs: Vec<&'static str>,
    pub outcomes: Vec<&'static str>,
    /// The number of entries on a page where the request states none.
    pub default_page: usize,
    /// The maximum number of entries on a page.
    pub page_limit: usize,
}

/// The file of the document. JSON has no comments, and the document that is served has none either.
pub fn files(input: &Input<'_>) -> Vec<File> {
    let file = |server: &Server| File {
        path: format!("openapi/{}.openapi.json", input.design.name),
        text: document(input.design, server).to_string(),
    };
    input.openapi.map(file).into_iter().collect()
}

/// An entity with its address and the names of its schemas.
struct Described<'d> {
    design: &'d Design,
    entity: &'d Entity,
    resource: Resource,
    names: &'d EntityNames,
}

fn info(design: &Design) -> Value {
    let mut info = Map::new();
    info.insert("title".to_owned(), design.name.as_str().into());
    if let Some(description) = &design.description {
        info.insert("description".to_owned(), description.as_str().into());
    }
    info.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
    Value::Object(info)
}

/// The document.
pub fn document(design: &Design, server: &Server) -> Value {
    let mut names = SchemaNames::new(design);
    let (problem, decision, audit_entry) = (names.other("Problem"), names.other("Decision"), names.other("AuditEntry"));
    let entities: Vec<Described<'_>> = design
        .entities
        .iter()
        .zip(names.entities())
        .map(|(entity, names)| Described { design, entity, resource: Resource::new(design, entity), names })
        .collect();

    let mut schemas = Map::new();
    schemas.insert(problem.clone(), operation::problem_schema(&server.problem_codes));
    schemas.insert(decision.clone(), authorization::decision_schema());
    schemas.extend(entity_schemas(design, &names));
    let mut paths = Map::new();
    for described in &entities {
        entities::add_paths(&mut paths, described, server.page_limit);
    }
    for pattern in &design.patterns {
        paths.insert(format!("/patterns/{}", pattern.slug), patterns::path(design, pattern, server.page_limit));
    }
    paths.insert("/transactions".to_owned(), transactions::path(&entities));
    paths.insert("/authorize".to_owned(), authorization::path(design, &decision));
    paths.insert("/me".to_owned(), me::path());
    let mut parameters = Map::new();
    if design.callers.members.is_some() {
        me::add_tenant(&mut paths);
        parameters.insert("Tenant".to_owned(), me::tenant());
    }
    if server.idempotency {
        idempotency::add_key(&mut paths);
        parameters.insert("IdempotencyKey".to_owned(), idempotency::key());
    }
    if let Some(log) = &server.audit_log {
        paths.insert("/audit".to_owned(), audit_log::path(design, log, &audit_entry));
        schemas.insert(audit_entry, audit_log::entry_schema(log));
    }
    json!({
        "openapi": "3.1.0",
        "info": info(design),
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
                    "description": "The request failed.",
                    "headers": {"X-Request-Id": {"schema": {"type": "string"}}},
                    "content": {"application/problem+json": {"schema": operation::reference(&problem)}}
                }
            }
        }
    })
}
