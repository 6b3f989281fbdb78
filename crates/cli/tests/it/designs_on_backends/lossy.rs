//! A proxy before a service that loses answers to requests that were carried out: about one write in six, once each.
//!
//! Draws from a sequence are spared: a number whose answer is lost is never used, which scenarios would notice.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The hashes of the requests whose answers were lost.
pub(super) type Lost = Arc<Mutex<HashSet<u64>>>;

/// Starts a proxy; its URL, and what it lost.
pub(super) async fn before(service: &str) -> (String, Lost) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let service = service.strip_prefix("http://").unwrap().to_owned();
    let lost = Lost::default();
    let losing = lost.clone();
    tokio::spawn(async move {
        loop {
            let (client, _) = listener.accept().await.unwrap();
            let service = TcpStream::connect(&service).await.unwrap();
            tokio::spawn(relay(client, service, losing.clone()));
        }
    });
    (url, lost)
}

async fn relay(mut client: TcpStream, mut service: TcpStream, lost: Lost) {
    while let Some(request) = message(&mut client).await {
        service.write_all(&request).await.unwrap();
        let Some(answer) = message(&mut service).await else { return };
        if loses(&request, &lost) {
            return;
        }
        if client.write_all(&answer).await.is_err() {
            return;
        }
    }
}

/// A whole request or answer; `None` where the connection ends.
async fn message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(head) = find(&bytes, b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if bytes.len() >= head + 4 + length.unwrap_or(0) {
                return Some(bytes);
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

fn loses(request: &[u8], lost: &Lost) -> bool {
    let head = find(request, b"\r\n\r\n").unwrap();
    let target = String::from_utf8_lossy(&request[..head]).into_owned();
    let body = &request[head + 4..];
    let is_write = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"]
        .iter()
        .any(|operation| target.contains(&format!("DynamoDB_20120810.{operation}")));
    let draws = target.contains(".UpdateItem") && find(body, b"ConditionExpression").is_none();
    let mut hasher = DefaultHasher::new();
    hash_sorted(&serde_json::from_slice(body).unwrap(), &mut hasher);
    let hash = hasher.finish();
    is_write && !draws && hash.is_multiple_of(6) && lost.lock().unwrap().insert(hash)
}

/// A request that is sent again has its members in another order.
fn hash_sorted(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort();
            for name in names {
                name.hash(hasher);
                hash_sorted(&members[name], hasher);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| hash_sorted(item, hasher)),
        plain => plain.to_string().hash(hasher),
    }
}

fn find(bytes: &[u8], sought: &[u8]) -> Option<usize> {
    bytes.windows(sought.len()).position(|window| window == sought)
}
