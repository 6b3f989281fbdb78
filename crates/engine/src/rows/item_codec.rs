//! Items as bytes: the item's size as DynamoDB counts it, then its attributes in the order of their names.

use std::collections::BTreeSet;

use keyfold_dynamo::limits;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

/// A stored row that cannot be read: the store is damaged, or a newer version wrote it.
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

/// The item's size as DynamoDB counts it, without decoding the item.
pub fn stored_size(bytes: &[u8]) -> Result<usize, Undecodable> {
    Reader { bytes }.length()
}

fn encode_map(map: &Attributes, out: &mut Vec<u8>) {
    write_length(map.len(), out);
    for (name, value) in map {
        write_bytes(name.as_bytes(), out);
        encode_value(value, out);
    }
}

fn encode_value(value: &AttributeValue, out: &mut Vec<u8>) {
    match value {
        AttributeValue::S(text) => {
            out.push(S);
            write_bytes(text.as_bytes(), out);
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
            set.iter().for_each(|text| write_bytes(text.as_bytes(), out));
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
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(Undecodable)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn text(&mut self) -> Result<String, Undecodable> {
        std::str::from_utf8(self.take()?).map(str::to_owned).map_err(|_| Undecodable)
    }

    fn number(&mut self) -> Result<Number, Undecodable> {
        let (number, length) = Number::decode_ordered(self.bytes).ok_or(Undecodable)?;
        self.bytes = self.bytes.get(length..).ok_or(Undecodable)?;
        Ok(number)
    }

    fn map(&mut self, depth: usize) -> Result<Attributes, Undecodable> {
        let count = self.length()?;
        (0..count).map(|_| Ok((self.text()?, self.value(depth)?))).collect()
    }

    fn value(&mut self, depth: usize) -> Result<AttributeValue, Undecodable> {
        // Deeper values were never accepted, so the bytes are damaged; do not follow them down the stack.
        if depth > limits::NESTING_DEPTH + 1 {
            return Err(Undecodable);
        }
        Ok(match self.byte()? {
            S => AttributeValue::S(self.text()?),
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
            SS => AttributeValue::Ss(self.set(Self::text)?),
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
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = AttributeValue> {
        let number = (any::<i64>(), -80i32..80).prop_map(|(d, e)| Number::parse(&format!("{d}e{e}")).unwrap());
        let leaf = prop_oneof![
            ".{0,9}".prop_map(AttributeValue::S),
            number.clone().prop_map(AttributeValue::N),
            any::<Vec<u8>>().prop_map(AttributeValue::B),
            any::<bool>().prop_map(AttributeValue::Bool),
            Just(AttributeValue::Null),
            prop::collection::btree_set(".{0,4}", 1..4).prop_map(AttributeValue::Ss),
            prop::collection::btree_set(number, 1..4).prop_map(AttributeValue::Ns),
            prop::collection::btree_set(any::<Vec<u8>>(), 1..4).prop_map(AttributeValue::Bs),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(AttributeValue::L),
                prop::collection::btree_map(".{0,4}", inner, 0..5).prop_map(AttributeValue::M),
            ]
        })
    }

    proptest! {
        #[test]
        fn items_round_trip(item in prop::collection::btree_map(".{1,8}", value(), 0..8)) {
            let bytes = encode(&item);
            prop_assert_eq!(stored_size(&bytes), Ok(item_size(&item)));
            prop_assert_eq!(decode(&bytes), Ok(item));
        }

        #[test]
        fn damaged_bytes_are_refused_not_followed(bytes in any::<Vec<u8>>()) {
            let _ = decode(&bytes);
        }
    }
}
