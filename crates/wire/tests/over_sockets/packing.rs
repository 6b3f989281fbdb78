//! gzip in both directions.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use keyfold_wire::{Config, Limits};

use crate::backend::{Behaviour, item};
use crate::client::{GET_ITEM, post, post_with, send};
use crate::server::{config, start, start_with};

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_packed_request_is_unpacked() {
    let server = start();
    let request = post_with("GetItem", &packed(GET_ITEM), &[("Content-Encoding", "gzip")]);
    assert_eq!(send(server.address, &request).text(), "{}");
    assert_eq!(server.backend.calls(), ["GetItem table"]);
}

#[test]
fn a_request_that_is_not_what_it_says_cannot_be_read() {
    let server = start();
    let broken = post_with("GetItem", GET_ITEM, &[("Content-Encoding", "gzip")]);
    assert_eq!(send(server.address, &broken).text(), r#"{"__type":"com.amazon.coral.service#SerializationException"}"#);
    let unknown = post_with("GetItem", GET_ITEM, &[("Content-Encoding", "br")]);
    assert_eq!(
        send(server.address, &unknown).text(),
        r#"{"__type":"com.amazon.coral.service#SerializationException","Message":"Unsupported content encoding"}"#
    );
}

#[test]
fn a_small_request_that_unpacks_to_a_large_one_is_refused() {
    let server = start_with(Config { limits: Limits { body_bytes: 100_000, ..Limits::default() }, ..config() });
    let bomb = packed(&vec![b' '; 50_000_000]);
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    let response = send(server.address, &post_with("GetItem", &bomb, &[("Content-Encoding", "gzip")]));
    assert_eq!(response.status, 413);
}

#[test]
fn a_packed_request_has_one_member() {
    let server = start();
    let many = [packed(GET_ITEM), packed(b"").repeat(500_000)].concat();
    assert!(many.len() < Limits::default().body_bytes);
    for body in [many, [packed(b" "), packed(GET_ITEM)].concat()] {
        let response = send(server.address, &post_with("GetItem", &body, &[("Content-Encoding", "gzip")]));
        assert_eq!(
            response.text(),
            r#"{"__type":"com.amazon.coral.service#SerializationException","Message":"Data follows the gzip member of the body"}"#
        );
    }
    assert!(server.backend.calls().is_empty());
    let cut = packed(GET_ITEM);
    let cut = post_with("GetItem", &cut[..cut.len() - 1], &[("Content-Encoding", "gzip")]);
    assert_eq!(send(server.address, &cut).status, 400);
}

#[test]
fn answers_are_packed_for_those_who_ask_and_the_checksum_is_that_of_the_bytes_sent() {
    let server = start();
    server.backend.behave(Behaviour::Item(item(5000)));
    let plain = send(server.address, &post("GetItem", GET_ITEM));
    assert_eq!(plain.header("content-encoding"), "");
    for asking in ["gzip", "deflate, gzip;q=0.5", "GZIP"] {
        let response = send(server.address, &post_with("GetItem", GET_ITEM, &[("Accept-Encoding", asking)]));
        assert_eq!(response.header("content-encoding"), "gzip");
        assert_eq!(response.header("x-amz-crc32"), crc32fast::hash(&response.body).to_string());
        let mut unpacked = Vec::new();
        GzDecoder::new(response.body.as_slice()).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.body);
    }
    for not_asking in ["identity", "gzip;q=0", "br", ""] {
        let response = send(server.address, &post_with("GetItem", GET_ITEM, &[("Accept-Encoding", not_asking)]));
        assert_eq!(response.header("content-encoding"), "", "{not_asking}");
        assert_eq!(response.body, plain.body);
    }
}

#[test]
fn short_answers_are_never_packed() {
    let server = start();
    let response = send(server.address, &post_with("GetItem", GET_ITEM, &[("Accept-Encoding", "gzip")]));
    assert_eq!((response.header("content-encoding"), response.text()), ("", "{}"));
}
