//! Clients that read nothing of large responses, as many as 600: the memory of the server stays within what
//! docs/engine.md states. Only with `KEYFOLD_LONG=1`.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use keyfold_conformance::Endpoint;
use serde_json::{Value, json};

const READERS: usize = 600;
/// Of 390 KB each: a response of 15 MB.
const ITEMS: usize = 39;
/// How long the readers are connected.
const DURATION: Duration = Duration::from_secs(20);
/// The budget of responses, the block cache, four write buffers, connections and everything else.
const MEBIBYTES: u64 = 256 + 32 + 4 * 16 + READERS as u64 / 16 + 30;

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// The most memory that it has used so far, in MiB.
    fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }
}

fn must(endpoint: &Endpoint, operation: &str, request: &Value) {
    let answer = endpoint.call(operation, request).unwrap();
    assert!(answer.is_success(), "{operation}: {answer:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn many_clients_that_read_nothing_take_no_more_memory_than_documented() {
    if std::env::var_os("KEYFOLD_LONG").is_none_or(|value| value != "1") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = Command::new(env!("CARGO_BIN_EXE_keyfold"))
        .args(["engine", "serve", "--port", &address.port().to_string(), "--data"])
        .arg(folder.path().join("data"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .map(Server)
        .unwrap();
    let connect =
        || Endpoint::new(&format!("http://{address}")).unwrap().with_response_timeout(Duration::from_secs(60));
    let begun = Instant::now();
    while !connect().call("ListTables", &json!({})).is_ok_and(|answer| answer.is_success()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the server does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    let endpoint = connect();
    must(
        &endpoint,
        "CreateTable",
        &json!({
            "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        }),
    );
    let key = |number: usize| json!({"pk": {"S": number.to_string()}});
    for number in 0..ITEMS {
        let item = json!({"pk": {"S": number.to_string()}, "data": {"S": "x".repeat(390_000)}});
        must(&endpoint, "PutItem", &json!({"TableName": "items", "Item": item}));
    }

    let keys: Vec<Value> = (0..ITEMS).map(key).collect();
    let body = json!({"RequestItems": {"items": {"Keys": keys}}}).to_string();
    let request = format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\nX-Amz-Target: DynamoDB_20120810.BatchGetItem\r\nContent-Length: {}\r\n\r\n\
         {body}",
        body.len()
    );
    let readers: Vec<TcpStream> = (0..READERS)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    let mut durations = Vec::new();
    while begun.elapsed() < DURATION {
        let asked = Instant::now();
        // The key has no item.
        must(&connect(), "GetItem", &json!({"TableName": "items", "Key": key(ITEMS)}));
        durations.push(asked.elapsed());
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(readers);
    let peak = server.peak();
    durations.sort_unstable();
    let (median, slowest) = (durations[durations.len() / 2], durations[durations.len() - 1]);
    println!(
        "{peak} MiB at most; a GetItem of another client took {median:?}, the slowest of {} {slowest:?}",
        durations.len()
    );
    assert!(peak < MEBIBYTES, "{peak} MiB");
    assert!(median < Duration::from_secs(1), "{median:?}");
}
