//! Idle connections never take the file descriptors that the store needs.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use keyfold_conformance::Endpoint;
use serde_json::json;

/// A running `keyfold engine serve`. Dropping it kills it.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// `limit` is a command of the shell that the server is started with.
    fn start(limit: &str, data: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = Command::new("sh")
            .arg("-c")
            .arg(format!("{limit} && exec \"$@\""))
            .args(["sh", env!("CARGO_BIN_EXE_keyfold"), "engine", "serve", "--write-buffer", "1", "--data"])
            .arg(data)
            .args(["--port", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { process, address: format!("127.0.0.1:{port}") };
        let started = Instant::now();
        while !server.endpoint().call("ListTables", &json!({})).is_ok_and(|answer| answer.is_success()) {
            assert!(started.elapsed() < Duration::from_secs(60), "the server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// With a connection of its own: an idle one may have been closed to make room.
    fn endpoint(&self) -> Endpoint {
        Endpoint::new(&format!("http://{}", self.address)).unwrap().with_response_timeout(Duration::from_secs(30))
    }

    fn must(&self, operation: &str, request: &serde_json::Value) {
        let answer = self.endpoint().call(operation, request).unwrap();
        assert!(answer.is_success(), "{operation}: {answer:?}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn writes_succeed_with_more_idle_connections_than_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start("ulimit -n 256", folder.path());
    server.must(
        "CreateTable",
        &json!({
            "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        }),
    );
    let idle: Vec<TcpStream> = (0..400).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    // Enough for the store to write, merge and open tables.
    let data = "x".repeat(100_000);
    for number in 0..40 {
        let item = json!({"pk": {"S": number.to_string()}, "data": {"S": data}});
        server.must("PutItem", &json!({"TableName": "items", "Item": item}));
    }
    drop(idle);
    server.must("Scan", &json!({"TableName": "items"}));
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_raises_its_limit_of_open_files() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start("ulimit -S -n 256", folder.path());
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.process.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let soft: u64 = line.split_whitespace().nth(3).unwrap().parse().unwrap();
    assert!(soft > 256, "{line}");
}
