//! Condition and filter expressions: what is refused, with which text, and what items pass.

use crate::request::{
    REQUEST_STACK_BYTES, assert_refused, attributes, condition, filter, list, map, number, numbers, refused_rows,
    strings, text,
};
use keyfold_dynamo::expression::{Condition, ConditionKind, Context};
use keyfold_dynamo::value::AttributeValue::{B, Bool, Bs, Null};
use keyfold_dynamo::{Attributes, ServiceError};

fn item() -> Attributes {
    attributes([
        ("a", number("1")),
        ("b", text("string")),
        ("l", list([number("1"), text("x"), map([("deep", strings(["p"]))])])),
        ("m", map([("x", number("1.0")), ("y", list([number("5")]))])),
        ("ss", strings(["x", "y"])),
        ("ns", numbers(["1", "2"])),
        ("bs", Bs([vec![1], vec![2, 3]].into())),
        ("bin", B(vec![0, 200])),
        ("yes", Bool(true)),
        ("nothing", Null),
        ("zero", number("0")),
    ])
}

/// Parses with values of its own, then asks the item.
fn passes(expression: &str, values: Attributes) -> bool {
    let mut context = Context::new(None, Some(&values), true).unwrap();
    let condition = Condition::parse(ConditionKind::Condition, expression, &mut context).unwrap();
    context.finish().unwrap();
    condition.matches(&item())
}

#[test]
fn refused_conditions_are_told_why() {
    assert_refused(condition, &refused_rows(include_str!("refused/condition.txt")));
}

#[test]
fn white_space_shows_in_the_text_near_a_token() {
    assert_refused(
        condition,
        &[
            ("", "Invalid ConditionExpression: The expression can not be empty;"),
            ("  ", "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"  \""),
            ("a = ", "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"= \""),
            ("a = :a :b ", "Invalid ConditionExpression: Syntax error; token: \":b\", near: \":a :b \""),
            ("  = :a", "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"  = :a\""),
            (" a ", "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"a \""),
        ],
    );
}

#[test]
fn the_text_names_the_expression_that_is_meant() {
    assert_refused(filter, &[("a =", "Invalid FilterExpression: Syntax error; token: \"<EOF>\", near: \"=\"")]);
}

#[test]
fn every_documented_word_is_reserved() {
    // DynamoDB Local lets these two pass; AWS lists them.
    for word in ["size", "Convert", "STATUS"] {
        let text =
            format!("Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: {word}");
        assert_eq!(condition(&format!("{word} = :a")).unwrap_err(), ServiceError::validation(text));
    }
}

#[test]
fn comparisons_hold_within_one_type() {
    let rows = [
        ("a = :v", number("1.00"), true),
        ("a = :v", text("1"), false),
        ("a <> :v", text("1"), true),
        ("a < :v", number("1.5"), true),
        ("a < :v", text("2"), false),
        ("a >= :v", number("1"), true),
        ("b > :v", text("strin"), true),
        ("b <= :v", text("string"), true),
        ("bin < :v", B(vec![1]), true),
        ("bin > :v", B(vec![0, 199]), true),
        ("ss = :v", strings(["y", "x"]), true),
        ("ns = :v", numbers(["2", "1.0"]), true),
        ("l[0] = :v", number("1"), true),
        ("m.x = :v", number("1"), true),
        ("m = :v", map([("x", number("1")), ("y", list([number("5")]))]), true),
        ("m.x < :v", number("10"), true),
        ("yes = :v", Bool(true), true),
        ("nothing = :v", Null, true),
        (":v = nothing", Null, true),
        ("absent = :v", Null, false),
        ("absent <> :v", Null, true),
        ("absent < :v", number("1"), false),
        ("l[9] <> :v", number("1"), true),
        ("b[0] = :v", text("s"), false),
    ];
    for (expression, value, expected) in rows {
        assert_eq!(passes(expression, attributes([(":v", value)])), expected, "{expression}");
    }
}

#[test]
fn two_absent_attributes_differ() {
    assert!(!condition("absent = other_absent").unwrap().matches(&item()));
    assert!(condition("absent <> other_absent").unwrap().matches(&item()));
    assert!(!condition("absent <= other_absent").unwrap().matches(&item()));
}

#[test]
fn between_includes_its_bounds() {
    let bounds = |low: &str, high: &str| attributes([(":low", number(low)), (":high", number(high))]);
    assert!(passes("a BETWEEN :low AND :high", bounds("1", "1")));
    assert!(passes("a BETWEEN :low AND :high", bounds("-1", "1.5")));
    assert!(!passes("a BETWEEN :low AND :high", bounds("1.1", "2")));
    assert!(!passes("b BETWEEN :low AND :high", bounds("1", "2")));
    assert!(!passes("absent BETWEEN :low AND :high", bounds("1", "2")));
    assert!(condition("a BETWEEN zero AND m.x").unwrap().matches(&item()));
    assert!(!condition("a BETWEEN m.x AND zero").unwrap().matches(&item()));
}

#[test]
fn in_looks_for_an_equal() {
    assert!(passes("a IN (:v, b)", attributes([(":v", number("1.0"))])));
    assert!(passes("b IN (absent, :v)", attributes([(":v", text("string"))])));
    assert!(!passes("a IN (:v)", attributes([(":v", text("1"))])));
    assert!(!passes("absent IN (:v)", attributes([(":v", Null)])));
    assert!(passes("l IN (:v)", attributes([(":v", item()["l"].clone())])));
}

#[test]
fn functions_ask_what_they_are_named_after() {
    let rows = [
        ("attribute_exists(m.y[0])", true),
        ("attribute_exists(m.y[1])", false),
        ("attribute_not_exists(absent)", true),
        ("attribute_not_exists(nothing)", false),
    ];
    for (expression, expected) in rows {
        assert_eq!(condition(expression).unwrap().matches(&item()), expected, "{expression}");
    }
    let rows = [
        ("attribute_type(l, :v)", text("L"), true),
        ("attribute_type(nothing, :v)", text("NULL"), true),
        ("attribute_type(ns, :v)", text("SS"), false),
        ("attribute_type(absent, :v)", text("S"), false),
        ("begins_with(b, :v)", text("str"), true),
        ("begins_with(b, :v)", text(""), true),
        ("begins_with(b, :v)", text("tr"), false),
        ("begins_with(bin, :v)", B(vec![0]), true),
        ("begins_with(b, :v)", B(vec![b's']), false),
        ("begins_with(:v, b)", text("strings"), true),
        ("contains(b, :v)", text("rin"), true),
        ("contains(b, :v)", text("x"), false),
        ("contains(bin, :v)", B(vec![200]), true),
        ("contains(bin, :v)", B(vec![200, 0]), false),
        ("contains(bin, :v)", B(Vec::new()), true),
        ("contains(ss, :v)", text("y"), true),
        ("contains(ss, :v)", strings(["y"]), false),
        ("contains(ns, :v)", number("2.0"), true),
        ("contains(bs, :v)", B(vec![2, 3]), true),
        ("contains(l, :v)", number("1"), true),
        ("contains(l, :v)", map([("deep", strings(["p"]))]), true),
        ("contains(l, :v)", list([number("1")]), false),
        ("contains(m, :v)", text("x"), false),
        ("contains(a, :v)", number("1"), false),
    ];
    for (expression, value, expected) in rows {
        assert_eq!(passes(expression, attributes([(":v", value)])), expected, "{expression}");
    }
}

#[test]
fn size_counts_what_a_type_is_made_of() {
    let rows = [("b", "6"), ("l", "3"), ("m", "2"), ("ss", "2"), ("ns", "2"), ("bs", "2"), ("bin", "2")];
    for (name, size) in rows {
        assert!(passes(&format!("size({name}) = :v"), attributes([(":v", number(size))])), "{name}");
    }
    for name in ["a", "yes", "nothing", "absent"] {
        assert!(!passes(&format!("size({name}) >= :v"), attributes([(":v", number("0"))])), "{name}");
    }
    // UTF-16 code units, as the service's strings have them.
    assert!(passes("size(:v) = :three", attributes([(":v", text("é😀")), (":three", number("3"))])));
    assert!(condition("size(l) > a").unwrap().matches(&item()));
    assert!(condition("size(ss) = size(ns)").unwrap().matches(&item()));
}

#[test]
fn not_binds_before_and_before_or() {
    let rows = [
        ("attribute_exists(a) OR attribute_exists(q) AND attribute_exists(r)", true),
        ("(attribute_exists(a) OR attribute_exists(q)) AND attribute_exists(r)", false),
        ("NOT attribute_exists(a) AND attribute_exists(r)", false),
        ("NOT (attribute_exists(a) AND attribute_exists(r))", true),
        ("NOT attribute_exists(q) OR attribute_exists(r)", true),
        ("NOT NOT attribute_exists(a)", true),
        ("attribute_exists(q) and attribute_exists(r) or attribute_exists(b) And not attribute_exists(s)", true),
    ];
    for (expression, expected) in rows {
        assert_eq!(condition(expression).unwrap().matches(&item()), expected, "{expression}");
    }
}

#[test]
fn paths_are_told_from_left_to_right() {
    let condition =
        condition("a.b[1] = :a AND (size(c) > d OR NOT e BETWEEN f AND g) AND attribute_exists(h.i)").unwrap();
    let roots: Vec<&str> = condition.paths().map(|path| path.root.as_str()).collect();
    assert_eq!(roots, ["a", "c", "d", "e", "f", "g", "h"]);
}

#[test]
fn limits_hold() {
    let refusal = |expression: String| condition(&expression).unwrap_err().to_string();
    let terms = |count: usize| vec!["a=:a"; count].join(" OR ");
    assert!(condition(&terms(150)).is_ok());
    let too_many = "Invalid ConditionExpression: The expression contains too many operators; operator count: 301";
    assert_eq!(refusal(terms(151)), too_many);
    assert!(condition(&format!("{}a=:a", "NOT ".repeat(299))).is_ok());
    assert_eq!(refusal(format!("{}a=:a", "NOT ".repeat(300))), too_many);
    assert!(condition(&format!("a IN ({})", vec![":a"; 100].join(","))).is_ok());
    assert_eq!(
        refusal(format!("a IN ({})", vec![":a"; 101].join(","))),
        "Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: 101"
    );
    assert!(condition(&format!("{} = :a", vec!["a"; 32].join("."))).is_ok());
    assert_eq!(
        refusal(format!("a{} = :a", "[0]".repeat(32))),
        "Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 33"
    );
    assert!(condition(&format!("a=:a{}", " ".repeat(4092))).is_ok());
    assert_eq!(
        refusal(format!("a=:a{}", " ".repeat(4093))),
        "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"
    );
}

/// Hostile nesting must not exhaust the stack of a thread that handles requests.
#[test]
fn deep_nesting_needs_no_deep_stack() {
    let hostile = [
        ("(".repeat(4096), "Syntax error; token: \"<EOF>\", near: \"(\""),
        (format!("{}a=:a{}", "(".repeat(2046), ")".repeat(2046)), "The expression has redundant parentheses;"),
        (format!("{}a=:a", "NOT ".repeat(1020)), "The expression contains too many operators; operator count: 301"),
        (format!("a={}b{}", "f(".repeat(1360), ")".repeat(1360)), "Invalid function name; function: f"),
        (
            format!("a={}b{}", "size(".repeat(680), ")".repeat(680)),
            "The expression contains too many operators; operator count: 301",
        ),
        (
            format!("a={}b{}", "size(".repeat(299), ")".repeat(299)),
            "Incorrect operand type for operator or function; operator or function: size, operand type: N",
        ),
        (
            format!("a=:a{}{}", " OR(a=:a AND(b=:b".repeat(215), "))".repeat(215)),
            "The expression contains too many operators; operator count: 301",
        ),
    ];
    let check = move || {
        for (expression, text) in hostile {
            let expected = format!("Invalid ConditionExpression: {text}");
            assert_eq!(condition(&expression).unwrap_err().to_string(), expected);
        }
    };
    std::thread::Builder::new().stack_size(REQUEST_STACK_BYTES).spawn(check).unwrap().join().unwrap();
}
