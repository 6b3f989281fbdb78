//! Items that other programs wrote, with values of kinds that their attributes never have.

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::{Value, json};

use crate::over_sockets::world::{Setting, World};

const DESIGN: &str = "
design: depot
table: depot
tenant: accountId
callers: {operators: role operator, members: tenant}
entities:
  Crate:
    scope: tenant
    PK: CRATE#<crateId>
    SK: CRATE
    attributes:
      accountId: string
      crateId: string
      weight: number, optional
      note: string, optional
  Box:
    scope: tenant
    PK: ACCOUNT#<accountId>
    SK: BOX#<boxId>
    open: yes
    attributes:
      accountId: string
      boxId: string
      weight: number, optional
patterns:
  boxes: PK = ACCOUNT#<accountId>
allow:
  - operators: everything
  - members: everything
accept:
  KF047 Crate: crates are found by their numbers
  KF075 Crate: the numbers are printed on the crates
";
const ADA: &str = "subject=ada;tenant=acme";
const OLGA: &str = "subject=olga;role=operator";

/// With a crate and a box of one tenant, whose weights are no numbers.
async fn depot() -> World {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::custom(DESIGN, &[], setting).await;
    write(&world, &[("PK", "CRATE#c1"), ("SK", "CRATE"), ("accountId", "acme"), ("crateId", "c1")]).await;
    write(&world, &[("PK", "ACCOUNT#acme"), ("SK", "BOX#b1"), ("accountId", "acme"), ("boxId", "b1")]).await;
    world
}

async fn write(world: &World, item: &[(&str, &str)]) {
    let texts = item.iter().chain(&[("weight", "heavy")]);
    let item: Attributes =
        texts.map(|(name, text)| ((*name).to_owned(), AttributeValue::S((*text).to_owned()))).collect();
    let input = PutItemInput { table_name: "depot".to_owned(), item, ..PutItemInput::default() };
    world.designs[0].1.put_item(input).await.unwrap();
}

#[tokio::test]
async fn a_put_mends_an_item_with_a_value_of_another_kind() {
    let world = depot().await;
    for (path, id) in [("/v1/depot/crates/c1", "crateId"), ("/v1/depot/boxes/b1", "boxId")] {
        let problem = world.client.get(ADA, path).await.problem(422, "undecodable");
        let cause = "`weight` must be a number but is stored as S";
        assert!(problem["detail"].as_str().unwrap().ends_with(cause), "{problem}");
        let put = world.client.put(ADA, path, json!({"weight": 5})).await.expect(200).json();
        assert_eq!(put, json!({"accountId": "acme", id: path.rsplit('/').next().unwrap(), "weight": 5}));
        world.client.get(ADA, path).await.expect(200);
    }
    // The same on condition that there is an item: those of open entities are read before.
    write(&world, &[("PK", "ACCOUNT#acme"), ("SK", "BOX#b2"), ("accountId", "acme"), ("boxId", "b2")]).await;
    let headers = [("content-type", "application/json"), ("if-match", "*")];
    let body = json!({"weight": 6}).to_string();
    let put = world.client.send(ADA, Method::PUT, "/v1/depot/boxes/b2", &headers, body).await.expect(200);
    assert_eq!(put.json()["weight"], 6);
}

#[tokio::test]
async fn the_delete_of_such_an_item_by_an_operator_is_in_the_log_of_its_tenant() {
    let world = depot().await;
    world.client.delete(OLGA, "/v1/depot/crates/c1").await.expect(204);
    let log = world.client.get(OLGA, "/v1/depot/audit?tenant=acme").await.expect(200).json();
    let entries: Vec<Value> =
        log["items"].as_array().unwrap().iter().map(|entry| json!([entry["verb"], entry["identity"]])).collect();
    assert_eq!(entries, [json!(["delete", "c1"])]);
}

#[tokio::test]
async fn a_page_reports_the_items_that_it_leaves_out() {
    let world = depot().await;
    world.client.put(ADA, "/v1/depot/boxes/b2", json!({"weight": 5})).await.expect(201);
    let page = world.client.get(ADA, "/v1/depot/patterns/boxes").await.expect(200).json();
    assert_eq!((&page["count"], &page["items"][0]["item"]["boxId"]), (&json!(1), &json!("b2")));
    let problem = json!({
        "key": {"PK": "ACCOUNT#acme", "SK": "BOX#b1"}, "expected": "Box",
        "detail": "`weight` must be a number but is stored as S"
    });
    assert_eq!(page["problems"], json!([problem]));
    world.client.put(ADA, "/v1/depot/boxes/b1", json!({"weight": 5})).await.expect(200);
    let page = world.client.get(ADA, "/v1/depot/patterns/boxes").await.expect(200).json();
    assert_eq!((&page["count"], page.get("problems")), (&json!(2), None));
}
