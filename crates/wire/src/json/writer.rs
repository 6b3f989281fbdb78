//! Writes JSON into a byte buffer, without a tree of the document.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use keyfold_dynamo::Number;
use keyfold_dynamo::item::Text;

use super::special::first_special;

/// A buffer that a document is written into. Commas come by themselves.
pub(crate) struct Writer {
    out: Vec<u8>,
}

impl Writer {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes) }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Writes an object; `members` writes what is in it.
    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.begin_object();
        members(self);
        self.end_object();
    }

    pub(crate) fn begin_object(&mut self) {
        self.separate();
        self.out.push(b'{');
    }

    pub(crate) fn end_object(&mut self) {
        self.out.push(b'}');
    }

    /// Writes an array of the given elements, each written by `element`.
    pub(crate) fn array<T>(&mut self, elements: impl IntoIterator<Item = T>, mut element: impl FnMut(&mut Self, T)) {
        self.begin_array();
        for value in elements {
            element(self, value);
        }
        self.end_array();
    }

    pub(crate) fn begin_array(&mut self) {
        self.separate();
        self.out.push(b'[');
    }

    pub(crate) fn end_array(&mut self) {
        self.out.push(b']');
    }

    /// The name of a member; its value must follow.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.enclosed_text(b"\"", Text::Any(name), b"\":");
        self
    }

    /// The name of a member that is known to need no escapes.
    pub(crate) fn key(&mut self, name: &'static str) -> &mut Self {
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self
    }

    /// A string between other bytes, which are known to be right there: what pages consist of, written with few steps.
    // Inlined, and of known lengths, so that what encloses the text becomes a store or two instead of a copy.
    #[inline]
    pub(crate) fn enclosed_text<const B: usize, const A: usize>(
        &mut self,
        before: &'static [u8; B],
        text: Text<'_>,
        after: &'static [u8; A],
    ) {
        self.separate();
        self.out.extend_from_slice(before);
        match text {
            Text::Plain(bytes) => self.out.extend_from_slice(bytes),
            Text::Any(text) => self.escaped(text),
        }
        self.out.extend_from_slice(after);
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.enclosed_text(b"\"", Text::Any(text), b"\"");
    }

    fn escaped(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while let Some(at) = first_special(rest) {
            let (plain, from_special) = rest.split_at(at);
            self.out.extend_from_slice(plain);
            let Some((&special, after)) = from_special.split_first() else { break };
            self.escape(special);
            rest = after;
        }
        self.out.extend_from_slice(rest);
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' => b'"',
            b'\\' => b'\\',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0C => b'f',
            _ => {
                // Writing into a Vec cannot fail.
                let _ = write!(self.out, "\\u{byte:04x}");
                return;
            }
        };
        self.out.extend_from_slice(&[b'\\', short]);
    }

    /// Bytes as a base64 string.
    pub(crate) fn base64(&mut self, bytes: &[u8]) {
        self.separate();
        self.out.push(b'"');
        let start = self.out.len();
        self.out.resize(start + bytes.len().div_ceil(3) * 4, 0);
        if let Some(room) = self.out.get_mut(start..) {
            // The room is exactly as long as the encoding.
            let _ = BASE64.encode_slice(bytes, room);
        }
        self.out.push(b'"');
    }

    /// A DynamoDB number: a decimal in a string.
    pub(crate) fn number_text(&mut self, number: &Number) {
        self.separate();
        self.out.push(b'"');
        match number.to_i64() {
            Some(whole) => self.out.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes()),
            None => {
                let _ = write!(self.out, "{number}");
            }
        }
        self.out.push(b'"');
    }

    pub(crate) fn integer(&mut self, value: impl itoa::Integer) {
        self.separate();
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    /// A count that may have a fraction, always with a decimal point.
    pub(crate) fn decimal(&mut self, value: f64) {
        self.separate();
        let _ = write!(self.out, "{value:?}");
    }

    /// A point in time: seconds since the epoch with milliseconds.
    pub(crate) fn time(&mut self, seconds: f64) {
        self.separate();
        let _ = write!(self.out, "{seconds:.3}");
    }

    pub(crate) fn boolean(&mut self, value: bool) {
        self.separate();
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// A comma, unless nothing stands before the value that is about to be written.
    #[inline]
    fn separate(&mut self) {
        if !matches!(self.out.last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(b',');
        }
    }
}
