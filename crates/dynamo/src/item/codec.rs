//! Items as bytes: the item's size as DynamoDB counts it, then its attributes in the order of their names.
//!
//! A text carries a mark of whether it is plain, found out once when it is written: what writes it out as JSON, which
//! happens at every read, then need not look for characters to escape.

use std::collections::BTreeSet;

use super::visit::{Text, Visitor};
use crate::limits;
use crate::number::Number;
use crate::value::{AttributeValue, Attributes, ValueType, item_size};

/// Bytes that are not an item: the store that kept them is damaged, or a newer version wrote them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored item cannot be decoded")]
pub struct Undecodable;

const S: u8 = 1;
const N: u8 = 2;
const B: u8 = 3;
const FALSE: u8 = 4;
const TRUE: u8 = 5;
const NULL: u8 = 6;
const M: u8 = 7;
const L: u8 = 8;
const SS: u8 = 9;
const NS: u8 = 10;
const BS: u8 = 11;

/// Encodes an item.
pub fn encode(item: &Attributes) -> Vec<u8> {
    let size = item_size(item);
    let mut out = Vec::with_capacity(size + 16 + item.len() * 4);
    write_length(size, &mut out);
    encode_map(item, &mut out);
    out
}

/// Decodes an item.
pub fn decode(bytes: &[u8]) -> Result<Attributes, Undecodable> {
    let mut reader = Reader { bytes };
    reader.length()?;
    let item = reader.map(0)?;
    if reader.bytes.is_empty() { Ok(item) } else { Err(Undecodable) }
}

/// Decodes the wanted attributes of an item and passes over the others.
pub(super) fn decode_only(bytes: &[u8], mut wanted: impl FnMut(&str) -> bool) -> Result<Attributes, Undecodable> {
    let mut reader = Reader { bytes };
    reader.length()?;
    let count = reader.length()?;
    let mut item = Vec::with_capacity(count.min(64));
    for _ in 0..count {
        let name = reader.text()?;
        if wanted(name) {
            item.push((name.to_owned(), reader.value(0)?));
        } else {
            reader.pass_over(0)?;
        }
    }
    if reader.bytes.is_empty() { Ok(item.into_iter().collect()) } else { Err(Undecodable) }
}

/// Shows an encoded item to a visitor, without building its values.
pub(super) fn walk(bytes: &[u8], visitor: &mut impl Visitor) -> Result<(), Undecodable> {
    let mut reader = Reader { bytes };
    reader.length()?;
    reader.walk_members(visitor, 0)?;
    if reader.bytes.is_empty() { Ok(()) } else { Err(Undecodable) }
}

/// The item's size as DynamoDB counts it, without decoding the item.
pub(super) fn stored_size(bytes: &[u8]) -> Result<usize, Undecodable> {
    Reader { bytes }.length()
}

fn encode_map(map: &Attributes, out: &mut Vec<u8>) {
    write_length(map.len(), out);
    for (name, value) in map {
        write_text(name, out);
        encode_value(value, out);
    }
}

fn encode_value(value: &AttributeValue, out: &mut Vec<u8>) {
    match value {
        AttributeValue::S(text) => {
            out.push(S);
            write_text(text, out);
        }
        AttributeValue::N(number) => {
            out.push(N);
            number.encode_ordered(out);
        }
        AttributeValue::B(bytes) => {
            out.push(B);
            write_bytes(bytes, out);
        }
        AttributeValue::Bool(flag) => out.push(if *flag { TRUE } else { FALSE }),
        AttributeValue::Null => out.push(NULL),
        AttributeValue::M(map) => {
            out.push(M);
            encode_map(map, out);
        }
        AttributeValue::L(list) => {
            out.push(L);
            write_length(list.len(), out);
            list.iter().for_each(|value| encode_value(value, out));
        }
        AttributeValue::Ss(set) => {
            out.push(SS);
            write_length(set.len(), out);
            set.iter().for_each(|text| write_text(text, out));
        }
        AttributeValue::Ns(set) => {
            out.push(NS);
            write_length(set.len(), out);
            set.iter().for_each(|number| number.encode_ordered(out));
        }
        AttributeValue::Bs(set) => {
            out.push(BS);
            write_length(set.len(), out);
            set.iter().for_each(|bytes| write_bytes(bytes, out));
        }
    }
}

/// The length and the mark share a number.
fn write_text(text: &str, out: &mut Vec<u8>) {
    write_length(text.len() << 1 | usize::from(Text::is_plain(text)), out);
    out.extend_from_slice(text.as_bytes());
}

fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    write_length(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// Seven bits a byte, low bits first.
fn write_length(mut length: usize, out: &mut Vec<u8>) {
    while length >= 0x80 {
        out.push((length & 0x7F) as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8, Undecodable> {
        let (&byte, rest) = self.bytes.split_first().ok_or(Undecodable)?;
        self.bytes = rest;
        Ok(byte)
    }

    fn length(&mut self) -> Result<usize, Undecodable> {
        let mut length = 0usize;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            length |= usize::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(length);
            }
        }
        Err(Undecodable)
    }

    fn take(&mut self) -> Result<&'a [u8], Undecodable> {
        let length = self.length()?;
        self.take_bytes(length)
    }

    fn take_bytes(&mut self, length: usize) -> Result<&'a [u8], Undecodable> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(Undecodable)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn text(&mut self) -> Result<&'a str, Undecodable> {
        std::str::from_utf8(self.marked_bytes()?).map_err(|_| Undecodable)
    }

    fn marked_bytes(&mut self) -> Result<&'a [u8], Undecodable> {
        let length = self.length()? >> 1;
        self.take_bytes(length)
    }

    /// A text to be written out: a plain one is believed, as the store vouches for its bytes with checksums.
    fn marked_text(&mut self) -> Result<Text<'a>, Undecodable> {
        let marked = self.length()?;
        let bytes = self.take_bytes(marked >> 1)?;
        match marked & 1 {
            1 => Ok(Text::Plain(bytes)),
            _ => std::str::from_utf8(bytes).map(Text::Any).map_err(|_| Undecodable),
        }
    }

    fn number(&mut self) -> Result<Number, Undecodable> {
        let (number, length) = Number::decode_ordered(self.bytes).ok_or(Undecodable)?;
        self.bytes = self.bytes.get(length..).ok_or(Undecodable)?;
        Ok(number)
    }

    fn map(&mut self, depth: usize) -> Result<Attributes, Undecodable> {
        let count = self.length()?;
        (0..count).map(|_| Ok((self.text()?.to_owned(), self.value(depth)?))).collect()
    }

    fn value(&mut self, depth: usize) -> Result<AttributeValue, Undecodable> {
        // Deeper values were never accepted, so the bytes are damaged; do not follow them down the stack.
        if depth > limits::NESTING_DEPTH + 1 {
            return Err(Undecodable);
        }
        Ok(match self.byte()? {
            S => AttributeValue::S(self.text()?.to_owned()),
            N => AttributeValue::N(self.number()?),
            B => AttributeValue::B(self.take()?.to_vec()),
            FALSE => AttributeValue::Bool(false),
            TRUE => AttributeValue::Bool(true),
            NULL => AttributeValue::Null,
            M => AttributeValue::M(self.map(depth + 1)?),
            L => {
                let count = self.length()?;
                AttributeValue::L((0..count).map(|_| self.value(depth + 1)).collect::<Result<_, _>>()?)
            }
            SS => AttributeValue::Ss(self.set(|reader| reader.text().map(str::to_owned))?),
            NS => AttributeValue::Ns(self.set(Self::number)?),
            BS => AttributeValue::Bs(self.set(|reader| reader.take().map(<[u8]>::to_vec))?),
            _ => return Err(Undecodable),
        })
    }

    fn set<T: Ord>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, Undecodable>,
    ) -> Result<BTreeSet<T>, Undecodable> {
        let count = self.length()?;
        (0..count).map(|_| element(self)).collect()
    }

    fn pass_over(&mut self, depth: usize) -> Result<(), Undecodable> {
        if depth > limits::NESTING_DEPTH + 1 {
            return Err(Undecodable);
        }
        match self.byte()? {
            S => self.marked_bytes().map(|_| ()),
            N => self.number().map(|_| ()),
            B => self.take().map(|_| ()),
            FALSE | TRUE | NULL => Ok(()),
            M => (0..self.length()?).try_for_each(|_| {
                self.marked_bytes()?;
                self.pass_over(depth + 1)
            }),
            L => (0..self.length()?).try_for_each(|_| self.pass_over(depth + 1)),
            SS => (0..self.length()?).try_for_each(|_| self.marked_bytes().map(|_| ())),
            NS => (0..self.length()?).try_for_each(|_| self.number().map(|_| ())),
            BS => (0..self.length()?).try_for_each(|_| self.take().map(|_| ())),
            _ => Err(Undecodable),
        }
    }

    fn walk_members(&mut self, visitor: &mut impl Visitor, depth: usize) -> Result<(), Undecodable> {
        for _ in 0..self.length()? {
            visitor.name(self.marked_text()?);
            self.walk_value(visitor, depth)?;
        }
        Ok(())
    }

    fn walk_value(&mut self, visitor: &mut impl Visitor, depth: usize) -> Result<(), Undecodable> {
        if depth > limits::NESTING_DEPTH + 1 {
            return Err(Undecodable);
        }
        match self.byte()? {
            S => visitor.string(self.marked_text()?),
            N => visitor.number(&self.number()?),
            B => visitor.binary(self.take()?),
            FALSE => visitor.boolean(false),
            TRUE => visitor.boolean(true),
            NULL => visitor.null(),
            M => {
                visitor.map_begins();
                self.walk_members(visitor, depth + 1)?;
                visitor.map_ends();
            }
            L => {
                visitor.list_begins();
                for _ in 0..self.length()? {
                    self.walk_value(visitor, depth + 1)?;
                }
                visitor.list_ends();
            }
            SS => {
                visitor.set_begins(ValueType::Ss);
                for _ in 0..self.length()? {
                    visitor.string_element(self.marked_text()?);
                }
                visitor.set_ends();
            }
            NS => {
                visitor.set_begins(ValueType::Ns);
                for _ in 0..self.length()? {
                    visitor.number_element(&self.number()?);
                }
                visitor.set_ends();
            }
            BS => {
                visitor.set_begins(ValueType::Bs);
                for _ in 0..self.length()? {
                    visitor.binary_element(self.take()?);
                }
                visitor.set_ends();
            }
            _ => return Err(Undecodable),
        }
        Ok(())
    }
}
