//! An honest client among crowds: slow bodies and heads, large bodies, and requests that take all slots.
//! `KEYFOLD_LONG=1` makes the crowds as large as the default limits and beyond; otherwise they exceed smaller limits in
//! the same proportion.

use std::time::{Duration, Instant};

use http::Method;
use keyfold_api::{Limits, RateLimits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::over_sockets::world::World;

const OLGA: &str = "subject=olga;role=operator";
const PORTAL: &str = "/v1/platform/products/portal";
const CROWD: &str = "127.0.0.2";
const HONEST: &str = "127.0.0.3";

fn is_long() -> bool {
    std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1")
}

async fn connect(world: &World, from: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
    socket.connect(world.address).await.unwrap()
}

/// The header that a proxy adds for a client, if there is one.
fn forwarded(proxies: usize, client: &str) -> String {
    if proxies == 0 { String::new() } else { format!("x-forwarded-for: {client}\r\n") }
}

/// The longest of some requests, each with a connection of its own.
async fn honest(world: &World, proxies: usize) -> Duration {
    let mut longest = Duration::ZERO;
    for _ in 0..20 {
        let begun = Instant::now();
        let mut stream = connect(world, HONEST).await;
        let forwarded = forwarded(proxies, "192.0.2.9");
        let head = format!(
            "GET {PORTAL} HTTP/1.1\r\nhost: x\r\nauthorization: Test subject=honest;role=operator\r\n{forwarded}\
             connection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut response)).await;
        read.expect("the honest client waits for its response").unwrap();
        assert!(response.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&response));
        longest = longest.max(begun.elapsed());
    }
    longest
}

/// About 100 ms at most on an idle machine, and much less than the timeouts of the crowd on any.
#[track_caller]
fn assert_quick(what: &str, alone: Duration, among: Duration) {
    println!("{what}: {alone:?} alone, {among:?} in the crowd");
    assert!(among < alone * 20 + Duration::from_secs(2), "{what}: {alone:?} alone, {among:?} in the crowd");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_take_no_slots_from_others() {
    let (requests, crowd) = if is_long() { (1024, 1030) } else { (100, 106) };
    for proxies in [0, 1] {
        let rates = RateLimits { proxies, ..RateLimits::default() };
        let world = World::with(&["platform"], Limits { requests, rates, ..Limits::default() }, false).await;
        let alone = honest(&world, proxies).await;
        let forwarded = forwarded(proxies, "192.0.2.1");
        let body = format!(
            "POST /v1/platform/products HTTP/1.1\r\nhost: x\r\nauthorization: Test {OLGA}\r\n{forwarded}content-type: \
             application/json\r\ncontent-length: 100000\r\n\r\n{{\"productId\":"
        );
        for begun in [body.as_str(), "GET / HTTP/1.1\r\nhost: x\r\nx: "] {
            let mut slow = Vec::new();
            for _ in 0..crowd {
                let mut stream = connect(&world, CROWD).await;
                stream.write_all(begun.as_bytes()).await.unwrap();
                slow.push(stream);
            }
            let among = honest(&world, proxies).await;
            assert_quick(&format!("{crowd} slow clients, {proxies} proxies"), alone, among);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn large_bodies_do_not_delay_small_requests() {
    const BODIES: usize = 16;
    for proxies in [0, 1] {
        let rates = RateLimits { proxies, ..RateLimits::default() };
        let world = World::with(&["platform"], Limits { rates, ..Limits::default() }, false).await;
        let alone = honest(&world, proxies).await;
        let zeros = format!(r#"{{"productId":"radar","name":[{}0]}}"#, "0,".repeat(3_000_000));
        let maps = format!(r#"{{"productId":"radar","name":"Radar","more":[{}0]}}"#, r#"{"a":1},"#.repeat(50_000));
        let text = format!(r#"{{"productId":"radar","name":"{}"}}"#, "x".repeat(6_000_000));
        let client = &world.client;
        let send = async |body: &str| {
            let headers = [("content-type", "application/json")];
            let path = "/v1/platform/products";
            for _ in 0..3 {
                let refused = client.send(OLGA, Method::POST, path, &headers, body.to_owned()).await;
                assert!(refused.status.is_client_error(), "{:?}", refused.status);
            }
        };
        let bodies = [zeros.as_str(), maps.as_str(), text.as_str()];
        let crowd = (0..BODIES).map(|place| send(bodies[place % bodies.len()]));
        let (_, among) = tokio::join!(futures_util::future::join_all(crowd), honest(&world, proxies));
        assert_quick(&format!("{BODIES} large bodies, {proxies} proxies"), alone, among);
    }
}

#[tokio::test]
async fn health_checks_are_answered_while_all_slots_are_taken() {
    let world = World::with(&["platform"], Limits { requests: 0, ..Limits::default() }, false).await;
    world.client.get(OLGA, PORTAL).await.problem(503, "unavailable");
    for path in ["/healthz", "/readyz"] {
        world.client.get("", path).await.expect(200);
    }
}
