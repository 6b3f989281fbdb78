//! Timestamps in the formats in which tables have them.

use std::collections::BTreeMap;

use crate::support::*;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_runtime::{Error, PatchOptions, QueryOptions, json};
use serde_json::{Value, json};

const PATCH: PatchOptions = PatchOptions::new();

const DESIGN: &str = "
design: times
table: times
indexes:
  GSI1: {partition: kind, sort: loggedAt number, purpose: by time}
  GSI2: {purpose: by second}
entities:
  Event:
    PK: EVENT#<id>
    SK: EVENT
    GSI2PK: SEEN#<kind>
    GSI2SK: <seenAt:lower>#<id>
    attributes:
      id: string
      kind: string
      note: string, optional
      createdAt: created at in seconds
      updatedAt: modified at in epoch milliseconds
      seenAt: datetime in microseconds, optional
      loggedAt: datetime in epoch seconds, optional
      heardAt: datetime in milliseconds with offset, optional
      localAt: datetime in seconds without zone, optional
      goneAt: expiry 1 day after loggedAt
      version: version
patterns:
  logged: kind = <kind> and loggedAt between <from> and <to>
  logged at: kind = <kind> and loggedAt = <at>
  seen until: GSI2PK = SEEN#<kind> and GSI2SK <= <until>
  heard: kind = <kind> where heardAt = <at>
  local: kind = <kind> where localAt > <after>
allow:
  - signed in: everything
";

fn event(id: &str) -> Value {
    json!({
        "id": id, "kind": "k", "seenAt": "2026-03-09T08:00:00.123456Z", "loggedAt": 1_773_043_200,
        "heardAt": "2026-03-09T09:00:00.000+01:00", "localAt": "2026-03-09T08:00:00"
    })
}

async fn world() -> World<Recorder> {
    World::new(design(DESIGN), Recorder::default()).await
}

async fn found(world: &World<Recorder>, pattern: &str, given: Value) -> Result<Vec<String>, Error> {
    let arguments = arguments(&world.design, pattern, given);
    let page = world.runtime.query(&superuser(), pattern, arguments, &QueryOptions::default()).await?;
    let ids = page.records.iter().filter_map(|record| record.attributes.get("id")?.as_str());
    Ok(ids.map(str::to_owned).collect())
}

fn stored(world: &BTreeMap<String, Attributes>) -> &Attributes {
    world.values().next().unwrap()
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn number(number: i64) -> AttributeValue {
    AttributeValue::N(Number::from(number))
}

#[tokio::test]
async fn stamps_and_keys_have_the_format_of_their_attribute() {
    let world = world().await;
    world.given("Event", event("a")).await;
    let table = world.table().await;
    let item = stored(&table);
    assert_eq!(item["createdAt"], text("2026-01-01T00:00:00Z"));
    assert_eq!(item["updatedAt"], number(1_767_225_600_000));
    assert_eq!(item["GSI2SK"], text("2026-03-09t08:00:00.123456z#a"));
    assert_eq!(item["goneAt"], number(1_773_043_200 + 86_400));
    world.clock.advance(1_500);
    let changes = world.attributes("Event", json!({"id": "a", "note": "later"}));
    world.runtime.patch(&superuser(), "Event", changes, PATCH).await.unwrap();
    let table = world.table().await;
    assert_eq!(stored(&table)["createdAt"], text("2026-01-01T00:00:00Z"));
    assert_eq!(stored(&table)["updatedAt"], number(1_767_225_601_500));
}

#[tokio::test]
async fn a_value_in_another_format_is_not_written() {
    let world = world().await;
    for (attribute, value) in [
        ("seenAt", json!("2026-03-09T08:00:00Z")),
        ("loggedAt", json!(1.5)),
        ("heardAt", json!("2026-03-09T09:00:00.000Z")),
        ("localAt", json!("2026-03-09T08:00:00Z")),
    ] {
        let mut event = event("a");
        event[attribute] = value;
        let input = world.attributes("Event", event);
        assert_eq!(violated(world.runtime.create(&superuser(), "Event", input).await), attribute);
    }
}

#[tokio::test]
async fn arguments_have_any_common_spelling() {
    let world = world().await;
    world.given("Event", event("a")).await;
    let one = || vec!["a".to_owned()];
    let range = |from: Value, to: Value| json!({"kind": "k", "from": from, "to": to});
    for (from, to) in [
        (json!(1_773_043_200), json!(1_773_043_200)),
        (json!("2026-03-09"), json!("2026-03-09")),
        (json!("2026-03-09T08:00:00.000Z"), json!("2026-03-09T09:00:00+01:00")),
        (json!("2026-03-09T07:59:59.999999"), json!("2026-03-09T08:00:00")),
        (json!("1773043200"), json!("1773043200")),
    ] {
        assert_eq!(found(&world, "logged", range(from.clone(), to.clone())).await.unwrap(), one(), "{from} {to}");
    }
    assert_eq!(found(&world, "logged", range(json!("2026-03-08"), json!("2026-03-08"))).await.unwrap(), [""; 0]);
    assert_eq!(found(&world, "logged", range(json!("2026-03-10"), json!("2026-03-11"))).await.unwrap(), [""; 0]);
    for at in ["2026-03-09", "2026-03-09T08:00:00Z"] {
        assert_eq!(found(&world, "logged at", json!({"kind": "k", "at": at})).await.unwrap(), one(), "{at}");
    }
    for (until, is_found) in [
        ("2026-03-09", true),
        ("2026-03-08", false),
        ("2026-03-09T08:00:00.123456+00:00", true),
        ("2026-03-09T08:00:00.123Z", false),
    ] {
        let ids = found(&world, "seen until", json!({"kind": "k", "until": until})).await.unwrap();
        assert_eq!(ids.len() == 1, is_found, "{until}");
    }
    // An offset says where the time was read, and only the same text is equal.
    let heard = json!({"kind": "k", "at": "2026-03-09T09:00:00.000+01:00"});
    assert_eq!(found(&world, "heard", heard).await.unwrap(), one());
    assert_eq!(found(&world, "local", json!({"kind": "k", "after": "2026-03-09T07:59:59.000Z"})).await.unwrap(), one());
    assert_eq!(found(&world, "local", json!({"kind": "k", "after": "2026-03-09"})).await.unwrap(), [""; 0]);
    for wrong in [json!("soon"), json!("2026-02-30"), json!(true)] {
        let arguments = json::arguments(
            world.design.access_plan(world.design.pattern_named("logged").unwrap().id),
            &object(range(wrong.clone(), json!("2026-03-09"))),
        );
        let outcome = match arguments {
            Ok(arguments) => {
                world.runtime.query(&superuser(), "logged", arguments, &QueryOptions::default()).await.map(drop)
            }
            Err(error) => Err(error),
        };
        assert_eq!(violated(outcome), "from", "{wrong}");
    }
}

#[tokio::test]
async fn what_another_program_stored_in_another_format_stays_as_it_is() {
    let world = world().await;
    world.given("Event", event("a")).await;
    let mut item = stored(&world.table().await).clone();
    item.insert("heardAt".to_owned(), text("2026-03-09 09:00:00+01:00"));
    item.insert("localAt".to_owned(), number(1_773_043_200));
    item.insert("createdAt".to_owned(), text("2025-12-31T23:00:00.123456+00:00"));
    let put = PutItemInput { table_name: "times".to_owned(), item: item.clone(), ..PutItemInput::default() };
    world.engine.put_item(put).await.unwrap();
    let read = world.get("Event", json!({"id": "a"})).await.unwrap();
    assert_eq!(read["heardAt"], json!("2026-03-09 09:00:00+01:00"));
    assert_eq!(read["localAt"], json!(1_773_043_200));
    let patch = async |mut changes: Value| {
        changes["id"] = json!("a");
        world.runtime.patch(&superuser(), "Event", world.attributes("Event", changes), PATCH).await
    };
    // A patch that computes a key reads and checks the whole item.
    patch(json!({"kind": "l", "note": "moved"})).await.unwrap();
    let table = world.table().await;
    for name in ["heardAt", "localAt", "createdAt"] {
        assert_eq!(stored(&table)[name], item[name], "{name}");
    }
    assert_eq!(violated(patch(json!({"kind": "m", "heardAt": "2026-03-09 10:00:00+01:00"})).await), "heardAt");
    // A key holds one format only.
    item.insert("seenAt".to_owned(), text("2026-03-09T08:00:00Z"));
    let put = PutItemInput { table_name: "times".to_owned(), item, ..PutItemInput::default() };
    world.engine.put_item(put).await.unwrap();
    assert!(patch(json!({"kind": "n"})).await.is_err());
}
