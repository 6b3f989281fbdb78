//! The lines of a request's head. hyper accepts what proxies may read differently, so that they would see one request
//! where the server sees another: a line that ends with a bare LF, which some take for a part of a header's value, and
//! a body whose length is stated twice, of which hyper keeps one statement.

/// Watches the heads of all requests of a connection. Where a head begins follows from the length of the body before
/// it, as hyper counts it: a request whose framing hyper refuses is the last one.
#[derive(Debug)]
pub(crate) struct HeadLines {
    part: Part,
    /// The beginning of the current line, if it arrived earlier.
    begun: Vec<u8>,
    has_request_line: bool,
    body: Framing,
    /// Whether a header of the current head has said how long the body is.
    has_framing: bool,
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

/// What two programs may read differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ambiguity {
    /// A line ends with a bare LF.
    BareLineFeed,
    /// A second header says how long the body is: two lengths, or a length and chunks.
    SecondFraming,
}

/// The request has an ambiguity, in the line that ends at this position of the bytes that have arrived.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) ambiguity: Ambiguity,
    pub(crate) line_end: usize,
}

impl HeadLines {
    pub(crate) fn new() -> Self {
        Self {
            part: Part::Head,
            begun: Vec::new(),
            has_request_line: false,
            body: Framing::Length(0),
            has_framing: false,
        }
    }

    /// Takes what has arrived.
    pub(crate) fn take(&mut self, arrived: &[u8]) -> Result<(), Refusal> {
        let mut bytes = arrived;
        while !bytes.is_empty() {
            match self.part {
                Part::Refused => return Ok(()),
                Part::Body(rest) => bytes = self.skip(rest, bytes, Part::Body, Part::Head),
                Part::Chunk(rest) => bytes = self.skip(rest, bytes, Part::Chunk, Part::ChunkSize),
                Part::Head | Part::ChunkSize | Part::Trailers => {
                    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
                        self.begun.extend_from_slice(bytes);
                        return Ok(());
                    };
                    let (line, rest) = (bytes.get(..end).unwrap_or_default(), bytes.get(end + 1..).unwrap_or_default());
                    let line_end = arrived.len() - bytes.len() + end;
                    self.take_line(line).map_err(|ambiguity| Refusal { ambiguity, line_end })?;
                    bytes = rest;
                }
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

    /// Takes the end of a line, of which the beginning may have arrived earlier.
    fn take_line(&mut self, line: &[u8]) -> Result<(), Ambiguity> {
        if self.begun.is_empty() {
            return self.end_line(line);
        }
        let mut whole = std::mem::take(&mut self.begun);
        whole.extend_from_slice(line);
        self.end_line(&whole)
    }

    fn end_line(&mut self, line: &[u8]) -> Result<(), Ambiguity> {
        let Some((b'\r', line)) = line.split_last() else { return Err(Ambiguity::BareLineFeed) };
        match self.part {
            Part::Head if line.is_empty() && self.has_request_line => {
                (self.has_request_line, self.has_framing) = (false, false);
                self.part = match std::mem::replace(&mut self.body, Framing::Length(0)) {
                    Framing::Length(0) => Part::Head,
                    Framing::Length(length) => Part::Body(length),
                    Framing::Chunked => Part::ChunkSize,
                    Framing::Invalid => Part::Refused,
                };
            }
            // Empty lines before the request are passed over, as hyper does.
            Part::Head if line.is_empty() => {}
            Part::Head if self.has_request_line => return self.take_header(line),
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

    /// Takes a header that says how long the body is.
    fn take_header(&mut self, line: &[u8]) -> Result<(), Ambiguity> {
        if !matches!(line.first(), Some(b'c' | b'C' | b't' | b'T')) {
            return Ok(());
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return Ok(()) };
        let (name, value) = (line.get(..colon).unwrap_or_default(), line.get(colon + 1..).unwrap_or_default());
        let framing = if name.eq_ignore_ascii_case(b"transfer-encoding") {
            Framing::Chunked
        } else if name.eq_ignore_ascii_case(b"content-length") {
            number(value.trim_ascii(), 10).map_or(Framing::Invalid, Framing::Length)
        } else {
            return Ok(());
        };
        // Several codings may be in as many lines, whatever is accepted of them.
        if self.has_framing && (self.body, framing) != (Framing::Chunked, Framing::Chunked) {
            self.part = Part::Refused;
            return Err(Ambiguity::SecondFraming);
        }
        (self.body, self.has_framing) = (framing, true);
        Ok(())
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

    /// In pieces of every length: what is refused, and where.
    fn take(text: &str) -> Result<(), Refusal> {
        let mut outcomes = (1..=text.len()).map(|length| {
            let mut lines = HeadLines::new();
            text.as_bytes().chunks(length).enumerate().try_for_each(|(position, chunk)| {
                let whole = |refusal: Refusal| Refusal { line_end: position * length + refusal.line_end, ..refusal };
                lines.take(chunk).map_err(whole)
            })
        });
        let first = outcomes.next().unwrap();
        assert!(outcomes.all(|outcome| outcome == first), "{text:?}");
        first
    }

    fn ambiguity(text: &str) -> Option<Ambiguity> {
        take(text).err().map(|refusal| refusal.ambiguity)
    }

    #[test]
    fn the_length_of_a_body_is_stated_once() {
        let first = "POST /a HTTP/1.1\r\nContent-Length: 2\r\nhost: x\r\n\r\n\n\n";
        for twice in [
            "content-length: 3\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nhost: x\r\nCONTENT-LENGTH: 3\r\n",
            "content-length: 3\r\ncontent-length: 3\r\n",
            "content-length: 0\r\ncontent-length: 3\r\n",
            "content-length: x\r\ntransfer-encoding: identity\r\n",
        ] {
            let head = format!("{first}POST /b HTTP/1.1\r\n{twice}");
            let refusal = Refusal { ambiguity: Ambiguity::SecondFraming, line_end: head.len() - 1 };
            assert_eq!(take(&format!("{head}\r\nabc")), Err(refusal), "{twice:?}");
        }
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
            assert_eq!(ambiguity(wrong), Some(Ambiguity::BareLineFeed), "{wrong:?}");
        }
    }

    #[test]
    fn every_head_of_a_connection_is_watched() {
        let bare = "GET /next HTTP/1.1\nhost: x\r\n\r\n";
        for before in [
            "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length:  8 \r\nhost: x\r\n\r\na\nb\n\n\nc\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\n\n\n\r\n0A\r\n\n234567890\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\ncontent-lengths: 3\r\n\r\n0\r\nx: y\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-lengths: 3\r\ncontent-length: 0\r\n\r\n\r\n",
        ] {
            assert_eq!(take(&before.repeat(3)), Ok(()), "{before:?}");
            let refused = ambiguity(&format!("{before}{before}{bare}"));
            assert_eq!(refused, Some(Ambiguity::BareLineFeed), "{before:?}");
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
