//! Items come in the order of their sort keys: numbers by value, texts by their UTF-8 bytes, binary by unsigned bytes.

use crate::scene;

use crate::scene::requests::{aliases, get, partition, put, query_all};
use crate::scene::tables::{all, keys_only, table};
use crate::scene::{assert_sound, b, item, n, s};
use keyfold_dynamo::expression::{Aliases, Condition};
use keyfold_dynamo::operation::{PageOptions, QueryInput};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_engine::Engine;

/// A table, a global index and a local one with a sort key of one type; items go in out of order.
fn filled(key_type: KeyType, values: &[AttributeValue]) -> Engine {
    let engine = scene::memory();
    table("t", ("pk", KeyType::S), Some(("sk", key_type)))
        .global("global", ("g", KeyType::S), Some(("sort", key_type)), all())
        .global("reversed", ("sort", key_type), Some(("pk", KeyType::S)), keys_only())
        .local("local", ("pk", KeyType::S), ("sort", key_type), keys_only())
        .create(&engine);
    let count = values.len();
    // A stride that has no divisor in common with the count visits every value once.
    let stride = (2..).find(|stride| gcd(*stride, count) == 1).unwrap();
    for step in 0..count {
        let value = values[step * stride % count].clone();
        let new = item([("pk", s("p")), ("sk", value.clone()), ("g", s("g")), ("sort", value)]);
        put(&engine, "t", new).unwrap();
    }
    // Neighbours in other partitions stay out.
    for other in ["o", "p\u{0}", "pp"] {
        let value = values[0].clone();
        put(&engine, "t", item([("pk", s(other)), ("sk", value.clone()), ("g", s(other)), ("sort", value)])).unwrap();
    }
    engine
}

fn gcd(one: usize, two: usize) -> usize {
    if two == 0 { one } else { gcd(two, one % two) }
}

fn sort_keys(items: Vec<Attributes>) -> Vec<AttributeValue> {
    items.into_iter().map(|mut item| item.remove("sort").or_else(|| item.remove("sk")).unwrap()).collect()
}

const SOURCES: [(Option<&str>, &str, &str, &str); 3] =
    [(None, "pk", "p", "sk"), (Some("global"), "g", "g", "sort"), (Some("local"), "pk", "p", "sort")];

fn assert_ordered(key_type: KeyType, values: &[AttributeValue]) {
    let engine = filled(key_type, values);
    for (index, name, partition_value, sort) in SOURCES {
        let whole = partition("t", index, name, s(partition_value));
        let backward = QueryInput { forward: false, ..whole.clone() };
        let paged = QueryInput { page: PageOptions { limit: Some(3), ..whole.page.clone() }, ..whole.clone() };
        let paged_backward = QueryInput { forward: false, ..paged.clone() };
        let reversed: Vec<AttributeValue> = values.iter().rev().cloned().collect();
        assert_eq!(sort_keys(query_all(&engine, whole)), values);
        assert_eq!(sort_keys(query_all(&engine, paged)), values);
        assert_eq!(sort_keys(query_all(&engine, backward)), reversed);
        assert_eq!(sort_keys(query_all(&engine, paged_backward)), reversed);
        for (position, value) in values.iter().enumerate() {
            let selected = |condition: &str, values: [(&str, AttributeValue); 2]| {
                let mut query = partition("t", index, name, s(partition_value));
                let names = Some([("#s".to_owned(), sort.to_owned())].into());
                let aliases = Aliases { names, ..aliases(values) };
                query.key_condition = query.key_condition.and(aliases.condition(condition).unwrap());
                sort_keys(query_all(&engine, query))
            };
            let upper = (position + 4).min(values.len() - 1);
            let bounds = || [(":low", value.clone()), (":high", values[upper].clone())];
            assert_eq!(selected("#s = :low", bounds()), values[position..=position]);
            assert_eq!(selected("#s < :low", bounds()), values[..position]);
            assert_eq!(selected("#s <= :low", bounds()), values[..=position]);
            assert_eq!(selected("#s > :low", bounds()), values[position + 1..]);
            assert_eq!(selected("#s >= :low", bounds()), values[position..]);
            assert_eq!(selected("#s BETWEEN :low AND :high", bounds()), values[position..=upper]);
        }
    }
    for value in values {
        assert!(get(&engine, "t", item([("pk", s("p")), ("sk", value.clone())])).is_some());
        let by_value = query_all(&engine, partition("t", Some("reversed"), "sort", value.clone()));
        assert!(by_value.iter().all(|item| item["sort"] == *value) && !by_value.is_empty());
    }
    assert_sound(&engine);
}

#[test]
fn numbers_come_by_value() {
    let ordered = [
        "-9.9999999999999999999999999999999999999E125",
        "-1E100",
        "-12345678901234567890123456789012345678",
        "-12345678901234567890123456789012345677",
        "-100",
        "-99.5",
        "-99",
        "-10",
        "-9",
        "-1.5",
        "-1.05",
        "-1",
        "-0.1",
        "-0.01",
        "-1E-130",
        "0",
        "1E-130",
        "1.0000000000000000000000000000000000001E-100",
        "0.001",
        "0.1",
        "0.5",
        "1",
        "1.05",
        "1.5",
        "2",
        "9",
        "10",
        "11",
        "99",
        "99.99",
        "100",
        "101",
        "1000",
        "12345678901234567890123456789012345677",
        "12345678901234567890123456789012345678",
        "99999999999999999999999999999999999999",
        "1E38",
        "1E125",
        "9.9999999999999999999999999999999999999E125",
    ];
    assert_ordered(KeyType::N, &ordered.map(n));
}

#[test]
fn one_number_written_in_two_ways_is_one_key() {
    let engine = filled(KeyType::N, &["1", "2", "300"].map(n));
    for (text, name) in [("1.00", "one"), ("2e0", "two"), ("0.3E3", "three hundred"), ("+300", "three hundred again")] {
        put(&engine, "t", item([("pk", s("p")), ("sk", n(text)), ("name", s(name))])).unwrap();
    }
    let items = query_all(&engine, partition("t", None, "pk", s("p")));
    let names: Vec<&str> = items.iter().map(|item| item["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["one", "two", "three hundred again"]);
}

#[test]
fn texts_come_by_their_utf8_bytes() {
    let ordered = [
        "\u{0}",
        "\u{0}\u{0}",
        "\u{0}\u{1}",
        "\u{0}a",
        "\u{1}",
        "\u{1}\u{0}",
        " ",
        "A",
        "Z",
        "a",
        "a\u{0}",
        "a\u{0}\u{0}",
        "a\u{0}b",
        "a\u{1}",
        "a ",
        "a#1",
        "a#10",
        "a#2",
        "aa",
        "ab",
        "b",
        "z",
        "~",
        "\u{7f}",
        "\u{80}",
        "é",
        "ÿ",
        "Ā",
        "日",
        "日本",
        "\u{ffff}",
        // Here the order of UTF-16 would be another.
        "\u{10000}",
        "😀",
        "😀a",
    ];
    assert_ordered(KeyType::S, &ordered.map(s));
}

#[test]
fn binary_comes_by_unsigned_bytes() {
    let ordered: [&[u8]; 18] = [
        &[0],
        &[0, 0],
        &[0, 0, 1],
        &[0, 1],
        &[0, 254],
        &[0, 255],
        &[0, 255, 0],
        &[1],
        &[1, 0],
        &[1, 0, 255],
        &[1, 1],
        &[127],
        &[128],
        &[254, 255],
        &[255],
        &[255, 0],
        &[255, 255],
        &[255, 255, 255],
    ];
    assert_ordered(KeyType::B, &ordered.map(b));
}

#[test]
fn begins_with_finds_what_begins_with_it_and_nothing_else() {
    let texts = ["a", "a\u{0}", "a\u{0}b", "a#1", "a#10", "a#2", "b", "\u{10ffff}", "\u{10ffff}\u{10ffff}"];
    let engine = filled(KeyType::S, &texts.map(s));
    let beginning = |prefix: AttributeValue| {
        let mut query = partition("t", None, "pk", s("p"));
        query.key_condition = query.key_condition.and(Condition::begins_with("sk", prefix));
        sort_keys(query_all(&engine, query))
    };
    for prefix in texts.into_iter().chain(["a#", "c", "a\u{0}c", "\u{10fffe}"]) {
        let mut expected: Vec<&str> = texts.into_iter().filter(|text| text.starts_with(prefix)).collect();
        expected.sort_unstable();
        assert_eq!(beginning(s(prefix)), expected.into_iter().map(s).collect::<Vec<_>>(), "{prefix:?}");
    }
    let bytes: [&[u8]; 6] = [&[255], &[255, 255], &[255, 255, 0], &[254, 255], &[0], &[0, 0]];
    let mut ordered = bytes;
    ordered.sort_unstable();
    let engine = filled(KeyType::B, &ordered.map(b));
    for prefix in ordered {
        let mut query = partition("t", Some("global"), "g", s("g"));
        query.key_condition = query.key_condition.and(Condition::begins_with("sort", b(prefix)));
        let expected: Vec<AttributeValue> =
            ordered.iter().filter(|bytes| bytes.starts_with(prefix)).map(|bytes| b(bytes)).collect();
        assert_eq!(sort_keys(query_all(&engine, query)), expected);
    }
}
