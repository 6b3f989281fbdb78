//! Update expressions.

use crate::request;

use crate::request::{
    REQUEST_STACK_BYTES, assert_refused, attributes, list, map, number, numbers, refused_rows, strings, text, update,
};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::value::AttributeValue::{Bool, Bs, Null};

fn item() -> Attributes {
    attributes([
        ("pk", text("p")),
        ("n", number("1")),
        ("s", text("str")),
        ("l", list([number("1"), number("2"), number("3")])),
        ("m", map([("x", number("1")), ("y", list([number("1")]))])),
        ("ss", strings(["x", "y"])),
        ("ns", numbers(["1", "2"])),
        ("nothing", Null),
        ("nested", list([list([strings(["x"]), number("1")]), strings(["x"]), text("z")])),
    ])
}

/// The item with some attributes replaced.
fn with<'a>(changes: impl IntoIterator<Item = (&'a str, keyfold_dynamo::AttributeValue)>) -> Attributes {
    let mut item = item();
    item.extend(attributes(changes));
    item
}

fn without(name: &str) -> Attributes {
    let mut item = item();
    item.remove(name);
    item
}

fn applied(expression: &str) -> Attributes {
    update(expression).unwrap().apply(&item()).unwrap().item
}

fn failure(expression: &str) -> String {
    update(expression).unwrap().apply(&item()).unwrap_err().to_string()
}

#[test]
fn refused_updates_are_told_why() {
    assert_refused(update, &refused_rows(include_str!("refused/update.txt")));
    assert_refused(
        update,
        &[
            ("", "Invalid UpdateExpression: The expression can not be empty;"),
            ("  ", "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"  \""),
        ],
    );
}

#[test]
fn set_writes_values_and_copies() {
    assert_eq!(applied("SET a = :a, b = n"), with([("a", text("s")), ("b", number("1"))]));
    assert_eq!(applied("set #n = m.y[0]"), with([("name", number("1"))]));
    assert_eq!(
        applied("SET m.x = :bo, m.z = :nu"),
        with([("m", map([("x", Bool(true)), ("y", list([number("1")])), ("z", Null)]))])
    );
}

#[test]
fn set_reads_the_old_item() {
    assert_eq!(applied("SET n = s, s = n"), with([("n", text("str")), ("s", number("1"))]));
    assert_eq!(applied("SET a = n REMOVE n"), {
        let mut item = without("n");
        item.insert("a".to_owned(), number("1"));
        item
    });
    assert_eq!(
        failure("SET a = :a, b = a"),
        "The provided expression refers to an attribute that does not exist in the item"
    );
}

#[test]
fn set_calculates() {
    let rows = [
        ("SET n = n + :m", "3"),
        ("SET n = n - :m", "-1"),
        ("SET n = :n - n", "0"),
        ("SET n = (l[1] + m.y[0])", "3"),
        ("SET n = (n) + (:n)", "2"),
        ("SET n = if_not_exists(absent, :m) + :m", "4"),
        ("SET n = if_not_exists(n, :m) + if_not_exists(absent, :m)", "3"),
    ];
    for (expression, expected) in rows {
        assert_eq!(applied(expression), with([("n", number(expected))]), "{expression}");
    }
}

#[test]
fn set_appends_lists() {
    let old = || [number("1"), number("2"), number("3")];
    assert_eq!(applied("SET l = list_append(l, :l)"), with([("l", list(old().into_iter().chain([number("1")])))]));
    assert_eq!(applied("SET l = list_append(:l, l)"), with([("l", list([number("1")].into_iter().chain(old())))]));
    assert_eq!(
        applied("SET a = list_append(if_not_exists(a, :l), l)"),
        with([("a", list([number("1")].into_iter().chain(old())))])
    );
}

#[test]
fn if_not_exists_prefers_what_is_there() {
    assert_eq!(applied("SET a = if_not_exists(a, :a)"), with([("a", text("s"))]));
    assert_eq!(applied("SET n = if_not_exists(n, :a)"), item());
    assert_eq!(applied("SET n = if_not_exists(a, if_not_exists(b, s))"), with([("n", text("str"))]));
    assert_eq!(
        failure("SET n = if_not_exists(n, absent)"),
        "The provided expression refers to an attribute that does not exist in the item"
    );
}

#[test]
fn list_elements_are_replaced_or_appended_in_order() {
    assert_eq!(applied("SET l[1] = :a"), with([("l", list([number("1"), text("s"), number("3")]))]));
    assert_eq!(
        applied("SET l[70] = :a, l[5] = :b, l[0] = :bo"),
        with([("l", list([Bool(true), number("2"), number("3"), text("t"), text("s")]))])
    );
    assert_eq!(
        applied("ADD l[2] :m, l[9] :n"),
        with([("l", list([number("1"), number("2"), number("5"), number("1")]))])
    );
}

#[test]
fn removed_elements_are_those_of_the_old_list() {
    let rows = [
        ("REMOVE l[0], l[1]", list([number("3")])),
        ("REMOVE l[2], l[0]", list([number("2")])),
        ("REMOVE l[10]", list([number("1"), number("2"), number("3")])),
        ("REMOVE l[0] SET l[1] = :a", list([text("s"), number("3")])),
        ("SET l[9] = :a REMOVE l[0]", list([number("2"), number("3"), text("s")])),
        // The element that is appended is not the one that was not there.
        ("SET l[9] = :a REMOVE l[3]", list([number("1"), number("2"), number("3"), text("s")])),
    ];
    for (expression, expected) in rows {
        assert_eq!(applied(expression), with([("l", expected)]), "{expression}");
    }
    assert_eq!(applied("REMOVE nested[0][0], nested[1]"), with([("nested", list([list([number("1")]), text("z")]))]));
    assert_eq!(
        applied("REMOVE nested[1] SET nested[2] = :a"),
        with([("nested", list([list([strings(["x"]), number("1")]), text("s")]))])
    );
}

#[test]
fn remove_ignores_absent_ends() {
    for expression in ["REMOVE absent", "REMOVE m.absent", "REMOVE l[3]"] {
        assert_eq!(applied(expression), item(), "{expression}");
    }
    assert_eq!(applied("REMOVE m.x, m.y"), with([("m", map([]))]));
}

#[test]
fn add_sums_unites_and_creates() {
    assert_eq!(
        applied("ADD n :m, m.x :m"),
        with([("n", number("3")), ("m", map([("x", number("3")), ("y", list([number("1")]))]))])
    );
    assert_eq!(applied("ADD ns :ns, a :n"), with([("a", number("1"))]));
    assert_eq!(applied("ADD b :ss, c :bs"), with([("b", strings(["x"])), ("c", Bs([vec![0, 1]].into()))]));
}

#[test]
fn delete_takes_elements_and_the_last_one_takes_the_attribute() {
    assert_eq!(applied("DELETE ss :ss, ns :ns"), with([("ss", strings(["y"])), ("ns", numbers(["2"]))]));
    assert_eq!(applied("DELETE absent :ss, m.absent :ss"), item());
    assert_eq!(
        applied("DELETE nested[1] :ss"),
        with([("nested", list([list([strings(["x"]), number("1")]), text("z")]))])
    );
    assert_eq!(
        applied("DELETE nested[1] :ss, nested[0][0] :ss SET nested[2] = :a"),
        with([("nested", list([list([number("1")]), text("s")]))])
    );
    let mut only = item();
    only.insert("ss".to_owned(), strings(["x"]));
    assert_eq!(update("DELETE ss :ss").unwrap().apply(&only).unwrap().item, without("ss"));
}

#[test]
fn the_item_can_refuse_an_update() {
    let wrong_type = "An operand in the update expression has an incorrect data type";
    let absent = "The provided expression refers to an attribute that does not exist in the item";
    let invalid_path = "The document path provided in the update expression is invalid for update";
    let rows = [
        ("SET a = s + :n", wrong_type),
        ("SET a = :n - nothing", wrong_type),
        ("SET a = s + absent", wrong_type),
        ("SET a = absent + s", absent),
        ("SET a = list_append(s, :l)", wrong_type),
        ("SET a = list_append(l, if_not_exists(absent, :n))", wrong_type),
        ("SET a = absent", absent),
        ("SET a = l[3]", absent),
        ("SET a = list_append(absent, :l)", absent),
        ("ADD n :ss", wrong_type),
        ("ADD ss :n", wrong_type),
        ("ADD ss :ns", wrong_type),
        ("ADD nothing :n", wrong_type),
        ("DELETE ss :ns", wrong_type),
        ("DELETE l :ss", wrong_type),
        ("SET absent.x = :a", invalid_path),
        ("SET m.absent.x = :a", invalid_path),
        ("SET n.x = absent", invalid_path),
        ("SET m[0] = :a", invalid_path),
        ("SET l.x = :a", invalid_path),
        ("SET l[3].x = :a, l[9] = :map", invalid_path),
        ("REMOVE absent.x", invalid_path),
        ("REMOVE m[0]", invalid_path),
        ("REMOVE l.x", invalid_path),
        ("ADD absent.x :n", invalid_path),
        ("ADD n.x :n", invalid_path),
        ("DELETE absent.x :ss", invalid_path),
    ];
    for (expression, text) in rows {
        assert_eq!(failure(expression), text, "{expression}");
    }
}

#[test]
fn arithmetic_stays_within_numbers() {
    let item = attributes([("most", number("9E125")), ("least", number("1E-130"))]);
    let failure = |expression: &str| update(expression).unwrap().apply(&item).unwrap_err().to_string();
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than supported range";
    assert_eq!(failure("SET a = most + most"), overflow);
    assert_eq!(failure("SET a = :n + least"), "Attempting to store more than 38 significant digits in a Number");
}

#[test]
fn a_path_into_nothing_cannot_be_written_or_removed() {
    let key = attributes([("pk", text("p"))]);
    for expression in ["REMOVE x", "DELETE x :ss"] {
        assert_eq!(update(expression).unwrap().apply(&key).unwrap().item, key, "{expression}");
    }
    let invalid_path = "The document path provided in the update expression is invalid for update";
    for expression in ["SET x.y = :a", "REMOVE x.y", "REMOVE x[0]"] {
        assert_eq!(update(expression).unwrap().apply(&key).unwrap_err().to_string(), invalid_path, "{expression}");
    }
}

/// What AWS returns for UPDATED_OLD and UPDATED_NEW: the written paths, not the whole attributes they are in.
#[test]
fn touched_paths_are_returned_as_they_are() {
    let rows = [
        ("SET m.x = :a", Some(("m", map([("x", number("1"))]))), Some(("m", map([("x", text("s"))])))),
        ("SET l[1] = :a", Some(("l", list([number("2")]))), Some(("l", list([text("s")])))),
        ("SET a = :a", None, Some(("a", text("s")))),
        ("SET m.z = :a", None, Some(("m", map([("z", text("s"))])))),
        ("REMOVE n", Some(("n", number("1"))), None),
        // An index past the end is not where the element went.
        ("SET l[100] = :a", None, None),
        // The next element has moved to the index of the removed one.
        ("REMOVE l[1]", Some(("l", list([number("2")]))), Some(("l", list([number("3")])))),
        ("REMOVE l[1], l[7]", Some(("l", list([number("2")]))), Some(("l", list([number("3")])))),
    ];
    for (expression, old, new) in rows {
        let update = update(expression).unwrap();
        let updated = update.apply(&item()).unwrap().item;
        assert_eq!(update.project_touched(&item()), attributes(old), "{expression}");
        assert_eq!(update.project_touched(&updated), attributes(new), "{expression}");
    }
}

#[test]
fn paths_are_told_apart_by_what_is_done_with_them() {
    let update =
        update("SET a.b = c + d[0], e = if_not_exists(f, list_append(g, :l)) REMOVE h ADD i :n DELETE j.k :ss");
    // A list_append within if_not_exists is refused.
    assert!(update.is_err());
    let update = request::update(
        "SET a.b = c + d[0], e = list_append(if_not_exists(f, g), :l) REMOVE h ADD i :n DELETE j.k :ss",
    )
    .unwrap();
    assert_eq!(update.roots().collect::<Vec<_>>(), ["a", "e", "h", "i", "j"]);
    assert_eq!(update.read_paths().map(|path| path.root.as_str()).collect::<Vec<_>>(), ["c", "d", "f", "g"]);
}

#[test]
fn operators_are_limited_to_three_hundred() {
    let names = |count: usize| (0..count).map(|index| format!("x{index}=b+c")).collect::<Vec<_>>().join(",");
    assert!(update(&format!("SET {}", names(300))).is_ok());
    assert_eq!(
        update(&format!("SET {}", names(301))).unwrap_err().to_string(),
        "Invalid UpdateExpression: The expression contains too many operators; operator count: 301"
    );
}

#[test]
fn deep_nesting_needs_no_deep_stack() {
    let check = || {
        let nested = format!("SET a={}:a{}", "if_not_exists(b,".repeat(225), ")".repeat(225));
        assert!(update(&nested).unwrap().apply(&item()).is_ok());
        let parentheses = format!("SET a={}b", "(".repeat(4000));
        assert_eq!(
            update(&parentheses).unwrap_err().to_string(),
            "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"b\""
        );
    };
    std::thread::Builder::new().stack_size(REQUEST_STACK_BYTES).spawn(check).unwrap().join().unwrap();
}
