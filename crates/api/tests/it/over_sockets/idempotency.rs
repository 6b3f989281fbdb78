//! Requests that are sent again.

use http::Method;
use keyfold_api::Limits;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_dynamo::Attributes;
use serde_json::{Value, json};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
/// A user of the sample data whose role lets her write licenses.
const ADA: &str = "subject=ada;tenant=northwind";
const PRODUCTS: &str = "/v1/platform/products";
const PORTAL: &str = "/v1/platform/products/portal";
const LICENSES: &str = "/v1/platform/licenses";

async fn platform() -> World {
    World::with_change_records(&["platform"], ChangeRecordSettings::default()).await
}

fn license() -> Value {
    json!({"enterpriseId": "globex", "endDate": "2027-03-01", "seats": 5})
}

async fn send(world: &World, who: &str, key: &str, method: Method, path: &str, body: Value) -> Answered {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    world.client.send(who, method, path, &headers, body.to_string()).await
}

/// The same answer as before, which says that it is one.
#[track_caller]
fn assert_replayed(first: &Answered, again: &Answered) {
    assert_eq!(first.headers.get("idempotency-replayed"), None);
    assert_eq!(again.header("idempotency-replayed"), "true", "{again:?}");
    assert_eq!((again.status, &again.bytes), (first.status, &first.bytes));
    for name in ["etag", "location", "content-type", "cache-control", "vary"] {
        assert_eq!(again.headers.get(name), first.headers.get(name), "{name}");
    }
    assert_ne!(again.header("x-request-id"), first.header("x-request-id"));
}

fn answers(change_records: &[Attributes]) -> usize {
    change_records.iter().filter(|item| item["PK"].as_str().unwrap().starts_with("ONCE#")).count()
}

#[tokio::test]
async fn every_change_with_a_key_is_executed_once() {
    let world = platform().await;
    let writes = json!({"writes": [{"patch": {"Product": {"productId": "portal", "name": "Gate"}}},
        {"create": {"Product": {"productId": "sonar", "name": "Sonar"}}}]});
    let rows = [
        ("k1", Method::POST, LICENSES, license(), 201),
        ("k2", Method::PATCH, PORTAL, json!({"name": "Door"}), 200),
        ("k3", Method::PUT, "/v1/platform/products/radar", json!({"name": "Radar"}), 201),
        ("k4", Method::POST, "/v1/platform/transactions", writes, 200),
        ("k5", Method::DELETE, "/v1/platform/products/radar", json!(null), 204),
    ];
    for (key, method, path, body, status) in rows {
        let who = if path == LICENSES { ADA } else { OLGA };
        let first = send(&world, who, key, method.clone(), path, body.clone()).await.expect(status);
        let before = (world.stored("platform").await, world.change_records().await);
        let again = send(&world, who, key, method.clone(), path, body.clone()).await;
        assert_replayed(&first, &again);
        assert_eq!((world.stored("platform").await, world.change_records().await), before, "{method} {path}");
        // Another request with the key is a mistake, whatever is other about it.
        if method != Method::DELETE {
            let response = send(&world, who, key, method.clone(), path, json!({"name": "Other"})).await;
            let response = response.problem(422, "idempotency-mismatch");
            assert_eq!(response["detail"], "the Idempotency-Key was used for another request");
        }
        let response = send(&world, who, key, method.clone(), &format!("{path}?colour=red"), body).await;
        response.problem(422, "idempotency-mismatch");
        assert_eq!((world.stored("platform").await, world.change_records().await), before, "{method} {path}");
    }
    assert_eq!(answers(&world.change_records().await), 5);
}

#[tokio::test]
async fn a_precondition_is_part_of_the_request() {
    let world = platform().await;
    let patch = async |tag: &str| {
        let headers = [("content-type", "application/json"), ("idempotency-key", "k"), ("if-match", tag)];
        world.client.send(OLGA, Method::PATCH, PORTAL, &headers, r#"{"name":"Door"}"#).await
    };
    let tag = world.client.get(OLGA, PORTAL).await.expect(200).header("etag").to_owned();
    let first = patch(&tag).await.expect(200);
    assert_ne!(first.header("etag"), tag);
    // The version that it names is not the item's any more, and that is the change's own doing.
    assert_replayed(&first, &patch(&tag).await);
    patch("*").await.problem(422, "idempotency-mismatch");
}

#[tokio::test]
async fn idempotency_keys_belong_to_their_caller() {
    let world = platform().await;
    let create = async |who: &str, path: &str| {
        send(&world, who, "same", Method::POST, path, license()).await.expect(201).json()["licenseId"].clone()
    };
    let ada = create(ADA, LICENSES).await;
    let olga = create(OLGA, "/v1/platform/licenses?tenant=northwind").await;
    let elsewhere = create(OLGA, "/v1/platform/licenses?tenant=contoso").await;
    assert_ne!(ada, olga);
    assert_eq!(create(ADA, LICENSES).await, ada);
    assert_eq!(create(OLGA, "/v1/platform/licenses?tenant=contoso").await, elsewhere);
    assert_eq!(answers(&world.change_records().await), 3);
}

#[tokio::test]
async fn a_caller_who_lost_a_permission_gets_only_the_stored_response() {
    let world = platform().await;
    let first = send(&world, ADA, "k", Method::POST, LICENSES, license()).await.expect(201);
    world
        .client
        .patch(OLGA, "/v1/platform/permissions/administrator/licenses", json!({"actions": ["read"]}))
        .await
        .expect(200);
    assert_replayed(&first, &send(&world, ADA, "k", Method::POST, LICENSES, license()).await);
    for (key, body) in [("other", license()), ("k", json!({"seats": 1})), ("b a d", license())] {
        send(&world, ADA, key, Method::POST, LICENSES, body).await.problem(403, "not-allowed");
    }
}

#[tokio::test]
async fn failed_responses_are_not_stored() {
    let world = platform().await;
    let wrong = json!({"enterpriseId": "globex", "endDate": "2027-03-01", "seats": 0});
    send(&world, ADA, "k", Method::POST, LICENSES, wrong).await.problem(422, "constraint");
    let first = send(&world, ADA, "k", Method::POST, LICENSES, license()).await.expect(201);
    assert_replayed(&first, &send(&world, ADA, "k", Method::POST, LICENSES, license()).await);
}

#[tokio::test]
async fn stored_responses_expire_after_a_day() {
    let world = platform().await;
    let radar = || json!({"productId": "radar", "name": "Radar"});
    let first = send(&world, OLGA, "k", Method::POST, PRODUCTS, radar()).await.expect(201);
    world.clock.advance(24 * 60 * 60 * 1000 - 1000);
    assert_replayed(&first, &send(&world, OLGA, "k", Method::POST, PRODUCTS, radar()).await);
    world.clock.advance(1000);
    send(&world, OLGA, "k", Method::POST, PRODUCTS, radar()).await.problem(409, "exists");
    let sonar = json!({"productId": "sonar", "name": "Sonar"});
    assert_eq!(send(&world, OLGA, "k", Method::POST, PRODUCTS, sonar).await.expect(201).json()["name"], "Sonar");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_concurrent_copies_one_is_executed() {
    let world = platform().await;
    let before = world.stored("platform").await.len();
    let all = (0..16).map(|_| send(&world, ADA, "k", Method::POST, LICENSES, license()));
    let mut made = 0;
    let mut ids = std::collections::BTreeSet::new();
    for answered in futures_util::future::join_all(all).await {
        match answered.status.as_u16() {
            201 => {
                made += usize::from(!answered.headers.contains_key("idempotency-replayed"));
                ids.insert(answered.json()["licenseId"].to_string());
            }
            _ => {
                assert_eq!(answered.header("retry-after"), "1");
                answered.problem(409, "idempotency-in-progress");
            }
        }
    }
    assert_eq!((made, ids.len()), (1, 1));
    assert_eq!(world.stored("platform").await.len(), before + 1);
}

#[tokio::test]
async fn a_cascade_of_many_items_is_executed_once() {
    let world = platform().await;
    let client = &world.client;
    client.post(OLGA, "/v1/platform/accounts", json!({"accountId": "acme", "name": "Acme"})).await.expect(201);
    for batch in 0..4 {
        let create = |number: usize| {
            let id = format!("l{batch}-{number}");
            json!({"create": {"License": {"accountId": "acme", "licenseId": id, "enterpriseId": "globex",
                "endDate": "2027-03-01", "seats": 1}}})
        };
        let writes: Vec<Value> = (0..30).map(create).collect();
        client.post(OLGA, "/v1/platform/transactions", json!({ "writes": writes })).await.expect(200);
    }
    let place = "/v1/platform/accounts/acme?cascade=true";
    let first = send(&world, OLGA, "k", Method::DELETE, place, json!(null)).await.expect(204);
    assert_replayed(&first, &send(&world, OLGA, "k", Method::DELETE, place, json!(null)).await);
    send(&world, OLGA, "k2", Method::DELETE, place, json!(null)).await.problem(404, "not-found");
    let log = "/v1/platform/audit?tenant=acme&verb=delete";
    let accounts = client.get(OLGA, &format!("{log}&entity=Account")).await.expect(200).json();
    assert_eq!((&accounts["count"], &accounts["items"][0]["identity"]), (&json!(1), &json!("acme")));
    let (mut licenses, mut cursor) = (0, String::new());
    loop {
        let page = client.get(OLGA, &format!("{log}&entity=License&take=100{cursor}")).await.expect(200).json();
        licenses += page["count"].as_u64().unwrap();
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(licenses, 120, "one entry for each license that was deleted with the account");
}

#[tokio::test]
async fn invalid_keys_are_rejected() {
    let world = platform().await;
    let before = world.stored("platform").await;
    let body = || json!({"name": "Radar"});
    for key in ["", "with space", "é", &"k".repeat(256)] {
        let response = send(&world, OLGA, key, Method::POST, PRODUCTS, body()).await.problem(400, "idempotency-key");
        assert_eq!(response["detail"], "an Idempotency-Key has 1 to 255 visible characters");
    }
    let twice = [("content-type", "application/json"), ("idempotency-key", "a"), ("idempotency-key", "b")];
    let response = world.client.send(OLGA, Method::POST, PRODUCTS, &twice, body().to_string()).await;
    response.problem(400, "idempotency-key");
    send(&world, "", "k", Method::POST, PRODUCTS, body()).await.problem(401, "unauthenticated");
    assert_eq!(world.stored("platform").await, before);
    let off = World::with(&["platform"], Limits::default(), false).await;
    let response = send(&off, OLGA, "k", Method::POST, PRODUCTS, body()).await.problem(400, "idempotency-key");
    assert_eq!(response["detail"], "idempotency is off on this server: send the request without an Idempotency-Key");
    // Reading is repeatable as it is.
    let headers = [("idempotency-key", "k")];
    off.client.send(OLGA, Method::GET, PORTAL, &headers, "").await.expect(200);
}
