//! Projection expressions.

use crate::request::{assert_refused, attributes, list, map, number, projection, refused_rows, strings, text};
use keyfold_dynamo::Attributes;

fn item() -> Attributes {
    attributes([
        (
            "a",
            map([
                ("b", list([number("2"), number("4"), map([("x", text("hi")), ("y", text("yo"))])])),
                ("c", number("5")),
            ]),
        ),
        ("b", text("hello")),
        ("s", strings(["p"])),
        ("nil", list([])),
    ])
}

#[test]
fn refused_projections_are_told_why() {
    assert_refused(projection, &refused_rows(include_str!("refused/projection.txt")));
    assert_refused(projection, &[("", "Invalid ProjectionExpression: The expression can not be empty;")]);
}

#[test]
fn a_path_keeps_what_encloses_its_end() {
    let rows = [
        ("a", item()["a"].clone()),
        ("a.c", map([("c", number("5"))])),
        ("a.b[0]", map([("b", list([number("2")]))])),
        ("a.b[2].y", map([("b", list([map([("y", text("yo"))])]))])),
        ("a.b[2], a.b[0]", map([("b", list([number("2"), map([("x", text("hi")), ("y", text("yo"))])]))])),
        ("a.b[2].x, a.c, a.b[1]", map([("b", list([number("4"), map([("x", text("hi"))])])), ("c", number("5"))])),
        ("a.b[9], a.c", map([("c", number("5"))])),
    ];
    for (expression, expected) in rows {
        assert_eq!(projection(expression).unwrap().apply(&item()), attributes([("a", expected)]), "{expression}");
    }
}

#[test]
fn what_is_absent_leaves_no_trace() {
    for expression in ["x", "a.x", "a.x.y", "a.b[3]", "a.b[3].x", "a.b.x", "a[0]", "a.b[0].x", "b[0]", "s.p", "nil[0]"]
    {
        assert_eq!(projection(expression).unwrap().apply(&item()), Attributes::new(), "{expression}");
    }
    assert_eq!(projection("nil").unwrap().apply(&item()), attributes([("nil", list([]))]));
}

#[test]
fn aliases_name_one_step_each() {
    let item = attributes([("name", text("x")), ("a.b", number("1"))]);
    assert_eq!(projection("#n").unwrap().apply(&item), attributes([("name", text("x"))]));
    assert_eq!(projection("#a.#b").unwrap().apply(&item), Attributes::new());
}

#[test]
fn roots_are_the_attributes_read() {
    let projection = projection("a.b, #n[0], a.c").unwrap();
    assert_eq!(projection.roots().collect::<Vec<_>>(), ["a", "name", "a"]);
}
