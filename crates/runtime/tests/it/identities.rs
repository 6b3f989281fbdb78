//! Items whose key holds more than what identifies them: found, referred to, created once, whatever the rest of the
//! key.

use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::BackendFuture;
use keyfold_runtime::{Caller, DeleteOptions, Error, PatchOptions, Write};
use serde_json::{Value, json};
use tokio::sync::Barrier;

const DESIGN: &str = "
design: atlas
table: atlas
indexes:
  GSI1: {purpose: visits of a place}
entities:
  Sequence:
    keeps: sequences
    PK: sequence
    SK: sequence
    attributes: {place: 'integer, optional'}
  Place:
    PK: <id>
    SK: place#<fullName:first(2)>
    identity: id
    attributes:
      id: sequence place
      fullName: string, at least 2 characters
      visitCount: integer, default 0
      version: version
  Visit:
    PK: VISIT#<visitId>
    SK: VISIT
    GSI1PK: PLACE#<placeId>
    GSI1SK: VISIT#<visitId>
    attributes:
      visitId: string
      placeId: sequence place, refers to Place, counted as visitCount
patterns:
  visits of a place: GSI1PK = PLACE#<placeId>
callers:
  operators: role operator
allow:
  - operators: everything
  - signed in: everything
";

fn atlas() -> Arc<Design> {
    design(DESIGN)
}

async fn delete<H: Hook + 'static>(world: &World<H>, entity: &str, identity: Value) -> Result<(), Error> {
    let identity = world.attributes(entity, identity);
    world.runtime.delete(&superuser(), entity, identity, DeleteOptions::default()).await
}

async fn create<H: Hook + 'static>(world: &World<H>, caller: &Caller, entity: &str, value: Value) -> Result<(), Error> {
    world.runtime.create(caller, entity, world.attributes(entity, value)).await.map(|_| ())
}

async fn patch<H: Hook + 'static>(world: &World<H>, entity: &str, value: Value) -> Result<(), Error> {
    let value = world.attributes(entity, value);
    world.runtime.patch(&superuser(), entity, value, PatchOptions::default()).await.map(|_| ())
}

#[tokio::test]
async fn a_reference_finds_and_counts_its_target_whatever_its_sort_key() {
    let world = World::new(atlas(), Nothing).await;
    let missing = create(&world, &superuser(), "Visit", json!({"visitId": "v", "placeId": 1})).await;
    assert_eq!(violated(missing), "placeId");
    assert!(world.table().await.is_empty());
    world.given("Place", json!({"fullName": "Hamburg"})).await;
    create(&world, &superuser(), "Visit", json!({"visitId": "v", "placeId": 1})).await.unwrap();
    let count = async || world.get("Place", json!({"id": 1})).await.unwrap()["visitCount"].clone();
    assert_eq!(count().await, json!(1));
    // The place moves, with its counter.
    patch(&world, "Place", json!({"id": 1, "fullName": "Bremen"})).await.unwrap();
    assert_eq!(count().await, json!(1));
    assert_eq!(violated(delete(&world, "Place", json!({"id": 1})).await), "Visit.placeId");
    delete(&world, "Visit", json!({"visitId": "v"})).await.unwrap();
    assert_eq!(count().await, json!(0));
    delete(&world, "Place", json!({"id": 1})).await.unwrap();
    assert_eq!(world.table().await.into_keys().collect::<Vec<_>>(), ["sequence | sequence"]);
}

/// Lets transactions pass in pairs: each has looked at the table before the other writes.
struct Meet(Barrier);

impl Hook for Meet {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            if matches!(call, Call::Transact(_)) {
                drop(tokio::time::timeout(std::time::Duration::from_millis(200), self.0.wait()).await);
            }
            Ok(())
        })
    }
}

#[tokio::test]
async fn of_two_creates_with_one_id_one_finds_the_other() {
    for known in [false, true] {
        let world = Arc::new(World::new(atlas(), Meet(Barrier::new(2))).await);
        if known {
            // The sequence is ahead of the id, which is free again.
            for _ in 0..9 {
                let place = world.given("Place", json!({"fullName": "Kiel"})).await;
                let identity =
                    world.attributes("Place", json!({"id": place.attributes["id"].as_number().unwrap().to_i64()}));
                world.plain.delete(&superuser(), "Place", identity, DeleteOptions::default()).await.unwrap();
            }
        }
        let racer = |name: &'static str| {
            let world = Arc::clone(&world);
            tokio::spawn(async move { create(&world, &superuser(), "Place", json!({"id": 7, "fullName": name})).await })
        };
        let (first, second) = (racer("Hamburg"), racer("Bremen"));
        let outcomes = [first.await.unwrap(), second.await.unwrap()];
        let exists = Error::Exists { entity: "Place".to_owned(), identity: "id=7".to_owned() };
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
        assert!(outcomes.contains(&Err(exists)), "{outcomes:?}");
        let places = world.table().await.into_keys().filter(|key| key.contains("place#")).count();
        assert_eq!(places, 1);
    }
}

#[tokio::test]
async fn a_sequence_stays_ahead_of_the_numbers_that_are_given() {
    let world = World::new(atlas(), Nothing).await;
    create(&world, &superuser(), "Place", json!({"id": 5, "fullName": "Essen"})).await.unwrap();
    assert_eq!(
        world.given("Place", json!({"fullName": "Ulm"})).await.attributes["id"].as_number().unwrap().to_i64(),
        Some(6)
    );
    // Several in one call.
    let write = |id: u64, name: &str| Write::Create {
        entity: "Place".to_owned(),
        attributes: world.attributes("Place", json!({"id": id, "fullName": name})),
    };
    world.runtime.transact(&superuser(), vec![write(20, "Köln"), write(30, "Trier")]).await.unwrap();
    let next = world.given("Place", json!({"fullName": "Jena"})).await;
    assert!(next.attributes["id"].as_number().unwrap().to_i64() > Some(30), "{next:?}");
    // A number that is free and behind the sequence is anybody's, one ahead of it is not.
    let anybody = Caller { subject: Some("ada".to_owned()), ..Caller::default() };
    create(&world, &anybody, "Place", json!({"id": 9, "fullName": "Gera"})).await.unwrap();
    let ahead = create(&world, &anybody, "Place", json!({"id": 9_000_000_000_u64, "fullName": "Gera"})).await;
    assert_eq!(violated(ahead), "id");
    // Nobody uses a sequence up: what comes after the largest number that may be given is exact in JSON.
    let most = 1_u64 << 52;
    let too_far = create(&world, &superuser(), "Place", json!({"id": most + 1, "fullName": "Suhl"})).await;
    assert_eq!(violated(too_far), "id");
    create(&world, &superuser(), "Place", json!({"id": most, "fullName": "Suhl"})).await.unwrap();
    let last = world.given("Place", json!({"fullName": "Hof"})).await;
    assert_eq!(last.attributes["id"].as_number().unwrap().to_i64(), Some((1 << 52) + 1));
}
