//! One item: created, read, replaced, patched, deleted.

use keyfold_api::Limits;
use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{AttributeDefinition, KeySchemaElement};
use serde_json::json;

use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
/// A user of the sample data whose role lets her write licenses.
const ADA: &str = "subject=ada;tenant=northwind";

async fn platform() -> World {
    World::with(&["platform"], Limits::default(), false).await
}

#[tokio::test]
async fn an_item_is_created_read_patched_replaced_and_deleted() {
    let world = platform().await;
    let client = &world.client;
    let created =
        client.post(OLGA, "/v1/platform/accounts", json!({"accountId": "acme", "name": "Acme"})).await.expect(201);
    assert_eq!(created.header("location"), "/v1/platform/accounts/acme");
    assert_eq!(created.header("etag"), "\"1-0-0\"", "the version and the counters");
    let now = "2026-01-01T00:00:00.000Z";
    let account = json!({
        "accountId": "acme", "name": "Acme", "status": "active", "userCount": 0, "roleCount": 0,
        "createdAt": now, "updatedAt": now, "version": 1
    });
    assert_eq!(created.json(), account);

    let license =
        json!({"licenseId": "l 1/é", "enterpriseId": "globex", "endDate": "2026-03-01", "seats": 5, "note": "x"});
    let created = client.post(OLGA, "/v1/platform/licenses?tenant=acme", license).await.expect(201);
    let place = created.header("location").to_owned();
    assert_eq!(place, "/v1/platform/licenses/l%201%2F%C3%A9?tenant=acme");
    let read = client.get(OLGA, &place).await.expect(200);
    let mut expected = json!({
        "accountId": "acme", "licenseId": "l 1/é", "enterpriseId": "globex", "status": "active",
        "endDate": "2026-03-01", "seats": 5, "note": "x", "createdAt": now, "updatedAt": now, "version": 1
    });
    assert_eq!(read.json(), expected);
    assert_eq!(read.header("etag"), "\"1\"");
    assert_eq!(read.header("content-type"), "application/json");

    let patched = client.patch(OLGA, &place, json!({"seats": 6, "note": null})).await.expect(200);
    expected["seats"] = json!(6);
    expected["version"] = json!(2);
    expected.as_object_mut().unwrap().remove("note");
    assert_eq!(patched.json(), expected);
    assert_eq!(patched.header("etag"), "\"2\"");

    let body = json!({"enterpriseId": "globex", "endDate": "2026-04-01", "seats": 7});
    let replaced = client.put(OLGA, &place, body).await.expect(200);
    (expected["seats"], expected["endDate"], expected["version"]) = (json!(7), json!("2026-04-01"), json!(3));
    assert_eq!(replaced.json(), expected);

    let gone = client.delete(OLGA, &place).await.expect(204);
    assert_eq!(gone.bytes.len(), 0);
    client.get(OLGA, &place).await.problem(404, "not-found");
    client.delete(OLGA, &place).await.problem(404, "not-found");
    client.delete(OLGA, "/v1/platform/accounts/acme").await.expect(204);
    world.stop().await;
}

#[tokio::test]
async fn a_put_of_an_absent_item_creates_it() {
    let world = platform().await;
    let put = world.client.put(OLGA, "/v1/platform/products/radar", json!({"name": "Radar"})).await.expect(201);
    assert_eq!(put.header("location"), "/v1/platform/products/radar");
    let again = world.client.put(OLGA, "/v1/platform/products/radar", json!({"name": "Sonar"})).await.expect(200);
    assert_eq!(again.json()["name"], "Sonar");
    assert_eq!(again.json()["version"], 2);
}

#[tokio::test]
async fn an_id_of_dots_does_not_change_the_path() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    for (id, place) in [(".", "/v1/platform/products/%2E"), ("..", "/v1/platform/products/%2E%2E")] {
        let product = json!({"productId": id, "name": "Dots"});
        let created = world.client.post(OLGA, "/v1/platform/products", product).await.expect(201);
        assert_eq!(created.header("location"), place);
        assert_eq!(world.client.get(OLGA, place).await.expect(200).json()["productId"], id);
    }
}

#[tokio::test]
async fn members_have_their_own_tenant_and_no_other() {
    let world = platform().await;
    let client = &world.client;
    let own = client.get(ADA, "/v1/platform/addresses/hq").await.expect(200);
    assert_eq!(own.json()["accountId"], "northwind");
    assert_eq!(
        client.get("subject=joan;tenant=contoso", "/v1/platform/addresses/hq").await.expect(200).json()["accountId"],
        "contoso"
    );
    // Another tenant's item, and one that never was, are told in the same words.
    let foreign = client.get(ADA, "/v1/platform/licenses/ct-1").await.problem(404, "not-found");
    let never = client.get(ADA, "/v1/platform/licenses/never").await.problem(404, "not-found");
    assert_eq!(foreign["detail"], never["detail"]);
    client.get(ADA, "/v1/platform/licenses/ct-1?tenant=contoso").await.problem(404, "not-found");
    client.get(ADA, "/v1/platform/licenses/nw-1?tenant=northwind").await.expect(200);
    client.get(ADA, "/v1/platform/accounts/contoso").await.problem(404, "not-found");
    let response = client.get(OLGA, "/v1/platform/licenses/nw-1").await.problem(400, "bad-parameter");
    assert_eq!(response["detail"], "License belongs to a tenant: state it with `?tenant=`");
    assert_eq!(response["field"], "tenant");
}

#[tokio::test]
async fn a_violated_rule_is_reported_with_its_field() {
    let world = platform().await;
    let client = &world.client;
    let create = |body| client.post(OLGA, "/v1/platform/licenses?tenant=northwind", body);
    let response =
        create(json!({"enterpriseId": "globex", "endDate": "2026-03-01", "seats": 0})).await.problem(422, "constraint");
    assert_eq!(
        (&response["field"], &response["detail"]),
        (&json!("seats"), &json!("`seats` must be at least 1 but is `0`"))
    );
    let response = create(json!({"enterpriseId": "globex", "endDate": "2026-03-01"})).await.problem(422, "constraint");
    assert_eq!((&response["field"], &response["detail"]), (&json!("seats"), &json!("`seats` of License is required")));
    let response = create(json!({"enterpriseId": "globex", "endDate": "2026-03-01", "seats": 1, "colour": "red"}))
        .await
        .problem(422, "constraint");
    assert_eq!(
        (&response["field"], &response["detail"]),
        (&json!("colour"), &json!("`colour` is not an attribute of License"))
    );
    let response =
        create(json!({"enterpriseId": "globex", "endDate": "2026-03-01", "startDate": "2026-04-01", "seats": 1}))
            .await
            .problem(422, "constraint");
    assert_eq!(response["rule"], "a license ends after it starts");
    let response =
        create(json!({"enterpriseId": "nobody", "endDate": "2026-03-01", "seats": 1})).await.problem(422, "constraint");
    assert_eq!(response["field"], "enterpriseId");
    let response = create(json!({"licenseId": "nw-1", "enterpriseId": "globex", "endDate": "2026-03-01", "seats": 1}))
        .await
        .problem(409, "exists");
    assert_eq!(response["detail"], "License accountId=northwind, licenseId=nw-1 already exists");
    let response =
        create(json!({"enterpriseId": "globex", "endDate": "2026-03-01", "seats": 9_007_199_254_740_993i64}))
            .await
            .problem(422, "constraint");
    assert_eq!(response["field"], "seats");
}

#[tokio::test]
async fn a_delete_cascades_only_on_request() {
    let world = platform().await;
    let client = &world.client;
    client.post(OLGA, "/v1/platform/accounts", json!({"accountId": "acme", "name": "Acme"})).await.expect(201);
    let license = json!({"licenseId": "l1", "enterpriseId": "globex", "endDate": "2026-03-01", "seats": 5});
    client.post(OLGA, "/v1/platform/licenses?tenant=acme", license).await.expect(201);
    let response = client.delete(OLGA, "/v1/platform/accounts/acme").await.problem(422, "constraint");
    assert_eq!(response["rule"], "License.accountId");
    client.delete(OLGA, "/v1/platform/accounts/acme?cascade=perhaps").await.problem(400, "bad-parameter");
    client.delete(OLGA, "/v1/platform/accounts/acme?cascade=true").await.expect(204);
    client.get(OLGA, "/v1/platform/licenses/l1?tenant=acme").await.problem(404, "not-found");
}

#[tokio::test]
async fn body_and_address_cannot_contradict_each_other() {
    let world = platform().await;
    let response =
        world.client.put(OLGA, "/v1/platform/products/radar", json!({"productId": "sonar", "name": "R"})).await;
    assert_eq!(response.problem(400, "invalid")["field"], "productId");
    let response = world.client.patch(OLGA, "/v1/platform/products/portal", json!({"productId": "sonar"})).await;
    assert_eq!(response.problem(400, "invalid")["detail"], "`productId` in the body differs from the one in the path");
    world
        .client
        .patch(OLGA, "/v1/platform/products/portal", json!({"productId": "portal", "name": "P"}))
        .await
        .expect(200);
}

#[tokio::test]
async fn singletons_have_the_address_of_the_collection() {
    let world = World::with(&["archive"], Limits::default(), false).await;
    let who = "subject=olga;role=admin";
    let read = world.client.get(who, "/v1/archive/settings").await.expect(200);
    let settings = json!({"language": "da", "name": "Archive of the islands", "pageSize": 50, "version": 1});
    assert_eq!(read.json(), settings);
    let patched = world.client.patch(who, "/v1/archive/settings", json!({"pageSize": 20, "theme": "dark"})).await;
    assert_eq!(patched.expect(200).json()["theme"], "dark");
    // A replacement of an open item leaves nothing of what was there.
    let headers = [("content-type", "application/json"), ("if-match", "\"2\"")];
    let body = json!({"name": "Archive"}).to_string();
    let replaced = world.client.send(who, http::Method::PUT, "/v1/archive/settings", &headers, body).await.expect(200);
    let replaced = replaced.json();
    assert_eq!((&replaced["theme"], &replaced["name"]), (&serde_json::Value::Null, &json!("Archive")));
    assert_eq!(replaced["version"], 3);
}

#[tokio::test]
async fn derived_items_are_read_only() {
    let world = World::with(&["catalogue"], Limits::default(), false).await;
    let who = "subject=olga;role=SuperAdmin";
    let refused = world.client.put(who, "/v1/catalogue/site-tags/a/b", json!({})).await;
    assert_eq!(refused.header("allow"), "GET,HEAD");
    refused.problem(405, "method-not-allowed");
    world.client.post(who, "/v1/catalogue/site-tags", json!({})).await.problem(404, "not-found");
}

#[tokio::test]
async fn unknown_addresses_are_not_found() {
    let world = platform().await;
    for path in ["/", "/v1/platform/openapi.json", "/v1/platform/docs", "/healthz", "/readyz", "/problems/not-found"] {
        world.client.get("", path).await.expect(200);
    }
    for path in [
        "/v1",
        "/v2/platform",
        "/v1/nothing/licenses",
        "/v1/platform/nothing",
        "/problems/none",
        "/v1/platform/licenses/a/b",
    ] {
        world.client.get(OLGA, path).await.problem(404, "not-found");
    }
    for path in ["/v1/platform/products/%FF", "/v1/platform/products/a%23b"] {
        world.client.get(OLGA, path).await.problem(404, "not-found");
    }
    world.client.get(OLGA, "/v1/platform/products/portal?colour=red").await.problem(400, "bad-parameter");
}

#[tokio::test]
async fn a_table_that_rejects_a_read_is_not_an_absent_item() {
    let world = platform().await;
    let (design, backend) = world.design("platform");
    world.client.get(OLGA, "/v1/platform/accounts/northwind").await.expect(200);
    // No key can hold such an id: there is no such account.
    let long = "x".repeat(1500);
    world.client.get(OLGA, &format!("/v1/platform/accounts/{long}")).await.problem(404, "not-found");
    // The table of that name now has other keys.
    let table = CreateTableInput { global_indexes: None, ..design.create_table() };
    backend.delete_table(table.table_name.clone()).await.unwrap();
    let other = |name: String| format!("OTHER_{name}");
    let is_key = |name: &str| table.key_schema.iter().any(|key| key.name == name);
    let definitions = table.attribute_definitions.iter().filter(|each| is_key(&each.name)).cloned();
    let attribute_definitions =
        definitions.map(|each| AttributeDefinition { name: other(each.name), ..each }).collect();
    let keys = table.key_schema.iter().cloned();
    let key_schema = keys.map(|key| KeySchemaElement { name: other(key.name), ..key }).collect();
    backend.create_table(CreateTableInput { attribute_definitions, key_schema, ..table }).await.unwrap();
    world.client.get(OLGA, "/v1/platform/accounts/northwind").await.problem(503, "unavailable");
}

#[tokio::test]
async fn cascade_is_rejected_where_the_design_does_not_offer_it() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let before = world.stored("platform").await;
    let detail = "`cascade` does not apply to Product: the design does not say `delete: cascade when asked`";
    let response = world.client.delete(OLGA, "/v1/platform/products/portal?cascade=true").await;
    let response = response.problem(400, "bad-parameter");
    assert_eq!((&response["field"], &response["detail"]), (&json!("cascade"), &json!(detail)));
    let writes = json!({"writes": [{"delete": {"Product": {"productId": "portal"}}, "cascade": true}]});
    let response = world.client.post(OLGA, "/v1/platform/transactions", writes).await.problem(400, "invalid");
    assert_eq!((&response["field"], &response["detail"]), (&json!("writes[0].cascade"), &json!(detail)));
    assert_eq!(world.stored("platform").await, before);
}
