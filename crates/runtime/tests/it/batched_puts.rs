//! A put means the same alone and in a batch: it keeps what the caller may not see, and removes what the design does
//! not declare.

use crate::support::*;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Caller, DeleteOptions, Write, json};
use serde_json::{Map, Value, json};

const DESIGN: &str = "
design: staff
table: staff
entities:
  Person:
    PK: TEAM#<team>
    SK: PERSON#<personId>
    attributes:
      team: string
      personId: string
      name: string
      salary: integer, optional, visible to role boss
  Desk:
    PK: TEAM#<team>
    SK: DESK#<number>
    attributes:
      team: string
      number: string
      colour: string, optional
patterns:
  team: PK = TEAM#<team> -> Person, Desk
callers: {operators: role operator}
allow:
  - signed in: everything
";

fn signed_in(role: &str) -> Caller {
    Caller { subject: Some("ann".to_owned()), roles: vec![role.to_owned()], ..Caller::default() }
}

async fn world() -> World<Recorder> {
    let world = World::new(design(DESIGN), Recorder::default()).await;
    for person in ["alone", "batch"] {
        let person = json!({"team": "red", "personId": person, "name": "old", "salary": 10});
        world.given("Person", person).await;
    }
    world
}

/// A person as the table holds it.
async fn stored(world: &World<Recorder>, person: &str) -> Map<String, Value> {
    json::object(&world.table().await[&format!("TEAM#red | PERSON#{person}")])
}

fn put(world: &World<Recorder>, entity: &str, value: Value) -> Write {
    Write::Put { entity: entity.to_owned(), attributes: world.attributes(entity, value) }
}

#[tokio::test]
async fn batched_puts_keep_what_the_caller_may_not_see() {
    let world = world().await;
    let person = |id: &str| json!({"team": "red", "personId": id, "name": "new"});
    let worker = signed_in("worker");
    let alone = world.attributes("Person", person("alone"));
    world.runtime.put(&worker, "Person", alone).await.unwrap();
    let outcomes = world.runtime.batch_write(&worker, vec![put(&world, "Person", person("batch"))]).await;
    let returned = outcomes[0].as_ref().unwrap().as_ref().unwrap();
    assert!(!returned.attributes.contains_key("salary"));
    for id in ["alone", "batch"] {
        let found = stored(&world, id).await;
        assert_eq!((found.get("name"), found.get("salary")), (Some(&json!("new")), Some(&json!(10))), "{id}");
    }
    // A caller who sees every attribute replaces the item, and needs no read for it.
    world.hook().take();
    let outcomes = world.runtime.batch_write(&signed_in("boss"), vec![put(&world, "Person", person("batch"))]).await;
    assert!(outcomes[0].is_ok());
    assert_eq!(world.hook().names(), ["BatchWriteItem"]);
    let found = stored(&world, "batch").await;
    assert_eq!((found.get("name"), found.get("salary")), (Some(&json!("new")), None));
}

#[tokio::test]
async fn puts_remove_undeclared_attributes_alone_and_in_a_batch() {
    let world = world().await;
    for number in ["alone", "batch", "upsert"] {
        let item = [("PK", "TEAM#red"), ("SK", &format!("DESK#{number}")), ("team", "red"), ("number", number)];
        let mut item: Attributes =
            item.iter().map(|(name, text)| ((*name).to_owned(), AttributeValue::S((*text).to_owned()))).collect();
        item.insert("legacy".to_owned(), AttributeValue::Bool(true));
        let input = PutItemInput { table_name: "staff".to_owned(), item, ..PutItemInput::default() };
        world.engine.put_item(input).await.unwrap();
    }
    let desk = |number: &str| json!({"team": "red", "number": number, "colour": "blue"});
    let worker = signed_in("worker");
    world.runtime.put(&worker, "Desk", world.attributes("Desk", desk("alone"))).await.unwrap();
    world.runtime.upsert(&worker, "Desk", world.attributes("Desk", desk("upsert"))).await.unwrap();
    world.hook().take();
    let outcomes = world.runtime.batch_write(&worker, vec![put(&world, "Desk", desk("batch"))]).await;
    assert!(outcomes[0].is_ok());
    assert_eq!(world.hook().names(), ["BatchWriteItem"]);
    let table = world.table().await;
    let has_legacy = |number: &str| table[&format!("TEAM#red | DESK#{number}")].contains_key("legacy");
    assert_eq!(["alone", "batch", "upsert"].map(has_legacy), [false, false, true]);
}

#[tokio::test]
async fn a_caller_who_may_only_delete_deletes_in_batches() {
    let world = World::new(design(&DESIGN.replace("everything", "delete Desk")), Recorder::default()).await;
    world.given("Desk", json!({"team": "red", "number": "1"})).await;
    let identity = world.attributes("Desk", json!({"team": "red", "number": "1"}));
    let delete = Write::Delete { entity: "Desk".to_owned(), identity, options: DeleteOptions::default() };
    assert_eq!(world.runtime.batch_write(&signed_in("worker"), vec![delete]).await, [Ok(None)]);
    assert_eq!(world.hook().names(), ["BatchWriteItem"]);
    assert!(world.table().await.is_empty());
    let denied =
        world.runtime.batch_write(&signed_in("worker"), vec![put(&world, "Desk", json!({"team": "red"}))]).await;
    assert_eq!(denied[0].as_ref().unwrap_err().kind(), "not allowed");
}
