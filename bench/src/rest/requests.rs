//! The bytes of requests to the REST backend, and sources of them.

use crate::{
    Outcome,
    http::{load::RequestSource, request::request_bytes},
};
use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

/// A whole HTTP/1.1 request with the headers that a client sends.
pub(crate) fn rest_bytes(method: &str, path: &str, token: &str, body: &str) -> Vec<u8> {
    let content = match body {
        "" => String::new(),
        body => format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()),
    };
    format!(
        "{method} {path} HTTP/1.1\r\n\
         Host: 127.0.0.1\r\n\
         User-Agent: keyfold-bench\r\n\
         Accept: application/json\r\n\
         Authorization: Bearer {token}\r\n\
         {content}\r\n{body}"
    )
    .into_bytes()
}

/// One request on a connection of its own; the body of an answer that tells of success.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> Outcome<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let request = String::from_utf8(rest_bytes(method, path, token, body))?;
    stream.write_all(request.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    match answer.split_once("\r\n\r\n") {
        Some((head, body)) if head.starts_with("HTTP/1.1 20") => Ok(body.to_owned()),
        _ => Err(format!("{method} {path}: {answer}").into()),
    }
}

/// New items, one after the other, each from a text in which a name of fixed length is replaced.
#[derive(Debug)]
pub(crate) struct NewItems {
    /// A whole request, or a body that gets the head of one to the DynamoDB endpoint.
    template: Vec<u8>,
    places: Vec<usize>,
    prefix: String,
    next: u64,
    current: Vec<u8>,
}

/// The name in templates: its digits are what is replaced.
pub(crate) const NAME: &str = "bench-0000000000";

impl NewItems {
    /// Names begin with `prefix`, which has five letters, so that no two sources make the same.
    pub(crate) fn rest(path: &str, token: &str, body: &str, headers: &str, prefix: &str) -> Self {
        let request = rest_bytes("POST", path, token, body);
        let request = String::from_utf8_lossy(&request).replacen("\r\n", &format!("\r\n{headers}"), 1);
        Self::of(request.into_bytes(), prefix)
    }

    pub(crate) fn dynamodb(host: &str, table: &str, item: &str, prefix: &str) -> Self {
        let body = format!("{{\"TableName\":\"{table}\",\"Item\":{item}}}");
        Self::of(request_bytes(host, "PutItem", &body), prefix)
    }

    fn of(template: Vec<u8>, prefix: &str) -> Self {
        let name = NAME.as_bytes();
        let found = template.windows(name.len()).enumerate().filter(|(_, window)| *window == name);
        let places = found.map(|(place, _)| place).collect();
        Self { current: template.clone(), template, places, prefix: prefix.to_owned(), next: 0 }
    }
}

impl RequestSource for NewItems {
    fn next(&mut self, _: usize, _: usize) -> Option<&[u8]> {
        self.next += 1;
        let name = format!("{}-{:010}", self.prefix, self.next);
        self.current.clone_from(&self.template);
        for place in &self.places {
            let part = self.current.get_mut(*place..place + name.len())?;
            part.copy_from_slice(name.as_bytes());
        }
        Some(&self.current)
    }

    fn accepts(&self, body: &[u8]) -> bool {
        body.starts_with(b"{")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_new_item_has_a_name_of_its_own_everywhere() {
        let mut items = NewItems::of(format!("a {NAME} b {NAME}").into_bytes(), "first");
        assert_eq!(items.next(0, 1).unwrap(), b"a first-0000000001 b first-0000000001");
        assert_eq!(items.next(0, 1).unwrap(), b"a first-0000000002 b first-0000000002");
    }
}
