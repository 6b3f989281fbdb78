//! Names of designs that are not ASCII, in paths and headers.

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use serde_json::json;

use crate::over_sockets::world::{Setting, World};

const STREETS: &str = "
design: stadt
table: stadt
entities:
  Straße:
    plural: Straßen
    PK: STADT
    SK: STRASSE#<name>
    attributes: {name: string, version: version}
patterns:
  alle Straßen: PK = STADT
accept: {KF031 STADT: a town has few streets}
allow: [{signed in: everything}]
";
const ADA: &str = "subject=ada";
const PLURAL: &str = "/v1/stadt/stra%C3%9Fen";

async fn streets() -> World {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    World::custom(STREETS, &[], setting).await
}

#[tokio::test]
async fn the_address_of_a_created_item_is_percent_encoded() {
    let world = streets().await;
    let headers = [("content-type", "application/json"), ("idempotency-key", "k1")];
    let body = json!({"name": "Königsallee"}).to_string();
    for replayed in [false, true] {
        let created = world.client.send(ADA, Method::POST, PLURAL, &headers, body.clone()).await.expect(201);
        assert_eq!(created.headers.contains_key("idempotency-replayed"), replayed);
        assert_eq!(created.header("location"), "/v1/stadt/stra%C3%9Fen/K%C3%B6nigsallee");
        assert_eq!(created.header("etag"), "\"1\"");
    }
    let read = world.client.get(ADA, "/v1/stadt/stra%C3%9Fen/K%C3%B6nigsallee").await.expect(200);
    assert_eq!(read.json()["name"], "Königsallee");
    // Some clients send the path as it is.
    world.client.get(ADA, "/v1/stadt/straßen/Königsallee").await.expect(200);
}

#[tokio::test]
async fn a_page_links_to_the_next_one() {
    let world = streets().await;
    for name in ["Am Markt", "Domplatz"] {
        world.client.post(ADA, PLURAL, json!({ "name": name })).await.expect(201);
    }
    for path in ["/v1/stadt/patterns/alle-stra%C3%9Fen", "/v1/stadt/patterns/alle-straßen"] {
        let page = world.client.get(ADA, &format!("{path}?take=1")).await.expect(200);
        assert_eq!(page.json()["items"][0]["item"]["name"], "Am Markt");
        let link = page.header("link");
        let next = link.strip_prefix('<').and_then(|link| link.strip_suffix(">; rel=\"next\"")).unwrap();
        assert!(next.starts_with("/v1/stadt/patterns/alle-stra%C3%9Fen?"), "{next}");
        assert_eq!(world.client.get(ADA, next).await.expect(200).json()["items"][0]["item"]["name"], "Domplatz");
    }
}
