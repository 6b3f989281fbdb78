//! Attribute values.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_dynamo::{AttributeValue, Number};
use proptest::prelude::*;

use super::{decode, refusal, unreadable};
use crate::Request;
use crate::encode;
use crate::json::Writer;

/// What a PutItem with this value as the attribute `v` puts there.
fn put(value: &str) -> AttributeValue {
    match decode("PutItem", &format!(r#"{{"TableName":"table","Item":{{"v":{value}}}}}"#)) {
        Ok(Request::PutItem(input)) => input.item["v"].clone(),
        other => panic!("{value} gave {other:?}"),
    }
}

fn refused(value: &str) -> String {
    refusal("PutItem", &format!(r#"{{"TableName":"table","Item":{{"v":{value}}}}}"#))
}

fn not_read(value: &str) -> String {
    unreadable("PutItem", &format!(r#"{{"TableName":"table","Item":{{"v":{value}}}}}"#)).unwrap()
}

fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

#[test]
fn every_type_is_read() {
    assert_eq!(put(r#"{"S":"text \u00e9"}"#), AttributeValue::S("text é".to_owned()));
    assert_eq!(put(r#"{"S":""}"#), AttributeValue::S(String::new()));
    assert_eq!(put(r#"{"N":"-01.50e2"}"#), AttributeValue::N(number("-150")));
    assert_eq!(put(r#"{"B":"aGk="}"#), AttributeValue::B(b"hi".to_vec()));
    assert_eq!(put(r#"{"BOOL":false}"#), AttributeValue::Bool(false));
    assert_eq!(put(r#"{"BOOL":"YES"}"#), AttributeValue::Bool(true));
    assert_eq!(put(r#"{"NULL":true}"#), AttributeValue::Null);
    assert_eq!(put(r#"{"SS":["b","a"]}"#), AttributeValue::Ss(BTreeSet::from(["a".to_owned(), "b".to_owned()])));
    assert_eq!(put(r#"{"NS":["2","1.0"]}"#), AttributeValue::Ns(BTreeSet::from([number("1"), number("2")])));
    assert_eq!(put(r#"{"BS":["aGk=",""]}"#), AttributeValue::Bs(BTreeSet::from([Vec::new(), b"hi".to_vec()])));
    assert_eq!(
        put(r#"{"L":[{"S":"a"},{"L":[]}]}"#),
        AttributeValue::L(vec![AttributeValue::S("a".to_owned()), AttributeValue::L(Vec::new())])
    );
    assert_eq!(
        put(r#"{"M":{"k":{"M":{}}}}"#),
        AttributeValue::M(BTreeMap::from([("k".to_owned(), AttributeValue::M(BTreeMap::new()))]))
    );
}

#[test]
fn absent_and_unknown_types_are_passed_over() {
    assert_eq!(put(r#"{"S":"a","N":null}"#), AttributeValue::S("a".to_owned()));
    assert_eq!(put(r#"{"X":[1,{"deep":null}],"S":"a"}"#), AttributeValue::S("a".to_owned()));
    assert_eq!(put(r#"{"S":"a","S":"b"}"#), AttributeValue::S("b".to_owned()));
}

#[test]
fn of_repeated_members_the_last_one_counts() {
    let body = r#"{"TableName":"other","TableName":"table","Item":{"v":{"S":"a"},"v":{"S":"b"}}}"#;
    let Ok(Request::PutItem(input)) = decode("PutItem", body) else { panic!("not a PutItem") };
    assert_eq!(input.table_name, "table");
    assert_eq!(input.item["v"], AttributeValue::S("b".to_owned()));
    assert_eq!(put(r#"{"M":{"a":{"S":"1"},"a":{"S":"2"}}}"#), put(r#"{"M":{"a":{"S":"2"}}}"#));
}

#[test]
fn values_that_are_not_allowed_are_refused() {
    const EMPTY: &str = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
    const SEVERAL: &str = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the \
                           supported datatypes";
    for value in ["{}", r#"{"S":null}"#, r#"{"X":"a"}"#, r#"{"s":"a"}"#, r#"{"L":[{}]}"#, r#"{"M":{"a":{}}}"#] {
        assert_eq!(refused(value), EMPTY, "{value}");
    }
    assert_eq!(refused(r#"{"S":"a","BOOL":true}"#), SEVERAL);
    for (value, text) in [
        (r#"{"N":"abc"}"#, "The parameter cannot be converted to a numeric value: abc"),
        (r#"{"N":""}"#, "The parameter cannot be converted to a numeric value"),
        (r#"{"N":" 1"}"#, "The parameter cannot be converted to a numeric value:  1"),
        (r#"{"S":"a","N":"x"}"#, "The parameter cannot be converted to a numeric value: x"),
        (
            r#"{"N":"1e126"}"#,
            "Number overflow. Attempting to store a number with magnitude larger than supported range",
        ),
        (
            r#"{"N":"1e-131"}"#,
            "Number underflow. Attempting to store a number with magnitude smaller than supported range",
        ),
        (
            r#"{"N":"111111111111111111111111111111111111111"}"#,
            "Attempting to store more than 38 significant digits in a Number",
        ),
        (
            r#"{"NULL":false}"#,
            "One or more parameter values were invalid: Null attribute value types must have the value of true",
        ),
        (r#"{"SS":[]}"#, "One or more parameter values were invalid: An string set  may not be empty"),
        (r#"{"NS":[]}"#, "One or more parameter values were invalid: An number set  may not be empty"),
        (r#"{"BS":[]}"#, "One or more parameter values were invalid: Binary sets should not be empty"),
        (
            r#"{"SS":["b","a","b"]}"#,
            "One or more parameter values were invalid: Input collection [b, a, b] contains duplicates.",
        ),
        (r#"{"NS":["1","1.0"]}"#, "Input collection contains duplicates"),
        (r#"{"NS":["x","x"]}"#, "The parameter cannot be converted to a numeric value: x"),
        (
            r#"{"BS":["YQ==","YQ=="]}"#,
            "One or more parameter values were invalid: Input collection [YQ==, YQ==]of type BS contains duplicates.",
        ),
        (
            r#"{"SS":[null]}"#,
            "One or more parameter values were invalid: An string set may not have a null string as a member",
        ),
        ("null", "The supplied Item contains a null AttributeValue: v is null"),
        (r#"{"M":{"a":null}}"#, "The supplied Item contains a null AttributeValue: a is null"),
        (r#"{"L":[null]}"#, "The supplied Item contains a null AttributeValue"),
        (r#"{"M":{"":{"S":"a"}}}"#, "Empty attribute name"),
        (r#"{"L":[{"SS":[]}]}"#, "One or more parameter values were invalid: An string set  may not be empty"),
    ] {
        assert_eq!(refused(value), text, "{value}");
    }
}

#[test]
fn names_of_attributes_have_a_longest_length() {
    let item = |length: usize| format!(r#"{{"TableName":"table","Item":{{"{}":{{"S":"a"}}}}}}"#, "n".repeat(length));
    decode("PutItem", &item(65_535)).unwrap();
    assert_eq!(
        refusal("PutItem", &item(65_536)),
        "One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes"
    );
}

#[test]
fn the_first_of_several_problems_is_reported() {
    let body = r#"{"TableName":"table","Item":{"a":{"N":"x"},"b":{}}}"#;
    assert_eq!(refusal("PutItem", body), "The parameter cannot be converted to a numeric value: x");
}

#[test]
fn values_of_the_wrong_json_type_cannot_be_read() {
    for (value, text) in [
        (r#""a""#, "Unexpected value type in payload"),
        ("1", "Unexpected value type in payload"),
        ("[]", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"),
        (r#"{"S":1}"#, "NUMBER_VALUE cannot be converted to String"),
        (r#"{"S":1.5}"#, "DECIMAL_VALUE cannot be converted to String"),
        (r#"{"S":true}"#, "TRUE_VALUE cannot be converted to String"),
        (r#"{"S":[]}"#, "Unrecognized collection type class java.lang.String"),
        (r#"{"S":{}}"#, "Start of structure or map found where not expected"),
        (r#"{"N":1}"#, "NUMBER_VALUE cannot be converted to String"),
        (r#"{"BOOL":1}"#, "NUMBER_VALUE cannot be converted to Boolean"),
        (r#"{"BOOL":"x"}"#, "Unexpected token received from parser"),
        (r#"{"BOOL":[]}"#, "Unrecognized collection type class java.lang.Boolean"),
        (r#"{"B":1}"#, "only base-64-encoded strings are convertible to bytes"),
        (r#"{"B":[]}"#, "Unrecognized collection type class java.nio.ByteBuffer"),
        (r#"{"B":{}}"#, "Start of structure or map found where not expected"),
        (r#"{"B":"23456"}"#, "Base64 encoded length is expected a multiple of 4 bytes but found: 5"),
        (r#"{"B":"a*=="}"#, "Invalid Base64 character: '*'"),
        (r#"{"B":"+/+="}"#, "Invalid last non-pad Base64 character dectected"),
        (r#"{"SS":"a"}"#, "Unexpected field type"),
        (r#"{"SS":{}}"#, "Start of structure or map found where not expected"),
        (r#"{"SS":[1]}"#, "NUMBER_VALUE cannot be converted to String"),
        (r#"{"BS":[1]}"#, "only base-64-encoded strings are convertible to bytes"),
        (r#"{"L":"a"}"#, "Unexpected field type"),
        (r#"{"L":{}}"#, "Start of structure or map found where not expected"),
        (r#"{"L":[1]}"#, "Unexpected value type in payload"),
        (r#"{"M":"a"}"#, "Unexpected field type"),
        (
            r#"{"M":[]}"#,
            "Unrecognized collection type java.util.Map<java.lang.String, \
                         com.amazonaws.dynamodb.v20120810.AttributeValue>",
        ),
    ] {
        assert_eq!(not_read(value), text, "{value}");
    }
}

fn nested(levels: usize, innermost: &str) -> String {
    format!("{}{innermost}{}", r#"{"L":["#.repeat(levels), "]}".repeat(levels))
}

const TOO_DEEP: &str =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

#[test]
fn an_item_may_be_nested_as_deep_as_the_service_allows() {
    put(&nested(31, r#"{"S":"x"}"#));
    put(&nested(30, r#"{"M":{}}"#));
    assert_eq!(refused(&nested(32, r#"{"S":"x"}"#)), TOO_DEEP);
    assert_eq!(refused(&nested(31, r#"{"M":{}}"#)), TOO_DEEP);
    let alias = |levels| {
        let value = nested(levels, r#"{"S":"x"}"#);
        let values = format!(r#""ExpressionAttributeValues":{{":v":{value}}}"#);
        decode("Scan", &format!(r#"{{"TableName":"table","FilterExpression":"a = :v",{values}}}"#))
    };
    alias(32).unwrap();
    alias(33).unwrap_err();
}

#[test]
fn any_depth_is_read_over_without_a_deep_stack() {
    let deep = nested(300_000, r#"{"S":"x"}"#);
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || {
            assert_eq!(refused(&deep), TOO_DEEP);
            decode("ListTables", &format!(r#"{{"Unknown":{deep}}}"#)).unwrap();
            assert_eq!(unreadable("PutItem", &r#"{"Item":{"v":"#.repeat(1000)), None);
        })
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn problems_of_expression_values_are_reported_with_their_name() {
    let body = |value: &str| {
        format!(
            r#"{{"TableName":"table","Key":{{"p":{{"S":"a"}}}},"UpdateExpression":"SET v=:v",
            "ExpressionAttributeValues":{{":a":{{"S":"a"}},":v":{value}}}}}"#
        )
    };
    for (value, text) in [
        ("{}", "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
        ("null", "The supplied Item contains a null AttributeValue"),
        (r#"{"M":{"a":null}}"#, "The supplied Item contains a null AttributeValue: a is null"),
        (
            r#"{"SS":["a","a"]}"#,
            "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
        ),
    ] {
        let whole = format!("ExpressionAttributeValues contains invalid value: {text} for key :v");
        assert_eq!(refusal("UpdateItem", &body(value)), whole);
    }
}

fn any_value() -> impl Strategy<Value = AttributeValue> {
    let any_number = (any::<i64>(), -60..60i32).prop_map(|(digits, exponent)| number(&format!("{digits}e{exponent}")));
    let leaf = prop_oneof![
        any::<String>().prop_map(AttributeValue::S),
        any_number.clone().prop_map(AttributeValue::N),
        any::<Vec<u8>>().prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null),
        prop::collection::btree_set(any::<String>(), 1..4).prop_map(AttributeValue::Ss),
        prop::collection::btree_set(any_number, 1..4).prop_map(AttributeValue::Ns),
        prop::collection::btree_set(any::<Vec<u8>>(), 1..4).prop_map(AttributeValue::Bs),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(AttributeValue::L),
            prop::collection::btree_map(".+", inner, 0..5).prop_map(AttributeValue::M),
        ]
    })
}

proptest! {
    #[test]
    fn values_survive_writing_and_reading(item in prop::collection::btree_map(".+", any_value(), 0..5)) {
        let mut out = Writer::with_capacity(64);
        out.object(|out| {
            out.key("TableName").string("table");
            encode::attributes(out.key("Item"), &item);
        });
        let text = String::from_utf8(out.into_bytes()).unwrap();
        match decode("PutItem", &text) {
            Ok(Request::PutItem(input)) => prop_assert_eq!(input.item, item),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn no_body_makes_the_decoder_panic(
        body in "[{}\\[\\]\":,]{0,4}(\\{\"(TableName|Item|Key|TransactItems|RequestItems)\":)?[{}\\[\\]\":,a-zA-Z0-9 ]{0,40}",
        operation in 0..crate::Operation::ALL.len(),
    ) {
        let _ = decode(crate::Operation::ALL[operation].name(), &body);
    }
}
