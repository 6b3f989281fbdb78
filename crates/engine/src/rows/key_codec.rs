//! Key values as bytes whose order is DynamoDB's order: UTF-8 bytes for strings, unsigned bytes for binary, value for
//! numbers. An encoded value is never a prefix of another, so values can follow one another in a row's key.

use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Number, ServiceError};

/// A zero byte within a value; sorts after the end of a value and before any other byte.
const ESCAPED_ZERO: [u8; 2] = [0x00, 0xFF];
const END: [u8; 2] = [0x00, 0x00];

/// A value whose type cannot be encoded as a key. Requests are checked for this earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a value of this type cannot be used as a key")]
pub struct NotAKeyValue;

impl From<NotAKeyValue> for ServiceError {
    fn from(error: NotAKeyValue) -> Self {
        Self::Internal(error.to_string())
    }
}

/// Appends a key value.
pub(crate) fn encode(value: &AttributeValue, out: &mut Vec<u8>) -> Result<(), NotAKeyValue> {
    match value {
        AttributeValue::S(text) => encode_bytes(text.as_bytes(), out),
        AttributeValue::B(bytes) => encode_bytes(bytes, out),
        AttributeValue::N(number) => number.encode_ordered(out),
        _ => return Err(NotAKeyValue),
    }
    Ok(())
}

/// Appends a string or binary value without its terminator, as the prefix for `begins_with`.
pub(crate) fn encode_prefix(value: &AttributeValue, out: &mut Vec<u8>) -> Result<(), NotAKeyValue> {
    match value {
        AttributeValue::S(text) => escape(text.as_bytes(), out),
        AttributeValue::B(bytes) => escape(bytes, out),
        _ => return Err(NotAKeyValue),
    }
    Ok(())
}

fn encode_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    escape(bytes, out);
    out.extend_from_slice(&END);
}

fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    let mut parts = bytes.split(|&byte| byte == 0);
    if let Some(first) = parts.next() {
        out.extend_from_slice(first);
    }
    for part in parts {
        out.extend_from_slice(&ESCAPED_ZERO);
        out.extend_from_slice(part);
    }
}

/// The length of the encoded value at the beginning of `bytes`.
pub(crate) fn encoded_length(key_type: KeyType, bytes: &[u8]) -> Option<usize> {
    match key_type {
        KeyType::N => Number::decode_ordered(bytes).map(|(_, length)| length),
        KeyType::S | KeyType::B => end_of_bytes(bytes).map(|end| end + END.len()),
    }
}

/// Decodes the value at the beginning of `bytes`, and returns its encoded length too.
pub(crate) fn decode(key_type: KeyType, bytes: &[u8]) -> Option<(AttributeValue, usize)> {
    match key_type {
        KeyType::N => Number::decode_ordered(bytes).map(|(number, length)| (AttributeValue::N(number), length)),
        KeyType::S => {
            let (text, length) = decode_bytes(bytes)?;
            Some((AttributeValue::S(String::from_utf8(text).ok()?), length))
        }
        KeyType::B => decode_bytes(bytes).map(|(value, length)| (AttributeValue::B(value), length)),
    }
}

fn decode_bytes(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    let end = end_of_bytes(bytes)?;
    let mut value = Vec::with_capacity(end);
    let mut rest = bytes.get(..end)?;
    while let Some((&byte, after)) = rest.split_first() {
        value.push(byte);
        // A zero is followed by its escape byte.
        rest = if byte == 0 { after.get(1..)? } else { after };
    }
    Some((value, end + END.len()))
}

/// The position of the terminator.
fn end_of_bytes(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let zero = from + bytes.get(from..)?.iter().position(|&byte| byte == 0)?;
        if *bytes.get(zero + 1)? == 0 {
            return Some(zero);
        }
        from = zero + 2;
    }
}

/// The least key that is greater than every key with this prefix; `None` if there is no such key.
pub(crate) fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let mut bound = prefix.to_vec();
    while let Some(last) = bound.pop() {
        if last < u8::MAX {
            bound.push(last + 1);
            return Some(bound);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key_value() -> impl Strategy<Value = (KeyType, AttributeValue)> {
        let bytes = prop::collection::vec(prop_oneof![Just(0u8), Just(1), Just(255), any::<u8>()], 0..12);
        prop_oneof![
            ".{0,8}".prop_map(|text| (KeyType::S, AttributeValue::S(text))),
            bytes.prop_map(|bytes| (KeyType::B, AttributeValue::B(bytes))),
            (any::<i64>(), -100i32..100).prop_map(|(digits, exponent)| {
                let number = Number::parse(&format!("{digits}e{exponent}")).unwrap();
                (KeyType::N, AttributeValue::N(number))
            }),
        ]
    }

    fn order(left: &AttributeValue, right: &AttributeValue) -> std::cmp::Ordering {
        match (left, right) {
            (AttributeValue::S(left), AttributeValue::S(right)) => left.as_bytes().cmp(right.as_bytes()),
            (AttributeValue::B(left), AttributeValue::B(right)) => left.cmp(right),
            (AttributeValue::N(left), AttributeValue::N(right)) => left.cmp(right),
            _ => panic!("keys of one table have one type"),
        }
    }

    fn encoded(value: &AttributeValue) -> Vec<u8> {
        let mut out = Vec::new();
        encode(value, &mut out).unwrap();
        out
    }

    proptest! {
        #[test]
        fn values_round_trip_also_with_something_behind_them((key_type, value) in key_value(), tail in any::<Vec<u8>>()) {
            let mut bytes = encoded(&value);
            let length = bytes.len();
            bytes.extend_from_slice(&tail);
            prop_assert_eq!(decode(key_type, &bytes), Some((value, length)));
            prop_assert_eq!(encoded_length(key_type, &bytes), Some(length));
        }

        #[test]
        fn bytes_sort_as_values_do((left_type, left) in key_value(), (right_type, right) in key_value()) {
            prop_assume!(left_type == right_type);
            prop_assert_eq!(encoded(&left).cmp(&encoded(&right)), order(&left, &right));
        }

        #[test]
        fn a_prefix_finds_what_begins_with_it(text in "[\\x00ab]{0,4}", tail in "[\\x00ab]{0,4}", other in "[\\x00ab]{0,6}") {
            let mut prefix = Vec::new();
            encode_prefix(&AttributeValue::S(text.clone()), &mut prefix).unwrap();
            let long = encoded(&AttributeValue::S(format!("{text}{tail}")));
            prop_assert!(long.starts_with(&prefix));
            let unrelated = encoded(&AttributeValue::S(other.clone()));
            prop_assert_eq!(in_prefix_range(&unrelated, &prefix), other.starts_with(&text));
        }
    }

    fn in_prefix_range(key: &[u8], prefix: &[u8]) -> bool {
        key >= prefix && after_prefix(prefix).is_none_or(|bound| key < bound.as_slice())
    }
}
