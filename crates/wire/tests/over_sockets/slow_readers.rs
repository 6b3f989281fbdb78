//! Clients that do not read large responses, next to others.

use std::time::Duration;

use keyfold_wire::{Config, Limits};

use crate::backend::{Behaviour, item};
use crate::client::{Connection, GET_ITEM, post, send};
use crate::server::{config, start_with};

/// More than the operating system buffers for a connection.
const LARGE: usize = 32 << 20;

#[test]
fn small_responses_do_not_wait_and_a_large_one_is_produced_again() {
    // Half of it is for sending: room for two large responses.
    let limits = Limits { responses_bytes: 4 * LARGE + (2 << 20), ..Limits::default() };
    let server = start_with(Config { limits, ..config() });
    server.backend.behave(Behaviour::Item(item(LARGE)));
    let mut silent = [Connection::open(server.address), Connection::open(server.address)];
    for (count, connection) in silent.iter_mut().enumerate() {
        connection.send(&post("GetItem", GET_ITEM));
        while server.backend.calls().len() <= count {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    std::thread::sleep(Duration::from_millis(300));

    let mut reading = Connection::open(server.address);
    reading.send(&post("GetItem", GET_ITEM));
    while server.backend.calls().len() < 3 {
        std::thread::sleep(Duration::from_millis(10));
    }
    server.backend.behave(Behaviour::Nothing);
    assert_eq!(send(server.address, &post("GetItem", GET_ITEM)).text(), "{}");
    assert_eq!(server.backend.calls().len(), 4);
    server.backend.behave(Behaviour::Item(item(LARGE)));

    let response = reading.read_response();
    assert_eq!((response.status, response.text().len() > LARGE), (200, true));
    assert_eq!(server.backend.calls().len(), 5, "executed once for its size and once for the response");
}
