//! Requests under the name of someone else: a page whose name resolves to the loopback interface.

use keyfold_wire::{AccessKeys, Config, Credentials};

use crate::client::{GET_ITEM, post, send};
use crate::server::{Running, config, start, start_with};

const NOT_ONE_HOST: &str = "the request names no host, or several: it needs exactly one `Host` header\n";

fn with_host(request: &[u8], host: &str) -> Vec<u8> {
    String::from_utf8(request.to_vec()).unwrap().replace("Host: localhost:8000\r\n", host).into_bytes()
}

#[test]
fn an_open_server_is_reached_under_its_own_names_only() {
    let server = start();
    let get_item = post("GetItem", GET_ITEM);
    assert_eq!(send(server.address, &with_host(&get_item, "Host: 127.0.0.1:8000\r\n")).status, 200);
    let calls = server.backend.calls();
    let other = "`attacker.example` is not a name of this server: it is served as localhost, and under the names that \
                 its configuration allows\n";
    let refused = [
        ("Host: attacker.example:8000\r\n", other),
        ("", NOT_ONE_HOST),
        ("Host: localhost\r\nHost: attacker.example\r\n", NOT_ONE_HOST),
    ];
    for (host, text) in refused {
        for request in [get_item.clone(), b"GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n".to_vec()] {
            let response = send(server.address, &with_host(&request, host));
            assert_eq!(response.status, 421, "{host}");
            assert_eq!(response.text(), text);
        }
    }
    assert_eq!(server.backend.calls(), calls, "no refused request reached the backend");
}

#[test]
fn more_names_can_be_allowed() {
    let server = start_with(Config { allowed_hosts: vec!["tables.test".to_owned()], ..config() });
    let request = with_host(&post("GetItem", GET_ITEM), "Host: tables.test:8000\r\n");
    assert_eq!(send(server.address, &request).status, 200);
}

fn with_credentials() -> Running {
    let secrets = [("AKIDEXAMPLE".to_owned(), "the secret".to_owned())].into();
    let credentials = Credentials::Configured(AccessKeys::new(secrets));
    start_with(Config { credentials, ..config() })
}

#[test]
fn signed_requests_may_use_any_name() {
    let server = with_credentials();
    let response = send(server.address, &with_host(&post("GetItem", GET_ITEM), "Host: tables.example\r\n"));
    assert_eq!(response.status, 400, "the signature is missing, the name is fine");
    assert!(response.text().contains("MissingAuthenticationTokenException"), "{}", response.text());
}

#[test]
fn signed_requests_use_one_name() {
    let server = with_credentials();
    for hosts in ["", "Host: tables.example\r\nHost: tables.example\r\n"] {
        for request in [post("GetItem", GET_ITEM), b"GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n".to_vec()] {
            let response = send(server.address, &with_host(&request, hosts));
            assert_eq!((response.status, response.text()), (421, NOT_ONE_HOST), "{hosts}");
        }
    }
}
