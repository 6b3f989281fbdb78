//! `projected attributes only`: results have what the index holds, nothing is read besides the query, and nobody gets
//! an item that they would not get whole.

use std::sync::Arc;

use crate::support::*;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{Caller, Error, Page, QueryOptions};
use serde_json::{Value, json};

const DESIGN: &str = "
design: desk
table: desk
tenant: org
indexes:
  byState: {partition: state, sort: createdOn, projection: 'include title, org', purpose: tickets by state}
entities:
  Ticket:
    scope: tenant
    owner: reporter
    PK: ORG#<org>
    SK: TICKET#<ticketId>
    attributes:
      org: string
      ticketId: string
      state: open | closed
      createdOn: date
      title: string
      reporter: string
      body: string
      secret: string, optional, visible to operators
  Note:
    scope: tenant
    owner: author
    PK: NOTE#<noteId>
    SK: METADATA
    state: note
    attributes: {org: string, noteId: string, createdOn: date, title: string, author: string}
patterns:
  tickets in state: state = <state>, own tenant only, projected attributes only -> Ticket
  whole tickets: state = <state>, own tenant only -> Ticket
  notes: state = note, own tenant only, projected attributes only -> Note
callers: {operators: role operator, members: tenant}
allow:
  - operators: everything
  - members and role clerk: read Ticket, Note
  - the owner: read Ticket
";

fn ticket(org: &str, id: &str, reporter: &str) -> Value {
    json!({
        "org": org, "ticketId": id, "state": "open", "createdOn": "2026-01-01", "title": format!("title of {id}"),
        "reporter": reporter, "body": "long", "secret": "s"
    })
}

async fn desk() -> World<Recorder> {
    let world = World::new(design(DESIGN), Recorder::default()).await;
    for (org, id, reporter) in [("acme", "t1", "ann"), ("acme", "t2", "bob"), ("globex", "t3", "ann")] {
        world.given("Ticket", ticket(org, id, reporter)).await;
    }
    for (org, id) in [("acme", "n1"), ("globex", "n2")] {
        let note = json!({"org": org, "noteId": id, "createdOn": "2026-01-01", "title": "x", "author": "ann"});
        world.given("Note", note).await;
    }
    world.hook().take();
    world
}

async fn page(world: &World<Recorder>, caller: &Caller, pattern: &str) -> Result<Page, Error> {
    let given = if pattern == "notes" { json!({}) } else { json!({"state": "open"}) };
    let arguments = arguments(&world.design, pattern, given);
    Arc::clone(&world.runtime).query(caller, pattern, arguments, &QueryOptions::default()).await
}

fn names(attributes: &Attributes) -> Vec<&str> {
    attributes.keys().map(String::as_str).collect()
}

fn ids(page: &Page) -> Vec<&str> {
    page.records.iter().map(|record| record.attributes["ticketId"].as_str().unwrap()).collect()
}

fn clerk(org: &str) -> Caller {
    Caller { roles: vec!["clerk".to_owned()], ..Caller::member(org, "cleo") }
}

#[tokio::test]
async fn a_result_has_what_the_index_holds_and_costs_no_more_than_the_query() {
    let world = desk().await;
    let projected = page(&world, &superuser(), "tickets in state").await.unwrap();
    let calls = world.hook().take();
    assert!(matches!(calls.as_slice(), [Call::Query(_)]), "{calls:?}");
    assert_eq!(names(&projected.records[0].attributes), ["createdOn", "org", "state", "ticketId", "title"]);
    assert_eq!(projected.read_units, 0.5);
    let whole = page(&world, &superuser(), "whole tickets").await.unwrap();
    assert_eq!(whole.records[0].attributes.len(), 8);
    assert_eq!((ids(&projected), whole.read_units), (ids(&whole), 3.5));
    let explain = |pattern| {
        let given = arguments(&world.design, pattern, json!({"state": "open"}));
        world.runtime.explain_query(&superuser(), pattern, given, 20).unwrap()
    };
    assert_eq!(explain("tickets in state").per_result, None);
    assert!(explain("tickets in state").read_units < explain("whole tickets").read_units);
}

#[tokio::test]
async fn members_get_those_of_their_tenant_whose_rules_admit_them() {
    let world = desk().await;
    // The table's key holds the tenant: nothing is read again.
    let own = page(&world, &clerk("acme"), "tickets in state").await.unwrap();
    assert_eq!(ids(&own), ["t1", "t2"]);
    assert!(world.hook().take().iter().all(|call| matches!(call, Call::Query(_))));
    // Whose ticket it is, the index does not tell.
    let ann = page(&world, &Caller::member("acme", "ann"), "tickets in state").await.unwrap();
    assert_eq!(ids(&ann), ["t1"]);
    assert_eq!(names(&ann.records[0].attributes), ["createdOn", "org", "state", "ticketId", "title"]);
    let ann = Caller::member("acme", "ann");
    let given = arguments(&world.design, "tickets in state", json!({"state": "open"}));
    let explained = world.runtime.explain_query(&ann, "tickets in state", given, 20).unwrap();
    assert_eq!(explained.per_result.as_deref(), Some("GetItem (consistent read)"));
    let nobody = page(&world, &Caller::member("acme", "zed"), "tickets in state").await.unwrap();
    assert_eq!(ids(&nobody), [] as [&str; 0]);
}

#[tokio::test]
async fn an_item_whose_tenant_the_index_lacks_is_not_given_to_others() {
    // A filter by what the index lacks is an error of the design.
    let text = DESIGN.replace("include title, org", "include title");
    let error = keyfold_design::Design::load("design.yaml", &text).err().unwrap_or_default();
    assert!(error.iter().any(|found| found.message.contains("`notes` filters by `org`")), "{error:?}");
    let world = desk().await;
    let given = Attributes::new();
    let found = world.runtime.query(&clerk("acme"), "notes", given, &QueryOptions::default()).await.unwrap();
    let ids: Vec<&str> = found.records.iter().map(|record| record.attributes["noteId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["n1"]);
}
