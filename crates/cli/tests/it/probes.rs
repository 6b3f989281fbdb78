//! Health, readiness and metrics of `keyfold engine serve`: the state for everyone, causes and numbers for operators.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::crash::server::Launch;
use crate::private_files::write_privately;
use keyfold_power_loss::{Fault, Operation, Watch};
use serde_json::{Value, json};

/// Status and body.
fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn status(address: &str, path: &str) -> (u16, Value) {
    let (code, body) = get(address, path);
    (code, serde_json::from_str(&body).unwrap())
}

fn has_line(text: &str, line: &str) -> bool {
    text.lines().any(|found| found == line)
}

#[test]
fn strangers_see_the_state_and_operators_the_metrics() {
    let space = tempfile::tempdir().unwrap();
    let credentials = space.path().join("credentials");
    write_privately(&credentials, "KEY SECRET\n");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let options = ["--credentials", credentials.to_str().unwrap(), "--metrics-port", &port];
    let (data, output) = (space.path().join("data"), space.path().join("output"));
    let server = Launch { data: &data, output: &output, options: &options, watch: None }.start();
    let operator = format!("127.0.0.1:{port}");
    let started = Instant::now();
    while TcpStream::connect(&operator).is_err() {
        assert!(started.elapsed() < Duration::from_secs(60), "{}", server.last_output());
        std::thread::sleep(Duration::from_millis(10));
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(status(server.address(), path), (200, json!({"status": "serving"})));
        assert_eq!(status(&operator, path), (200, json!({"status": "serving", "detail": "serving"})));
    }
    assert_eq!(get(server.address(), "/metrics").0, 404);
    assert!(!server.endpoint().call("ListTables", &json!({})).unwrap().is_success(), "an unsigned request");
    let (code, metrics) = get(&operator, "/metrics");
    assert_eq!(code, 200);
    assert!(has_line(&metrics, "keyfold_store_ready{state=\"serving\",detail=\"serving\"} 1"), "{metrics}");
    assert!(has_line(&metrics, "keyfold_requests_total{status=\"4xx\"} 1"), "{metrics}");
    assert!(metrics.contains("\nkeyfold_store_free_bytes "), "{metrics}");
    // The port is for probes alone.
    let mut stream = TcpStream::connect(&operator).unwrap();
    write!(stream, "POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 404 "), "{text}");
}

#[test]
fn readiness_follows_the_store() {
    if !Watch::is_supported() {
        println!("skipped: faults are injected on Linux on x86-64 only");
        return;
    }
    let space = tempfile::tempdir().unwrap();
    let (data, output) = (space.path().join("data"), space.path().join("output"));
    std::fs::create_dir(&data).unwrap();
    let watch = Watch::new(&data, &space.path().join("faults")).unwrap();
    let mut server = Launch { data: &data, output: &output, options: &[], watch: Some(&watch) }.start();
    server.wait_until_ready();
    assert_eq!(status(server.address(), "/readyz").0, 200);
    let full = |times| Fault { operation: Operation::Write, file: ".jnl", error: libc::ENOSPC, times };
    watch.inject(&full(u32::MAX)).unwrap();
    let table = json!({
        "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    });
    let endpoint = server.endpoint();
    let wait_for = |wanted: u16| {
        let started = Instant::now();
        loop {
            let found = status(server.address(), "/readyz");
            if found.0 == wanted {
                return found.1;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{}", server.last_output());
            // Each attempt to write to the full disk fails, and the store is reopened after it.
            endpoint.call("CreateTable", &table).unwrap();
        }
    };
    let failed = wait_for(503);
    assert!(["failed", "reopening"].contains(&failed["status"].as_str().unwrap()), "{failed}");
    assert_eq!(status(server.address(), "/healthz").0, 200);
    watch.inject(&full(0)).unwrap();
    assert_eq!(wait_for(200)["status"], "serving");
}
