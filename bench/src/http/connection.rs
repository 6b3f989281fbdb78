//! One keep-alive connection: writes a request, then reads until its response is whole.

use crate::Outcome;
use mio::net::TcpStream;
use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::SocketAddr,
    time::Instant,
};

const BUFFER_BYTES: usize = 64 * 1024;

/// A response that has arrived completely.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) ok: bool,
    pub(crate) body: &'a [u8],
}

/// A connection with at most one request under way.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    pub(crate) sent_at: Instant,
    buffer: Vec<u8>,
    filled: usize,
    /// Where the response ends, once its head has been read.
    end: Option<(usize, usize)>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Outcome<Self> {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            sent_at: Instant::now(),
            buffer: vec![0; BUFFER_BYTES],
            filled: 0,
            end: None,
        })
    }

    /// Sends a whole request. The peer has read everything before, so the socket's buffer is empty and takes it at
    /// once; only a request larger than that buffer waits.
    pub(crate) fn send(&mut self, request: &[u8]) -> Outcome<()> {
        self.filled = 0;
        self.end = None;
        self.sent_at = Instant::now();
        let mut rest = request;
        while !rest.is_empty() {
            match self.stream.write(rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::yield_now(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Reads what is there; the response if it is complete.
    pub(crate) fn receive(&mut self) -> Outcome<Option<Response<'_>>> {
        loop {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            let offered = room.len();
            let count = match self.stream.read(room) {
                Ok(0) if offered > 0 => return Err("the server closed the connection".into()),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            self.filled += count;
            if self.end.is_none() {
                self.end = response_end(self.buffer.get(..self.filled).unwrap_or_default())?;
            }
            match self.end {
                Some((_, end)) if end > self.buffer.len() => self.buffer.resize(end, 0),
                Some((body, end)) if self.filled >= end => {
                    return Ok(Some(Response {
                        ok: self.buffer.starts_with(b"HTTP/1.1 20"),
                        body: self.buffer.get(body..end).unwrap_or_default(),
                    }));
                }
                // A short read emptied the socket: the next byte raises the next event.
                _ if count < offered => return Ok(None),
                _ => {}
            }
        }
    }
}

/// Where the body starts and the response ends, if the head is complete.
fn response_end(bytes: &[u8]) -> Outcome<Option<(usize, usize)>> {
    let Some(head) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let lines = bytes.get(..head).unwrap_or_default().split(|byte| *byte == b'\n');
    for line in lines {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            continue;
        };
        let (name, value) = line.split_at(colon);
        if name.eq_ignore_ascii_case(b"content-length") {
            let text = std::str::from_utf8(value.get(1..).unwrap_or_default())?;
            let length: usize = text.trim().parse()?;
            return Ok(Some((head + 4, head + 4 + length)));
        }
    }
    Err("the server sent a response without a content length".into())
}

#[cfg(test)]
mod tests {
    use super::response_end;

    #[test]
    fn the_end_of_a_response_follows_from_its_content_length() {
        let response = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nServer: x\r\n\r\nhello";
        assert_eq!(response_end(response).unwrap(), Some((49, 54)));
        assert_eq!(response_end(&response[..40]).unwrap(), None);
    }
}
