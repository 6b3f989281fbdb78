//! Permission to write is not permission to read: what writes return, and what their errors show.

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use serde_json::{Value, json};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{Setting, World};

/// A mailbox: everyone writes letters, their owner reads them.
const MAIL: &str = "
design: mail
table: mail
entities:
  Letter:
    owner: to
    PK: LETTER#<letterId>
    SK: METADATA
    must hold:
      \"a stamp pays for the weight\": stamp >= weight
    attributes:
      letterId: string
      to: string
      text: string, optional
      stamp: integer
      weight: integer
      note: string, optional, visible to role auditor
      version: version
  Slip:
    PK: SLIP#<slipId>
    SK: METADATA
    attributes: {slipId: string, text: string}
callers: {operators: role operator}
allow:
  - operators: everything
  - role reader: read Letter, Slip
  - the owner: read Letter
  - signed in: create, update Letter, Slip
";
const OLGA: &str = "subject=olga;role=operator";
const EVE: &str = "subject=eve";
const LETTERS: &str = "/v1/mail/letters";
const LETTER: &str = "/v1/mail/letters/l1";

async fn mail() -> World {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::custom(MAIL, &[], setting).await;
    let letter = json!({"letterId": "l1", "to": "bob", "text": "secret", "stamp": 9, "weight": 7, "note": "n"});
    world.client.post(OLGA, LETTERS, letter).await.expect(201);
    world.client.post(OLGA, "/v1/mail/slips", json!({"slipId": "s1", "text": "secret"})).await.expect(201);
    world
}

/// A response with a version and an address, and nothing of the item.
#[track_caller]
fn assert_bare(response: &Answered, status: u16, version: Option<&str>, location: Option<&str>) {
    assert_eq!(response.status.as_u16(), status, "{response:?}");
    assert_eq!(response.bytes, "", "{response:?}");
    assert_eq!(response.headers.get("content-type"), None);
    assert_eq!(response.headers.get("etag").map(|tag| tag.to_str().unwrap()), version);
    assert_eq!(response.headers.get("location").map(|place| place.to_str().unwrap()), location);
    assert_eq!(response.header("cache-control"), "private, no-cache");
}

#[tokio::test]
async fn a_writer_who_may_not_read_gets_version_and_location() {
    let world = mail().await;
    world.client.get(EVE, LETTER).await.problem(404, "not-found");
    assert_bare(&world.client.patch(EVE, LETTER, json!({})).await, 200, Some("\"1\""), None);
    assert_bare(&world.client.patch(EVE, LETTER, json!({"stamp": 8})).await, 200, Some("\"2\""), None);
    let whole = json!({"to": "bob", "stamp": 8, "weight": 7});
    assert_bare(&world.client.put(EVE, LETTER, whole).await, 200, Some("\"3\""), None);
    let new = json!({"letterId": "l2", "to": "bob", "stamp": 8, "weight": 7});
    assert_bare(&world.client.post(EVE, LETTERS, new).await, 201, Some("\"1\""), Some("/v1/mail/letters/l2"));
    // A weak tag is a hash of the content.
    assert_bare(&world.client.patch(EVE, "/v1/mail/slips/s1", json!({})).await, 200, None, None);
    // Who may read gets the item, without what is hidden from them.
    let read = world.client.patch("subject=bob", LETTER, json!({})).await.expect(200);
    assert_eq!(read.json(), json!({"letterId": "l1", "to": "bob", "stamp": 8, "weight": 7, "version": 3}));
    let mine = json!({"letterId": "l3", "to": "eve", "stamp": 8, "weight": 7});
    assert_eq!(world.client.post(EVE, LETTERS, mine).await.expect(201).json()["to"], "eve");
}

#[tokio::test]
async fn a_transaction_returns_items_as_far_as_the_caller_may_read_them() {
    let world = mail().await;
    let writes = json!({"writes": [
        {"patch": {"Letter": {"letterId": "l1", "stamp": 8}}},
        {"create": {"Letter": {"letterId": "l2", "to": "eve", "stamp": 8, "weight": 7}}},
        {"patch": {"Slip": {"slipId": "s1"}}},
    ]});
    let done = world.client.post(EVE, "/v1/mail/transactions", writes).await.expect(200).json();
    assert_eq!(
        done,
        json!({"items": [
            {"type": "Letter", "href": "/v1/mail/letters/l1", "item": null, "version": 2},
            {"type": "Letter", "href": "/v1/mail/letters/l2",
                "item": {"letterId": "l2", "to": "eve", "stamp": 8, "weight": 7, "version": 1}},
            {"type": "Slip", "href": "/v1/mail/slips/s1", "item": null, "version": null},
        ]})
    );
}

#[tokio::test]
async fn errors_show_no_value_that_the_caller_may_not_read() {
    let world = mail().await;
    let light = json!({"stamp": 1});
    let refused = world.client.patch(EVE, LETTER, light.clone()).await.problem(422, "constraint");
    assert_eq!(refused["detail"], "Letter violates \"a stamp pays for the weight\" (stamp=1)");
    let refused = world.client.patch("subject=bob", LETTER, light).await.problem(422, "constraint");
    assert_eq!(refused["detail"], "Letter violates \"a stamp pays for the weight\" (stamp=1, weight=7)");
    let headers = [("content-type", "application/json"), ("if-match", "\"9\"")];
    let stale = |who: &'static str| world.client.send(who, Method::PATCH, LETTER, &headers, "{\"stamp\": 8}");
    let refused = stale(EVE).await.problem(412, "precondition-failed");
    assert_eq!(refused.get("current"), None);
    assert_eq!(refused["detail"], "Letter letterId=l1 was changed by someone else");
    let refused = stale("subject=bob").await.problem(412, "precondition-failed");
    assert_eq!(refused["detail"], "Letter has version 1, not 9");
    let current = json!({"letterId": "l1", "to": "bob", "text": "secret", "stamp": 9, "weight": 7, "version": 1});
    assert_eq!(refused["current"], current);
}

#[tokio::test]
async fn a_replay_shows_what_its_caller_may_still_read() {
    let world = mail().await;
    let send = |who: &'static str, key: &'static str, method: Method, path: &'static str, body: Value| {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        let (client, body) = (&world.client, body.to_string());
        async move { client.send(who, method, path, &headers, body).await }
    };
    let (reader, auditor) = ("subject=eve;role=reader", "subject=eve;role=reader;role=auditor");
    let patch = json!({"note": "m"});
    let first = send(auditor, "k1", Method::PATCH, LETTER, patch.clone()).await.expect(200);
    assert_eq!(first.json()["note"], "m");
    let again = send(auditor, "k1", Method::PATCH, LETTER, patch.clone()).await.expect(200);
    assert_eq!((again.header("idempotency-replayed"), &again.bytes), ("true", &first.bytes));
    let fewer = send(reader, "k1", Method::PATCH, LETTER, patch.clone()).await.expect(200);
    let seen = json!({"letterId": "l1", "to": "bob", "text": "secret", "stamp": 9, "weight": 7, "version": 2});
    assert_eq!((fewer.header("idempotency-replayed"), fewer.json()), ("true", seen));
    let none = send(EVE, "k1", Method::PATCH, LETTER, patch).await;
    assert_eq!(none.header("idempotency-replayed"), "true");
    assert_bare(&none, 200, Some("\"2\""), None);
    // The owner of a letter may read it until it is another's.
    let mine = json!({"letterId": "l2", "to": "eve", "stamp": 8, "weight": 7});
    let first = send(EVE, "k2", Method::POST, LETTERS, mine.clone()).await.expect(201);
    assert_eq!(first.json()["to"], "eve");
    world.client.patch(OLGA, "/v1/mail/letters/l2", json!({"to": "bob"})).await.expect(200);
    let again = send(EVE, "k2", Method::POST, LETTERS, mine).await;
    assert_bare(&again, 201, Some("\"1\""), Some("/v1/mail/letters/l2"));
    let writes = json!({"writes": [{"patch": {"Slip": {"slipId": "s1", "text": "new"}}}]});
    let first = send(reader, "k3", Method::POST, "/v1/mail/transactions", writes.clone()).await.expect(200);
    assert_eq!(first.json()["items"][0]["item"]["text"], "new");
    let again = send(EVE, "k3", Method::POST, "/v1/mail/transactions", writes).await.expect(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    let bare = json!({"items": [{"type": "Slip", "href": "/v1/mail/slips/s1", "item": null, "version": null}]});
    assert_eq!(again.json(), bare);
}
