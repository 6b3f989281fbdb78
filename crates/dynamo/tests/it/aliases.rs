//! ExpressionAttributeNames and ExpressionAttributeValues.

use crate::request::{attributes, list, number, text};
use keyfold_dynamo::expression::NameAliases;
use keyfold_dynamo::expression::{Condition, ConditionKind, Context};
use keyfold_dynamo::{Attributes, ServiceError};

fn names<const COUNT: usize>(pairs: [(&str, &str); COUNT]) -> NameAliases {
    pairs.map(|(alias, name)| (alias.to_owned(), name.to_owned())).into()
}

fn refusal(names: Option<&NameAliases>, values: Option<&Attributes>) -> String {
    Context::new(names, values, true).unwrap_err().to_string()
}

/// Parses one condition with the aliases and ends the request.
fn request(expression: &str, names: Option<&NameAliases>, values: Option<&Attributes>) -> Result<(), ServiceError> {
    let mut context = Context::new(names, values, true)?;
    Condition::parse(ConditionKind::Condition, expression, &mut context)?;
    context.finish()
}

#[test]
fn names_are_checked() {
    let rows = [
        (names([]), "ExpressionAttributeNames must not be empty"),
        (names([("a", "a")]), "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""),
        (names([("#a-b", "a")]), "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\""),
        (names([("#", "a")]), "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\""),
        (names([("#é", "a")]), "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#é\""),
        (
            names([("", "a")]),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains an empty key;",
        ),
        (names([("#a", "")]), "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"),
        (
            names([("#a", &"x".repeat(65_536))]),
            "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #a",
        ),
        (
            names([(&format!("#{}", "a".repeat(255)), "a")]),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256",
        ),
    ];
    for (names, text) in rows {
        assert_eq!(refusal(Some(&names), None), text);
    }
    let longest = names([(&format!("#{}", "a".repeat(254)), &"x".repeat(65_535))]);
    assert!(Context::new(Some(&longest), None, true).is_ok());
}

#[test]
fn values_are_checked() {
    let rows = [
        (attributes([]), "ExpressionAttributeValues must not be empty"),
        (attributes([("a", text("x"))]), "ExpressionAttributeValues contains invalid key: Syntax error; key: \"a\""),
        (
            attributes([(":a b", text("x"))]),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \":a b\"",
        ),
        (
            attributes([(format!(":{}", "a".repeat(255)).as_str(), text("x"))]),
            "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;",
        ),
    ];
    for (values, text) in rows {
        assert_eq!(refusal(None, Some(&values)), text);
    }
}

#[test]
fn values_are_limited_in_size_and_depth() {
    let largest = attributes([(":a", text(&"x".repeat(2_097_150)))]);
    assert!(Context::new(None, Some(&largest), true).is_ok());
    let too_large = attributes([(":a", text(&"x".repeat(2_097_145))), (":b", number("12345678"))]);
    assert_eq!(refusal(None, Some(&too_large)), "ExpressionAttributeValues exceeds max size");
    let nested = |depth: usize| attributes([(":a", (0..depth).fold(text("x"), |value, _| list([value])))]);
    assert!(Context::new(None, Some(&nested(32)), true).is_ok());
    assert_eq!(
        refusal(None, Some(&nested(33))),
        "ExpressionAttributeValues contains invalid value: Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit for key :a"
    );
}

#[test]
fn aliases_need_an_expression() {
    let names = names([("#a", "a")]);
    let values = attributes([(":a", text("x"))]);
    let text = |result: Result<Context<'_>, ServiceError>| result.unwrap_err().to_string();
    assert_eq!(
        text(Context::new(Some(&names), Some(&values), false)),
        "ExpressionAttributeNames can only be specified when using expressions"
    );
    assert_eq!(
        text(Context::new(None, Some(&values), false)),
        "ExpressionAttributeValues can only be specified when using expressions"
    );
    let scan = |projection| Context::for_request(None, Some(&values), projection, &[("FilterExpression", false)]);
    let without_filter =
        "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null";
    assert_eq!(text(scan(false)), without_filter);
    assert_eq!(text(scan(true)), without_filter);
    let update = [("UpdateExpression", false), ("ConditionExpression", false)];
    assert_eq!(
        text(Context::for_request(None, Some(&values), false, &update)),
        "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null"
    );
    assert!(Context::for_request(Some(&names), None, true, &update).is_ok());
    // Empty maps say nothing, and without an expression nobody minds them.
    assert!(Context::new(Some(&NameAliases::new()), Some(&Attributes::new()), false).is_ok());
}

#[test]
fn unused_aliases_are_refused() {
    let aliases = names([("#b", "b"), ("#a", "a")]);
    let values = attributes([(":b", text("x")), (":a", text("y"))]);
    let text = |expression: &str| request(expression, Some(&aliases), Some(&values)).unwrap_err().to_string();
    assert_eq!(text("c = :a"), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}");
    assert_eq!(text("#b = :a"), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}");
    assert_eq!(text("#a = #b"), "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a, :b}");
    assert_eq!(request("#a = :a AND #b = :b", Some(&aliases), Some(&values)), Ok(()));
}

#[test]
fn expressions_of_a_request_share_its_aliases() {
    let aliases = names([("#a", "a"), ("#b", "b")]);
    let mut context = Context::new(Some(&aliases), None, true).unwrap();
    Condition::parse(ConditionKind::Filter, "attribute_exists(#a)", &mut context).unwrap();
    keyfold_dynamo::expression::Projection::parse("x.#b", &mut context).unwrap();
    assert_eq!(context.finish(), Ok(()));
}
