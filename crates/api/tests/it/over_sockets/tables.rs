//! What every route of every design answers, and to whom: a committed table for each design, so that a change of who
//! may do what shows as a difference. `KEYFOLD_WRITE_TABLES=1` writes them anew.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_api::{Limits, href};
use keyfold_design::Design;
use keyfold_design::model::{EntityId, Resource};
use keyfold_dynamo::Attributes;
use serde_json::Value;

use crate::over_sockets::client::Answered;
use crate::over_sockets::table_rows::{Row, Sample, common_rows, pattern_row};
use crate::over_sockets::world::{Setting, World, caller, operator};

struct Table {
    name: &'static str,
    file: PathBuf,
    text: String,
    /// What each column is called, and who that is.
    people: Vec<(String, String)>,
}

impl Table {
    fn read(name: &'static str) -> Self {
        let file =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/over_sockets/tables").join(format!("{name}.txt"));
        let text = std::fs::read_to_string(&file).unwrap();
        let head = text.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with('#'));
        let person = |line: &str| {
            let (title, who) = line.split_once(':').unwrap_or_else(|| panic!("{line}"));
            (title.to_owned(), who.trim().to_owned())
        };
        let people = head.map(person).collect();
        Self { name, file, text, people }
    }

    /// The file with other rows below its head.
    fn with(&self, rows: &[(String, Vec<String>)]) -> String {
        let head: Vec<&str> = self.text.lines().take_while(|line| !line.is_empty()).collect();
        let titles: Vec<String> = self.people.iter().map(|(title, _)| title.clone()).collect();
        let all: Vec<(String, Vec<String>)> =
            std::iter::once((String::new(), titles)).chain(rows.iter().cloned()).collect();
        let first = all.iter().map(|(label, _)| label.len()).max().unwrap();
        let width = |place: usize| all.iter().map(|(_, cells)| cells[place].len()).max().unwrap();
        let widths: Vec<usize> = (0..self.people.len()).map(width).collect();
        let mut text = head.join("\n") + "\n\n";
        for (label, cells) in &all {
            let mut line = format!("{label:first$}");
            for (cell, width) in cells.iter().zip(&widths) {
                line.push_str(&format!(" | {cell:width$}"));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The one whose items are asked for: the first with the right role.
    fn subject(&self) -> String {
        let right = self.people.iter().find(|(title, _)| title == "right role").unwrap();
        caller(&right.1).subject.unwrap()
    }

    fn own_tenant(&self) -> Option<String> {
        let right = self.people.iter().find(|(title, _)| title == "right role").unwrap();
        caller(&right.1).tenant
    }
}

/// The items that are asked for: those of the tenant, and of the subject where there are some, come first; those whose
/// address is also that of another tenant's item come last.
async fn samples(world: &World, table: &Table, design: &Design) -> Vec<(EntityId, Attributes)> {
    let (tenant, subject) = (table.own_tenant(), table.subject());
    let mut items = world.items(table.name).await;
    let is_own = |attributes: &Attributes| match &design.tenant {
        Some(named) => attributes.get(&named.attribute).and_then(|value| value.as_str()) == tenant.as_deref(),
        None => true,
    };
    let address =
        |id: EntityId, attributes: &Attributes| href(design, &Resource::new(design, &design[id]), attributes, false);
    let addresses: Vec<String> = items.iter().map(|(id, attributes)| address(*id, attributes)).collect();
    items.sort_by_key(|(id, attributes)| {
        let own = address(*id, attributes);
        let is_shared = addresses.iter().filter(|other| **other == own).count() > 1;
        let mentions = attributes.values().any(|value| value.as_str() == Some(subject.as_str()));
        (id.index(), !is_own(attributes), is_shared, !mentions, own)
    });
    items
}

fn rows(design: &Design, items: &[(EntityId, Attributes)]) -> Vec<Row> {
    let mut rows = common_rows(design);
    for entity in &design.entities {
        // What the sample data has nothing of has no route to ask.
        let Some((_, item)) = items.iter().find(|(id, _)| *id == entity.id) else { continue };
        rows.extend(Sample { design, entity, item }.rows());
    }
    rows.extend(design.patterns.iter().map(|pattern| pattern_row(design, pattern, items)));
    rows
}

/// An answer in a few words: its status, and what it is about.
fn told(answered: &Answered) -> String {
    let status = answered.status.as_u16();
    let is_json = answered.headers.get("content-type").is_some_and(|value| value.to_str().unwrap().contains("json"));
    if !is_json {
        return status.to_string();
    }
    let body = answered.json();
    match (&body["code"], &body["count"], &body["decision"]) {
        (Value::String(code), _, _) => format!("{status} {code}"),
        (_, Value::Number(count), _) => format!("{status} with {count}"),
        (_, _, Value::String(decision)) => format!("{status} {decision}"),
        _ => status.to_string(),
    }
}

/// What an answer says besides its id and the identity that was asked for.
fn shape(answered: &Answered, row: &Row) -> Value {
    let mut body = answered.json();
    body["requestId"] = Value::Null;
    if let Some(detail) = body["detail"].as_str() {
        let mut detail = detail.to_owned();
        for part in row.identity.iter().filter(|part| part.len() > 1) {
            detail = detail.replace(part.as_str(), "…");
        }
        body["detail"] = Value::from(detail);
    }
    body
}

/// No operation of the design's OpenAPI document is left out.
async fn assert_complete(world: &World, name: &str, rows: &[Row]) {
    let document = world.client.get(operator(name), &format!("/v1/{name}/openapi.json")).await.expect(200).json();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys().filter(|name| *name != "parameters") {
            let label = format!("{} {path}", method.to_uppercase());
            let has = |row: &Row| row.label == label || row.label.starts_with(&format!("{label},"));
            assert!(rows.iter().any(has), "{name}: {label} has no row");
        }
    }
}

async fn check(name: &'static str) {
    let table = Table::read(name);
    // What the table says of callers is asked for anew each time, since it is put back behind the server's back.
    let limits = Limits { membership: Duration::ZERO, ..Limits::default() };
    let change_records = Some(ChangeRecordSettings::default());
    let setting = Setting { limits, change_records, public_docs: false, ..Setting::default() };
    let world = World::made(&[name], setting).await;
    let design = Arc::clone(&world.design(name).0);
    let before = world.stored(name).await;
    let items = samples(&world, &table, &design).await;
    let rows = rows(&design, &items);
    assert_complete(&world, name, &rows).await;
    let mut cells = Vec::new();
    let mut answers: Vec<(String, Vec<Answered>)> = Vec::new();
    for row in &rows {
        let mut line = Vec::new();
        let mut given = Vec::new();
        for (_, who) in &table.people {
            let path = if caller(who).is_operator(&design) { &row.operators_path } else { &row.path };
            let response = match &row.body {
                Some(body) => world.client.json(who, row.method.clone(), path, body.clone()).await,
                None => world.client.send(who, row.method.clone(), path, &[], "").await,
            };
            assert!(response.status.as_u16() < 500, "{} as `{who}`: {response:?}", row.label);
            if !response.status.is_success() {
                assert_eq!(world.stored(name).await, before, "{} as `{who}`: {response:?}", row.label);
            } else if row.body.is_some() || row.method == http::Method::DELETE {
                world.put_back(name, &before).await;
            }
            line.push(told(&response));
            given.push(response);
        }
        cells.push((row.label.clone(), line));
        answers.push((row.label.clone(), given));
    }
    // Whoever may not read an item cannot tell it from one that is not there, whatever they try.
    let given = |label: &str| answers.iter().position(|(other, _)| other == label);
    for (place, row) in rows.iter().enumerate() {
        let Some(other) = given(&format!("{}, of none", row.label)) else { continue };
        let template = row.label.split_once(' ').unwrap().1;
        let read = given(&format!("GET {template}")).unwrap();
        for (column, (_, who)) in table.people.iter().enumerate() {
            let (there, absent) = (&answers[place].1[column], &answers[other].1[column]);
            if !answers[read].1[column].status.is_success() {
                assert_eq!(shape(there, row), shape(absent, &rows[other]), "{} as `{who}`", row.label);
            }
        }
    }
    let found = table.with(&cells);
    if std::env::var_os("KEYFOLD_WRITE_TABLES").is_some() {
        std::fs::write(&table.file, &found).unwrap();
        return;
    }
    for (line, expected) in found.lines().zip(table.text.lines()) {
        assert_eq!(line, expected, "{name}: who may do what has changed");
    }
    assert_eq!(found, table.text, "{name}: who may do what has changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn agencies() {
    check("agencies").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn platform() {
    check("platform").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn albums() {
    check("albums").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn archive() {
    check("archive").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn catalogue() {
    check("catalogue").await;
}
