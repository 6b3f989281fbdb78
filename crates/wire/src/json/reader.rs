//! A reader of JSON that hands out one value after the other. What a value must look like is known to the caller, which
//! asks for its kind first and then reads it, walks into it, or skips it.

use std::borrow::Cow;

use super::special::first_special;

/// The document is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonKind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let text = std::str::from_utf8(bytes).map_err(|_| Malformed)?;
        Ok(Self { text, at: 0 })
    }

    /// The kind of the value that comes next.
    pub(crate) fn kind(&mut self) -> Result<JsonKind, Malformed> {
        Ok(match self.peek() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b'-' | b'0'..=b'9') => JsonKind::Number,
            Some(b't') => JsonKind::True,
            Some(b'f') => JsonKind::False,
            Some(b'n') => JsonKind::Null,
            _ => return Err(Malformed),
        })
    }

    /// Walks through the members of an object. `each` must consume the member's value.
    pub(crate) fn object<E: From<Malformed>>(
        &mut self,
        mut each: impl FnMut(Cow<'a, str>, &mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(b'{')?;
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let name = self.name()?;
            each(name, self)?;
            match self.next() {
                Some(b',') => {}
                Some(b'}') => return Ok(()),
                _ => return Err(Malformed.into()),
            }
        }
    }

    /// Walks through the elements of an array. `each` must consume the element.
    pub(crate) fn array<E: From<Malformed>>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(b'[')?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            each(self)?;
            match self.next() {
                Some(b',') => {}
                Some(b']') => return Ok(()),
                _ => return Err(Malformed.into()),
            }
        }
    }

    /// Reads a string; borrowed from the document unless it holds escapes.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        self.expect(b'"')?;
        let plain = self.plain_part()?;
        if self.take_byte(b'"') {
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        loop {
            if self.take_byte(b'"') {
                return Ok(Cow::Owned(text));
            }
            text.push(self.escape()?);
            text.push_str(self.plain_part()?);
        }
    }

    /// Reads a number and gives its text.
    pub(crate) fn number(&mut self) -> Result<&'a str, Malformed> {
        self.peek();
        let start = self.at;
        self.take_byte(b'-');
        if !self.take_byte(b'0') {
            self.digits()?;
        }
        if self.take_byte(b'.') {
            self.digits()?;
        }
        if self.take_byte(b'e') || self.take_byte(b'E') {
            let _sign = self.take_byte(b'+') || self.take_byte(b'-');
            self.digits()?;
        }
        self.text.get(start..self.at).ok_or(Malformed)
    }

    /// Reads `true`, `false` or `null`, whichever the kind says.
    pub(crate) fn literal(&mut self, kind: JsonKind) -> Result<(), Malformed> {
        let word = match kind {
            JsonKind::True => "true",
            JsonKind::False => "false",
            JsonKind::Null => "null",
            _ => return Err(Malformed),
        };
        self.peek();
        if !self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            return Err(Malformed);
        }
        self.at += word.len();
        Ok(())
    }

    /// Reads over the next value, whatever it is. Does not recurse: the depth of the document is the sender's choice.
    pub(crate) fn skip(&mut self) -> Result<(), Malformed> {
        let mut open = Vec::new();
        loop {
            let kind = self.kind()?;
            match kind {
                JsonKind::Object => {
                    self.at += 1;
                    if !self.take(b'}') {
                        self.name()?;
                        open.push(kind);
                        continue;
                    }
                }
                JsonKind::Array => {
                    self.at += 1;
                    if !self.take(b']') {
                        open.push(kind);
                        continue;
                    }
                }
                JsonKind::String => drop(self.string()?),
                JsonKind::Number => drop(self.number()?),
                JsonKind::True | JsonKind::False | JsonKind::Null => self.literal(kind)?,
            }
            if self.skip_ends(&mut open)? {
                return Ok(());
            }
        }
    }

    /// After a skipped value: closes what ends here. Whether everything that was opened is closed.
    fn skip_ends(&mut self, open: &mut Vec<JsonKind>) -> Result<bool, Malformed> {
        loop {
            let in_object = match open.last() {
                None => return Ok(true),
                Some(kind) => *kind == JsonKind::Object,
            };
            match (self.next(), in_object) {
                (Some(b','), true) => {
                    self.name()?;
                    return Ok(false);
                }
                (Some(b','), false) => return Ok(false),
                (Some(b'}'), true) | (Some(b']'), false) => drop(open.pop()),
                _ => return Err(Malformed),
            }
        }
    }

    /// Whether the next value is `null`; it is consumed if so.
    pub(crate) fn take_null(&mut self) -> Result<bool, Malformed> {
        if self.peek() != Some(b'n') {
            return Ok(false);
        }
        self.literal(JsonKind::Null).map(|()| true)
    }

    /// Nothing but white space may be left.
    pub(crate) fn finish(&mut self) -> Result<(), Malformed> {
        if self.peek().is_none() { Ok(()) } else { Err(Malformed) }
    }

    fn name(&mut self) -> Result<Cow<'a, str>, Malformed> {
        let name = self.string()?;
        self.expect(b':')?;
        Ok(name)
    }

    /// The part of a string up to its end or to an escape.
    fn plain_part(&mut self) -> Result<&'a str, Malformed> {
        let rest = self.text.get(self.at..).ok_or(Malformed)?;
        let length = first_special(rest.as_bytes()).ok_or(Malformed)?;
        if rest.as_bytes().get(length).is_some_and(|&byte| byte < 0x20) {
            return Err(Malformed);
        }
        self.at += length;
        rest.get(..length).ok_or(Malformed)
    }

    fn escape(&mut self) -> Result<char, Malformed> {
        if !self.take_byte(b'\\') {
            return Err(Malformed);
        }
        let byte = self.byte().ok_or(Malformed)?;
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.escaped_code_point(),
            _ => return Err(Malformed),
        })
    }

    /// What follows `\u`: four digits, and another escape where they are the first half of a surrogate pair.
    fn escaped_code_point(&mut self) -> Result<char, Malformed> {
        let first = self.four_hex_digits()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or(Malformed);
        }
        if !(self.take_byte(b'\\') && self.take_byte(b'u')) {
            return Err(Malformed);
        }
        let second = self.four_hex_digits()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(Malformed);
        }
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or(Malformed)
    }

    fn four_hex_digits(&mut self) -> Result<u32, Malformed> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(Malformed)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Malformed);
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| Malformed)
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(Malformed) }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space, without consuming it.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte()? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Malformed> {
        if self.take(wanted) { Ok(()) } else { Err(Malformed) }
    }

    /// Consumes a byte after white space, where it is the wanted one.
    fn take(&mut self, wanted: u8) -> bool {
        self.peek();
        self.take_byte(wanted)
    }

    fn take_byte(&mut self, wanted: u8) -> bool {
        let found = self.byte() == Some(wanted);
        self.at += usize::from(found);
        found
    }
}
