//! The lines of a request's head. hyper accepts a line that ends with a bare LF, which some proxies take for a part of
//! a header's value: they would see one request where the server sees another.

/// Watches the head of the request with which a connection stops being idle. A client that pipelines its requests has
/// its first head watched only; proxies wait for the response before they send the next request.
#[derive(Debug, Default)]
pub(crate) struct HeadLines {
    /// Nothing is watched between heads.
    is_over: bool,
    last: u8,
    /// The bytes of the current line, its end excluded.
    line: usize,
    has_request_line: bool,
}

/// A line ends with a bare LF.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BareLineFeed;

impl HeadLines {
    /// Takes what has arrived, up to the end of the head.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) -> Result<(), BareLineFeed> {
        while !self.is_over && !bytes.is_empty() {
            let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
                self.line += bytes.len();
                self.last = bytes.last().copied().unwrap_or_default();
                return Ok(());
            };
            let before = end.checked_sub(1).and_then(|last| bytes.get(last)).copied().unwrap_or(self.last);
            if before != b'\r' {
                return Err(BareLineFeed);
            }
            let is_empty = self.line + end == 1;
            // Empty lines before the request are passed over, as hyper does.
            self.is_over = is_empty && self.has_request_line;
            self.has_request_line |= !is_empty;
            (self.line, self.last) = (0, b'\n');
            bytes = bytes.get(end + 1..).unwrap_or_default();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In pieces of every length.
    fn take(text: &str) -> Result<(), BareLineFeed> {
        let mut outcomes = (1..=text.len()).map(|length| {
            let mut lines = HeadLines::default();
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
        assert_eq!(take("POST / HTTP/1.1\r\nhost: x\r\n\r\nbody\nof\nlines\n\n"), Ok(()));
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
}
