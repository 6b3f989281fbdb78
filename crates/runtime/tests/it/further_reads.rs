//! Patterns whose query returns only a part of each item: lookup items, and rows of indexes that do not project
//! everything.

use std::sync::Arc;

use crate::support::*;
use keyfold_runtime::{Caller, QueryOptions};
use serde_json::{Value, json};

async fn world(text: &str, entity: &str, items: &[Value]) -> World<Nothing> {
    let world = World::new(design(text), Nothing).await;
    for item in items {
        world.given(entity, item.clone()).await;
    }
    world
}

/// One attribute of each result.
async fn found(world: &World<Nothing>, caller: &Caller, pattern: &str, with: Value, attribute: &str) -> Vec<String> {
    let arguments = arguments(&world.design, pattern, with);
    let runtime = Arc::clone(&world.runtime);
    let page = runtime.query(caller, pattern, arguments, &QueryOptions::default()).await.unwrap();
    page.records.iter().map(|record| record.attributes[attribute].as_str().unwrap().to_owned()).collect()
}

const LOOKUPS: &str = "
design: accounts
table: accounts
tenant: org
indexes:
  GSI1: {purpose: lookups}
entities:
  User:
    scope: tenant
    PK: ORG#<org>
    SK: USER#<userId>
    unique:
      email:
        PK: LOOKUP#EMAIL#<email:lower>
        SK: LOOKUP
        GSI1PK: LOOKUP#EMAIL#<email:lower>
        GSI1SK: USER#<userId>
    attributes: {org: string, userId: string, email: email}
patterns:
  by email: GSI1PK = LOOKUP#EMAIL#<email>, own tenant only -> User
callers: {operators: role operator, members: tenant}
allow:
  - members: read User
";

#[tokio::test]
async fn a_lookup_leads_members_to_the_items_of_their_own_tenant_only() {
    let users = [
        json!({"org": "acme", "userId": "u1", "email": "Ann@acme.example"}),
        json!({"org": "globex", "userId": "u2", "email": "bob@globex.example"}),
    ];
    let world = world(LOOKUPS, "User", &users).await;
    let by_email =
        async |caller: &Caller, email: &str| found(&world, caller, "by email", json!({"email": email}), "userId").await;
    let member = Caller::member("acme", "ann");
    assert_eq!(by_email(&member, "ann@acme.example").await, ["u1"]);
    assert_eq!(by_email(&member, "bob@globex.example").await, [""; 0]);
    assert_eq!(by_email(&superuser(), "bob@globex.example").await, ["u2"]);
}

const FORMATTED_KEY: &str = "
design: users
table: users
indexes:
  GSI1: {purpose: by day, projection: keys}
entities:
  User:
    PK: USER#<email:lower>
    SK: METADATA
    GSI1PK: DAY#<day>
    GSI1SK: <email:lower>
    attributes: {email: email, day: date, name: string}
patterns:
  of day: GSI1PK = DAY#<day>
allow:
  - signed in: everything User
";

#[tokio::test]
async fn an_index_row_leads_to_its_item_where_the_key_does_not_give_the_values_back() {
    let users = [json!({"email": "Ann@Acme.example", "day": "2026-01-01", "name": "Ann"})];
    let world = world(FORMATTED_KEY, "User", &users).await;
    let emails = found(&world, &superuser(), "of day", json!({"day": "2026-01-01"}), "email").await;
    assert_eq!(emails, ["Ann@Acme.example"]);
}

const TENANT_WITHIN_KEY: &str = "
design: things
table: things
tenant: org
indexes:
  GSI1: {purpose: by name, projection: keys}
entities:
  Thing:
    scope: tenant
    PK: THING#<thingId>
    SK: <kind>#<org>
    GSI1PK: NAME#<name>
    GSI1SK: <thingId>
    attributes: {thingId: string, org: string, kind: a | b, name: string}
patterns:
  named: GSI1PK = NAME#<name>, own tenant only
callers: {operators: role operator, members: tenant}
allow:
  - members: read Thing
accept:
  KF064 named: wanted
";

#[tokio::test]
async fn the_tenant_is_checked_on_the_item_where_the_index_does_not_hold_it() {
    let things = [
        json!({"thingId": "t1", "org": "acme", "kind": "a", "name": "x"}),
        json!({"thingId": "t2", "org": "globex", "kind": "b", "name": "x"}),
    ];
    let world = world(TENANT_WITHIN_KEY, "Thing", &things).await;
    let member = Caller::member("acme", "ann");
    assert_eq!(found(&world, &member, "named", json!({"name": "x"}), "thingId").await, ["t1"]);
    assert_eq!(found(&world, &superuser(), "named", json!({"name": "x"}), "thingId").await, ["t1", "t2"]);
}

const PATIENTS: &str = "
design: clinic
table: clinic
indexes:
  GSI1: {purpose: by name}
entities:
  Patient:
    PK: PATIENT#<patientId>
    SK: PATIENT
    GSI1PK: CLINIC#<clinicId>
    GSI1SK: <lastName:lower>#<patientId>
    attributes: {patientId: string, clinicId: string, lastName: string}
patterns:
  by name: GSI1PK = CLINIC#<clinicId> and begins_with(GSI1SK, <prefix>)
allow:
  - signed in: everything Patient
";

#[tokio::test]
async fn a_search_by_the_beginning_of_the_first_part_of_a_composed_key() {
    let patients = [
        json!({"patientId": "1", "clinicId": "c", "lastName": "Smith"}),
        json!({"patientId": "2", "clinicId": "c", "lastName": "Smithers"}),
        json!({"patientId": "3", "clinicId": "c", "lastName": "Stone"}),
    ];
    let world = world(PATIENTS, "Patient", &patients).await;
    for (prefix, expected) in [("smi", ["1", "2"].as_slice()), ("smithe", &["2"]), ("s", &["1", "2", "3"])] {
        let with = json!({"clinicId": "c", "prefix": prefix});
        assert_eq!(found(&world, &superuser(), "by name", with, "patientId").await, expected, "{prefix}");
    }
}
