//! Items as JSON, written straight from their attributes.

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::json;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::problem::{Problem, ProblemKind};

/// An item, or the members of a map.
pub(crate) struct ItemJson<'a>(pub &'a Attributes);

impl Serialize for ItemJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, &ValueJson(value))?;
        }
        map.end()
    }
}

struct ValueJson<'a>(&'a AttributeValue);

impl Serialize for ValueJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AttributeValue::S(text) => serializer.serialize_str(text),
            AttributeValue::Bool(flag) => serializer.serialize_bool(*flag),
            AttributeValue::Null => serializer.serialize_unit(),
            AttributeValue::M(members) => ItemJson(members).serialize(serializer),
            AttributeValue::L(items) => serializer.collect_seq(items.iter().map(ValueJson)),
            AttributeValue::Ss(set) => serializer.collect_seq(set),
            other => json::plain(other).serialize(serializer),
        }
    }
}

/// Most items fit; a buffer that has to grow is copied each time.
const TYPICAL_ITEM_BYTES: usize = 1024;

/// The JSON text of an item.
pub(crate) fn item_bytes(attributes: &Attributes) -> Vec<u8> {
    // The runtime's JSON is the same text and cannot fail, and costs a tree of values.
    write(&ItemJson(attributes), 1).unwrap_or_else(|_| Value::Object(json::object(attributes)).to_string().into_bytes())
}

/// The JSON text of a page. `items` is the number of items on it, which decides the size of the buffer.
pub(crate) fn page_bytes(page: &impl Serialize, items: usize) -> Result<Vec<u8>, Problem> {
    write(page, items).map_err(|error| {
        tracing::error!(%error, "a page cannot be written as JSON");
        Problem::new(ProblemKind::INTERNAL, "an internal error")
    })
}

fn write(content: &impl Serialize, items: usize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(TYPICAL_ITEM_BYTES * items.clamp(1, 100));
    serde_json::to_writer(&mut bytes, content)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_has_the_json_of_the_runtime() {
        let nested = Attributes::from([("x".to_owned(), AttributeValue::Bool(true))]);
        let attributes = Attributes::from([
            ("a".to_owned(), AttributeValue::S("é\"".to_owned())),
            ("b".to_owned(), AttributeValue::N(7u64.into())),
            ("c".to_owned(), AttributeValue::L(vec![AttributeValue::Null, AttributeValue::M(nested)])),
            ("d".to_owned(), AttributeValue::B(vec![1, 2])),
            ("e".to_owned(), AttributeValue::Ss(["p".to_owned(), "q".to_owned()].into())),
        ]);
        let expected = serde_json::to_vec(&json::object(&attributes)).unwrap();
        assert_eq!(item_bytes(&attributes), expected);
    }
}
