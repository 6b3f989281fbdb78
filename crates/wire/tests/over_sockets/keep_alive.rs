//! Several requests on one connection.

use std::time::{Duration, Instant};

use crate::backend::Behaviour;
use crate::client::{Connection, GET_ITEM, post};
use crate::server::start;

#[test]
fn requests_follow_each_other_on_one_connection() {
    let server = start();
    let mut connection = Connection::open(server.address);
    for _ in 0..100 {
        connection.send(&post("GetItem", GET_ITEM));
        assert_eq!(connection.read_response().text(), "{}");
    }
    assert_eq!(server.backend.calls().len(), 100);
}

#[test]
fn pipelined_requests_are_answered_in_their_order() {
    let server = start();
    let mut connection = Connection::open(server.address);
    let requests: Vec<Vec<u8>> = (0..20)
        .map(|index| {
            let table = format!(r#""TableName":"table-{index}""#);
            let condition = r#""KeyConditionExpression":"p = :p","ExpressionAttributeValues":{":p":{"S":"a"}}"#;
            match index % 2 {
                0 => post("Scan", format!("{{{table}}}").as_bytes()),
                _ => post("Query", format!("{{{table},{condition}}}").as_bytes()),
            }
        })
        .collect();
    connection.send(&requests.concat());
    for index in 0..20 {
        let expected = if index % 2 == 0 {
            r#"{"Count":0,"ScannedCount":0}"#
        } else {
            r#"{"Items":[],"Count":0,"ScannedCount":0}"#
        };
        assert_eq!(connection.read_response().text(), expected, "{index}");
    }
    let calls = server.backend.calls();
    assert_eq!(calls.len(), 20);
    assert_eq!(calls[7], "Query table-7");
}

#[test]
fn a_request_may_arrive_byte_by_byte() {
    let server = start();
    let mut connection = Connection::open(server.address);
    for byte in post("GetItem", GET_ITEM) {
        connection.send(&[byte]);
    }
    assert_eq!(connection.read_response().text(), "{}");
}

#[test]
fn a_body_may_come_in_chunks() {
    let server = start();
    let mut connection = Connection::open(server.address);
    connection.send(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for part in GET_ITEM.chunks(10) {
        connection.send(format!("{:x}\r\n", part.len()).as_bytes());
        connection.send(part);
        connection.send(b"\r\n");
    }
    connection.send(b"0\r\n\r\n");
    assert_eq!(connection.read_response().text(), "{}");
    connection.send(&post("ListTables", b"{}"));
    assert_eq!(connection.read_response().text(), r#"{"TableNames":["table"]}"#);
}

#[test]
fn a_body_whose_length_is_stated_twice_is_refused() {
    let server = start();
    let length = GET_ITEM.len();
    let chunk = format!("{length:x}\r\n{}\r\n0\r\n\r\n", String::from_utf8_lossy(GET_ITEM));
    let plain = String::from_utf8_lossy(GET_ITEM);
    for (framing, body) in [
        (format!("Content-Length: {}\r\nTransfer-Encoding: chunked", chunk.len()), &*chunk),
        (format!("Transfer-Encoding: chunked\r\nContent-Length: {}", chunk.len()), &*chunk),
        (format!("Content-Length: {length}\r\nContent-Length: {length}"), &*plain),
    ] {
        let mut connection = Connection::open(server.address);
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n";
        connection.send(format!("{head}{framing}\r\n\r\n{body}").as_bytes());
        assert_eq!(connection.read_response().status, 400, "{framing}");
    }
    assert!(server.backend.calls().is_empty(), "{:?}", server.backend.calls());
}

#[test]
fn a_client_may_ask_to_close() {
    let server = start();
    let mut connection = Connection::open(server.address);
    connection.send(&crate::client::post_with("ListTables", b"{}", &[("Connection", "close")]));
    assert_eq!(connection.read_response().status, 200);
    assert!(connection.is_closed_silently());
}

#[test]
fn connections_do_not_wait_for_each_other() {
    let server = start();
    server.backend.behave(Behaviour::Wait(Duration::from_millis(300)));
    let start = Instant::now();
    let mut connections: Vec<Connection> = (0..50).map(|_| Connection::open(server.address)).collect();
    for connection in &mut connections {
        connection.send(&post("GetItem", GET_ITEM));
    }
    for connection in &mut connections {
        assert_eq!(connection.read_response().status, 200);
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
