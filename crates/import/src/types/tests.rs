use std::sync::Arc;

use keyfold_design::model::{AttributeType, Stamp};
use keyfold_design::template::TimestampFormat;
use keyfold_dynamo::{AttributeValue, Number};

use super::{AttributeContext, guess};

fn of(name: &str, values: &[AttributeValue]) -> AttributeType {
    let values: Vec<&AttributeValue> = values.iter().collect();
    guess(AttributeContext { name, is_ttl: name == "expiresAt", of: values.len() }, &values).value_type
}

fn texts(texts: &[&str]) -> Vec<AttributeValue> {
    texts.iter().map(|text| AttributeValue::S((*text).to_owned())).collect()
}

fn numbers(numbers: &[&str]) -> Vec<AttributeValue> {
    numbers.iter().map(|number| AttributeValue::N(Number::parse(number).unwrap())).collect()
}

#[test]
fn texts_have_types() {
    let instant = "2026-01-01T00:00:00.000Z";
    for (name, values, expected) in [
        ("createdAt", vec![instant], AttributeType::Stamp(Stamp::CreatedAt(TimestampFormat::default()))),
        ("last_modified", vec![instant], AttributeType::Stamp(Stamp::ModifiedAt(TimestampFormat::default()))),
        ("createdBy", vec!["ada"], AttributeType::Stamp(Stamp::CreatedBy)),
        ("sentAt", vec![instant], AttributeType::DateTime(TimestampFormat::default())),
        ("sentAt", vec!["2026-01-01T00:00:00Z"], AttributeType::String),
        ("day", vec!["2026-01-31"], AttributeType::Date),
        ("day", vec!["2026-01-31", "soon"], AttributeType::String),
        ("id", vec!["01K9ZV0000000000000000AAAA"], AttributeType::Ulid),
        ("id", vec!["019a5c00-0000-7000-8000-000000000ada"], AttributeType::Uuid),
        ("home", vec!["https://example.com"], AttributeType::Url),
        ("mail", vec!["a@example.com"], AttributeType::Email),
        ("status", vec!["open", "shut", "open"], AttributeType::Enumeration(Arc::from(["open".into(), "shut".into()]))),
        ("status", vec!["open", "open"], AttributeType::String),
        ("name", vec!["Ann", "Ann", "Bob"], AttributeType::String),
    ] {
        assert_eq!(of(name, &texts(&values)), expected, "{name} {values:?}");
    }
}

#[test]
fn numbers_have_types() {
    for (name, values, expected) in [
        ("version", vec!["1", "7"], AttributeType::Stamp(Stamp::Version)),
        ("version", vec!["-1"], AttributeType::Integer),
        ("expiresAt", vec!["1767225600"], AttributeType::Expiry(None)),
        ("seats", vec!["1", "12"], AttributeType::Integer),
        ("price", vec!["1", "12.5"], AttributeType::Number),
        ("huge", vec!["1E50"], AttributeType::Integer),
    ] {
        assert_eq!(of(name, &numbers(&values)), expected, "{name} {values:?}");
    }
}

#[test]
fn values_of_several_types_are_anything() {
    let mixed = vec![AttributeValue::Bool(true), AttributeValue::S("yes".to_owned())];
    assert_eq!(of("flag", &mixed), AttributeType::Any);
    assert_eq!(of("flag", &[AttributeValue::Bool(true)]), AttributeType::Boolean);
    assert_eq!(of("nothing", &[AttributeValue::Null]), AttributeType::Any);
}

#[test]
fn lists_have_the_type_of_their_items() {
    let list = |items: Vec<AttributeValue>| AttributeValue::L(items);
    assert_eq!(
        of("tags", &[list(texts(&["a", "b"])), list(Vec::new())]),
        AttributeType::List(Some(Box::new(AttributeType::String)))
    );
    assert_eq!(of("tags", &[list(Vec::new())]), AttributeType::List(None));
    assert_eq!(of("tags", &[list([texts(&["a"]), numbers(&["1"])].concat())]), AttributeType::List(None));
}
