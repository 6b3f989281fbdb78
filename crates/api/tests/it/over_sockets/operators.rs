//! Update operators and conditions in `PATCH` and in transactions.

use http::Method;
use keyfold_api::Limits;
use keyfold_api::change_records::ChangeRecordSettings;
use serde_json::{Value, json};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{Setting, World};

const OLGA: &str = "subject=olga;role=operator";
const UPDATE: &str = "application/vnd.keyfold.update+json";
const LICENSE: &str = "/v1/platform/licenses/nw-1?tenant=northwind";

async fn update(world: &World, who: &str, path: &str, headers: &[(&str, &str)], body: Value) -> Answered {
    let mut all = vec![("content-type", UPDATE)];
    all.extend(headers);
    world.client.send(who, Method::PATCH, path, &all, body.to_string()).await
}

async fn platform() -> World {
    World::with(&["platform"], Limits::default(), false).await
}

#[tokio::test]
async fn a_patch_takes_operators_and_a_condition() {
    let world = platform().await;
    let before = world.client.get(OLGA, LICENSE).await.expect(200).json();
    let seats = before["seats"].as_i64().unwrap();
    let body =
        json!({"add": {"seats": 3}, "set": {"note": "more"}, "if": "seats >= <least>", "with": {"least": seats}});
    let after = update(&world, OLGA, LICENSE, &[], body.clone()).await.expect(200).json();
    assert_eq!((&after["seats"], &after["note"]), (&json!(seats + 3), &json!("more")));
    assert_eq!(after["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
    let unmet =
        json!({"add": {"seats": 1}, "if": "seats < <least> and attribute_exists(note)", "with": {"least": seats}});
    let problem = update(&world, OLGA, LICENSE, &[], unmet).await.problem(409, "condition-not-met");
    assert_eq!(problem["detail"], "the License does not meet the condition `seats < <least>`");
    assert_eq!((&problem["field"], &problem["rule"]), (&json!("if"), &json!("seats < <least>")));
    // Bounds, versions and types hold.
    let low = update(&world, OLGA, LICENSE, &[], json!({"subtract": {"seats": 1000}})).await.problem(422, "constraint");
    assert_eq!(low["field"], "seats");
    let stale = update(&world, OLGA, LICENSE, &[("if-match", "\"1\"")], json!({"add": {"seats": 1}})).await;
    stale.problem(412, "precondition-failed");
    for (body, status, code, field) in [
        (json!({"add": {"seats": "x"}}), 422, "constraint", json!("seats")),
        (json!({"add": {"seats": 9_007_199_254_740_993_i64}}), 422, "constraint", json!("seats")),
        // The sum is not exact.
        (json!({"add": {"seats": 9_007_199_254_740_992_i64}}), 422, "constraint", json!("seats")),
        (json!({"add": {"note": 1}}), 422, "constraint", json!("note")),
        (json!({"add": {"licenseId": 1}}), 422, "constraint", json!("licenseId")),
        (json!({"add": {"version": 1}}), 422, "constraint", json!("version")),
        (json!({"seats": 5}), 400, "invalid", json!("seats")),
        (json!({"add": 5}), 400, "invalid", json!("add")),
        (json!({"if": "seats ="}), 400, "invalid", json!("if")),
        (json!({"if": "seats = <n>", "with": {"m": 1}}), 400, "invalid", json!("n")),
        (json!({"set": {"accountId": "contoso"}}), 400, "invalid", Value::Null),
        (json!([1]), 400, "bad-body", Value::Null),
    ] {
        let problem = update(&world, OLGA, LICENSE, &[], body.clone()).await.problem(status, code);
        assert_eq!(problem["field"], field, "{body}: {problem}");
    }
    assert_eq!(world.client.get(OLGA, LICENSE).await.json(), after);
    // In a plain patch, a word of operators is an attribute.
    let plain = world.client.patch(OLGA, LICENSE, json!({"add": {"seats": 1}})).await.problem(422, "constraint");
    assert_eq!(plain["detail"], "`add` is not an attribute of License");
}

#[tokio::test]
async fn transactions_take_operators_beside_the_verb() {
    let world = platform().await;
    let before = world.client.get(OLGA, LICENSE).await.expect(200).json();
    let seats = before["seats"].as_i64().unwrap();
    let patch = |condition: &str| json!({"patch": {"License": {"accountId": "northwind", "licenseId": "nw-1"}}, "add": {"seats": 2}, "if": condition});
    let product = json!({"patch": {"Product": {"productId": "portal", "name": "Gate"}}});
    let failing = json!({"writes": [product, patch("seats > 100000")]});
    let problem = world.client.post(OLGA, "/v1/platform/transactions", failing).await.problem(409, "condition-not-met");
    assert_eq!(problem["field"], "writes[1].if");
    let product = json!({"patch": {"Product": {"productId": "portal"}}, "set": {"name": "Gate"}});
    let writes = json!({"writes": [product, patch("seats > 0")]});
    let made = world.client.post(OLGA, "/v1/platform/transactions", writes).await.expect(200).json();
    assert_eq!(
        (&made["items"][0]["item"]["name"], &made["items"][1]["item"]["seats"]),
        (&json!("Gate"), &json!(seats + 2))
    );
    for write in [
        json!({"create": {"Product": {"name": "x"}}, "add": {"seats": 1}}),
        json!({"delete": {"Product": {"productId": "portal"}}, "if": "name = x"}),
        json!({"patch": {"Product": {"productId": "portal"}}, "increase": {"seats": 1}}),
    ] {
        let problem = world.client.post(OLGA, "/v1/platform/transactions", json!({"writes": [write]})).await;
        problem.problem(400, "invalid");
    }
}

#[tokio::test]
async fn an_operator_with_a_key_is_applied_once_and_has_an_entry() {
    let world = World::with_change_records(&["platform"], ChangeRecordSettings::default()).await;
    let seats = world.client.get(OLGA, LICENSE).await.expect(200).json()["seats"].as_i64().unwrap();
    let body = json!({"add": {"seats": 1}});
    let key = [("idempotency-key", "k1")];
    let first = update(&world, OLGA, LICENSE, &key, body.clone()).await.expect(200);
    let again = update(&world, OLGA, LICENSE, &key, body.clone()).await.expect(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(world.client.get(OLGA, LICENSE).await.json()["seats"], seats + 1);
    // The same body as another media type is another request.
    let plain = [("idempotency-key", "k1"), ("content-type", "application/json")];
    let other = world.client.send(OLGA, Method::PATCH, LICENSE, &plain, body.to_string()).await;
    other.problem(422, "idempotency-mismatch");
    let entries = world.client.get(OLGA, "/v1/platform/audit?tenant=northwind&verb=patch").await.expect(200).json();
    assert_eq!(entries["items"].as_array().unwrap().len(), 1);
    let mut requests = Vec::new();
    for _ in 0..12 {
        requests.push(update(&world, OLGA, LICENSE, &[], json!({"add": {"seats": 1}})));
    }
    let done = futures_util::future::join_all(requests).await;
    let done = done.iter().filter(|answered| answered.status == 200).count();
    assert_eq!(world.client.get(OLGA, LICENSE).await.json()["seats"], seats + 1 + i64::try_from(done).unwrap());
    assert!(done > 0);
}

const DESIGN: &str = "
design: clinic
table: clinic
callers: {operators: role operator}
entities:
  Patient:
    PK: PATIENT#<patientId>
    SK: METADATA
    audit reads: yes
    attributes:
      patientId: string
      dose: integer, at least 0, default 0
      extra: map, optional
patterns:
  patient: PK = PATIENT#<patientId>
allow:
  - operators: everything
  - role nurse: get, update Patient
  - role writer: update Patient
";

#[tokio::test]
async fn an_unmet_condition_is_a_recorded_read() {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::custom(DESIGN, &[], setting).await;
    world.client.post(OLGA, "/v1/clinic/patients", json!({"patientId": "p", "dose": 3})).await.expect(201);
    let path = "/v1/clinic/patients/p";
    let body = json!({"add": {"dose": 1}, "if": "dose > 5"});
    let nurse = "subject=nia;role=nurse";
    let problem = update(&world, nurse, path, &[], body.clone()).await.problem(409, "condition-not-met");
    assert!(problem.get("current").is_none());
    let log = world.client.get(OLGA, "/v1/clinic/audit?verb=get").await.expect(200).json();
    let entries = log["items"].as_array().unwrap();
    assert_eq!(entries.len(), 1, "{log}");
    assert_eq!((&entries[0]["subject"], &entries[0]["identity"]), (&json!("nia"), &json!("p")));
    // Who may not read may not test, and learns nothing from the difference.
    let writer = "subject=wim;role=writer";
    let held = update(&world, writer, path, &[], json!({"add": {"dose": 1}, "if": "dose = 3"})).await;
    let unmet = update(&world, writer, path, &[], json!({"add": {"dose": 1}, "if": "dose = 4"})).await;
    assert_eq!((held.status, unmet.status), (http::StatusCode::NOT_FOUND, http::StatusCode::NOT_FOUND));
    assert_eq!(held.json()["detail"], unmet.json()["detail"]);
    let below = update(&world, writer, path, &[], json!({"subtract": {"dose": 4}})).await.problem(422, "constraint");
    assert_eq!(below["detail"], "the stored `dose` of Patient violates the design");
    // A map whose value looks like an operator is a value.
    let map = json!({"set": {"extra": {"add": {"dose": 1}, "if": "dose = 9"}}});
    let patched = update(&world, nurse, path, &[], map).await.expect(200).json();
    assert_eq!(patched["extra"], json!({"add": {"dose": 1}, "if": "dose = 9"}));
    assert_eq!(patched["dose"], 3);
}
