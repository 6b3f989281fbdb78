//! What goes wrong with one request leaves the others alone.

use crate::backend::Behaviour;
use crate::client::{Connection, GET_ITEM, post, send};
use crate::server::start;

#[test]
fn a_panic_is_an_internal_error_of_its_request_alone() {
    let server = start();
    server.backend.behave(Behaviour::Panic);
    let mut connection = Connection::open(server.address);
    connection.send(&post("GetItem", GET_ITEM));
    let response = connection.read_response();
    assert_eq!(
        (response.status, response.text()),
        (
            500,
            concat!(
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","#,
                r#""message":"Internal server error"}"#
            )
        )
    );
    server.backend.behave(Behaviour::Nothing);
    connection.send(&post("GetItem", GET_ITEM));
    assert_eq!(connection.read_response().status, 200);
}

#[test]
fn bytes_that_are_not_http_end_their_connection_alone() {
    let server = start();
    let mut good = Connection::open(server.address);
    for garbage in [b"\x16\x03\x01\x02\x00\x01\x00".as_slice(), b"\r\n\r\n\r\n\0\0\0\0", b"GET\r\n\r\n"] {
        let mut bad = Connection::open(server.address);
        bad.send(garbage);
        bad.finish_sending();
        good.send(&post("ListTables", b"{}"));
        assert_eq!(good.read_response().status, 200);
    }
    assert_eq!(send(server.address, b"NONSENSE\r\n\r\n").status, 400);
}

#[test]
fn clients_that_vanish_are_forgotten() {
    let server = start();
    for _ in 0..200 {
        let mut connection = Connection::open(server.address);
        connection.send(&post("GetItem", GET_ITEM)[..50]);
    }
    assert_eq!(send(server.address, &post("ListTables", b"{}")).status, 200);
}
