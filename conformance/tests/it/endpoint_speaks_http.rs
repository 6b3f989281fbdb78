//! The client against a socket that responds in every framing a server may choose.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use keyfold_conformance::{Endpoint, EndpointError};
use serde_json::json;

/// Serves one connection per inner list, one canned response per request; returns the requests it saw.
fn serve(connections: Vec<Vec<&'static str>>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let mut seen = Vec::new();
        for responses in connections {
            let (mut stream, _) = listener.accept().unwrap();
            for response in responses {
                let mut buffer = [0; 4096];
                let length = stream.read(&mut buffer).unwrap();
                seen.push(String::from_utf8_lossy(&buffer[..length]).into_owned());
                stream.write_all(response.as_bytes()).unwrap();
            }
        }
        seen
    });
    (url, server)
}

#[test]
fn one_connection_serves_many_calls() {
    let (url, server) = serve(vec![vec![
        "HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{\"TableNames\":[]}",
        "HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\nX-Id: 7\r\n\r\n\
         b\r\n{\"__type\":\"\r\n10\r\nc#E\",\"Message\":\"\r\n3\r\nm\"}\r\n0\r\n\r\n",
    ]]);
    let endpoint = Endpoint::new(&url).unwrap();
    let first = endpoint.call("ListTables", &json!({"Limit": 1})).unwrap();
    assert_eq!(first.status, 200);
    assert_eq!(first.body, json!({"TableNames": []}));
    let second = endpoint.call("GetItem", &json!({})).unwrap();
    assert_eq!(second.status, 400);
    assert_eq!(second.error_type(), Some("E"));
    assert_eq!(second.error_message(), Some("m"));
    assert_eq!(second.header("x-id"), Some("7"));

    let seen = server.join().unwrap();
    assert!(seen[0].starts_with("POST / HTTP/1.1\r\n"), "{}", seen[0]);
    assert!(seen[0].contains("\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"), "{}", seen[0]);
    assert!(seen[0].contains("\r\nContent-Type: application/x-amz-json-1.0\r\n"), "{}", seen[0]);
    assert!(seen[0].ends_with("\r\n\r\n{\"Limit\":1}"), "{}", seen[0]);
    assert!(seen[1].contains("\r\nAuthorization: AWS4-HMAC-SHA256 Credential="), "{}", seen[1]);
}

#[test]
fn a_connection_the_server_closed_is_replaced() {
    let (url, server) = serve(vec![
        vec!["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"],
        vec!["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"a\":1}"],
    ]);
    let endpoint = Endpoint::new(&url).unwrap();
    endpoint.call("ListTables", &json!({})).unwrap();
    thread::sleep(Duration::from_millis(50));
    let response = endpoint.call("ListTables", &json!({})).unwrap();
    assert_eq!(response.body, json!({"a": 1}));
    server.join().unwrap();
}

#[test]
fn a_lost_response_is_an_error_and_not_a_second_request() {
    let (url, server) = serve(vec![vec![""]]);
    let endpoint = Endpoint::new(&url).unwrap();
    let lost = endpoint.call("PutItem", &json!({})).unwrap_err();
    assert!(matches!(lost, EndpointError::Lost(_)), "{lost}");
    assert_eq!(server.join().unwrap().len(), 1);
}

#[test]
fn a_silent_server_runs_into_the_time_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let endpoint = Endpoint::new(&url).unwrap().with_response_timeout(Duration::from_millis(100));
    assert!(matches!(endpoint.call("PutItem", &json!({})), Err(EndpointError::Lost(_))));
}

#[test]
fn a_refused_connection_says_where() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let refused = Endpoint::new(&format!("http://{address}")).unwrap().call("ListTables", &json!({})).unwrap_err();
    assert!(refused.to_string().starts_with(&format!("cannot connect to {address}: ")), "{refused}");
}

#[test]
fn other_schemes_and_paths_are_refused() {
    for url in ["https://127.0.0.1:8000", "127.0.0.1:8000", "http://", "http://host/path"] {
        assert!(matches!(Endpoint::new(url), Err(EndpointError::Url(_))), "{url}");
    }
}
