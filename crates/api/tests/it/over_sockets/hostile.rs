//! Requests that nobody sends by mistake: none crashes the server, changes anything, tells of its inside or stalls
//! others.

use std::time::{Duration, Instant};

use http::Method;
use keyfold_api::Limits;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{World, operator};

const OLGA: &str = "subject=olga;role=operator";
const ADA: &str = "subject=ada;tenant=northwind";
const PORTAL: &str = "/v1/platform/products/portal";

/// Nothing of an answer tells how the server is made.
#[track_caller]
fn assert_discreet(text: &str) {
    for word in ["panicked", ".rs:", "stack backtrace", "/src/", "RustError", "app_data", "unwrap"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[tokio::test]
async fn bodies_that_cannot_be_read_are_refused_by_every_route() {
    let limits = Limits { body_bytes: 2000, depth: 5, ..Limits::default() };
    let world = World::with(&["platform"], limits, false).await;
    let routes = [
        (Method::POST, "/v1/platform/products"),
        (Method::PUT, PORTAL),
        (Method::PATCH, PORTAL),
        (Method::POST, "/v1/platform/transactions"),
        (Method::POST, "/v1/platform/authorize"),
    ];
    let bodies: [(&str, Vec<u8>, u16, &str); 10] = [
        ("nothing", Vec::new(), 400, "bad-body"),
        ("cut", b"{\"name\":\"Rad".to_vec(), 400, "bad-body"),
        ("cut within an escape", b"{\"name\":\"\\u12".to_vec(), 400, "bad-body"),
        ("half a surrogate", b"{\"name\":\"\\ud800\"}".to_vec(), 400, "bad-body"),
        ("not UTF-8", b"{\"name\":\"\xc3\x28\"}".to_vec(), 400, "bad-body"),
        ("UTF-16", b"\xff\xfe{\0}\0".to_vec(), 400, "bad-body"),
        ("deep lists", [b"{\"name\":".as_slice(), &b"[".repeat(1500)].concat(), 400, "bad-body"),
        ("deep objects", b"{\"a\":".repeat(300), 400, "bad-body"),
        ("two values", b"{\"name\":\"a\"} {\"name\":\"b\"}".to_vec(), 400, "bad-body"),
        ("too large", [b"{\"name\":\"".as_slice(), &b"a".repeat(3000), b"\"}"].concat(), 413, "too-large"),
    ];
    let before = world.stored("platform").await;
    for (method, path) in routes {
        for (what, body, status, code) in &bodies {
            let headers = [("content-type", "application/json")];
            let response = world.client.send(OLGA, method.clone(), path, &headers, body.clone()).await;
            assert_eq!(response.status.as_u16(), *status, "{method} {path}, {what}: {response:?}");
            assert_discreet(&String::from_utf8_lossy(&response.bytes));
            response.problem(*status, code);
        }
        world.client.send(OLGA, method.clone(), path, &[], "{}").await.problem(415, "media-type");
    }
    assert_eq!(world.stored("platform").await, before);
}

#[tokio::test]
async fn names_given_twice_and_values_of_another_type_change_nothing() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let before = world.stored("platform").await;
    for body in [
        r#"{"name":null}"#,
        r#"{"name":7}"#,
        r#"{"name":["a"]}"#,
        r#"{"name":{"$ne":""}}"#,
        r#"{"name":""}"#,
        r#"{"PK":"PRODUCT#vault"}"#,
        r#"{"GSI1PK":"x"}"#,
        r#"{"kf_deleting":"x"}"#,
        r#"{"version":99}"#,
        r#"{"createdAt":"2020-01-01T00:00:00.000Z"}"#,
        r#"{"__proto__":{"admin":true}}"#,
    ] {
        let headers = [("content-type", "application/json")];
        let response = world.client.send(OLGA, Method::PATCH, PORTAL, &headers, body).await;
        assert_eq!(response.status.as_u16(), 422, "{body}: {response:?}");
        assert_discreet(&String::from_utf8_lossy(&response.bytes));
    }
    assert_eq!(world.stored("platform").await, before);
}

#[tokio::test]
async fn identities_that_forge_keys_find_nothing() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    for id in [
        "ct-1",
        "northwind%23LICENSE%23nw-1",
        "nw-1%00",
        "nw-1%20",
        "NW-1",
        "..%2F..%2Faccounts%2Fcontoso",
        "%2e%2e",
        "nw-1%23",
        "%F0%9F%92%A3",
        "*",
        "' OR '1'='1",
        // Longer than a sort key, shorter than a partition key.
        &"x".repeat(1500),
        &"x".repeat(5000),
    ] {
        let path = format!("/v1/platform/licenses/{}", id.replace(' ', "%20"));
        for method in [Method::GET, Method::PATCH, Method::DELETE] {
            let body = if method == Method::PATCH { "{}" } else { "" };
            let headers = [("content-type", "application/json")];
            let response = world.client.send(ADA, method.clone(), &path, &headers, body).await;
            let text = String::from_utf8_lossy(&response.bytes).into_owned();
            assert_eq!(response.status.as_u16(), 404, "{method} {id}: {text}");
            assert_discreet(&text);
        }
    }
}

#[tokio::test]
async fn an_identity_that_no_key_can_hold_is_rejected_by_attribute_name() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let before = world.stored("platform").await;
    let id = "x".repeat(1500);
    let license = json!({"licenseId": id, "enterpriseId": "globex", "endDate": "2030-01-01", "seats": 1});
    let created = world.client.post(OLGA, "/v1/platform/licenses?tenant=northwind", license.clone()).await;
    let put = world.client.put(OLGA, &format!("/v1/platform/licenses/{id}?tenant=northwind"), license).await;
    for answered in [created, put] {
        let response = answered.problem(422, "constraint");
        assert_eq!(response["field"], "licenseId");
        assert_eq!(
            response["detail"],
            "`licenseId` is too long: the key `LICENSE#<licenseId>` has 1508 bytes with it, and may have 1024"
        );
    }
    assert_eq!(world.stored("platform").await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_with_any_other_letter_is_refused() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let path = "/v1/platform/patterns/licenses-by-account?take=1";
    let cursor = world.client.get(ADA, path).await.expect(200).json()["next"].as_str().unwrap().to_owned();
    let ask = async |cursor: &str| world.client.get(ADA, &format!("{path}&cursor={cursor}")).await;
    for place in 0..cursor.len() {
        let mut letters = cursor.clone().into_bytes();
        letters[place] = if letters[place] == b'A' { b'Q' } else { b'A' };
        let tampered = String::from_utf8(letters).unwrap();
        ask(&tampered).await.problem(400, "bad-cursor");
    }
    for cursor in ["", "A", "====", "%F0%9F%92%A3", &cursor.repeat(2), &"A".repeat(10_000)] {
        ask(cursor).await.problem(400, "bad-cursor");
    }
    assert_eq!(ask(&cursor).await.expect(200).json()["items"][0]["item"]["licenseId"], "nw-2");
}

/// What the server sends back to some bytes until it closes the connection.
async fn raw(world: &World, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    let _ = stream.write_all(bytes).await;
    let mut response = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut response)).await.unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let ask = async |version: &str, hosts: &str| {
        raw(&world, format!("GET /healthz {version}\r\n{hosts}connection: close\r\n\r\n").as_bytes()).await
    };
    assert!(ask("HTTP/1.1", "host: x\r\n").await.starts_with("HTTP/1.1 200"));
    assert!(ask("HTTP/1.0", "").await.starts_with("HTTP/1.0 200"));
    for (hosts, detail) in
        [("", "the `Host` header is missing"), ("host: x\r\nhost: y\r\n", "there is more than one `Host` header")]
    {
        let response = ask("HTTP/1.1", hosts).await;
        assert!(
            response.starts_with("HTTP/1.1 400") && response.contains("bad-host") && response.contains(detail),
            "{response}"
        );
    }
}

#[tokio::test]
async fn connections_that_do_not_speak_http_are_closed() {
    let limits = Limits { header_read: Duration::from_secs(1), ..Limits::default() };
    let world = World::with(&["platform"], limits, false).await;
    let before = world.stored("platform").await;
    let post = format!("POST /v1/platform/products HTTP/1.1\r\nhost: x\r\nauthorization: Test {OLGA}\r\n");
    let json = "content-type: application/json\r\n";
    let product = r#"{"productId":"k9","name":"n"}"#;
    let chunk = format!("{:x}\r\n{product}\r\n0\r\n\r\n", product.len());
    let rows: [(&str, Vec<u8>, &str); 14] = [
        ("lines that end with LF", b"GET /healthz HTTP/1.1\nhost: x\n\n".to_vec(), "HTTP/1.1 400"),
        (
            "a header within a header",
            b"GET /healthz HTTP/1.1\r\nhost: x\r\nx: a\nhost: y\r\n\r\n".to_vec(),
            "HTTP/1.1 400",
        ),
        ("noise", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), "HTTP/1.1 400"),
        ("no request", b"HELLO\r\n\r\n".to_vec(), "HTTP/1.1 400"),
        ("a NUL in the path", b"GET /v1/\0 HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(), "HTTP/1.1 400"),
        ("a space in a name", b"GET / HTTP/1.1\r\nhost: x\r\nbad name: 1\r\n\r\n".to_vec(), "HTTP/1.1 400"),
        (
            "a head of 300 KB",
            format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "a".repeat(300_000)).into_bytes(),
            "HTTP/1.1 431",
        ),
        (
            "two lengths",
            format!("{post}{json}content-length: 2\r\ncontent-length: 20\r\n\r\n{{}}").into_bytes(),
            "HTTP/1.1 400",
        ),
        (
            "a length and chunks",
            format!("{post}{json}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n").into_bytes(),
            "HTTP/1.1 400",
        ),
        (
            "a length and valid chunks",
            format!("{post}{json}content-length: {}\r\ntransfer-encoding: chunked\r\n\r\n{chunk}", chunk.len())
                .into_bytes(),
            "HTTP/1.1 400",
        ),
        (
            "valid chunks and a length",
            format!("{post}{json}transfer-encoding: chunked\r\ncontent-length: {}\r\n\r\n{chunk}", chunk.len())
                .into_bytes(),
            "HTTP/1.1 400",
        ),
        (
            "one length twice",
            format!("{post}{json}content-length: {0}\r\ncontent-length: {0}\r\n\r\n{product}", product.len())
                .into_bytes(),
            "HTTP/1.1 400",
        ),
        (
            "a chunk that is none",
            format!("{post}{json}transfer-encoding: chunked\r\n\r\nzz\r\n{{}}\r\n").into_bytes(),
            "HTTP/1.1 400",
        ),
        ("a length that is none", format!("{post}{json}content-length: -1\r\n\r\n{{}}").into_bytes(), "HTTP/1.1 400"),
    ];
    for (what, bytes, expected) in rows {
        let response = raw(&world, &bytes).await;
        assert!(response.starts_with(expected) || response.is_empty(), "{what}: {response}");
        assert_discreet(&response);
        world.client.get(OLGA, PORTAL).await.expect(200);
    }
    assert_eq!(world.stored("platform").await, before);
}

#[tokio::test]
async fn no_page_shows_a_response_within_itself() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    for path in [PORTAL, "/healthz", "/v1/platform/docs", "/v1/platform/openapi.json", "/nowhere"] {
        let response = world.client.get(OLGA, path).await;
        assert!(response.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(response.header("x-content-type-options"), "nosniff", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_parameter_with_thousands_of_values_is_refused_quickly() {
    let world =
        World::with(&["platform", "catalogue", "albums", "agencies", "archive"], Limits::default(), false).await;
    let mut asked = 0;
    for (design, _) in &world.designs {
        let who = operator(&design.name);
        for pattern in &design.patterns {
            let plan = design.access_plan(pattern.id);
            for parameter in plan.parameters.iter().filter(|parameter| parameter.list_of_at_most.is_some()) {
                let values: Vec<String> = (0..7000).map(|value| format!("{}={value}", parameter.name)).collect();
                let path = format!("/v1/{}/patterns/{}?{}", design.name, pattern.slug, values.join("&"));
                // The head of a request has at most 64 KiB.
                let path = path.get(..60_000).unwrap_or(&path);
                let begun = Instant::now();
                let refused = world.client.get(who, path).await;
                assert!(refused.status.is_client_error(), "{path}: {refused:?}");
                assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
                asked += 1;
            }
        }
    }
    println!("{asked} list parameters");
}

#[tokio::test]
async fn the_size_limit_applies_to_chunked_bodies() {
    let world = World::with(&["platform"], Limits { body_bytes: 1000, ..Limits::default() }, false).await;
    let head = format!(
        "POST /v1/platform/products HTTP/1.1\r\nhost: x\r\nauthorization: Test {OLGA}\r\ncontent-type: application/json\r\n\
         connection: close\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    let chunk = format!("{:x}\r\n{}\r\n", 600, "a".repeat(600));
    let response = raw(&world, format!("{head}{chunk}{chunk}0\r\n\r\n").as_bytes()).await;
    assert!(response.starts_with("HTTP/1.1 413"), "{response}");
    let body = json!({"productId": "radar", "name": "Radar"}).to_string();
    let response = raw(&world, format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len()).as_bytes()).await;
    assert!(response.starts_with("HTTP/1.1 201"), "{response}");
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_do_not_delay_other_clients() {
    let limits = Limits { header_read: Duration::from_secs(3), ..Limits::default() };
    let world = World::with(&["platform"], limits, false).await;
    let mut slow = Vec::new();
    for place in 0..300 {
        let mut stream = TcpStream::connect(world.address).await.unwrap();
        let begun = if place % 2 == 0 { "" } else { "GET / HTTP/1.1\r\nhost: x\r\nx: " };
        stream.write_all(begun.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    let begun = Instant::now();
    for _ in 0..20 {
        world.client.get(OLGA, PORTAL).await.expect(200);
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    // All of them are let go of.
    for mut stream in slow {
        let mut rest = Vec::new();
        tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_all_connections_makes_room_for_others() {
    let world = World::with(&["platform"], Limits { connections: 40, ..Limits::default() }, false).await;
    let slow_body = format!(
        "POST /v1/platform/products HTTP/1.1\r\nhost: x\r\nauthorization: Test {OLGA}\r\ncontent-type: application/json\r\n\
         content-length: 100\r\n\r\n{{"
    );
    for begun in ["", "GET / HTTP/1.1\r\nhost: x\r\nx: ", &slow_body] {
        let mut slow = Vec::new();
        for _ in 0..100 {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
            let mut stream = socket.connect(world.address).await.unwrap();
            stream.write_all(begun.as_bytes()).await.unwrap();
            slow.push(stream);
        }
        for _ in 0..5 {
            let sent = Instant::now();
            let response = raw(&world, b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
            assert!(response.starts_with("HTTP/1.1 200"), "{begun:?}: {response}");
            // Far less on an idle machine; without it, until the timeouts of the slow clients.
            assert!(sent.elapsed() < Duration::from_secs(2), "{begun:?}: {:?}", sent.elapsed());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_do_not_read_the_response_are_disconnected() {
    const REQUESTS: usize = 20;
    let limits = Limits { write_stall: Duration::from_millis(300), ..Limits::default() };
    let world = World::with(&["archive"], limits, false).await;
    let editor = "subject=e;role=editor";
    let text = "x".repeat(350_000);
    for _ in 0..5 {
        let record = json!({"postId": "6", "data": {"text": text}});
        world.client.post(editor, "/v1/archive/records", record).await.expect(201);
    }
    let path = "/v1/archive/patterns/records-of-a-post?postId=6";
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 * 1024).unwrap();
    let mut stream = socket.connect(world.address).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Test {editor}\r\n\r\n");
    // Pipelined: together more than the operating system buffers.
    stream.write_all(head.repeat(REQUESTS).as_bytes()).await.unwrap();
    // The server has begun to send once the head is here, however long the query took.
    let mut received = Vec::new();
    while !received.windows(4).any(|end| end == b"\r\n\r\n") {
        assert!(stream.read_buf(&mut received).await.unwrap() > 0);
    }
    let head = String::from_utf8_lossy(&received);
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let length: usize = length.parse().unwrap();
    // A page ends with the item that makes it larger than 1 MiB.
    assert!((1_050_000..1_450_000).contains(&length), "{length}");
    // In rounds: on a busy machine the server gets as many turns as this test.
    for _ in 0..30 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        world.client.get(editor, "/v1/archive/settings").await.expect(200);
    }
    // The rest is never sent: what is read ends early, or in an error.
    let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut received)).await.unwrap();
    assert!(received.len() < REQUESTS * length, "{}", received.len());
}

/// Many at once of what takes longest to refuse, and one who is answered all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_bad_requests_changes_nothing() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let before = world.stored("platform").await;
    let deep: String = "[".repeat(1_000_000);
    let all = (0..200).map(|place| {
        let (client, deep) = (&world.client, deep.clone());
        async move {
            let headers = [("content-type", "application/json")];
            let answered: Answered = match place % 4 {
                0 => client.send(OLGA, Method::POST, "/v1/platform/products", &headers, deep).await,
                1 => client.get(OLGA, "/v1/platform/patterns/all-licenses?cursor=AAAA").await,
                2 => client.send("", Method::PUT, PORTAL, &headers, "{").await,
                _ => client.send(OLGA, Method::PATCH, PORTAL, &[("if-match", "\"0\""), headers[0]], "{}").await,
            };
            (place % 4, answered.status.as_u16())
        }
    });
    for (kind, status) in futures_util::future::join_all(all).await {
        assert_eq!(status, [400, 400, 401, 412][kind], "{kind}");
    }
    assert_eq!(world.stored("platform").await, before);
    let health: Value = world.client.get("", "/healthz").await.expect(200).json();
    assert_eq!(health["status"], "ok");
}
