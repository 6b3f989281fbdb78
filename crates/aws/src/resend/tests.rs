use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::operation::{ReturnValues, UpdateItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::*;

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn number(number: i64) -> AttributeValue {
    AttributeValue::N(Number::parse(&number.to_string()).unwrap())
}

fn attributes(pairs: &[(&str, AttributeValue)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn aliases() -> Aliases {
    let values = [
        (":zero", number(0)),
        (":one", number(1)),
        (":two", number(2)),
        (":a", text("a")),
        (":set", AttributeValue::Ss(["x".to_owned()].into())),
        (":list", AttributeValue::L(vec![])),
    ];
    Aliases { names: None, values: Some(attributes(&values)) }
}

fn options(condition: Option<&str>, requested: ReturnValues) -> WriteOptions {
    let condition = condition.map(|text| aliases().condition(text).unwrap());
    WriteOptions { condition, return_values: requested, ..WriteOptions::default() }
}

fn update(expression: &str, condition: Option<&str>, requested: ReturnValues) -> Resend {
    resend_update(&UpdateItemInput {
        table_name: "t".to_owned(),
        key: attributes(&[("pk", text("p"))]),
        update: Some(aliases().update(expression).unwrap()),
        options: options(condition, requested),
    })
}

fn may(resend: &Resend) -> bool {
    matches!(resend, Resend::Allowed(_))
}

#[test]
fn updates_that_leave_the_same_twice_may_be_sent_again() {
    for expression in [
        "SET a = :a, m.n = :one",
        "REMOVE a, b.c",
        "ADD members :set",
        "DELETE members :set",
        "SET a = if_not_exists(a, :a)",
    ] {
        for condition in [None, Some("attribute_exists(pk)"), Some("a <> :a")] {
            assert!(may(&update(expression, condition, ReturnValues::AllNew)), "{expression} if {condition:?}");
            assert!(!may(&update(expression, condition, ReturnValues::UpdatedOld)), "{expression} if {condition:?}");
        }
    }
}

#[test]
fn updates_that_go_on_from_what_is_there_may_not() {
    for expression in [
        "ADD visits :one",
        "SET visits = visits + :one",
        "SET l = list_append(l, :list)",
        "SET a = b",
        "SET l[3] = :a",
        "REMOVE l[0]",
        "SET a = if_not_exists(b, :a)",
        "SET a = :a ADD version :one",
    ] {
        for condition in [None, Some("attribute_exists(pk)"), Some("visits >= :one"), Some("version = :one OR a = :a")]
        {
            assert!(!may(&update(expression, condition, ReturnValues::None)), "{expression} if {condition:?}");
        }
    }
}

#[test]
fn updates_that_make_their_condition_false_may() {
    for (expression, condition) in [
        ("SET version = :two ADD visits :one", "version = :one"),
        ("SET version = :two ADD visits :one", "attribute_exists(pk) AND (:one = version AND a = :a)"),
        ("ADD version :one, visits :one", "version = :one"),
        ("SET version = version + :one ADD visits :one", "version = :one"),
        ("ADD version :one, visits :one", "attribute_not_exists(version)"),
        ("SET created = :a ADD visits :one", "attribute_not_exists(created)"),
        ("REMOVE mark ADD visits :one", "attribute_exists(mark)"),
        ("REMOVE mark ADD visits :one", "mark = :a"),
    ] {
        assert!(may(&update(expression, Some(condition), ReturnValues::UpdatedOld)), "{expression} if {condition}");
    }
    for (expression, condition) in [
        ("SET version = :one ADD visits :one", "version = :one"),
        ("ADD version :zero, visits :one", "version = :one"),
        ("ADD version :one, visits :one", "NOT version = :two"),
        ("REMOVE mark ADD visits :one", "attribute_exists(marks)"),
    ] {
        assert!(!may(&update(expression, Some(condition), ReturnValues::None)), "{expression} if {condition}");
    }
}

#[test]
fn an_update_is_known_by_everything_it_left() {
    let Resend::Allowed(trace) = update(
        "SET a = :a, version = :two REMOVE b ADD members :set, visits :one",
        Some("version = :one"),
        ReturnValues::AllNew,
    ) else {
        panic!("it may be sent again");
    };
    let members = |members: &[&str]| AttributeValue::Ss(members.iter().map(|member| (*member).to_owned()).collect());
    let left = attributes(&[("a", text("a")), ("version", number(2)), ("members", members(&["x", "y"]))]);
    assert_eq!(trace.find(Some(&left), ReturnValues::AllNew), Finding::Executed(Some(left.clone())));
    assert_eq!(trace.find(Some(&left), ReturnValues::UpdatedNew), Finding::Executed(Some(left.clone())));
    assert_eq!(trace.find(Some(&left), ReturnValues::None), Finding::Executed(None));
    assert_eq!(trace.find(Some(&left), ReturnValues::AllOld), Finding::ResponseLost);
    assert_eq!(trace.find(None, ReturnValues::None), Finding::NotFound);
    for (name, value) in [
        ("a", text("b")),
        ("version", number(3)),
        ("b", text("still there")),
        ("members", members(&["y"])),
        ("members", text("no set")),
    ] {
        let mut other = left.clone();
        other.insert(name.to_owned(), value.clone());
        assert_eq!(trace.find(Some(&other), ReturnValues::None), Finding::NotFound, "{name} = {value:?}");
    }
}

#[test]
fn puts_and_deletes() {
    let item = attributes(&[("pk", text("p")), ("version", number(2))]);
    let put = |condition, requested| {
        resend_put(&PutItemInput {
            table_name: "t".to_owned(),
            item: item.clone(),
            options: options(condition, requested),
        })
    };
    let delete = |condition, requested| {
        let key = attributes(&[("pk", text("p"))]);
        resend_delete(&DeleteItemInput { table_name: "t".to_owned(), key, options: options(condition, requested) })
    };
    let may_be_sent = Resend::Allowed(Trace::Item(item.clone()));
    assert_eq!(put(None, ReturnValues::None), may_be_sent);
    assert_eq!(put(Some("attribute_exists(pk)"), ReturnValues::None), may_be_sent);
    assert_eq!(put(Some("attribute_not_exists(pk) OR version < :two"), ReturnValues::AllOld), may_be_sent);
    assert_eq!(put(None, ReturnValues::AllOld), Resend::Forbidden);
    assert_eq!(put(Some("attribute_exists(pk)"), ReturnValues::AllOld), Resend::Forbidden);
    assert_eq!(delete(None, ReturnValues::None), Resend::Allowed(Trace::Nothing));
    assert_eq!(delete(Some("version = :two"), ReturnValues::AllOld), Resend::Allowed(Trace::Nothing));
    assert_eq!(delete(None, ReturnValues::AllOld), Resend::Forbidden);
}
