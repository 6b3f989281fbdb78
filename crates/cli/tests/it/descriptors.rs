//! Idle connections never take the file descriptors that the store needs.

use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};

use crate::crash::server::{Launch, Server};

/// `limit` is a command of the shell that the server is started with.
fn start(limit: &str, folder: &Path) -> Server {
    let (data, output) = (folder.join("data"), folder.join("output"));
    let launch = Launch { data: &data, output: &output, options: &["--write-buffer", "1"], watch: None };
    let mut server = launch.start_after(limit);
    server.wait_until_ready();
    server
}

/// Over a connection of its own: an idle one may have been closed to make room.
fn must(server: &Server, operation: &str, request: &Value) {
    let response = server.endpoint().call(operation, request).unwrap();
    assert!(response.is_success(), "{operation}: {response:?}");
}

#[test]
fn writes_succeed_with_more_idle_connections_than_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let server = start("ulimit -n 256", folder.path());
    must(
        &server,
        "CreateTable",
        &json!({
            "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        }),
    );
    let idle: Vec<TcpStream> = (0..400).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    // Enough for the store to write, merge and open tables.
    let data = "x".repeat(100_000);
    for number in 0..40 {
        let item = json!({"pk": {"S": number.to_string()}, "data": {"S": data}});
        must(&server, "PutItem", &json!({"TableName": "items", "Item": item}));
    }
    drop(idle);
    must(&server, "Scan", &json!({"TableName": "items"}));
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_raises_its_limit_of_open_files() {
    let folder = tempfile::tempdir().unwrap();
    let server = start("ulimit -S -n 256", folder.path());
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let soft: u64 = line.split_whitespace().nth(3).unwrap().parse().unwrap();
    assert!(soft > 256, "{line}");
}
