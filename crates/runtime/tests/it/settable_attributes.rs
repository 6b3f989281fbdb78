//! Attributes with `settable by`: others who may write the item do not set them, whichever verb they try, and learn
//! nothing about a value that they may not read.

use crate::support::*;
use keyfold_design::model::Verb;
use keyfold_runtime::{Caller, Error, PatchOptions, Violation, Write, json};
use serde_json::{Map, Value, json};

const DESIGN: &str = "
design: staff
table: staff
entities:
  Person:
    owner: personId
    PK: PERSON#<personId>
    SK: METADATA
    attributes:
      personId: string, made as ulid, settable by role boss
      name: string
      grade: integer, default 1, settable by role boss
      salary: integer, optional, visible to role boss, settable by role boss
      motto: string, optional, settable by the owner
      version: version
  Desk:
    PK: DESK#<number>
    SK: METADATA
    attributes:
      number: string
      rank: integer, optional, settable by role boss
callers: {operators: role operator}
allow:
  - signed in: everything
";

fn caller(subject: &str, role: &str) -> Caller {
    Caller { subject: Some(subject.to_owned()), roles: vec![role.to_owned()], ..Caller::default() }
}

/// The error of a write that sets the attribute named first in the message.
fn not_settable(message: String) -> Error {
    let attribute = message.split('`').nth(1).map(str::to_owned);
    Error::NotSettable(Violation { name: "settable by".to_owned(), attribute, message, write: None })
}

async fn world() -> World<Recorder> {
    let world = World::new(design(DESIGN), Recorder::default()).await;
    world.given("Person", json!({"personId": "ann", "name": "Ann", "grade": 3, "salary": 10})).await;
    world.given("Desk", json!({"number": "1", "rank": 7})).await;
    world.hook().take();
    world
}

async fn stored(world: &World<Recorder>, key: &str) -> Map<String, Value> {
    json::object(&world.table().await[&format!("{key} | METADATA")])
}

/// Every write that could set the attributes of a stored person.
async fn attempts(world: &World<Recorder>, caller: &Caller, person: Value) -> Vec<Result<(), Error>> {
    let attributes = world.attributes("Person", person);
    let (runtime, entity) = (&world.runtime, || "Person".to_owned());
    let options = PatchOptions::default;
    let patch = || Write::Patch { entity: entity(), attributes: attributes.clone(), options: options() };
    let put = || Write::Put { entity: entity(), attributes: attributes.clone() };
    vec![
        runtime.patch(caller, "Person", attributes.clone(), options()).await.map(drop),
        runtime.put(caller, "Person", attributes.clone()).await.map(drop),
        runtime.upsert(caller, "Person", attributes.clone()).await.map(drop),
        runtime.transact(caller, vec![patch()]).await.map(drop),
        runtime.transact(caller, vec![put()]).await.map(drop),
        runtime.batch_write(caller, vec![put()]).await.remove(0).map(drop),
        runtime.explain_writes(caller, vec![patch()]).await.map(drop),
    ]
}

#[tokio::test]
async fn no_write_sets_an_attribute_for_a_caller_who_may_not() {
    let world = world().await;
    let before = world.table().await;
    let ann = caller("ann", "clerk");
    for (attribute, value) in [("grade", json!(9)), ("grade", json!(1)), ("salary", json!(99))] {
        let person = json!({"personId": "ann", "name": "Ann", attribute: value});
        let text = format!("`{attribute}` of Person is not settable by `ann`");
        assert_eq!(attempts(&world, &ann, person).await, vec![Err(not_settable(text)); 7]);
    }
    let removal = world.attributes("Person", json!({"personId": "ann", "salary": null}));
    let removed = world.runtime.patch(&ann, "Person", removal, PatchOptions::default()).await.unwrap_err();
    assert_eq!(removed, not_settable("`salary` of Person is not settable by `ann`".to_owned()));
    assert_eq!(world.table().await, before);

    let boss = attempts(&world, &caller("eve", "boss"), json!({"personId": "ann", "name": "Ann", "grade": 9})).await;
    assert_eq!(boss, vec![Ok(()); 7]);
    assert_eq!(stored(&world, "PERSON#ann").await["grade"], json!(9));
}

#[tokio::test]
async fn the_value_that_a_caller_read_may_be_sent_again() {
    let world = world().await;
    let ann = caller("ann", "clerk");
    let person = json!({"personId": "ann", "name": "Anna", "grade": 3});
    assert_eq!(attempts(&world, &ann, person).await, vec![Ok(()); 7]);
    let person = stored(&world, "PERSON#ann").await;
    assert_eq!((&person["name"], &person["grade"], &person["salary"]), (&json!("Anna"), &json!(3), &json!(10)));
}

#[tokio::test]
async fn a_guess_of_a_hidden_value_is_rejected_like_any_other() {
    let world = world().await;
    for guess in [10, 11] {
        let person = json!({"personId": "ann", "name": "Ann", "salary": guess});
        let text = "`salary` of Person is not settable by `ann`".to_owned();
        assert_eq!(attempts(&world, &caller("ann", "clerk"), person).await, vec![Err(not_settable(text)); 7]);
    }
}

#[tokio::test]
async fn a_replacement_keeps_what_its_caller_may_not_set() {
    let world = world().await;
    let ann = caller("ann", "clerk");
    world
        .runtime
        .put(&ann, "Person", world.attributes("Person", json!({"personId": "ann", "name": "A"})))
        .await
        .unwrap();
    let put = |value: Value| Write::Put { entity: "Desk".to_owned(), attributes: world.attributes("Desk", value) };
    let outcomes = world.runtime.batch_write(&ann, vec![put(json!({"number": "1"}))]).await;
    assert!(outcomes[0].is_ok());
    let person = stored(&world, "PERSON#ann").await;
    assert_eq!((&person["name"], &person["grade"], &person["salary"]), (&json!("A"), &json!(3), &json!(10)));
    assert_eq!(stored(&world, "DESK#1").await["rank"], json!(7));
    let outcomes = world.runtime.batch_write(&caller("eve", "boss"), vec![put(json!({"number": "1"}))]).await;
    assert!(outcomes[0].is_ok());
    assert_eq!(stored(&world, "DESK#1").await.get("rank"), None);
}

#[tokio::test]
async fn new_items_get_the_default_and_a_generated_id() {
    let world = world().await;
    let bob = caller("bob", "clerk");
    for (person, attribute) in [
        (json!({"personId": "bob", "name": "Bob"}), "personId"),
        (json!({"name": "Bob", "grade": 2}), "grade"),
        (json!({"name": "Bob", "salary": 5}), "salary"),
    ] {
        let denied = world.runtime.create(&bob, "Person", world.attributes("Person", person)).await.unwrap_err();
        assert_eq!(denied, not_settable(format!("`{attribute}` of Person is not settable by `bob`")));
    }
    for person in [json!({"name": "Bob"}), json!({"name": "Bob", "grade": 1})] {
        let created = world.runtime.create(&bob, "Person", world.attributes("Person", person)).await.unwrap();
        assert_eq!(json::object(&created.attributes)["grade"], json!(1));
    }
    let chosen = json!({"personId": "bob", "name": "Bob", "grade": 2, "salary": 5});
    world.runtime.create(&caller("eve", "boss"), "Person", world.attributes("Person", chosen)).await.unwrap();
    assert_eq!(stored(&world, "PERSON#bob").await["salary"], json!(5));
}

/// What is said about a creation beforehand is what happens to it.
#[tokio::test]
async fn the_attribute_that_rejects_a_creation_is_known_before() {
    let world = world().await;
    for (role, person, rejected) in [
        ("clerk", json!({"name": "Bob"}), None),
        ("clerk", json!({"name": "Bob", "grade": 1, "salary": null, "motto": null}), None),
        ("clerk", json!({"name": "Bob", "personId": null}), None),
        ("clerk", json!({"name": "Bob", "motto": "x", "salary": 5}), Some("salary")),
        ("clerk", json!({"name": "Bob", "grade": 2, "personId": "bob"}), Some("personId")),
        ("boss", json!({"name": "Bob", "grade": 2, "personId": "b2"}), None),
    ] {
        let (caller, person) = (caller("bob", role), world.attributes("Person", person));
        let before = world.runtime.unsettable_attributes(&caller, Verb::Create, "Person", Some(&person)).unwrap();
        assert_eq!(before.rejected.as_deref(), rejected, "{person:?}");
        let attribute = match world.runtime.create(&caller, "Person", person).await {
            Ok(_) => None,
            Err(Error::NotSettable(violation)) => violation.attribute,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(attribute.as_deref(), rejected);
    }
    let of_verb = |verb| world.runtime.unsettable_attributes(&caller("bob", "clerk"), verb, "Person", None).unwrap();
    let update = of_verb(Verb::Update);
    assert_eq!(
        (update.names, update.rejected),
        (["personId", "grade", "salary", "motto"].map(str::to_owned).to_vec(), None)
    );
    assert_eq!(of_verb(Verb::Get), Default::default());
}

#[tokio::test]
async fn the_owner_is_the_one_of_the_stored_item() {
    let world = world().await;
    let motto = |caller: &'static str| {
        let person = world.attributes("Person", json!({"personId": "ann", "motto": caller}));
        world.runtime.patch(
            Box::leak(Box::new(self::caller(caller, "clerk"))),
            "Person",
            person,
            PatchOptions::default(),
        )
    };
    let denied = motto("bob").await.unwrap_err();
    assert_eq!(denied, not_settable("`motto` of Person is not settable by `bob`".to_owned()));
    assert_eq!(json::object(&motto("ann").await.unwrap().attributes)["motto"], json!("ann"));
}

#[tokio::test]
async fn a_patch_of_other_attributes_needs_no_read() {
    let world = world().await;
    let patch = |value: Value| world.attributes("Desk", value);
    let desk = || patch(json!({"number": "1", "rank": 8}));
    world.runtime.patch(&caller("eve", "boss"), "Desk", desk(), PatchOptions::default()).await.unwrap();
    assert_eq!(world.hook().names(), ["UpdateItem"]);
    world.hook().take();
    world.runtime.patch(&caller("ann", "clerk"), "Desk", desk(), PatchOptions::default()).await.unwrap();
    assert_eq!(world.hook().names(), ["GetItem", "UpdateItem"]);
}

#[tokio::test]
async fn the_creator_sets_what_is_settable_by_the_owner() {
    let text = DESIGN
        .replace("    owner: personId\n", "    owner: addedBy\n")
        .replace("      name: string\n", "      name: string\n      addedBy: created by\n");
    let world = World::new(design(&text), Recorder::default()).await;
    let (ann, bob) = (caller("ann", "clerk"), caller("bob", "clerk"));
    let person = |motto: &str| world.attributes("Person", json!({"name": "Ann", "motto": motto}));
    let created = world.runtime.create(&ann, "Person", person("first")).await.unwrap();
    let created = json::object(&created.attributes);
    assert_eq!((&created["motto"], &created["addedBy"]), (&json!("first"), &json!("ann")));
    let motto = || world.attributes("Person", json!({"personId": created["personId"], "motto": "second"}));
    let denied = world.runtime.patch(&bob, "Person", motto(), PatchOptions::default()).await.unwrap_err();
    assert_eq!(denied, not_settable("`motto` of Person is not settable by `bob`".to_owned()));
    world.runtime.patch(&ann, "Person", motto(), PatchOptions::default()).await.unwrap();
}

#[tokio::test]
async fn the_error_names_the_write_of_a_transaction() {
    let world = world().await;
    let write = |person: Value| Write::Patch {
        entity: "Person".to_owned(),
        attributes: world.attributes("Person", person),
        options: PatchOptions::default(),
    };
    world.given("Person", json!({"personId": "bob", "name": "Bob"})).await;
    let writes = vec![write(json!({"personId": "bob", "name": "B"})), write(json!({"personId": "ann", "grade": 9}))];
    let denied = world.runtime.transact(&caller("ann", "clerk"), writes).await.unwrap_err();
    let Error::NotSettable(violation) = denied else { panic!("{denied:?}") };
    assert_eq!((violation.write, violation.attribute.as_deref()), (Some(1), Some("grade")));
}
