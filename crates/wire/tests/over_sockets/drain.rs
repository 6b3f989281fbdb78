//! Stopping: nothing new, and what is in flight is finished.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use keyfold_wire::{Config, Limits};

use crate::backend::Behaviour;
use crate::client::{Connection, GET_ITEM, post};
use crate::server::{config, start, start_with};

#[test]
fn requests_in_flight_are_answered_and_idle_connections_closed_at_once() {
    let mut server = start();
    let mut used_and_idle = Connection::open(server.address);
    used_and_idle.send(&post("ListTables", b"{}"));
    assert_eq!(used_and_idle.read_response().status, 200);
    let mut never_used = Connection::open(server.address);
    server.backend.behave(Behaviour::Wait(Duration::from_millis(800)));
    let mut in_flight = Connection::open(server.address);
    in_flight.send(&post("GetItem", GET_ITEM));
    while server.backend.calls().len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }

    let start = Instant::now();
    server.ask_to_stop();
    assert!(used_and_idle.is_closed_silently());
    assert!(never_used.is_closed_silently());
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    assert!(TcpStream::connect(server.address).is_err(), "a stopping server accepts connections");
    let response = in_flight.read_response();
    assert_eq!((response.status, response.text()), (200, "{}"));
    assert!(in_flight.is_closed_silently());
    server.wait_until_stopped();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn draining_has_an_end() {
    let limits = Limits { drain: Duration::from_millis(300), ..Limits::default() };
    let mut server = start_with(Config { limits, ..config() });
    server.backend.behave(Behaviour::Wait(Duration::from_secs(60)));
    let mut stuck = Connection::open(server.address);
    stuck.send(&post("GetItem", GET_ITEM));
    while server.backend.calls().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let start = Instant::now();
    server.ask_to_stop();
    server.wait_until_stopped();
    assert!(start.elapsed() >= Duration::from_millis(300), "{:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(stuck.is_closed_silently());
}

#[test]
fn a_request_whose_body_is_on_its_way_is_in_flight() {
    let mut server = start();
    let mut connection = Connection::open(server.address);
    let request = post("GetItem", GET_ITEM);
    let (first, rest) = request.split_at(request.len() - 5);
    connection.send(first);
    std::thread::sleep(Duration::from_millis(200));
    server.ask_to_stop();
    std::thread::sleep(Duration::from_millis(200));
    connection.send(rest);
    assert_eq!(connection.read_response().status, 200);
    server.wait_until_stopped();
}
