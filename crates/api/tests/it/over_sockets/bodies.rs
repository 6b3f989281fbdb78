//! Bodies that cannot be read, and clients that take their time.

use std::time::{Duration, Instant};

use http::Method;
use keyfold_api::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
const PRODUCTS: &str = "/v1/platform/products";

/// Headers, a body, and the problem it is: status, code, detail.
type Row = (&'static [(&'static str, &'static str)], Vec<u8>, u16, &'static str, &'static str);

#[tokio::test]
async fn unreadable_bodies_are_rejected_with_a_reason() {
    let limits = Limits { body_bytes: 1000, depth: 5, ..Limits::default() };
    let world = World::with(&["platform"], limits, false).await;
    const JSON: &[(&str, &str)] = &[("content-type", "application/json")];
    let rows: [Row; 8] = [
        (&[], b"{}".to_vec(), 415, "media-type", "the body must be application/json"),
        (&[("content-type", "text/plain")], b"{}".to_vec(), 415, "media-type", "the body must be application/json"),
        (JSON, b"{\"name\":".to_vec(), 400, "bad-body", "the body is not valid JSON: line 1, column 8"),
        (JSON, b"[1]".to_vec(), 400, "bad-body", "the body must be a JSON object"),
        (JSON, b"{\"name\":\"\xff\"}".to_vec(), 400, "bad-body", "the body is not UTF-8"),
        (
            JSON,
            [b"{\"name\":".as_slice(), &b"[".repeat(9)].concat(),
            400,
            "bad-body",
            "the JSON is nested more than 5 levels deep",
        ),
        (
            JSON,
            [b"\"".as_slice(), &b"a".repeat(2000), b"\""].concat(),
            413,
            "too-large",
            "the body has more than 1000 bytes",
        ),
        (
            JSON,
            b"{\"name\":1234567890123456789012345}".to_vec(),
            400,
            "bad-body",
            "`1234567890123456789012345` has more digits than JSON readers keep; write it as a string",
        ),
    ];
    let before = world.stored("platform").await;
    for (headers, body, status, code, detail) in rows {
        let response = world.client.send(OLGA, Method::POST, PRODUCTS, headers, body).await.problem(status, code);
        assert_eq!(response["detail"], detail);
    }
    assert_eq!(world.stored("platform").await, before);
}

#[tokio::test]
async fn a_merge_patch_replaces_no_map_in_part() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let patch = |body: &'static str| {
        let headers = [("content-type", "application/merge-patch+json; charset=utf-8")];
        let client = &world.client;
        async move { client.send(OLGA, Method::PATCH, "/v1/platform/products/portal", &headers, body).await }
    };
    patch(r#"{"name":"Portal"}"#).await.expect(200);
    assert_eq!(patch(r#"{"name":{"a":1}}"#).await.problem(422, "constraint")["field"], "name");
}

async fn raw(world: &World, text: &str) -> String {
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut response = String::new();
    tokio::time::timeout(Duration::from_secs(10), stream.read_to_string(&mut response)).await.unwrap().unwrap();
    response
}

#[tokio::test]
async fn slow_clients_are_disconnected_and_delay_nobody() {
    let limits =
        Limits { header_read: Duration::from_millis(300), body_read: Duration::from_millis(300), ..Limits::default() };
    let world = World::with(&["platform"], limits, false).await;
    let begun = Instant::now();
    let head = format!("POST {PRODUCTS} HTTP/1.1\r\nhost: x\r\nauthorization: Test {OLGA}\r\n");
    let slow_head = raw(&world, &head);
    let slow_body = format!("{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{\"name\":");
    let slow_body = raw(&world, &slow_body);
    let quick = world.client.get(OLGA, "/v1/platform/products/portal");
    let (head, body, quick) = tokio::join!(slow_head, slow_body, quick);
    quick.expect(200);
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 408"), "{head}");
    assert!(body.starts_with("HTTP/1.1 408 Request Timeout"), "{body}");
    assert!(body.contains("\"code\":\"too-slow\""), "{body}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_body_that_ends_early_changes_nothing() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let before = world.stored("platform").await;
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    let text = format!(
        "POST {PRODUCTS} HTTP/1.1\r\nhost: x\r\nauthorization: Test {OLGA}\r\ncontent-type: application/json\r\n\
         content-length: 100\r\n\r\n{{\"name\":\"Radar\"}}"
    );
    stream.write_all(text.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    assert_eq!(world.stored("platform").await, before);
    world.client.get(OLGA, "/v1/platform/products/portal").await.expect(200);
}

#[tokio::test]
async fn too_many_concurrent_requests_are_asked_to_retry() {
    let limits = Limits { requests: 0, ..Limits::default() };
    let world = World::with(&["platform"], limits, false).await;
    let refused = world.client.get(OLGA, "/v1/platform/products/portal").await;
    assert_eq!(refused.header("retry-after"), "1");
    refused.problem(503, "unavailable");
}
