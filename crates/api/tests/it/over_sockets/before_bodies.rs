//! What is decided before the body of a request is read, and how large bodies may be.

use std::time::Duration;

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::over_sockets::world::{Setting, World};

const NOTES: &str = "
design: notes
table: notes
entities:
  Note:
    open: yes
    PK: NOTE#<noteId>
    SK: METADATA
    attributes: {noteId: string, text: 'string, optional'}
  Secret:
    PK: SECRET#<secretId>
    SK: METADATA
    attributes: {secretId: string}
allow:
  - anyone: create Note
  - role reader: read Note
  - role writer: everything
";

const WRITER: &str = "subject=w;role=writer";
const READER: &str = "subject=r;role=reader";

/// The response to a head that announces a body of which nothing is sent.
async fn head_alone(world: &World, who: &str, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    let caller = if who.is_empty() { String::new() } else { format!("authorization: Test {who}\r\n") };
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\n{caller}{headers}content-type: application/json\r\ncontent-length: 5000000\r\n\
         connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut response)).await;
    read.unwrap_or_else(|_| panic!("{who} {path}: the server waits for the body")).unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test]
async fn what_no_rule_allows_is_refused_before_the_body_is_read() {
    let records = Some(ChangeRecordSettings::default());
    let world = World::custom(NOTES, &[], Setting { change_records: records, ..Setting::default() }).await;
    let keyed = "idempotency-key: once\r\n";
    for (who, path, headers, status) in [
        ("", "/v1/notes/secrets", "", 401),
        ("subject=n", "/v1/notes/secrets", "", 404),
        (READER, "/v1/notes/secrets", keyed, 404),
    ] {
        let response = head_alone(&world, who, path, headers).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{who} {path}: {response}");
    }
    let platform = World::with_change_records(&["platform"], ChangeRecordSettings::default()).await;
    for (who, path, headers, status) in [
        ("", "/v1/platform/transactions", "", 401),
        ("", "/v1/platform/authorize", "", 401),
        ("subject=nobody", "/v1/platform/products", keyed, 404),
        ("subject=nobody;tenant=northwind", "/v1/platform/products", keyed, 403),
    ] {
        let response = head_alone(&platform, who, path, headers).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{who} {path}: {response}");
    }
}

#[tokio::test]
async fn a_transaction_of_someone_who_may_write_nothing_is_refused_and_recorded() {
    let text = NOTES.replace("  - anyone: create Note\n", "");
    let records = Some(ChangeRecordSettings::default());
    let world = World::custom(&text, &[], Setting { change_records: records, ..Setting::default() }).await;
    let refused = head_alone(&world, READER, "/v1/notes/transactions", "").await;
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("no rule lets the caller write any item"));
    let refused = head_alone(&world, "subject=n", "/v1/notes/transactions", "").await;
    assert!(refused.starts_with("HTTP/1.1 404"), "{refused}");
    let entries = world.change_records().await;
    let denied = entries.iter().filter(|entry| format!("{entry:?}").contains("transactions")).count();
    assert_eq!(denied, 2, "{entries:?}");
    let writes = json!({"writes": [{"create": {"Note": {"noteId": "a"}}}]});
    world.client.post(WRITER, "/v1/notes/transactions", writes).await.expect(200);
}

#[tokio::test]
async fn decisions_are_explained_to_strangers_only_where_rules_are_for_anyone() {
    let question = json!({"verb": "create", "entity": "Note"});
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let response = world.client.post("", "/v1/notes/authorize", question.clone()).await.expect(200).json();
    assert_eq!(response["decision"], "allowed");
    let closed = World::custom(&NOTES.replace("  - anyone: create Note\n", ""), &[], Setting::default()).await;
    closed.client.post("", "/v1/notes/authorize", question.clone()).await.problem(401, "unauthenticated");
    closed.client.post("subject=n", "/v1/notes/authorize", question).await.expect(200);
}

#[tokio::test]
async fn bodies_without_a_token_have_at_most_64_kib() {
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let note = |id: &str, bytes: usize| {
        let frame = json!({"noteId": id, "text": ""}).to_string().len();
        json!({"noteId": id, "text": "x".repeat(bytes - frame)})
    };
    world.client.post("", "/v1/notes/notes", note("a", 65_536)).await.expect(201);
    let refused = world.client.post("", "/v1/notes/notes", note("b", 65_537)).await.problem(413, "too-large");
    assert_eq!(refused["detail"], "the body has more than 65536 bytes, the limit without a token");
    world.client.post(WRITER, "/v1/notes/notes", note("b", 65_537)).await.expect(201);
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    let head = "POST /v1/notes/notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(65_536));
    stream.write_all(format!("{head}{chunk}{chunk}0\r\n\r\n").as_bytes()).await.unwrap();
    let mut response = vec![0; 12];
    stream.read_exact(&mut response).await.unwrap();
    assert_eq!(response, b"HTTP/1.1 413");
}

#[tokio::test]
async fn compressed_bodies_are_refused() {
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let send = async |encoding: &str| {
        let headers = [("content-type", "application/json"), ("content-encoding", encoding)];
        world.client.send(WRITER, Method::POST, "/v1/notes/notes", &headers, r#"{"noteId":"a"}"#).await
    };
    for encoding in ["gzip", "gzip, gzip", "br", "identity, gzip"] {
        let refused = send(encoding).await.problem(415, "media-type");
        assert_eq!(refused["detail"], "compressed bodies are not supported: send the body without Content-Encoding");
    }
    send("identity").await.expect(201);
}

#[tokio::test]
async fn problems_quote_the_beginning_of_long_input() {
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let long = "x".repeat(3_000_000);
    for body in [
        json!({"noteId": "a", "text": vec![long.clone()]}),
        json!({"noteId": {"a": long}, "text": 1}),
        json!({"noteId": long}),
        json!({"noteId": "a", long.as_str(): {"a": 1}, "text": 1}),
    ] {
        let refused = world.client.post(WRITER, "/v1/notes/notes", body).await;
        assert!(refused.status.is_client_error() && refused.bytes.len() < 10_000, "{}", refused.bytes.len());
    }
    let name = "x".repeat(30_000);
    let refused = world.client.get(WRITER, &format!("/v1/notes/notes/a?{name}=1")).await;
    assert!(refused.status.is_client_error() && refused.bytes.len() < 10_000, "{}", refused.bytes.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_with_as_many_values_as_it_can_have_is_stored() {
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let create = async |id: &str, value: String| {
        let body = format!(r#"{{"noteId":"{id}","values":{value}}}"#);
        let headers = [("content-type", "application/json")];
        world.client.send(WRITER, Method::POST, "/v1/notes/notes", &headers, body).await
    };
    let list = |element: &str, count: usize| format!("[{}{element}]", format!("{element},").repeat(count - 1));
    // As AWS counts: each element has one byte besides its own.
    create("zeros", list("0", 204_000)).await.expect(201);
    create("empty", list(r#""""#, 408_000)).await.expect(201);
    create("maps", list(r#"{"a":0}"#, 58_000)).await.expect(201);
    for (id, value) in [("zeros", list("0", 206_000)), ("maps", list(r#"{"a":0}"#, 58_600))] {
        assert!(create(&format!("{id}-beyond"), value).await.status.is_client_error());
    }
    let refused = create("many", list("0", 3_000_000)).await.problem(413, "too-large");
    assert_eq!(refused["detail"], "the body holds more values than an item can have: send fewer at a time");
}

/// The response to a head, which is the last one of its connection.
async fn last_response(world: &World, headers: &str) -> String {
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    let head = format!("POST /v1/notes/secrets HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut response)).await;
    read.unwrap_or_else(|_| panic!("{headers}: the connection stays open")).unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test]
async fn a_refused_request_whose_body_may_not_follow_is_the_last_of_its_connection() {
    let world = World::custom(NOTES, &[], Setting::default()).await;
    let response = last_response(&world, "expect: 100-continue\r\ncontent-length: 2\r\n").await;
    assert!(response.starts_with("HTTP/1.1 401") && response.contains("connection: close"), "{response}");
    // Nor after a success that needs no body.
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    let head = "GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut response)).await;
    read.expect("the connection stays open").unwrap();
    let response = String::from_utf8_lossy(&response);
    assert!(response.starts_with("HTTP/1.1 200") && response.contains("connection: close"), "{response}");
}

#[tokio::test]
async fn bodies_are_in_plain_chunks() {
    let world = World::custom(NOTES, &[], Setting::default()).await;
    for codings in ["gzip, chunked", "chunked, chunked", "chunked\r\ntransfer-encoding: chunked"] {
        let response = last_response(&world, &format!("transfer-encoding: {codings}\r\n\r\n0\r\n")).await;
        assert!(
            response.starts_with("HTTP/1.1 400") && response.contains("connection: close"),
            "{codings}: {response}"
        );
    }
    let note = json!({"noteId": "a"}).to_string();
    let body = format!("transfer-encoding: Chunked\r\nconnection: close\r\n\r\n{:x}\r\n{note}\r\n0\r\n", note.len());
    assert!(last_response(&world, &body).await.starts_with("HTTP/1.1 401"));
}
