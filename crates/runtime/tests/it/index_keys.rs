//! Declared attributes that are index keys themselves.

use crate::support::*;
use keyfold_runtime::{Error, PatchOptions, QueryOptions};
use serde_json::json;

const DESIGN: &str = "
design: tickets
table: tickets
indexes:
  byOwner: {partition: person, sort: points number, purpose: the tickets of a person}
entities:
  Ticket:
    PK: TICKET#<ticketId>
    SK: METADATA
    attributes: {ticketId: string, person: string, points: integer}
patterns:
  tickets: person = <person> and points between <low> and <high>
allow:
  - signed in: everything Ticket
";

#[tokio::test]
async fn an_empty_value_is_rejected_with_its_attribute() {
    let world = World::new(design(DESIGN), Nothing).await;
    let ticket = |person: &str| world.attributes("Ticket", json!({"ticketId": "t", "person": person, "points": 1}));
    let created = world.runtime.create(&superuser(), "Ticket", ticket("")).await.map(drop);
    let rejected = |outcome: Result<(), Error>| match outcome {
        Err(Error::Constraint(violation)) => violation.attribute,
        other => panic!("{other:?}"),
    };
    assert_eq!(rejected(created), Some("person".to_owned()));
    world.runtime.create(&superuser(), "Ticket", ticket("ann")).await.unwrap();
    let patch = world.attributes("Ticket", json!({"ticketId": "t", "person": ""}));
    let patched = world.runtime.patch(&superuser(), "Ticket", patch, PatchOptions::default()).await.map(drop);
    assert_eq!(rejected(patched), Some("person".to_owned()));
}

#[tokio::test]
async fn a_range_that_ends_before_it_begins_is_empty() {
    let world = World::new(design(DESIGN), Nothing).await;
    world.given("Ticket", json!({"ticketId": "t", "person": "ann", "points": 5})).await;
    for (low, high, count) in [(0, 10, 1), (5, 5, 1), (10, 0, 0)] {
        let given = arguments(&world.design, "tickets", json!({"person": "ann", "low": low, "high": high}));
        let explained = world.runtime.explain_query(&superuser(), "tickets", given.clone(), 20).unwrap();
        assert_eq!(explained.requests.len(), count);
        let page = world.runtime.query(&superuser(), "tickets", given, &QueryOptions::default()).await.unwrap();
        assert_eq!((page.count, page.cursor), (count, None));
    }
}

const OPTIONAL: &str = "
design: parcels
table: parcels
indexes:
  GSI1: {purpose: parcels of a shelf}
entities:
  Parcel:
    PK: PARCEL#<parcelId>
    SK: METADATA
    GSI1PK: SHELF#<shelf>
    GSI1SK: <parcelId>
    attributes: {parcelId: string, shelf: 'string, optional', note: 'string, optional'}
patterns:
  parcels of a shelf: GSI1PK = SHELF#<shelf>
allow:
  - signed in: everything Parcel
";

#[tokio::test]
async fn a_patch_without_a_read_enters_and_leaves_an_index_whose_other_half_is_the_identity() {
    let world = World::new(design(OPTIONAL), Recorder::default()).await;
    world.given("Parcel", json!({"parcelId": "p"})).await;
    let patch = async |shelf: serde_json::Value| {
        let attributes = world.attributes("Parcel", json!({"parcelId": "p", "shelf": shelf}));
        world.hook().take();
        world.runtime.patch(&superuser(), "Parcel", attributes, PatchOptions::default()).await.unwrap();
        assert_eq!(world.hook().names(), ["UpdateItem"]);
        let stored = world.table().await.remove("PARCEL#p | METADATA").unwrap();
        ["GSI1PK", "GSI1SK"].map(|name| stored.get(name).and_then(|value| value.as_str()).map(str::to_owned))
    };
    let entry = |pk: &str| [Some(pk.to_owned()), Some("p".to_owned())];
    assert_eq!(patch(json!("a")).await, entry("SHELF#a"));
    assert_eq!(patch(json!("b")).await, entry("SHELF#b"));
    assert_eq!(patch(json!(null)).await, [None, None]);
}

/// Two optional indexes share an attribute of their keys: the partition `kind`, or the sort attribute `rank`.
const SHARED: &str = "
design: parcels
table: parcels
indexes:
  byShelf: {partition: kind, sort: shelf, purpose: parcels by shelf}
  byOwner: {partition: kind, sort: owner, purpose: parcels by owner}
  byLorry: {partition: lorry, sort: rank, purpose: parcels of a lorry}
  byRound: {partition: round, sort: rank, purpose: parcels of a round}
entities:
  Parcel:
    PK: PARCEL#<parcelId>
    SK: METADATA
    kind: PARCEL
    rank: RANK#<parcelId>
    attributes:
      parcelId: string
      shelf: string, optional
      owner: string, optional
      lorry: string, optional
      round: string, optional
patterns:
  parcels by shelf: kind = PARCEL and begins_with(shelf, <prefix>)
  parcels by owner: kind = PARCEL and begins_with(owner, <prefix>)
  parcels of a lorry: lorry = <lorry>
  parcels of a round: round = <round>
allow:
  - signed in: everything Parcel
";

#[tokio::test]
async fn a_patch_that_leaves_an_optional_index_keeps_the_key_attribute_it_shares_with_another() {
    let world = World::new(design(SHARED), Nothing).await;
    let full = json!({"parcelId": "p", "shelf": "s1", "owner": "ann", "lorry": "l1", "round": "r1"});
    world.given("Parcel", full).await;
    let patch = async |change: serde_json::Value| {
        let attributes = world.attributes("Parcel", change);
        world.runtime.patch(&superuser(), "Parcel", attributes, PatchOptions::default()).await.unwrap();
        let stored = world.table().await.remove("PARCEL#p | METADATA").unwrap();
        ["kind", "rank"].map(|name| stored.get(name).and_then(|value| value.as_str()).map(str::to_owned))
    };
    let found = async |pattern: &str, given: serde_json::Value| {
        let given = arguments(&world.design, pattern, given);
        world.runtime.query(&superuser(), pattern, given, &QueryOptions::default()).await.unwrap().count
    };
    let (kind, rank) = (Some("PARCEL".to_owned()), Some("RANK#p".to_owned()));
    assert_eq!(patch(json!({"parcelId": "p", "shelf": null})).await, [kind.clone(), rank.clone()]);
    assert_eq!(found("parcels by owner", json!({"prefix": "a"})).await, 1);
    assert_eq!(patch(json!({"parcelId": "p", "lorry": null})).await, [kind.clone(), rank.clone()]);
    assert_eq!(found("parcels of a round", json!({"round": "r1"})).await, 1);
    // With the last entry, the shared attribute goes as well, and it comes back with either.
    assert_eq!(patch(json!({"parcelId": "p", "owner": null})).await, [None, rank.clone()]);
    assert_eq!(patch(json!({"parcelId": "p", "round": null})).await, [None, None]);
    assert_eq!(patch(json!({"parcelId": "p", "shelf": "s2", "lorry": "l2"})).await, [kind, rank]);
}
