//! The personal data of one subject: found wherever they are, and erased together with all that follows from them.

use crate::support::*;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Caller, Error, PatchOptions, PersonRelation, json, require_persons};
use serde_json::json;

const DESIGN: &str = "
design: letters
table: letters
indexes:
  GSI1: {purpose: letters by the address of their sender}
entities:
  Person:
    PK: PERSON#<personId>
    SK: METADATA
    attributes:
      personId: string
      name: string, personal
  Card:
    PK: PERSON#<personId>
    SK: CARD#<personId>
    attributes:
      personId: string, refers to Person
  Letter:
    append only: yes
    owner: sender
    PK: LETTER#<letterId>
    SK: METADATA
    GSI1PK: ADDRESS#<address:lower>
    GSI1SK: LETTER#<letterId>
    unique:
      address:
        PK: LOOKUP#<address:lower>
        SK: LOOKUP
    attributes:
      letterId: string
      sender: string, refers to Person
      address: email, personal, fixed
      nickname: string, optional, personal
  SenderAddress:
    derived from: Letter
    PK: PERSON#<sender>
    SK: ADDRESS#<address>#<letterId>
    attributes:
      nickname: string, optional
patterns:
  addresses of a person: PK = PERSON#<sender> and begins_with(SK, ADDRESS#)
callers:
  requires:
    - Person: exists
allow:
  - signed in: everything
";

async fn world() -> World<Nothing> {
    let world = World::new(design(DESIGN), Nothing).await;
    for person in ["ada", "bob"] {
        let (address, name) = (format!("{person}@Example.org"), format!("Dr {person}"));
        world.given("Person", json!({"personId": person, "name": name})).await;
        world.given("Card", json!({"personId": person})).await;
        let letter = json!({"letterId": person, "sender": person, "address": address, "nickname": name});
        world.given("Letter", letter).await;
    }
    world
}

/// Everything that is stored, as text.
async fn stored(world: &World<Nothing>) -> String {
    let table = world.table().await;
    table.iter().map(|(key, item)| format!("{key} {}\n", json!(json::object(item)))).collect()
}

async fn put(world: &World<Nothing>, pairs: &[(&str, &str)]) {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let item: Attributes = pairs.iter().map(|(name, value)| ((*name).to_owned(), text(value))).collect();
    let input = PutItemInput { table_name: "letters".to_owned(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
}

#[tokio::test]
async fn each_item_of_a_person_is_found_once() {
    let world = world().await;
    let found = world.runtime.person_items(&superuser(), "ada").await.unwrap();
    let mut items: Vec<(&str, PersonRelation)> =
        found.items.iter().map(|item| (world.design[item.record.entity].name.as_str(), item.relation)).collect();
    items.sort_by_key(|(name, _)| *name);
    let expected = [
        ("Card", PersonRelation::Reference),
        // It refers to the person as well.
        ("Letter", PersonRelation::Owner),
        ("Person", PersonRelation::Person),
    ];
    assert_eq!(items, expected);
    assert_eq!(found.undecodable, []);
    let subjects = world.runtime.person_subjects(&superuser()).await.unwrap();
    assert_eq!(subjects.subjects.into_iter().collect::<Vec<_>>(), ["ada", "bob"]);
    assert!(world.runtime.person_items(&superuser(), "eve").await.unwrap().items.is_empty());
}

#[tokio::test]
async fn an_item_whose_key_does_not_fit_is_reported() {
    let world = world().await;
    put(&world, &[("PK", "PERSON#ada"), ("SK", "CARD#eve")]).await;
    let expected = "the item at PK=PERSON#ada, SK=CARD#eve is not a valid Card: its key does not fit the key templates";
    let texts = |errors: &[Error]| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
    for subject in ["ada", "nobody"] {
        let found = world.runtime.person_items(&superuser(), subject).await.unwrap();
        assert_eq!(texts(&found.undecodable), [expected]);
    }
    assert_eq!(texts(&world.runtime.person_subjects(&superuser()).await.unwrap().undecodable), [expected]);
}

#[tokio::test]
async fn what_follows_from_an_append_only_item_is_erased_with_it() {
    let world = world().await;
    let before = stored(&world).await;
    for place in ["LOOKUP#ada@example.org", "ADDRESS#ada@Example.org#ada", "\"ADDRESS#ada@example.org\"", "Dr ada"] {
        assert!(before.contains(place), "{place} in {before}");
    }
    let found = world.runtime.person_items(&superuser(), "ada").await.unwrap();
    let mut erased = 0;
    for item in &found.items {
        erased += u64::from(world.runtime.erase_personal_data(&superuser(), item, "tag").await.unwrap());
    }
    assert_eq!(erased, 2);
    let after = stored(&world).await;
    assert!(!after.to_lowercase().contains("ada@example"), "{after}");
    assert!(!after.contains("Dr ada"), "{after}");
    assert!(after.contains("LOOKUP#tag@erased.invalid") && after.contains("ADDRESS#tag@erased.invalid#ada"), "{after}");
    // Others are as they were, and the address is free.
    assert!(after.contains("LOOKUP#bob@example.org"));
    world.given("Letter", json!({"letterId": "new", "sender": "ada", "address": "ada@example.org"})).await;
    // Nothing is left to erase.
    let found = world.runtime.person_items(&superuser(), "bob").await.unwrap();
    for item in &found.items {
        world.runtime.erase_personal_data(&superuser(), item, "other").await.unwrap();
    }
    for item in &world.runtime.person_items(&superuser(), "bob").await.unwrap().items {
        assert_eq!(world.runtime.erase_personal_data(&superuser(), item, "other").await, Ok(false));
    }
}

#[tokio::test]
async fn only_an_erasure_changes_what_never_changes() {
    let world = world().await;
    let letter = world.attributes("Letter", json!({"letterId": "ada", "nickname": "x"}));
    let patched = world.runtime.patch(&superuser(), "Letter", letter, PatchOptions::default()).await;
    assert_eq!(violated(patched), "append only");
    let item = world.runtime.person_items(&superuser(), "ada").await.unwrap().items.remove(0);
    let caller = Caller { subject: Some("ada".to_owned()), ..Caller::default() };
    let denied = "only a superuser may export or erase the data of a person";
    let erased = world.runtime.erase_personal_data(&caller, &item, "tag").await;
    assert_eq!(erased.unwrap_err().to_string(), denied);
    assert_eq!(world.runtime.person_items(&caller, "ada").await.unwrap_err().to_string(), denied);
    assert_eq!(world.runtime.person_subjects(&caller).await.unwrap_err().to_string(), denied);
}

#[test]
fn a_design_without_persons_is_rejected() {
    assert!(require_persons(&design(DESIGN)).is_ok());
    let text = DESIGN.replace("    owner: sender\n", "").replace("callers:\n  requires:\n    - Person: exists\n", "");
    assert!(require_persons(&design(&text)).unwrap_err().to_string().contains("does not say which items belong to"));
}
