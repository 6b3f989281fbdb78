//! The scope of a credential holds for embedders too, whatever the authorizer says.

use std::sync::Arc;

use crate::support::*;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{AccessScope, Caller, DeleteOptions, Error, QueryOptions, Write};
use serde_json::json;

const DESIGN: &str = "
design: staff
table: staff
entities:
  Person:
    PK: TEAM#<team>
    SK: PERSON#<personId>
    attributes: {team: string, personId: string, name: string}
  Desk:
    PK: TEAM#<team>
    SK: DESK#<number>
    attributes: {team: string, number: string}
patterns:
  team: PK = TEAM#<team> -> Person, Desk
callers: {operators: role operator}
allow:
  - signed in: everything
";

fn scoped(scopes: &[&str]) -> Caller {
    let scope = Some(Arc::new(AccessScope::parse(scopes.iter().copied()).unwrap()));
    Caller { subject: Some("machine:m".to_owned()), scope, ..Caller::default() }
}

#[tokio::test]
async fn batches_and_superusers_stay_within_the_scope() {
    let world = World::new(design(DESIGN), Recorder::default()).await;
    world.given("Person", json!({"team": "red", "personId": "a", "name": "A"})).await;
    world.given("Desk", json!({"team": "red", "number": "1"})).await;
    let before = world.table().await;
    let reader = scoped(&["Person:read"]);
    let person = || ("Person".to_owned(), world.attributes("Person", json!({"team": "red", "personId": "a"})));
    let desk = || ("Desk".to_owned(), world.attributes("Desk", json!({"team": "red", "number": "1"})));
    assert!(world.runtime.batch_get(&reader, vec![person()]).await.unwrap()[0].is_some());
    let denied = world.runtime.batch_get(&reader, vec![person(), desk()]).await.unwrap_err();
    let detail = "the scope of the credential of `machine:m` does not permit `get` on Desk";
    assert_eq!(denied, Error::NotAllowed(detail.to_owned()));
    let page = world.runtime.query(&reader, "team", team(), &QueryOptions::default()).await.unwrap();
    assert_eq!(page.records.len(), 1);

    let put = Write::Put { entity: "Person".to_owned(), attributes: person().1 };
    let delete = Write::Delete { entity: "Desk".to_owned(), identity: desk().1, options: DeleteOptions::default() };
    let outcomes = world.runtime.batch_write(&reader, vec![put, delete.clone()]).await;
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Err(Error::NotAllowed(_)))), "{outcomes:?}");
    // No rule applies to a superuser; a scope does.
    let superuser = Caller { scope: reader.scope.clone(), ..Caller::superuser("m") };
    assert!(matches!(world.runtime.transact(&superuser, vec![delete]).await, Err(Error::NotAllowed(_))));
    assert_eq!(world.table().await, before);
}

fn team() -> Attributes {
    Attributes::from([("team".to_owned(), keyfold_dynamo::AttributeValue::S("red".to_owned()))])
}
