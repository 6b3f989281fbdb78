//! An honest client among crowds: slow bodies and heads, large bodies, and requests that take all slots.
//! The crowds are as large as the default limits and beyond, if the test may open so many files; otherwise they exceed
//! smaller limits in the same proportion.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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

/// For how long an honest client waits for its response at most, usually.
const BOUND: Duration = Duration::from_millis(100);

fn is_long() -> bool {
    std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1")
}

/// How many files this process may open, if that is known.
fn descriptors() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
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

/// The median of ten requests, each with a connection of its own; the best of three attempts, since others use the
/// machine as well.
async fn honest(world: &World, proxies: usize) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let mut durations = ten_requests(world, proxies).await;
        durations.sort_unstable();
        best = best.min(durations[5]);
    }
    best
}

async fn ten_requests(world: &World, proxies: usize) -> Vec<Duration> {
    let mut durations = Vec::new();
    for _ in 0..10 {
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
        durations.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    durations
}

#[track_caller]
fn assert_quick(what: &str, alone: Duration, among: Duration, bound: Duration) {
    println!("{what}: {alone:?} alone, {among:?} in the crowd");
    assert!(among < bound, "{what}: {alone:?} alone, {among:?} in the crowd");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_take_no_slots_from_others() {
    let (requests, crowd) = if descriptors() >= 4096 { (1024, 1030) } else { (100, 106) };
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
            assert_quick(&format!("{crowd} slow clients, {proxies} proxies"), alone, among, BOUND);
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
        let (is_over, handled) = (AtomicBool::new(false), AtomicUsize::new(0));
        let send = async |body: &str| {
            let headers = [("content-type", "application/json")];
            let path = "/v1/platform/products";
            while !is_over.load(Ordering::Relaxed) {
                let refused = client.send(OLGA, Method::POST, path, &headers, body.to_owned()).await;
                assert!(refused.status.is_client_error(), "{:?}", refused.status);
                handled.fetch_add(1, Ordering::Relaxed);
            }
        };
        let bodies = [zeros.as_str(), maps.as_str(), text.as_str()];
        let crowd = (0..BODIES).map(|place| send(bodies[place % bodies.len()]));
        let measured = async {
            while handled.load(Ordering::Relaxed) < BODIES {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let among = honest(&world, proxies).await;
            is_over.store(true, Ordering::Relaxed);
            among
        };
        let (_, among) = tokio::join!(futures_util::future::join_all(crowd), measured);
        // This crowd keeps the processors busy, which the tests that run at the same time may need as well.
        let bound = if is_long() { BOUND } else { alone * 20 + Duration::from_secs(2) };
        assert_quick(&format!("{BODIES} large bodies, {proxies} proxies"), alone, among, bound);
    }
}

/// The server has one worker, which answers health checks while large bodies are parsed.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn large_bodies_keep_no_worker_for_long() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let address = world.address;
    let zeros = format!(r#"{{"productId":"radar","name":[{}0]}}"#, "0,".repeat(3_000_000));
    let head = format!(
        "POST /v1/platform/products HTTP/1.1\r\nhost: x\r\nauthorization: Test {OLGA}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        zeros.len()
    );
    let request = [head, zeros].concat();
    let (is_over, handled) = (AtomicBool::new(false), AtomicUsize::new(0));
    // The clients have threads of their own.
    let median = tokio::task::block_in_place(|| {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        let response = exchange(address, request.as_bytes());
                        assert!(response.starts_with("HTTP/1.1 4"), "{response}");
                        handled.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let pings = |()| {
                let before = handled.load(Ordering::Relaxed);
                let mut durations = Vec::new();
                while durations.len() < 10 || handled.load(Ordering::Relaxed) < before + 4 {
                    durations.push(ping(address));
                    std::thread::sleep(Duration::from_millis(2));
                }
                durations.sort_unstable();
                durations[durations.len() / 2]
            };
            let median = [(); 3].map(pings).into_iter().min().unwrap();
            is_over.store(true, Ordering::Relaxed);
            median
        })
    });
    println!("{median:?} for a health check among large bodies");
    assert!(median < Duration::from_millis(50), "{median:?}");
}

/// How long a health check takes.
fn ping(address: SocketAddr) -> Duration {
    let begun = Instant::now();
    let response = exchange(address, b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    begun.elapsed()
}

/// Sends a request over a connection of its own, and reads the response.
fn exchange(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(request).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[tokio::test]
async fn health_checks_are_answered_while_all_slots_are_taken() {
    let world = World::with(&["platform"], Limits { requests: 0, ..Limits::default() }, false).await;
    world.client.get(OLGA, PORTAL).await.problem(503, "unavailable");
    for path in ["/healthz", "/readyz"] {
        world.client.get("", path).await.expect(200);
    }
}
