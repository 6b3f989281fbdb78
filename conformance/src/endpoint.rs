//! A small blocking HTTP/1.1 client that speaks DynamoDB's JSON protocol.
//!
//! It sends every request at most once: a call that fails after the request left is reported, never repeated, so that
//! crash tests can tell an acknowledged write from one whose fate is unknown.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::signature;

/// The service version that prefixes every operation in `X-Amz-Target`.
pub const TARGET_PREFIX: &str = "DynamoDB_20120810.";

/// An endpoint such as `http://127.0.0.1:8000`, shared freely between threads.
pub struct Endpoint {
    address: String,
    connect_timeout: Duration,
    response_timeout: Duration,
    idle: Mutex<Vec<Connection>>,
}

/// What an endpoint said to one request.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    /// The parsed body; `Null` when it is empty, a string when it is not JSON.
    pub body: Value,
    /// Header names are lower-case.
    pub headers: Vec<(String, String)>,
    pub raw_body: Vec<u8>,
}

/// Why no response came back.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    #[error("`{0}` is not of the form http://HOST:PORT")]
    Url(String),
    #[error("cannot connect to {address}: {cause}")]
    Connect { address: String, cause: std::io::Error },
    #[error("no response to a request that was sent: {0}")]
    Lost(#[from] std::io::Error),
    #[error("the response is not HTTP/1.1: {0}")]
    Protocol(String),
}

type Result<T> = std::result::Result<T, EndpointError>;
type Connection = BufReader<TcpStream>;

impl Response {
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status == 200
    }

    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The error's name without its namespace, such as `ResourceNotFoundException`.
    #[must_use]
    pub fn error_type(&self) -> Option<&str> {
        let full = self.body.get("__type")?.as_str()?;
        Some(full.rsplit('#').next().unwrap_or(full))
    }

    /// The error's text, under either of the two spellings DynamoDB uses.
    #[must_use]
    pub fn error_message(&self) -> Option<&str> {
        self.body.get("message").or_else(|| self.body.get("Message"))?.as_str()
    }
}

impl Endpoint {
    /// Remembers where to connect; the first call opens a connection.
    pub fn new(url: &str) -> Result<Self> {
        let rest = url.strip_prefix("http://").ok_or_else(|| EndpointError::Url(url.to_owned()))?;
        let address = rest.trim_end_matches('/');
        if address.is_empty() || address.contains('/') {
            return Err(EndpointError::Url(url.to_owned()));
        }
        let address = if address.contains(':') { address.to_owned() } else { format!("{address}:80") };
        Ok(Self {
            address,
            connect_timeout: Duration::from_secs(5),
            response_timeout: Duration::from_secs(60),
            idle: Mutex::new(Vec::new()),
        })
    }

    /// Gives up on a response after `timeout` instead of one minute.
    #[must_use]
    pub fn with_response_timeout(mut self, timeout: Duration) -> Self {
        self.response_timeout = timeout;
        self
    }

    /// Calls `operation` with a JSON document.
    pub fn call(&self, operation: &str, request: &Value) -> Result<Response> {
        self.send(&protocol_headers(operation), in_order(request).to_string().as_bytes())
    }

    /// Sends any body under any headers, for requests that break the protocol on purpose.
    pub fn send(&self, headers: &[(String, String)], body: &[u8]) -> Result<Response> {
        let mut connection = match self.take_idle() {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let mut head = format!("POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n", self.address, body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body);
        connection.get_mut().write_all(&bytes)?;
        let (response, reusable) = read_response(&mut connection)?;
        if reusable {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        Ok(response)
    }

    fn connect(&self) -> Result<Connection> {
        let refused = |cause| EndpointError::Connect { address: self.address.clone(), cause };
        let mut last = std::io::Error::new(std::io::ErrorKind::NotFound, "the host has no address");
        for address in self.address.to_socket_addrs().map_err(refused)? {
            match TcpStream::connect_timeout(&address, self.connect_timeout) {
                Ok(stream) => {
                    stream.set_nodelay(true).map_err(refused)?;
                    stream.set_read_timeout(Some(self.response_timeout)).map_err(refused)?;
                    stream.set_write_timeout(Some(self.response_timeout)).map_err(refused)?;
                    return Ok(BufReader::new(stream));
                }
                Err(cause) => last = cause,
            }
        }
        Err(refused(last))
    }

    /// An idle connection that the server has not closed meanwhile.
    fn take_idle(&self) -> Option<Connection> {
        loop {
            let connection = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
            if is_open(connection.get_ref()) {
                return Some(connection);
            }
        }
    }
}

/// The headers of a well-formed request.
#[must_use]
pub fn protocol_headers(operation: &str) -> Vec<(String, String)> {
    let (date, authorization) = signature::unchecked();
    [
        ("Content-Type", "application/x-amz-json-1.0".to_owned()),
        ("X-Amz-Target", format!("{TARGET_PREFIX}{operation}")),
        ("X-Amz-Date", date),
        ("Authorization", authorization),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

/// An idle connection has nothing to read: end of file or stray bytes both mean that it cannot be used again.
fn is_open(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return false;
    }
    let quiet = matches!(stream.peek(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
    stream.set_nonblocking(false).is_ok() && quiet
}

fn read_response(connection: &mut Connection) -> Result<(Response, bool)> {
    let status_line = read_line(connection)?;
    let status = status_line
        .strip_prefix("HTTP/1.")
        .and_then(|rest| rest.split(' ').nth(1))
        .and_then(|code| code.parse().ok())
        .ok_or_else(|| EndpointError::Protocol(status_line.clone()))?;
    let mut headers = Vec::new();
    loop {
        let line = read_line(connection)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| EndpointError::Protocol(line.clone()))?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
    let header = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let closes = header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    let (raw_body, framed) = if header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        (read_chunks(connection)?, true)
    } else if let Some(length) = header("content-length") {
        let length = length.parse().map_err(|_| EndpointError::Protocol(format!("content-length: {length}")))?;
        (read_exactly(connection, length)?, true)
    } else {
        let mut rest = Vec::new();
        connection.read_to_end(&mut rest)?;
        (rest, false)
    };
    let body = parse_body(&raw_body);
    Ok((Response { status, body, headers, raw_body }, framed && !closes))
}

fn parse_body(bytes: &[u8]) -> Value {
    if bytes.is_empty() {
        return Value::Null;
    }
    match serde_json::from_slice(bytes) {
        Ok(body) => in_order(&body),
        Err(_) => Value::String(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// With the members of objects in the order of their names, whichever order serde_json is built to keep: what is sent,
/// shown and compared must not depend on it.
pub(crate) fn in_order(value: &Value) -> Value {
    let mut value = value.clone();
    value.sort_all_objects();
    value
}

fn read_line(connection: &mut Connection) -> Result<String> {
    let mut line = String::new();
    if connection.read_line(&mut line)? == 0 {
        return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn read_exactly(connection: &mut Connection, length: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    connection.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_chunks(connection: &mut Connection) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = read_line(connection)?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let length = usize::from_str_radix(digits, 16).map_err(|_| EndpointError::Protocol(line.clone()))?;
        if length == 0 {
            // Trailers, if any, end with an empty line.
            while !read_line(connection)?.is_empty() {}
            return Ok(body);
        }
        body.extend(read_exactly(connection, length)?);
        read_line(connection)?;
    }
}
