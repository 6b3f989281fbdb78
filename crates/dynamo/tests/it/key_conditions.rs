//! Key condition expressions.

use crate::request::{assert_refused, attributes, condition, key_condition, number, refused_rows, text};
use keyfold_dynamo::expression::{Context, KeyCondition, PartitionRange, SortCondition, refuse_paths_into_keys};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::value::AttributeValue::B;
use keyfold_dynamo::{Attributes, ServiceError};

fn tree(expression: &str, values: &Attributes) -> KeyCondition {
    let mut context = Context::new(None, Some(values), true).unwrap();
    KeyCondition::parse(expression, &mut context).unwrap()
}

#[test]
fn refused_key_conditions_are_told_why() {
    assert_refused(key_condition, &refused_rows(include_str!("refused/key-condition.txt")));
    assert_refused(key_condition, &[("", "Invalid KeyConditionExpression: The expression can not be empty;")]);
}

#[test]
fn a_missing_key_is_named() {
    let partition = "Query condition missed key schema element: pk";
    let sort = "Query condition missed key schema element: sk";
    assert_refused(
        key_condition,
        &[
            ("sk = :n", partition),
            ("a = :a", partition),
            ("a = :a AND b = :b", partition),
            ("sk = :n AND a = :a", partition),
            ("pk = :a AND a = :a", sort),
            ("pk = :a AND a = :l", sort),
            ("begins_with(a, :a) AND pk = :b", sort),
        ],
    );
}

#[test]
fn a_table_without_a_sort_key_takes_one_condition() {
    let values = attributes([(":v", text("x"))]);
    let resolve = |expression: &str| tree(expression, &values).resolve(("pk", KeyType::S), None);
    assert_eq!(resolve("pk = :v").unwrap().sort, None);
    assert_eq!(resolve("pk = :v AND a = :v").unwrap_err().to_string(), "Query key condition not supported");
    assert_eq!(
        resolve("a = :v AND b = :v AND pk = :v").unwrap_err().to_string(),
        "Conditions can be of length 1 or 2 only"
    );
}

#[test]
fn every_order_and_operator_resolves() {
    let one = || number("1");
    let rows = [
        ("pk = :a", None),
        (":a = pk", None),
        ("pk = :a AND sk = :n", Some(SortCondition::Equal(one()))),
        ("sk < :n AND pk = :a", Some(SortCondition::Less(one()))),
        ("(pk = :a) AND (sk <= :n)", Some(SortCondition::LessOrEqual(one()))),
        ("((pk = :a) AND (sk > :n))", Some(SortCondition::Greater(one()))),
        ("(pk = (:a) AND sk >= :n)", Some(SortCondition::GreaterOrEqual(one()))),
        ("pk = :a AND :n < sk", Some(SortCondition::Greater(one()))),
        ("pk = :a AND :n >= sk", Some(SortCondition::LessOrEqual(one()))),
        ("pk = :a AND sk BETWEEN :n AND :m", Some(SortCondition::Between(one(), number("2")))),
    ];
    for (expression, sort) in rows {
        let expected = PartitionRange {
            partition: ("pk".to_owned(), text("s")),
            sort: sort.map(|condition| ("sk".to_owned(), condition)),
        };
        assert_eq!(key_condition(expression).unwrap(), expected, "{expression}");
    }
    let values = attributes([(":p", text("x")), (":prefix", B(vec![7]))]);
    let found = tree("begins_with(sk, :prefix) AND pk = :p", &values)
        .resolve(("pk", KeyType::S), Some(("sk", KeyType::B)))
        .unwrap();
    assert_eq!(found.sort, Some(("sk".to_owned(), SortCondition::BeginsWith(B(vec![7])))));
}

#[test]
fn no_key_value_is_empty() {
    let values = attributes([(":v", text("x")), (":e", text("")), (":b", B(Vec::new()))]);
    let in_table = |expression: &str| {
        tree(expression, &values).resolve(("pk", KeyType::S), Some(("sk", KeyType::S))).unwrap_err().to_string()
    };
    let of_table = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ";
    for (expression, key) in [
        ("pk = :e", "pk"),
        ("pk = :v AND sk = :e", "sk"),
        ("pk = :v AND begins_with(sk, :e)", "sk"),
        ("pk = :v AND sk BETWEEN :e AND :v", "sk"),
    ] {
        assert_eq!(in_table(expression), format!("{of_table}{key}"), "{expression}");
    }
    let in_index = tree("g = :v AND h = :b", &values)
        .resolve_in(Some("by-g"), ("g", KeyType::S), Some(("h", KeyType::B)))
        .unwrap_err();
    assert_eq!(
        in_index.to_string(),
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: by-g, IndexKey: h"
    );
}

#[test]
fn no_path_leads_into_a_key() {
    let check = |expression: &str| refuse_paths_into_keys(condition(expression).unwrap().paths(), &["pk"], &["g"]);
    let refused = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ";
    assert_eq!(check("a.x = :a AND pk.x = :a"), Err(ServiceError::validation(format!("{refused}Key: pk"))));
    assert_eq!(check("attribute_exists(g[0])"), Err(ServiceError::validation(format!("{refused}IndexKey: g"))));
    assert_eq!(check("pk = :a AND g = :b AND a.pk = :a"), Ok(()));
}
