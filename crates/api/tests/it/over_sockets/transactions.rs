//! Several writes, all or none.

use keyfold_api::Limits;
use serde_json::{Value, json};

use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
const PATH: &str = "/v1/platform/transactions";

#[tokio::test]
async fn all_writes_of_a_transaction_are_executed() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let writes = json!({"writes": [
        {"create": {"Product": {"productId": "radar", "name": "Radar"}}},
        {"patch": {"Product": {"productId": "portal", "name": "Portal"}}, "version": 1},
        {"delete": {"Group": {"groupId": "none"}}}
    ]});
    // A group that is not there: nothing happens.
    world.client.post(OLGA, PATH, writes).await.problem(404, "not-found");
    world.client.get(OLGA, "/v1/platform/products/radar").await.problem(404, "not-found");
    let version = world.client.get(OLGA, "/v1/platform/products/portal").await.json()["version"].as_u64().unwrap();
    let writes = json!({"writes": [
        {"create": {"Product": {"productId": "radar", "name": "Radar"}}},
        {"patch": {"Product": {"productId": "portal", "name": "Portal"}}, "version": version},
        {"upsert": {"Product": {"productId": "vault", "name": "Vault"}}}
    ]});
    let made = world.client.post(OLGA, PATH, writes).await.expect(200).json();
    let names: Vec<&Value> = made["items"].as_array().unwrap().iter().map(|item| &item["item"]["name"]).collect();
    assert_eq!(names, ["Radar", "Portal", "Vault"]);
    assert_eq!(made["items"][0]["href"], "/v1/platform/products/radar");
}

#[tokio::test]
async fn one_denied_write_denies_the_transaction() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let before = world.stored("platform").await;
    let address = json!({"create": {"Address": {"addressId": "x", "street": "1", "postalCode": "1", "city": "C", "country": "DE"}}});
    let product = json!({"create": {"Product": {"name": "Radar"}}});
    let ada = "subject=ada;tenant=northwind";
    let response =
        world.client.post(ada, PATH, json!({"writes": [address, product]})).await.problem(403, "not-allowed");
    assert_eq!(response["field"], "writes[1]");
    world.client.post("", PATH, json!({"writes": [product]})).await.problem(401, "unauthenticated");
    for (body, field) in [
        (json!({}), "writes"),
        (json!({"writes": []}), "writes"),
        (json!({"writes": [product], "more": 1}), "writes"),
        (json!({"writes": [{"make": {}}]}), "writes[0]"),
        (json!({"writes": [product, {"create": {"Product": {}, "Group": {}}}]}), "writes[1].create"),
        (json!({"writes": [{"create": {"Nothing": {}}}]}), "writes[0].Nothing"),
        (json!({"writes": [{"create": {"Product": {}}, "version": 1}]}), "writes[0].version"),
        (json!({"writes": [{"delete": {"Product": {"productId": "x"}}, "version": "1"}]}), "writes[0].version"),
    ] {
        let response = world.client.post(OLGA, PATH, body).await.problem(400, "invalid");
        assert_eq!(response["field"], field);
    }
    let seats = json!({"patch": {"License": {"accountId": "northwind", "licenseId": "nw-1", "seats": 9_007_199_254_740_993i64}}});
    let response = world.client.post(OLGA, PATH, json!({"writes": [seats]})).await.problem(422, "constraint");
    assert_eq!(response["field"], "writes[0].seats");
    assert_eq!(world.stored("platform").await, before);
}

#[tokio::test]
async fn a_violated_rule_names_the_write_and_its_attribute() {
    let world = World::with(&["albums"], Limits::default(), false).await;
    let before = world.stored("albums").await;
    let tenant = json!({"create": {"Tenant": {"tenantId": "01K9ZV0000000000000000TEND", "name": "Fourth"}}});
    let user = |id: &str, email: &str| json!({"create": {"User": {"userId": id, "issuer": "https://id.example.com", "subject": id, "email": email, "name": "New"}}});
    let (zoe, yan) = ("01K9ZV00000000000000000ZZZ", "01K9ZV00000000000000000YYY");
    for (writes, field) in [
        // Found while the write is planned,
        (json!([tenant, user(zoe, "no address")]), "writes[1].email"),
        // by the table,
        (json!([tenant, user(zoe, "zoe@example.com"), user(yan, "ken@example.com")]), "writes[2].email"),
        // and between two writes of one call.
        (json!([user(zoe, "zoe@example.com"), user(yan, "zoe@example.com")]), "writes[1].email"),
    ] {
        let response = world.client.post(OLGA, "/v1/albums/transactions", json!({ "writes": writes })).await;
        let response = response.problem(422, "constraint");
        assert_eq!((&response["field"], &response["rule"]), (&json!(field), &json!("email")), "{response}");
    }
    assert_eq!(world.stored("albums").await, before);
}
