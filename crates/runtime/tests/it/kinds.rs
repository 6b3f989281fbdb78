//! Several kinds of items under one key.

use std::collections::BTreeMap;

use crate::support::*;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, QueryOptions, Record, Write};
use proptest::prelude::*;
use serde_json::{Value, json};

const DESIGN: &str = "
design: accounts
table: accounts
indexes:
  byPlan: {partition: plan, sort: SK, projection: keys, purpose: accounts by plan}
entities:
  User:
    PK: ACCOUNT#<name>
    SK: ACCOUNT#<name>
    type: User
    unique: email
    attributes:
      name: string
      plan: string, default free
      email: string, optional
      age: integer, optional
      repoCount: integer, default 0
  Organization:
    PK: ACCOUNT#<name>
    SK: ACCOUNT#<name>
    type: Organization
    delete: cascade when asked
    attributes:
      name: string
      plan: string, default free
      motto: string, optional
      version: version
  Repo:
    PK: ACCOUNT#<name>
    SK: REPO#<repo>
    attributes: {name: 'string, refers to User, counted as repoCount', repo: string}
  Team:
    PK: ACCOUNT#<name>
    SK: TEAM#<team>
    attributes: {name: 'string, refers to Organization', team: string}
patterns:
  account: PK = ACCOUNT#<name> and begins_with(SK, ACCOUNT#) -> User, Organization
  user: PK = ACCOUNT#<name> and begins_with(SK, ACCOUNT#) -> User
  by plan: plan = <plan> -> User, Organization
  organizations by plan: plan = <plan> -> Organization
  everything: PK = ACCOUNT#<name> -> User, Organization, Repo, Team
allow:
  - signed in: everything
";

async fn world() -> World<Nothing> {
    let world = World::new(design(DESIGN), Nothing).await;
    world.given("User", json!({"name": "ann", "age": 40, "email": "ann@example.com"})).await;
    world.given("Organization", json!({"name": "acme", "motto": "more"})).await;
    world
}

impl World<Nothing> {
    async fn found(&self, pattern: &str, given: Value) -> Vec<(String, String)> {
        let given = arguments(&self.design, pattern, given);
        let page = self.runtime.query(&superuser(), pattern, given, &QueryOptions::default()).await.unwrap();
        assert!(page.problems.is_empty(), "{:?}", page.problems);
        let named = |record: &Record| {
            let name = record.attributes.get("name").and_then(AttributeValue::as_str).unwrap();
            (self.design[record.entity].name.clone(), name.to_owned())
        };
        page.records.iter().map(named).collect()
    }

    async fn carry_out(&self, write: Write) -> Result<(), Error> {
        self.runtime.transact(&superuser(), vec![write]).await.map(drop)
    }

    fn create(&self, entity: &str, value: Value) -> Write {
        Write::Create { entity: entity.to_owned(), attributes: self.attributes(entity, value) }
    }

    fn patch(&self, entity: &str, value: Value) -> Write {
        let attributes = self.attributes(entity, value);
        Write::Patch { entity: entity.to_owned(), attributes, options: PatchOptions::default() }
    }

    fn delete(&self, entity: &str, value: Value) -> Write {
        let identity = self.attributes(entity, value);
        Write::Delete { entity: entity.to_owned(), identity, options: DeleteOptions::default() }
    }
}

fn both(kinds: &[(&str, &str)]) -> Vec<(String, String)> {
    kinds.iter().map(|(kind, name)| ((*kind).to_owned(), (*name).to_owned())).collect()
}

#[tokio::test]
async fn an_item_is_of_one_kind_and_not_found_as_another() {
    let world = world().await;
    assert_eq!(world.get("User", json!({"name": "ann"})).await.unwrap()["age"], json!(40));
    assert_eq!(world.get("Organization", json!({"name": "ann"})).await, None);
    assert_eq!(world.get("User", json!({"name": "acme"})).await, None);
    // The attribute that tells them apart is stored, and not among those of the record.
    assert_eq!(world.get("Organization", json!({"name": "acme"})).await.unwrap().get("type"), None);
    let identity = |entity: &str, name: &str| (entity.to_owned(), world.attributes(entity, json!({"name": name})));
    let wanted = vec![identity("User", "ann"), identity("Organization", "ann"), identity("Organization", "acme")];
    let found = world.runtime.batch_get(&superuser(), wanted).await.unwrap();
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
}

#[tokio::test]
async fn patterns_return_the_kinds_that_they_name() {
    let world = world().await;
    assert_eq!(world.found("account", json!({"name": "ann"})).await, both(&[("User", "ann")]));
    assert_eq!(world.found("account", json!({"name": "acme"})).await, both(&[("Organization", "acme")]));
    assert_eq!(world.found("user", json!({"name": "acme"})).await, both(&[]));
    // The index holds keys only: which kind an item is is read from the table.
    assert_eq!(
        world.found("by plan", json!({"plan": "free"})).await,
        both(&[("Organization", "acme"), ("User", "ann")])
    );
    assert_eq!(world.found("organizations by plan", json!({"plan": "free"})).await, both(&[("Organization", "acme")]));
}

#[tokio::test]
async fn writes_of_one_kind_leave_the_other_alone() {
    let world = world().await;
    let before = world.table().await;
    let is_not_found = |outcome: Result<(), Error>| matches!(outcome, Err(Error::NotFound { .. }));
    let exists = |outcome: Result<(), Error>| matches!(outcome, Err(Error::Exists { .. }));
    // Without a read, and with one.
    assert!(is_not_found(world.carry_out(world.patch("User", json!({"name": "acme", "age": 3}))).await));
    assert!(is_not_found(
        world.carry_out(world.patch("User", json!({"name": "acme", "email": "a@example.com"}))).await
    ));
    assert!(is_not_found(world.carry_out(world.patch("User", json!({"name": "acme"}))).await));
    let identity = world.attributes("User", json!({"name": "acme"}));
    let options = DeleteOptions::default();
    assert!(is_not_found(world.runtime.delete(&superuser(), "User", identity, options).await));
    assert!(is_not_found(world.carry_out(world.patch("Organization", json!({"name": "ann", "motto": "x"}))).await));
    let identity = world.attributes("Organization", json!({"name": "ann"}));
    let options = DeleteOptions { cascade: true, ..DeleteOptions::default() };
    assert!(is_not_found(world.runtime.delete(&superuser(), "Organization", identity, options).await));
    assert!(exists(world.carry_out(world.create("Organization", json!({"name": "ann"}))).await));
    assert!(exists(world.carry_out(world.create("User", json!({"name": "acme"}))).await));
    for (entity, name) in [("Organization", "ann"), ("User", "acme")] {
        let attributes = world.attributes(entity, json!({"name": name}));
        let put = Write::Put { entity: entity.to_owned(), attributes: attributes.clone() };
        assert!(exists(world.carry_out(put.clone()).await));
        assert!(exists(world.carry_out(Write::Upsert { entity: entity.to_owned(), attributes }).await));
        let outcomes = world.runtime.batch_write(&superuser(), vec![put]).await;
        assert!(matches!(outcomes.as_slice(), [Err(Error::Exists { .. })]), "{outcomes:?}");
    }
    assert_eq!(world.table().await, before);
}

#[tokio::test]
async fn a_reference_leads_to_an_item_of_its_kind() {
    let world = world().await;
    world.carry_out(world.create("Repo", json!({"name": "ann", "repo": "notes"}))).await.unwrap();
    world.carry_out(world.create("Team", json!({"name": "acme", "team": "core"}))).await.unwrap();
    assert_eq!(violated(world.carry_out(world.create("Repo", json!({"name": "acme", "repo": "notes"}))).await), "name");
    assert_eq!(violated(world.carry_out(world.create("Team", json!({"name": "ann", "team": "core"}))).await), "name");
    assert_eq!(world.get("User", json!({"name": "ann"})).await.unwrap()["repoCount"], json!(1));
    // In one transaction with the item that it refers to.
    let together = |owner: &str| {
        vec![world.create(owner, json!({"name": "bea"})), world.create("Team", json!({"name": "bea", "team": "x"}))]
    };
    assert!(world.runtime.transact(&superuser(), together("User")).await.is_err());
    world.runtime.transact(&superuser(), together("Organization")).await.unwrap();
    assert_eq!(
        world.found("everything", json!({"name": "acme"})).await,
        both(&[("Organization", "acme"), ("Team", "acme")])
    );
}

#[tokio::test]
async fn an_item_that_tells_no_kind_is_of_none() {
    let world = world().await;
    let text = |value: &str| AttributeValue::S(value.to_owned());
    for (name, kind) in [("old", None), ("robot", Some("Robot"))] {
        let key = text(&format!("ACCOUNT#{name}"));
        let mut item =
            Attributes::from([("PK".to_owned(), key.clone()), ("SK".to_owned(), key), ("name".to_owned(), text(name))]);
        item.extend(kind.map(|kind| ("type".to_owned(), text(kind))));
        let put = PutItemInput { table_name: "accounts".to_owned(), item, ..PutItemInput::default() };
        world.engine.put_item(put).await.unwrap();
        for entity in ["User", "Organization"] {
            assert_eq!(world.get(entity, json!({"name": name})).await, None);
            let patched = world.carry_out(world.patch(entity, json!({"name": name, "plan": "pro"}))).await;
            assert!(matches!(patched, Err(Error::NotFound { .. })), "{patched:?}");
            let created = world.carry_out(world.create(entity, json!({"name": name}))).await;
            assert!(matches!(created, Err(Error::Exists { .. })), "{created:?}");
            let attributes = world.attributes(entity, json!({"name": name}));
            let put = world.carry_out(Write::Put { entity: entity.to_owned(), attributes }).await;
            assert!(matches!(put, Err(Error::Exists { .. })), "{put:?}");
        }
        let given = arguments(&world.design, "account", json!({"name": name}));
        let page = world.runtime.query(&superuser(), "account", given, &QueryOptions::default()).await.unwrap();
        assert_eq!((page.records.len(), page.problems.len()), (0, 1));
    }
}

/// One write on one of two names, drawn from a few numbers.
type Step = (usize, usize, usize);

fn step(world: &World<Nothing>, (verb, kind, name): Step) -> (Write, &'static str, &'static str) {
    let entity = ["User", "Organization"][kind % 2];
    let name = ["x", "y"][name % 2];
    let value = json!({"name": name});
    let attributes = world.attributes(entity, value.clone());
    let write = match verb % 5 {
        0 => world.create(entity, value),
        1 => Write::Put { entity: entity.to_owned(), attributes },
        2 => Write::Upsert { entity: entity.to_owned(), attributes },
        3 => world.patch(entity, json!({"name": name, "plan": "pro"})),
        _ => world.delete(entity, value),
    };
    (write, entity, name)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    /// Whatever is written in whichever order: each key has the kind that a map of names to kinds would have.
    #[test]
    fn kinds_follow_a_map_of_names(steps in prop::collection::vec((0..5_usize, 0..2_usize, 0..2_usize), 1..30)) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let world = World::new(design(&DESIGN.replace("    delete: cascade when asked\n", "").replace(", refers to Organization", "").replace(", refers to User, counted as repoCount", "")), Nothing).await;
            let mut known: BTreeMap<&str, &str> = BTreeMap::new();
            for drawn in &steps {
                let (write, entity, name) = step(&world, *drawn);
                let outcome = world.carry_out(write).await;
                let expected = match (drawn.0 % 5, known.get(name)) {
                    (0, Some(_)) => "exists",
                    (0..=2, Some(kind)) if *kind != entity => "exists",
                    (3 | 4, None) => "not found",
                    (3 | 4, Some(kind)) if *kind != entity => "not found",
                    _ => "done",
                };
                let found = match &outcome {
                    Ok(()) => "done",
                    Err(Error::Exists { .. }) => "exists",
                    Err(Error::NotFound { .. }) => "not found",
                    Err(error) => panic!("{error}"),
                };
                assert_eq!(found, expected, "{drawn:?} on {known:?}");
                if found == "done" {
                    match drawn.0 % 5 {
                        4 => drop(known.remove(name)),
                        _ => drop(known.insert(name, entity)),
                    }
                }
                for name in ["x", "y"] {
                    for entity in ["User", "Organization"] {
                        let is_there = world.get(entity, json!({"name": name})).await.is_some();
                        assert_eq!(is_there, known.get(name) == Some(&entity));
                    }
                }
            }
        });
    }
}

const VERSIONS: &str = "
design: versions
table: versions
entities:
  Latest:
    PK: DOCUMENT#<documentId>
    SK: v0
    attributes: {documentId: string, text: string}
  Version:
    PK: DOCUMENT#<documentId>
    SK: v<number>
    attributes: {documentId: string, number: 'integer, at least 1', text: string}
patterns:
  document with versions: PK = DOCUMENT#<documentId> and begins_with(SK, v) -> Latest, Version
  version: PK = DOCUMENT#<documentId> and SK = v<number> -> Version
allow:
  - signed in: everything
";

#[tokio::test]
async fn bounds_tell_a_number_from_a_literal() {
    let world = World::new(design(VERSIONS), Nothing).await;
    world.given("Latest", json!({"documentId": "d", "text": "now"})).await;
    world.given("Version", json!({"documentId": "d", "number": 1, "text": "then"})).await;
    assert_eq!(world.get("Latest", json!({"documentId": "d"})).await.unwrap()["text"], json!("now"));
    let given = arguments(&world.design, "document with versions", json!({"documentId": "d"}));
    let page =
        world.runtime.query(&superuser(), "document with versions", given, &QueryOptions::default()).await.unwrap();
    let names: Vec<&str> = page.records.iter().map(|record| world.design[record.entity].name.as_str()).collect();
    assert_eq!(names, ["Latest", "Version"]);
    // Whoever asks for version 0 does not get the latest one as a version.
    let given = arguments(&world.design, "version", json!({"documentId": "d", "number": 0}));
    let page = world.runtime.query(&superuser(), "version", given, &QueryOptions::default()).await.unwrap();
    assert_eq!(page.records.len(), 0);
    let zero = world.attributes("Version", json!({"documentId": "d", "number": 0, "text": "x"}));
    assert_eq!(violated(world.runtime.create(&superuser(), "Version", zero.clone()).await), "number");
    assert!(matches!(
        world
            .runtime
            .get(&superuser(), "Version", world.attributes("Version", json!({"documentId": "d", "number": 0})))
            .await,
        Ok(None) | Err(Error::ImpossibleIdentity(_))
    ));
    let removed = world
        .runtime
        .delete(
            &superuser(),
            "Version",
            world.attributes("Version", json!({"documentId": "d", "number": 0})),
            DeleteOptions::default(),
        )
        .await;
    assert!(removed.is_err());
    assert!(world.get("Latest", json!({"documentId": "d"})).await.is_some());
}
