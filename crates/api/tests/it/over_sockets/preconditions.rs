//! If-Match and If-None-Match.

use http::Method;
use keyfold_api::Limits;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::{Value, json};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
const PRODUCT: &str = "/v1/platform/products/portal";

async fn send(world: &World, method: Method, headers: &[(&str, &str)], body: Value) -> Answered {
    let mut all = vec![("content-type", "application/json")];
    all.extend(headers);
    world.client.send(OLGA, method, PRODUCT, &all, body.to_string()).await
}

#[tokio::test]
async fn a_stale_version_is_rejected_with_the_current_item() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let version = world.client.get(OLGA, PRODUCT).await.expect(200).json()["version"].as_u64().unwrap();
    let (tag, stale) = (format!("\"{version}\""), format!("\"{}\"", version + 1));
    for (method, body) in
        [(Method::PATCH, json!({"name": "A"})), (Method::PUT, json!({"name": "A"})), (Method::DELETE, json!({}))]
    {
        let response = send(&world, method.clone(), &[("if-match", &stale)], body.clone())
            .await
            .problem(412, "precondition-failed");
        assert_eq!(response["current"]["version"], version, "{method} {response}");
        assert_eq!(response["detail"], format!("Product has version {version}, not {}", version + 1), "{method}");
        let weak = send(&world, method.clone(), &[("if-match", "W/\"x\"")], body.clone()).await;
        let response = weak.problem(412, "precondition-failed");
        assert_eq!(response["detail"], "If-Match never matches a weak tag (`W/\"…\"`)");
        let response = send(&world, method, &[("if-match", "2")], body).await.problem(400, "invalid");
        assert_eq!(response["detail"], "If-Match takes a tag in quotes: `\"2\"`");
    }
    let patched = send(&world, Method::PATCH, &[("if-match", &tag)], json!({"name": "A"})).await.expect(200);
    let counted = format!("\"{}-{}\"", version + 1, patched.json()["enterpriseCount"]);
    assert_eq!(patched.header("etag"), counted);
    let replaced = send(&world, Method::PUT, &[("if-match", &stale)], json!({"name": "B"})).await.expect(200);
    assert_eq!(replaced.json()["name"], "B");
    assert_eq!(replaced.json()["version"], version + 2);
    send(&world, Method::DELETE, &[("if-match", &tag)], json!({})).await.problem(412, "precondition-failed");
}

#[tokio::test]
async fn a_put_may_require_that_the_item_exists_or_does_not() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let body = || json!({"name": "Radar"});
    let put = |path: &'static str, name: &'static str| {
        let headers = [("content-type", "application/json"), (name, "*")];
        let client = &world.client;
        async move { client.send(OLGA, Method::PUT, path, &headers, body().to_string()).await }
    };
    put("/v1/platform/products/radar", "if-match").await.problem(412, "precondition-failed");
    put("/v1/platform/products/radar", "if-none-match").await.expect(201);
    put("/v1/platform/products/radar", "if-none-match").await.problem(412, "precondition-failed");
    put("/v1/platform/products/radar", "if-match").await.expect(200);
}

#[tokio::test]
async fn a_conditional_put_replaces_the_whole_item() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let place = "/v1/platform/licenses/nw-3?tenant=northwind";
    let before = world.client.get(OLGA, place).await.expect(200);
    assert_eq!(before.json()["note"], "Renewed by phone");
    let body = json!({"enterpriseId": "initech", "endDate": "2027-12-31", "seats": 1}).to_string();
    let headers = [("content-type", "application/json"), ("if-match", before.header("etag"))];
    let after = world.client.send(OLGA, Method::PUT, place, &headers, body).await.expect(200).json();
    let mut expected = before.json();
    expected.as_object_mut().unwrap().remove("note");
    (expected["endDate"], expected["seats"], expected["version"]) = (json!("2027-12-31"), json!(1), json!(2));
    assert_eq!(after, expected);
}

#[tokio::test]
async fn if_none_match_with_the_current_version_is_not_modified() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let read = world.client.get(OLGA, PRODUCT).await.expect(200);
    let tag = read.header("etag");
    for known in [tag, "*", &format!("\"x\", W/{tag}")] {
        let response = world.client.send(OLGA, Method::GET, PRODUCT, &[("if-none-match", known)], "").await.expect(304);
        assert_eq!(response.header("etag"), tag);
        assert_eq!(response.bytes.len(), 0);
    }
    world.client.send(OLGA, Method::GET, PRODUCT, &[("if-none-match", "\"x\"")], "").await.expect(200);
    // What has no version has a weak tag, which changes with it and cannot be demanded.
    let permission = "/v1/platform/permissions/administrator/licenses";
    let tag = world.client.get(OLGA, permission).await.expect(200).header("etag").to_owned();
    assert!(tag.starts_with("W/\"") && tag.len() == 20, "{tag}");
    world.client.send(OLGA, Method::GET, permission, &[("if-none-match", &tag)], "").await.expect(304);
    let changed = world.client.patch(OLGA, permission, json!({"actions": ["read"]})).await.expect(200);
    assert_ne!(changed.header("etag"), tag);
    let headers = [("content-type", "application/json"), ("if-match", tag.as_str())];
    world.client.send(OLGA, Method::PATCH, permission, &headers, "{}").await.problem(400, "invalid");
}

#[tokio::test]
async fn a_counter_that_changed_makes_another_tag_of_the_same_version() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let before = world.client.get(OLGA, PRODUCT).await.expect(200);
    let tag = before.header("etag");
    let link = json!({"enterpriseId": "initech", "productId": "portal"});
    world.client.post(OLGA, "/v1/platform/enterprise-products", link).await.expect(201);
    let after = world.client.send(OLGA, Method::GET, PRODUCT, &[("if-none-match", tag)], "").await.expect(200);
    assert_eq!(after.json()["version"], before.json()["version"]);
    assert_ne!(after.json()["enterpriseCount"], before.json()["enterpriseCount"]);
    assert_ne!(after.header("etag"), tag);
    // A change is for a version, whatever the counters are.
    send(&world, Method::PATCH, &[("if-match", tag)], json!({"name": "A"})).await.expect(200);
    send(&world, Method::PATCH, &[("if-match", tag)], json!({"name": "B"})).await.problem(412, "precondition-failed");
}

#[tokio::test]
async fn where_versions_are_required_a_change_without_one_is_rejected() {
    let world = World::with(&["platform"], Limits::default(), true).await;
    for (method, body) in
        [(Method::PATCH, json!({"name": "A"})), (Method::PUT, json!({"name": "A"})), (Method::DELETE, json!({}))]
    {
        send(&world, method, &[], body).await.problem(428, "precondition-required");
    }
    send(&world, Method::PATCH, &[("if-match", "*")], json!({"name": "A"})).await.expect(200);
    // Permissions have no version.
    world
        .client
        .patch(OLGA, "/v1/platform/permissions/administrator/licenses", json!({"actions": ["read"]}))
        .await
        .expect(200);
}

#[tokio::test]
async fn a_patch_of_a_missing_item_names_no_identity() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let headers = [("content-type", "application/json")];
    let absent = world.client.send(OLGA, Method::PATCH, "/v1/platform/products/none", &headers, "{}".to_owned()).await;
    assert_eq!(absent.problem(404, "not-found")["detail"], "Product not found");
}

#[tokio::test]
async fn an_empty_patch_changes_nothing() {
    let world = World::with_change_records(&["platform"], ChangeRecordSettings::default()).await;
    let before = world.client.get(OLGA, PRODUCT).await.expect(200);
    let (stored, records) = (world.stored("platform").await, world.change_records().await);
    let tag = before.header("etag").to_owned();
    for headers in [&[][..], &[("if-match", tag.as_str())], &[("if-match", "*")]] {
        let patched = send(&world, Method::PATCH, headers, json!({})).await.expect(200);
        assert_eq!((patched.json(), patched.header("etag")), (before.json(), tag.as_str()));
    }
    let response =
        send(&world, Method::PATCH, &[("if-match", "\"9\"")], json!({})).await.problem(412, "precondition-failed");
    assert_eq!(response["current"], before.json());
    let absent = "/v1/platform/products/none";
    world.client.patch(OLGA, absent, json!({})).await.problem(404, "not-found");
    let ada = "subject=ada;tenant=northwind";
    world.client.patch(ada, PRODUCT, json!({})).await.problem(403, "not-allowed");
    assert_eq!(world.stored("platform").await, stored);
    let allowed = |records: &[Attributes]| {
        records.iter().filter(|record| record.get("outcome") == Some(&AttributeValue::S("allowed".to_owned()))).count()
    };
    assert_eq!(allowed(&world.change_records().await), allowed(&records));
}

#[tokio::test]
async fn an_empty_patch_in_a_transaction_only_requires_its_item() {
    let world = World::with_change_records(&["platform"], ChangeRecordSettings::default()).await;
    let before = world.client.get(OLGA, PRODUCT).await.expect(200).json();
    let entries = world.change_records().await.len();
    let transact = |version: u64, product: &str| {
        let patch = json!({"patch": {"Product": {"productId": "portal"}}, "version": version});
        let create = json!({"create": {"Product": {"productId": product, "name": "Radar"}}});
        world.client.post(OLGA, "/v1/platform/transactions", json!({"writes": [patch, create]}))
    };
    let version = before["version"].as_u64().unwrap();
    let made = transact(version, "radar").await.expect(200).json();
    assert_eq!((&made["items"][0]["item"], &made["items"][1]["item"]["name"]), (&before, &json!("Radar")));
    assert_eq!(world.client.get(OLGA, PRODUCT).await.expect(200).json(), before);
    assert_eq!(world.change_records().await.len(), entries + 1);
    transact(version + 1, "sonar").await.problem(409, "conflict");
    world.client.get(OLGA, "/v1/platform/products/sonar").await.problem(404, "not-found");
}
