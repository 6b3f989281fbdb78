//! How much memory a body takes while it is handled. A program of its own, since its allocator counts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../over_sockets/backend.rs"]
#[expect(dead_code, reason = "shared with other tests")]
mod backend;
#[path = "../over_sockets/client.rs"]
#[expect(dead_code, reason = "shared with other tests")]
mod client;
#[path = "../counting_allocator/mod.rs"]
mod counting_allocator;
#[path = "../over_sockets/server.rs"]
#[expect(dead_code, reason = "shared with other tests")]
mod server;

use counting_allocator::Measurement;

const MIB: usize = 1024 * 1024;

/// An item with a value of about this size: what the value begins with, what it repeats, and how it ends.
fn put_item(bytes: usize, begin: &str, repeated: &str, end: &str) -> Vec<u8> {
    let mut text = String::with_capacity(bytes + 1000);
    text.push_str(r#"{"TableName":"t","Item":{"p":{"S":"a"},"v":"#);
    text.push_str(begin);
    while text.len() + repeated.len() < bytes {
        text.push_str(repeated);
    }
    text.push_str(end);
    text.push_str("}}");
    text.into_bytes()
}

#[test]
fn decoding_takes_at_most_ten_times_the_bytes() {
    let server = server::start();
    for (what, begin, repeated, end) in [
        ("numbers", r#"{"L":["#, r#"{"N":"0"},"#, r#"{"N":"0"}]}"#),
        ("empty texts", r#"{"L":["#, r#"{"S":""},"#, r#"{"S":""}]}"#),
        ("empty lists", r#"{"L":["#, r#"{"L":[]},"#, r#"{"L":[]}]}"#),
        ("lists of lists", r#"{"L":["#, r#"{"L":[{"L":[{"L":[]}]}]},"#, r#"{"L":[]}]}"#),
        ("maps", r#"{"L":["#, r#"{"M":{"a":{"N":"0"}}},"#, r#"{"S":""}]}"#),
        ("maps within maps", r#"{"L":["#, r#"{"M":{"a":{"M":{"a":{"S":""}}}}},"#, r#"{"S":""}]}"#),
        ("a set", r#"{"SS":["#, r#""a","#, r#""b"]}"#),
        ("a set of numbers", r#"{"NS":["#, r#""1","#, r#""2"]}"#),
        ("a text", r#"{"S":""#, "xxxxxxxxxxxxxxxx", "\"}"),
        ("not JSON", r#"{"L":["#, "{,", ""),
    ] {
        let request = client::post("PutItem", &put_item(20 * MIB, begin, repeated, end));
        let measurement = Measurement::begin();
        let response = client::send(server.address, &request);
        let taken = measurement.peak();
        let times = taken as f64 / request.len() as f64;
        println!("{what}: {} for {} bytes, {times:.1} times", response.status, request.len());
        assert!([200, 400, 413].contains(&response.status), "{what}: {}", response.text());
        assert!(times <= 10.0, "{what}: {times}");
        assert!(response.body.len() < 64 * 1024, "{what}");
    }
}
