//! Clients that send too much, too slowly, or not to the end.

use std::time::{Duration, Instant};

use keyfold_wire::{Config, Limits};

use crate::backend::{Behaviour, item};
use crate::client::{Connection, GET_ITEM, post, send};
use crate::server::{Running, config, start, start_with};

fn limited(limits: Limits) -> Running {
    start_with(Config { limits, ..config() })
}

const TOO_LARGE: &str = concat!(
    r#"{"__type":"com.amazon.coral.service#RequestEntityTooLargeException","#,
    r#""message":"the request is larger than 1000 bytes"}"#
);

#[test]
fn bodies_that_are_too_large() {
    let server = limited(Limits { body_bytes: 1000, ..Limits::default() });
    let large = format!(r#"{{"Unknown":"{}"}}"#, "x".repeat(1000));
    let mut connection = Connection::open(server.address);
    connection.send(&post("ListTables", large.as_bytes()));
    let response = connection.read_response();
    assert_eq!((response.status, response.text()), (413, TOO_LARGE));
    assert_eq!(response.header("connection"), "close");
    assert_eq!(response.header("x-amzn-requestid").len(), 52);
    assert!(connection.is_closed_silently());

    let fitting = format!(r#"{{"Unknown":"{}"}}"#, "x".repeat(1000 - 14));
    assert_eq!(fitting.len(), 1000);
    assert_eq!(send(server.address, &post("ListTables", fitting.as_bytes())).status, 200);
}

#[test]
fn bodies_that_turn_out_too_large_in_their_chunks() {
    let server = limited(Limits { body_bytes: 1000, ..Limits::default() });
    let mut connection = Connection::open(server.address);
    connection.send(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    let chunk = [b"200\r\n".as_slice(), &[b' '; 0x200], b"\r\n"].concat();
    for _ in 0..3 {
        connection.send(&chunk);
    }
    connection.send(b"0\r\n\r\n");
    let response = connection.read_response();
    assert_eq!((response.status, response.text()), (413, TOO_LARGE));
}

#[test]
fn an_endless_body_is_cut_off() {
    let server = limited(Limits { body_bytes: 100_000, ..Limits::default() });
    let mut connection = Connection::open(server.address);
    connection.send(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    // Far more than the buffers of both sides hold.
    let taken = (0..1000).take_while(|_| connection.try_send(&chunk)).count();
    assert!(taken < 1000, "the server takes everything");
}

#[test]
fn a_client_that_waits_for_a_word_is_refused_before_it_sends() {
    let server = limited(Limits { body_bytes: 1000, ..Limits::default() });
    let mut connection = Connection::open(server.address);
    connection.send(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Length: 100000\r\n\
          Expect: 100-continue\r\n\r\n",
    );
    assert_eq!(connection.read_response().status, 413);
}

#[test]
fn large_bodies_wait_for_each_other_and_small_ones_do_not() {
    let limits = Limits {
        body_bytes: 1_000_000,
        bodies_bytes: 1_000_000,
        body_read: Duration::from_secs(8),
        ..Limits::default()
    };
    let server = limited(limits);
    let large = post("ListTables", format!(r#"{{"Unknown":"{}"}}"#, "x".repeat(900_000)).as_bytes());
    let (most, rest) = large.split_at(large.len() - 100);
    let mut first = Connection::open(server.address);
    first.send(most);
    std::thread::sleep(Duration::from_millis(200));
    let mut second = Connection::open(server.address);
    let request = large.clone();
    let waiting = std::thread::spawn(move || {
        second.send(&request);
        second.read_response().status
    });
    std::thread::sleep(Duration::from_millis(300));
    assert!(!waiting.is_finished());
    assert_eq!(send(server.address, &post("ListTables", b"{}")).status, 200);
    first.send(rest);
    assert_eq!(first.read_response().status, 200);
    assert_eq!(waiting.join().unwrap(), 200);
}

#[test]
fn heads_that_are_too_large() {
    let server = limited(Limits { header_bytes: 8192, header_count: 20, ..Limits::default() });
    let long = format!("POST / HTTP/1.1\r\nHost: localhost\r\nX-Long: {}\r\n\r\n", "x".repeat(10_000));
    assert_eq!(send(server.address, long.as_bytes()).status, 431);
    let many = format!("POST / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X-Many: a\r\n".repeat(50));
    assert_eq!(send(server.address, many.as_bytes()).status, 431);
}

#[test]
fn a_head_that_trickles_in_is_cut_off_although_bytes_keep_coming() {
    let server = limited(Limits { header_read: Duration::from_millis(300), ..Limits::default() });
    let mut connection = Connection::open(server.address);
    let start = Instant::now();
    connection.send(b"POST / HTTP/1.1\r\n");
    let mut sent = 0;
    while connection.try_send(b"X-Slow: a\r\n") && sent < 100 {
        sent += 1;
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(sent >= 3, "cut off too early");
    // Others are served meanwhile and after.
    assert_eq!(send(server.address, &post("ListTables", b"{}")).status, 200);
}

#[test]
fn a_body_that_trickles_in_is_refused() {
    let server = limited(Limits { body_read: Duration::from_millis(300), ..Limits::default() });
    let mut connection = Connection::open(server.address);
    let request = post("GetItem", GET_ITEM);
    connection.send(&request[..request.len() - 10]);
    let response = connection.read_response();
    assert_eq!(
        (response.status, response.text()),
        (
            408,
            concat!(
                r#"{"__type":"com.amazon.coral.service#RequestTimeoutException","#,
                r#""message":"the request did not arrive in time"}"#
            )
        )
    );
    assert!(connection.is_closed_silently());
    assert_eq!(server.backend.calls(), Vec::<String>::new());
}

#[test]
fn a_connection_that_breaks_off_within_a_body_changes_nothing() {
    let server = start();
    let mut connection = Connection::open(server.address);
    let request = post("PutItem", br#"{"TableName":"table","Item":{"p":{"S":"a"}}}"#);
    connection.send(&request[..request.len() - 1]);
    connection.finish_sending();
    let _ = connection.is_closed_silently();
    assert_eq!(send(server.address, &post("ListTables", b"{}")).status, 200);
    assert_eq!(server.backend.calls(), ["ListTables"]);
}

#[test]
fn idle_connections_are_closed_and_busy_ones_are_not() {
    let server = limited(Limits { idle: Duration::from_millis(300), ..Limits::default() });
    let mut idle = Connection::open(server.address);
    let mut busy = Connection::open(server.address);
    let start = Instant::now();
    for _ in 0..8 {
        busy.send(&post("ListTables", b"{}"));
        assert_eq!(busy.read_response().status, 200);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(idle.is_closed_silently());
    assert!(start.elapsed() < Duration::from_secs(3));
    assert!(busy.is_closed_silently());
}

#[test]
fn a_request_that_takes_long_does_not_count_as_idle() {
    let limits = Limits {
        idle: Duration::from_millis(100),
        header_read: Duration::from_millis(100),
        write_stall: Duration::from_millis(100),
        ..Limits::default()
    };
    let server = limited(limits);
    server.backend.behave(Behaviour::Wait(Duration::from_millis(600)));
    assert_eq!(send(server.address, &post("GetItem", GET_ITEM)).status, 200);
}

#[test]
fn a_backend_that_takes_too_long_is_not_waited_for() {
    let server = limited(Limits { request: Duration::from_millis(200), ..Limits::default() });
    server.backend.behave(Behaviour::Wait(Duration::from_secs(60)));
    let mut connection = Connection::open(server.address);
    connection.send(&post("GetItem", GET_ITEM));
    let response = connection.read_response();
    assert_eq!(
        (response.status, response.text()),
        (
            500,
            concat!(
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","#,
                r#""message":"The request was not completed in time"}"#
            )
        )
    );
    server.backend.behave(Behaviour::Nothing);
    connection.send(&post("GetItem", GET_ITEM));
    assert_eq!(connection.read_response().status, 200);
}

#[test]
fn a_client_that_does_not_take_its_answers_is_cut_off() {
    let server = limited(Limits { write_stall: Duration::from_millis(300), ..Limits::default() });
    server.backend.behave(Behaviour::Item(item(300_000)));
    let mut connection = Connection::open(server.address);
    // Answers of about 30 MB, more than the buffers of both sides hold.
    let mut sent = 0;
    while sent < 100 && connection.try_send(&post("GetItem", GET_ITEM)) {
        sent += 1;
    }
    std::thread::sleep(Duration::from_millis(1500));
    // Everything that is still on its way is less than everything that was asked for.
    let mut stream_ended = false;
    for _ in 0..sent {
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| connection.read_response())) {
            Ok(response) => assert_eq!(response.status, 200),
            Err(_) => {
                stream_ended = true;
                break;
            }
        }
    }
    assert!(stream_ended, "all {sent} responses came");
}

#[test]
fn idle_connections_make_room_for_new_ones() {
    let server = limited(Limits { connections: 3, ..Limits::default() });
    let mut idle: Vec<Connection> = (0..3).map(|_| Connection::open(server.address)).collect();
    for connection in &mut idle {
        connection.send(&post("ListTables", b"{}"));
        assert_eq!(connection.read_response().status, 200);
    }
    let start = Instant::now();
    assert_eq!(send(server.address, &post("ListTables", b"{}")).status, 200);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(idle.iter_mut().any(|connection| connection.is_closed_silently()));
}
