//! A client that sends bytes and reads responses, one connection at a time.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub(crate) struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    /// By name, in small letters.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Response {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// A POST with a body, as an SDK sends it.
pub(crate) fn post(operation: &str, body: &[u8]) -> Vec<u8> {
    post_with(operation, body, &[])
}

pub(crate) fn post_with(operation: &str, body: &[u8], headers: &[(&str, &str)]) -> Vec<u8> {
    let mut request = format!(
        "POST / HTTP/1.1\r\nHost: localhost:8000\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: \
         DynamoDB_20120810.{operation}\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    [request.as_bytes(), body].concat()
}

pub(crate) const GET_ITEM: &[u8] = br#"{"TableName":"table","Key":{"p":{"S":"key"}}}"#;

/// Sends one request on a connection of its own.
pub(crate) fn send(address: SocketAddr, request: &[u8]) -> Response {
    let mut connection = Connection::open(address);
    connection.send(request);
    connection.read_response()
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, received: Vec::new() }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Sends what the server takes; whether it took all.
    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    pub(crate) fn finish_sending(&mut self) {
        self.stream.shutdown(std::net::Shutdown::Write).unwrap();
    }

    /// Reads the next response.
    pub(crate) fn read_response(&mut self) -> Response {
        let head_end = loop {
            if let Some(at) = self.received.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            assert!(self.receive() > 0, "the connection ended within a response");
        };
        let head: Vec<u8> = self.received.drain(..head_end).collect();
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: HashMap<String, String> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let length: usize = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        while self.received.len() < length {
            assert!(self.receive() > 0, "the connection ended within a response");
        }
        let body = self.received.drain(..length).collect();
        Response { status, headers, body }
    }

    fn receive(&mut self) -> usize {
        let mut chunk = [0; 64 * 1024];
        let count = self.stream.read(&mut chunk).unwrap();
        self.received.extend_from_slice(&chunk[..count]);
        count
    }

    /// Waits until the server closes the connection; whether it did so without another response.
    pub(crate) fn is_closed_silently(&mut self) -> bool {
        let mut chunk = [0; 1024];
        match self.stream.read(&mut chunk) {
            Ok(count) => count == 0 && self.received.is_empty(),
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}
