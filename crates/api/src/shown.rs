//! Items as JSON, written straight from their attributes.

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::json;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// An item, or the members of a map.
pub struct Shown<'a>(pub &'a Attributes);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, &ShownValue(value))?;
        }
        map.end()
    }
}

struct ShownValue<'a>(&'a AttributeValue);

impl Serialize for ShownValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AttributeValue::S(text) => serializer.serialize_str(text),
            AttributeValue::Bool(flag) => serializer.serialize_bool(*flag),
            AttributeValue::Null => serializer.serialize_unit(),
            AttributeValue::M(members) => Shown(members).serialize(serializer),
            AttributeValue::L(items) => serializer.collect_seq(items.iter().map(ShownValue)),
            AttributeValue::Ss(set) => serializer.collect_seq(set),
            other => json::plain(other).serialize(serializer),
        }
    }
}

/// What most items take; a buffer that has to grow is copied each time.
const USUAL_BYTES: usize = 1024;

/// The bytes of an item.
pub fn bytes(attributes: &Attributes) -> Vec<u8> {
    json(&Shown(attributes), 1)
}

/// The bytes of something that shows so many items.
pub fn json(shown: &impl Serialize, items: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(USUAL_BYTES * items.clamp(1, 100));
    // Maps with text for keys can always be written.
    if serde_json::to_writer(&mut bytes, shown).is_err() {
        bytes.clear();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_runtime_says_it_is() {
        let nested = Attributes::from([("x".to_owned(), AttributeValue::Bool(true))]);
        let attributes = Attributes::from([
            ("a".to_owned(), AttributeValue::S("é\"".to_owned())),
            ("b".to_owned(), AttributeValue::N(7u64.into())),
            ("c".to_owned(), AttributeValue::L(vec![AttributeValue::Null, AttributeValue::M(nested)])),
            ("d".to_owned(), AttributeValue::B(vec![1, 2])),
            ("e".to_owned(), AttributeValue::Ss(["p".to_owned(), "q".to_owned()].into())),
        ]);
        let expected = serde_json::to_vec(&json::object(&attributes)).unwrap();
        assert_eq!(bytes(&attributes), expected);
    }
}
