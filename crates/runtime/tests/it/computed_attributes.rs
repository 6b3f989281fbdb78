//! Attributes that are computed from others: in step with them after every write, in keys, filters and uniques too.

use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Error, PatchOptions, QueryOptions, Write};
use serde_json::{Value, json};

const DESIGN: &str = r#"
design: people
table: people
indexes:
  GSI1: {purpose: people by name}
entities:
  Person:
    PK: PERSON#<personId>
    SK: METADATA
    GSI1PK: PEOPLE
    GSI1SK: <fullName>
    unique:
      label: [label]
    attributes:
      personId: string
      first: string
      last: string
      nickname: string, optional
      email: email, personal
      note: string, optional
      fullName: {type: "string, at most 40 characters", computed: "<last>, <first>"}
      label: {type: string, computed: "<nickname> or <first:first(1)>. <last:upper>"}
      #CONTACT
      version: version
patterns:
  people: GSI1PK = PEOPLE
  people named: GSI1PK = PEOPLE and begins_with(GSI1SK, <name>)
  people labelled: GSI1PK = PEOPLE where label = <label>
allow:
  - anyone: everything
accept:
  KF031 PEOPLE: a few
  KF063 Person: a test
"#;

fn people() -> Arc<Design> {
    design(DESIGN)
}

async fn patch<H: Hook + 'static>(world: &World<H>, value: Value) -> Result<(), Error> {
    let value = world.attributes("Person", value);
    world.runtime.patch(&superuser(), "Person", value, PatchOptions::default()).await.map(|_| ())
}

fn text<'a>(item: &'a Attributes, name: &str) -> Option<&'a str> {
    item.get(name).and_then(AttributeValue::as_str)
}

async fn stored<H: Hook + 'static>(world: &World<H>, id: &str) -> Attributes {
    world.table().await.remove(&format!("PERSON#{id} | METADATA")).unwrap()
}

async fn found<H: Hook + 'static>(world: &World<H>, pattern: &str, given: Value) -> Vec<String> {
    let given = arguments(&world.design, pattern, given);
    let page = world.runtime.query(&superuser(), pattern, given, &QueryOptions::default()).await.unwrap();
    page.records.iter().map(|record| text(&record.attributes, "personId").unwrap().to_owned()).collect()
}

fn ada() -> Value {
    json!({"personId": "ada", "first": "Ada", "last": "Lovelace", "email": "ada@example.com"})
}

#[tokio::test]
async fn every_write_computes_it_with_its_keys_and_lookups() {
    let world = World::new(people(), Nothing).await;
    world.given("Person", ada()).await;
    let item = stored(&world, "ada").await;
    assert_eq!((text(&item, "fullName"), text(&item, "label")), (Some("Lovelace, Ada"), Some("A. LOVELACE")));
    assert_eq!(text(&item, "GSI1SK"), Some("Lovelace, Ada"));
    patch(&world, json!({"personId": "ada", "first": "Augusta"})).await.unwrap();
    let item = stored(&world, "ada").await;
    assert_eq!(
        (text(&item, "fullName"), text(&item, "GSI1SK")),
        (Some("Lovelace, Augusta"), Some("Lovelace, Augusta"))
    );
    assert_eq!(found(&world, "people named", json!({"name": "Lovelace, Au"})).await, ["ada"]);
    assert_eq!(found(&world, "people named", json!({"name": "Lovelace, Ad"})).await, [] as [&str; 0]);
    // The other template, while there is a nickname.
    patch(&world, json!({"personId": "ada", "nickname": "Enchantress"})).await.unwrap();
    assert_eq!(found(&world, "people labelled", json!({"label": "Enchantress"})).await, ["ada"]);
    patch(&world, json!({"personId": "ada", "nickname": null})).await.unwrap();
    assert_eq!(found(&world, "people labelled", json!({"label": "A. LOVELACE"})).await, ["ada"]);
    let put =
        world.attributes("Person", json!({"personId": "ada", "first": "A", "last": "King", "email": "a@b.example"}));
    world.runtime.put(&superuser(), "Person", put).await.unwrap();
    assert_eq!(text(&stored(&world, "ada").await, "fullName"), Some("King, A"));
    let upsert = world.attributes("Person", json!({"personId": "ada", "last": "Byron"}));
    world.runtime.upsert(&superuser(), "Person", upsert).await.unwrap();
    assert_eq!(text(&stored(&world, "ada").await, "fullName"), Some("Byron, A"));
    let write = Write::Patch {
        entity: "Person".to_owned(),
        attributes: world.attributes("Person", json!({"personId": "ada", "last": "Milbanke"})),
        options: PatchOptions::default(),
    };
    world.runtime.transact(&superuser(), vec![write]).await.unwrap();
    assert_eq!(text(&stored(&world, "ada").await, "GSI1SK"), Some("Milbanke, A"));
}

#[tokio::test]
async fn a_computed_value_is_unique_bounded_and_not_settable() {
    let world = World::new(people(), Nothing).await;
    world.given("Person", ada()).await;
    let anna = json!({"personId": "anna", "first": "Anna", "last": "Lovelace", "email": "anna@example.com"});
    let create = |value: Value| world.attributes("Person", value);
    let second = world.runtime.create(&superuser(), "Person", create(anna.clone())).await;
    assert_eq!(violated(second), "label");
    world.given("Person", json!({"personId": "anna", "first": "Anna", "last": "Love", "email": "a@b.example"})).await;
    assert_eq!(violated(patch(&world, json!({"personId": "anna", "last": "Lovelace"})).await), "label");
    patch(&world, json!({"personId": "ada", "last": "King"})).await.unwrap();
    patch(&world, json!({"personId": "anna", "last": "Lovelace"})).await.unwrap();
    assert_eq!(violated(patch(&world, json!({"personId": "ada", "first": "x".repeat(50)})).await), "fullName");
    for attempt in [json!({"personId": "ada", "fullName": "Nobody"}), json!({"personId": "ada", "fullName": null})] {
        assert_eq!(violated(patch(&world, attempt).await), "fullName");
    }
    let mut given = ada();
    given["personId"] = json!("other");
    given["fullName"] = json!("Lovelace, Ada");
    assert_eq!(violated(world.runtime.create(&superuser(), "Person", create(given)).await), "fullName");
}

#[tokio::test]
async fn values_are_put_in_as_they_are() {
    let world = World::new(people(), Nothing).await;
    let value = json!({"personId": "x", "first": "", "last": "A#B, C", "nickname": "n", "email": "a@b.example"});
    world.given("Person", value).await;
    assert_eq!(text(&stored(&world, "x").await, "fullName"), Some("A#B, C, "));
}

#[tokio::test]
async fn a_patch_of_something_else_reads_nothing_and_one_of_a_source_reads_the_item() {
    let world = World::new(people(), Recorder::default()).await;
    world.given("Person", ada()).await;
    world.hook().take();
    patch(&world, json!({"personId": "ada", "note": "countess"})).await.unwrap();
    let calls = world.hook().take();
    assert!(calls.iter().all(Call::is_write), "{calls:?}");
    patch(&world, json!({"personId": "ada", "first": "Augusta", "last": "King"})).await.unwrap();
    let calls = world.hook().take();
    assert!(calls.iter().any(|call| !call.is_write()), "{calls:?}");
    assert_eq!(text(&stored(&world, "ada").await, "fullName"), Some("King, Augusta"));
}

async fn written<H: Hook + 'static>(world: &World<H>, item: &[(&str, &str)]) {
    let item = item.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::S((*value).to_owned()))).collect();
    let table_name = world.design.table.name.clone();
    world.engine.put_item(PutItemInput { table_name, item, ..PutItemInput::default() }).await.unwrap();
}

#[tokio::test]
async fn an_item_of_others_keeps_what_it_has_until_a_source_changes() {
    let world = World::new(people(), Nothing).await;
    let base =
        [("PK", "PERSON#old"), ("SK", "METADATA"), ("first", "Ada"), ("last", "Lovelace"), ("email", "a@b.example")];
    written(&world, &base).await;
    patch(&world, json!({"personId": "old", "note": "x"})).await.unwrap();
    let item = stored(&world, "old").await;
    assert_eq!((text(&item, "fullName"), text(&item, "label")), (None, None));
    // One that is read for another reason is left alone as well.
    let upsert = world.attributes("Person", json!({"personId": "old", "email": "c@d.example"}));
    world.runtime.upsert(&superuser(), "Person", upsert).await.unwrap();
    assert_eq!(text(&stored(&world, "old").await, "fullName"), None);
    patch(&world, json!({"personId": "old", "first": "Augusta"})).await.unwrap();
    let item = stored(&world, "old").await;
    assert_eq!((text(&item, "fullName"), text(&item, "label")), (Some("Lovelace, Augusta"), Some("A. LOVELACE")));
    let mut other = base.to_vec();
    other[0] = ("PK", "PERSON#odd");
    other.extend([
        ("fullName", "the countess"),
        ("label", "countess"),
        ("GSI1PK", "PEOPLE"),
        ("GSI1SK", "the countess"),
    ]);
    written(&world, &other).await;
    patch(&world, json!({"personId": "odd", "note": "x"})).await.unwrap();
    assert_eq!(text(&stored(&world, "odd").await, "GSI1SK"), Some("the countess"));
    patch(&world, json!({"personId": "odd", "last": "King"})).await.unwrap();
    assert_eq!(text(&stored(&world, "odd").await, "GSI1SK"), Some("King, Ada"));
}

/// Each changes one of the two sources: the text is that of both in the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn changes_of_two_sources_at_once_give_the_text_of_both() {
    for round in 0..20 {
        let world = World::new(people(), Nothing).await;
        world.given("Person", ada()).await;
        let tasks = [json!({"first": format!("F{round}")}), json!({"last": format!("L{round}")})].map(|mut change| {
            change["personId"] = json!("ada");
            let (runtime, change) = (Arc::clone(&world.runtime), world.attributes("Person", change));
            tokio::spawn(async move { runtime.patch(&superuser(), "Person", change, PatchOptions::default()).await })
        });
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        let item = stored(&world, "ada").await;
        let full = format!("L{round}, F{round}");
        assert_eq!((text(&item, "fullName"), text(&item, "GSI1SK")), (Some(full.as_str()), Some(full.as_str())));
    }
}

#[test]
fn what_is_made_of_personal_values_is_personal() {
    let design = design(&DESIGN.replace("#CONTACT", "contact: {type: string, computed: \"<first> at <email>\"}"));
    let person = design.entity_named("Person").unwrap();
    assert!(person.attribute("contact").unwrap().personal);
    assert!(!person.attribute("fullName").unwrap().personal);
}
