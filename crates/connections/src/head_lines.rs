//! The lines of a request's head. hyper accepts a line that ends with a bare LF, which some proxies take for a part of
//! a header's value: they would see one request where the server sees another.

/// Watches the heads of all requests of a connection. Where a head begins follows from the length of the body before
/// it, as hyper counts it: a request whose framing hyper refuses is the last one.
#[derive(Debug)]
pub(crate) struct HeadLines {
    part: Part,
    /// The beginning of the current line, if it arrived earlier.
    begun: Vec<u8>,
    has_request_line: bool,
    body: Framing,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Head,
    /// So many bytes of a body.
    Body(u64),
    ChunkSize,
    /// So many bytes of a chunk, with the end of its line.
    Chunk(u64),
    Trailers,
    /// Nothing that hyper would read.
    Refused,
}

/// How long the body of the current request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Length(u64),
    Chunked,
    Invalid,
}

/// A line ends with a bare LF.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BareLineFeed;

impl HeadLines {
    pub(crate) fn new() -> Self {
        Self { part: Part::Head, begun: Vec::new(), has_request_line: false, body: Framing::Length(0) }
    }

    /// Takes what has arrived.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) -> Result<(), BareLineFeed> {
        while !bytes.is_empty() {
            match self.part {
                Part::Refused => return Ok(()),
                Part::Body(rest) => bytes = self.skip(rest, bytes, Part::Body, Part::Head),
                Part::Chunk(rest) => bytes = self.skip(rest, bytes, Part::Chunk, Part::ChunkSize),
                Part::Head | Part::ChunkSize | Part::Trailers => bytes = self.take_line(bytes)?,
            }
        }
        Ok(())
    }

    /// Passes over a body or a chunk, and returns what follows.
    fn skip<'b>(&mut self, rest: u64, bytes: &'b [u8], part: fn(u64) -> Part, next: Part) -> &'b [u8] {
        let skipped = usize::try_from(rest).unwrap_or(usize::MAX).min(bytes.len());
        let rest = rest.saturating_sub(skipped as u64);
        self.part = if rest == 0 { next } else { part(rest) };
        bytes.get(skipped..).unwrap_or_default()
    }

    /// Takes a line, or the part of one that has arrived, and returns what follows.
    fn take_line<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b [u8], BareLineFeed> {
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            self.begun.extend_from_slice(bytes);
            return Ok(&[]);
        };
        let (line, rest) = (bytes.get(..end).unwrap_or_default(), bytes.get(end + 1..).unwrap_or_default());
        if self.begun.is_empty() {
            self.end_line(line)?;
        } else {
            let mut whole = std::mem::take(&mut self.begun);
            whole.extend_from_slice(line);
            self.end_line(&whole)?;
        }
        Ok(rest)
    }

    fn end_line(&mut self, line: &[u8]) -> Result<(), BareLineFeed> {
        let Some((b'\r', line)) = line.split_last() else { return Err(BareLineFeed) };
        match self.part {
            Part::Head if line.is_empty() && self.has_request_line => {
                self.has_request_line = false;
                self.part = match std::mem::replace(&mut self.body, Framing::Length(0)) {
                    Framing::Length(0) => Part::Head,
                    Framing::Length(length) => Part::Body(length),
                    Framing::Chunked => Part::ChunkSize,
                    Framing::Invalid => Part::Refused,
                };
            }
            // Empty lines before the request are passed over, as hyper does.
            Part::Head if line.is_empty() => {}
            Part::Head if self.has_request_line => self.take_header(line),
            Part::Head => self.has_request_line = true,
            Part::ChunkSize => {
                self.part = match chunk_size(line) {
                    Some(0) => Part::Trailers,
                    Some(size) => size.checked_add(2).map_or(Part::Refused, Part::Chunk),
                    None => Part::Refused,
                };
            }
            Part::Trailers if line.is_empty() => self.part = Part::Head,
            Part::Trailers | Part::Body(_) | Part::Chunk(_) | Part::Refused => {}
        }
        Ok(())
    }

    /// Takes a header that says how long the body is. Chunks come before a length.
    fn take_header(&mut self, line: &[u8]) {
        if !matches!(line.first(), Some(b'c' | b'C' | b't' | b'T')) {
            return;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
        let (name, value) = (line.get(..colon).unwrap_or_default(), line.get(colon + 1..).unwrap_or_default());
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.body = Framing::Chunked;
        } else if name.eq_ignore_ascii_case(b"content-length") && self.body != Framing::Chunked {
            self.body = number(value.trim_ascii(), 10).map_or(Framing::Invalid, Framing::Length);
        }
    }
}

/// The size of a chunk, from the line before it.
fn chunk_size(line: &[u8]) -> Option<u64> {
    let end = line.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(line.len());
    number(line.get(..end)?, 16)
}

/// A number of digits alone.
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    let is_number = digits.iter().all(|byte| char::from(*byte).is_digit(radix));
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u64::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In pieces of every length.
    fn take(text: &str) -> Result<(), BareLineFeed> {
        let mut outcomes = (1..=text.len()).map(|length| {
            let mut lines = HeadLines::new();
            text.as_bytes().chunks(length).try_for_each(|chunk| lines.take(chunk))
        });
        let first = outcomes.next().unwrap();
        assert!(outcomes.all(|outcome| outcome == first), "{text:?}");
        first
    }

    #[test]
    fn every_line_of_a_head_ends_with_both_characters() {
        assert_eq!(take("GET / HTTP/1.1\r\nhost: x\r\n\r\n"), Ok(()));
        assert_eq!(take("\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n"), Ok(()));
        assert_eq!(take("POST / HTTP/1.1\r\ncontent-length: 15\r\n\r\nbody\nof\nlines\n\n"), Ok(()));
        for wrong in [
            "GET / HTTP/1.1\nhost: x\n\n",
            "GET / HTTP/1.1\r\nhost: x\n\r\n",
            "GET / HTTP/1.1\r\nx: a\ntransfer-encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\n\n",
            "\nGET / HTTP/1.1\r\n\r\n",
        ] {
            assert_eq!(take(wrong), Err(BareLineFeed), "{wrong:?}");
        }
    }

    #[test]
    fn every_head_of_a_connection_is_watched() {
        let bare = "GET /next HTTP/1.1\nhost: x\r\n\r\n";
        for before in [
            "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length:  8 \r\nhost: x\r\n\r\na\nb\n\n\nc\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\n\n\n\r\n0A\r\n\n234567890\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\nx: y\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-lengths: 3\r\ncontent-length: 0\r\n\r\n\r\n",
        ] {
            assert_eq!(take(&before.repeat(3)), Ok(()), "{before:?}");
            assert_eq!(take(&format!("{before}{before}{bare}")), Err(BareLineFeed), "{before:?}");
        }
    }

    #[test]
    fn nothing_is_watched_after_what_is_refused_anyway() {
        for refused in [
            "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nx\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        ] {
            assert_eq!(take(&format!("{refused}text\nof\nlines\n")), Ok(()), "{refused:?}");
        }
    }
}
