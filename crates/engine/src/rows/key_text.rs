//! The keys of rows as people write them.

use keyfold_dynamo::AttributeValue;

use super::key_codec;
use super::key_schema::{KeyAttribute, KeySchema};

/// The key values at the beginning of `values`: `pk = "a", sk = 7`. Bytes that are not a key are written in
/// hexadecimal.
pub(crate) fn key_text(schema: &KeySchema, values: &[u8]) -> String {
    let mut rest = values;
    let mut parts = Vec::new();
    for attribute in schema.attributes() {
        let Some((text, length)) = part_text(attribute, rest) else { return hexadecimal(values) };
        parts.push(text);
        rest = rest.get(length..).unwrap_or_default();
    }
    parts.join(", ")
}

fn part_text(attribute: &KeyAttribute, bytes: &[u8]) -> Option<(String, usize)> {
    let (value, length) = key_codec::decode(attribute.key_type, bytes)?;
    let value = match value {
        AttributeValue::S(text) => format!("{text:?}"),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => hexadecimal(&bytes),
        _ => return None,
    };
    Some((format!("{} = {value}", attribute.name), length))
}

/// Bytes as `0x01ff`.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    format!("0x{}", keyfold_dynamo::hexadecimal(bytes))
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::table::KeyType;

    use super::*;

    #[test]
    fn keys_are_written_with_their_attributes() {
        let attribute = |name: &str, key_type| KeyAttribute { name: name.to_owned(), key_type };
        let schema = KeySchema { partition: attribute("pk", KeyType::S), sort: Some(attribute("sk", KeyType::B)) };
        let mut values = Vec::new();
        key_codec::encode(&AttributeValue::S("a\"b".to_owned()), &mut values).unwrap();
        key_codec::encode(&AttributeValue::B(vec![1, 255]), &mut values).unwrap();
        assert_eq!(key_text(&schema, &values), "pk = \"a\\\"b\", sk = 0x01ff");
        assert_eq!(key_text(&schema, &[7, 7]), "0x0707");
    }
}
