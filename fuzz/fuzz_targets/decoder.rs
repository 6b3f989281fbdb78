//! The wire decoder. The input is the name of an operation, a space and a body. A body that is decoded is JSON to
//! another reader too, and written by that one, with other white space, order and escapes and with members that no
//! operation knows, it means the same request.

#![no_main]

use std::collections::BTreeSet;
use std::fmt;

use keyfold_wire::decode_request;
use libfuzzer_sys::fuzz_target;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};

fuzz_target!(|data: &[u8]| {
    let space = data.iter().position(|&byte| byte == b' ').unwrap_or(data.len());
    let (operation, body) = data.split_at(space);
    let target = format!("DynamoDB_20120810.{}", String::from_utf8_lossy(operation));
    let Ok(request) = decode_request(&target, body) else { return };
    assert_eq!(decode_request(&target, body).as_ref(), Ok(&request));
    let mut document = match serde_json::from_slice::<Value>(body) {
        Ok(document) => document,
        // The other reader recurses; the decoder reads over what it does not know at any depth.
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => return,
        Err(error) => panic!("{error}"),
    };
    // Of members with one name the readers may choose differently.
    if serde_json::from_slice::<DistinctNames>(body).is_err() {
        return;
    }
    let request = Ok(request);
    assert_eq!(decode_request(&target, document.to_string().as_bytes()), request, "{document}");
    for value in [Value::Null, json!(1.5), json!([true, {"a": "b"}])] {
        document["Unheard-of"] = value;
        assert_eq!(decode_request(&target, document.to_string().as_bytes()), request, "{document}");
    }
});

/// A document in which no object has two members with one name.
struct DistinctNames;

impl<'de> Deserialize<'de> for DistinctNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NamesVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = DistinctNames;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<DistinctNames, E> {
        Ok(DistinctNames)
    }

    fn visit_str<E>(self, _: &str) -> Result<DistinctNames, E> {
        Ok(DistinctNames)
    }

    fn visit_unit<E>(self) -> Result<DistinctNames, E> {
        Ok(DistinctNames)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<DistinctNames, A::Error> {
        while elements.next_element::<DistinctNames>()?.is_some() {}
        Ok(DistinctNames)
    }

    // Numbers come this way too: they are handed out as a map of one member, which keeps their text.
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<DistinctNames, A::Error> {
        let mut names = BTreeSet::new();
        while let Some((name, _)) = members.next_entry::<String, DistinctNames>()? {
            if !names.insert(name) {
                return Err(A::Error::custom("two members have one name"));
            }
        }
        Ok(DistinctNames)
    }
}
