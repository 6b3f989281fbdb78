use proptest::prelude::*;
use serde_json::Value;

use super::{JsonKind, Reader, Writer};
use crate::failure::Failure;

/// Rebuilds a tree with the reader, so that it can be compared with another parser's.
fn tree(reader: &mut Reader<'_>) -> Result<Value, Failure> {
    let kind = reader.kind()?;
    Ok(match kind {
        JsonKind::Object => {
            let mut members = serde_json::Map::new();
            reader.object(|name, reader| {
                members.insert(name.into_owned(), tree(reader)?);
                Ok::<(), Failure>(())
            })?;
            Value::Object(members)
        }
        JsonKind::Array => {
            let mut elements = Vec::new();
            reader.array(|reader| {
                elements.push(tree(reader)?);
                Ok::<(), Failure>(())
            })?;
            Value::Array(elements)
        }
        JsonKind::String => Value::String(reader.string()?.into_owned()),
        JsonKind::Number => serde_json::from_str(reader.number()?).map_err(|_| super::Malformed)?,
        JsonKind::True | JsonKind::False | JsonKind::Null => {
            reader.literal(kind)?;
            match kind {
                JsonKind::Null => Value::Null,
                _ => Value::Bool(kind == JsonKind::True),
            }
        }
    })
}

fn parse(bytes: &[u8]) -> Option<Value> {
    let mut reader = Reader::new(bytes).ok()?;
    let value = tree(&mut reader).ok()?;
    reader.finish().ok()?;
    Some(value)
}

fn skips(bytes: &[u8]) -> bool {
    let Ok(mut reader) = Reader::new(bytes) else { return false };
    reader.skip().is_ok() && reader.finish().is_ok()
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn reads_what_another_implementation_wrote(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_vec_pretty(&value) } else { serde_json::to_vec(&value) }.unwrap();
        prop_assert_eq!(parse(&text), Some(value));
        prop_assert!(skips(&text));
    }

    #[test]
    fn accepts_and_refuses_the_same_documents_as_another_implementation(
        text in "[\\[\\]{}\",:0-9eE.+\\-\\\\ntrufalsbd \u{1}\u{e9}]{0,24}",
    ) {
        // A number beyond the range of a double is well-formed, whatever the other parser makes of it.
        let theirs = serde_json::from_str::<Value>(&text);
        if theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range")) {
            return Ok(());
        }
        prop_assert_eq!(parse(text.as_bytes()).is_some(), theirs.is_ok(), "{}", text);
        prop_assert_eq!(skips(text.as_bytes()), theirs.is_ok(), "{}", text);
    }

    #[test]
    fn strings_survive_writing_and_reading(text in any::<String>()) {
        let mut writer = Writer::with_capacity(16);
        writer.string(&text);
        let bytes = writer.into_bytes();
        prop_assert_eq!(serde_json::from_slice::<String>(&bytes).unwrap(), text.clone());
        prop_assert_eq!(Reader::new(&bytes).unwrap().string().unwrap(), text);
    }
}

#[test]
fn escapes_are_read() {
    let document = br#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00""#;
    assert_eq!(Reader::new(document).unwrap().string().unwrap(), "\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{1f600}");
}

#[test]
fn broken_documents_are_refused() {
    for document in [
        "",
        " ",
        "{",
        "[",
        "\"",
        "\"a",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1,}",
        "[1,]",
        "[1 2]",
        "tru",
        "nul",
        "+1",
        "01",
        "1.",
        ".5",
        "1e",
        "-",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "\"\u{1}\"",
        "{} x",
        "[]]",
        "'a'",
        "NaN",
    ] {
        assert!(parse(document.as_bytes()).is_none(), "{document}");
        assert!(!skips(document.as_bytes()), "{document}");
    }
    assert!(Reader::new(b"\"\xff\"").is_err());
}

#[test]
fn a_special_byte_is_found_at_every_place_of_a_word() {
    for length in 0..20 {
        for special in [b'"', b'\\', 0x00, 0x1f] {
            let mut bytes = vec![0xA0u8; length];
            bytes.push(special);
            bytes.extend_from_slice(b"plain \" text \\ and more");
            assert_eq!(super::special::first_special(&bytes), Some(length));
        }
        assert_eq!(super::special::first_special(&vec![b' '; length]), None);
        assert_eq!(super::special::first_special(&vec![0xFF; length]), None);
    }
}

#[test]
fn a_million_levels_are_skipped_without_a_deep_stack() {
    let deep = [b"[".repeat(1_000_000), b"]".repeat(1_000_000)].concat();
    assert!(skips(&deep));
    assert!(!skips(&b"{\"a\":".repeat(1_000_000)));
}

#[test]
fn documents_are_written_with_commas_and_escapes() {
    let mut writer = Writer::with_capacity(16);
    writer.object(|out| {
        out.key("a").string("q\"b\\n\nu\u{1}:");
        out.key("b").array([1, 2], |out, value| out.integer(value));
        out.name("c\"").base64(b"hello");
        out.key("d").object(|_| ());
        out.key("e").array(std::iter::empty::<u8>(), |_, _| ());
        out.key("f").decimal(2.0);
        out.key("g").time(1794722125.7811);
        out.key("h").boolean(true);
        out.key("i").array(["", ":"], |out, text| out.string(text));
    });
    assert_eq!(
        String::from_utf8(writer.into_bytes()).unwrap(),
        concat!(
            r#"{"a":"q\"b\\n\nu\u0001:","b":[1,2],"c\"":"aGVsbG8=","d":{},"e":[],"f":2.0,"g":1794722125.781,"#,
            r#""h":true,"i":["",":"]}"#
        )
    );
}
