//! The development mode, from start to stop and start again.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::serve::process::{Backend, designs};

fn start(folder: &Path) -> Backend {
    let platform = designs().join("platform");
    Backend::start(folder, &["--dev", platform.to_str().unwrap(), "--data", "data", "--dynamodb-port", "0"])
}

#[test]
fn items_are_created_read_and_denied_to_other_tenants() {
    let folder = tempfile::tempdir().unwrap();
    let backend = start(folder.path());
    assert!(backend.printed().contains("keyfold: platform: 82 sample items loaded"), "{}", backend.printed());
    let ada = backend.token("platform: a member of northwind, administrator");
    let license = json!({"licenseId": "nw-new", "enterpriseId": "globex", "endDate": "2027-03-31", "seats": 3});
    let (status, created) = backend.ask(&ada, "POST", "/v1/platform/licenses", Some(&license));
    assert_eq!((status, &created["status"], &created["version"]), (201, &json!("active"), &json!(1)), "{created}");
    let (status, read) = backend.ask(&ada, "GET", "/v1/platform/licenses/nw-new", None);
    assert_eq!((status, read), (200, created.clone()));

    let joan = backend.token("platform: a member of contoso");
    let (status, problem) = backend.ask(&joan, "GET", "/v1/platform/licenses/nw-new", None);
    assert_eq!((status, &problem["code"]), (404, &json!("not-found")));
    let (status, problem) = backend.ask(&joan, "GET", "/v1/platform/accounts/northwind", None);
    assert_eq!((status, &problem["code"]), (404, &json!("not-found")));
    let (status, problem) = backend.ask("", "GET", "/v1/platform/accounts/northwind", None);
    assert_eq!((status, &problem["code"]), (401, &json!("unauthenticated")));

    let log = backend.stop();
    assert!(log.ends_with("keyfold: shutting down; completing requests in flight\nkeyfold: stopped\n"), "{log}");

    let again = start(folder.path());
    assert!(!again.printed().contains("sample items loaded"), "{}", again.printed());
    // Tokens of the first start are no longer good.
    assert_eq!(again.ask(&ada, "GET", "/v1/platform/licenses/nw-new", None).0, 401);
    let ada = again.token("platform: a member of northwind, administrator");
    assert_eq!(again.ask(&ada, "GET", "/v1/platform/licenses/nw-new", None), (200, created));
}

#[test]
fn the_dynamodb_endpoint_shows_the_same_items() {
    let folder = tempfile::tempdir().unwrap();
    let backend = start(folder.path());
    let address = backend.dynamodb.as_ref().unwrap().strip_prefix("http://").unwrap().to_owned();
    let mut stream = TcpStream::connect(address).unwrap();
    let body = json!({"TableName": "app_data", "Key": {"PK": {"S": "ACCOUNT#northwind"}, "SK": {"S": "LICENSE#nw-1"}}});
    let body = body.to_string();
    let request = format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-amz-target: DynamoDB_20120810.GetItem\r\n\
         content-type: application/x-amz-json-1.0\r\n\
         authorization: AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200") && response.contains("\"licenseId\":{\"S\":\"nw-1\"}"), "{response}");
}

#[test]
fn requests_in_flight_complete_before_the_process_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut backend = start(folder.path());
    let operator = backend.token("platform: an operator");
    let mut stream = TcpStream::connect(backend.address()).unwrap();
    let head = format!(
        "POST /v1/platform/products HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {operator}\r\n\
         content-type: application/json\r\ncontent-length: 16\r\nexpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // Sent once the request is being handled.
    let mut interim = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    backend.terminate();
    let terminated = Instant::now();
    while TcpStream::connect(backend.address()).is_ok() {
        assert!(terminated.elapsed() < Duration::from_secs(15), "new connections are accepted");
        std::thread::sleep(Duration::from_millis(5));
    }
    stream.write_all(b"{\"name\":\"Radar\"}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 201 Created"), "{response}");
    assert!(backend.wait().success());
}
