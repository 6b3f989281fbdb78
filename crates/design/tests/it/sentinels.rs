//! Defaults that contain the delimiter.

use keyfold_design::diagnostic::to_text;
use keyfold_design::{Design, load};
use keyfold_dynamo::{AttributeValue, Attributes};
use proptest::prelude::*;

fn text(template: &str, attributes: &str) -> String {
    format!(
        "design: tickets\ntable: tickets\nentities:\n  Ticket:\n    PK: TICKETS\n    SK: \"{template}\"\n    attributes: {{{attributes}}}\npatterns: {{}}\nallow: []\n"
    )
}

fn design(text: &str) -> Design {
    load("design.yaml", text).unwrap_or_else(|found| panic!("{}", to_text("design.yaml", text, &found, false))).0
}

fn faults(text: &str) -> Vec<String> {
    let found = match load("design.yaml", text) {
        Ok(_) => return Vec::new(),
        Err(found) => found,
    };
    let errors = found.iter().filter(|found| found.is_error());
    errors.map(|found| format!("{} {}", found.code.id, found.message)).collect()
}

fn item(values: &[(&str, &str)]) -> Attributes {
    values.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::S((*value).to_owned()))).collect()
}

/// The sort key of an item, if it can have one, and what is read back from it.
fn round_trip(design: &Design, values: &[(&str, &str)]) -> Option<(String, Attributes)> {
    let item = item(values);
    let sort = &design.entities[0].layout.sort.as_ref().unwrap().template;
    let key = sort.render(|name| item.get(name)).ok()??;
    let key = key.as_str().unwrap().to_owned();
    let read = sort.read(&key).unwrap_or_else(|| panic!("`{key}` is not read back"));
    Some((key, read.into_iter().collect()))
}

#[test]
fn a_default_may_contain_the_delimiter_where_keys_read_back() {
    let attributes = "kind: 'string, default \"#\"', number: string";
    let design = design(&text("kind_<kind>#number_<number>", attributes));
    for (kind, key) in [("#", "kind_##number_4"), ("Issue", "kind_Issue#number_4")] {
        let values = [("kind", kind), ("number", "4")];
        assert_eq!(round_trip(&design, &values), Some((key.to_owned(), item(&values))));
    }
    // No other value may.
    assert_eq!(round_trip(&design, &[("kind", "a#b"), ("number", "4")]), None);
    assert_eq!(round_trip(&design, &[("kind", "##"), ("number", "4")]), None);
    assert_eq!(round_trip(&design, &[("kind", "#"), ("number", "#number_5")]).unwrap().0, "kind_##number_#number_5");
    let sort = &design.entities[0].layout.sort.as_ref().unwrap().template;
    assert!(!sort.matches("kind_###number_4"));
}

#[test]
fn several_defaults_and_enumerations_may() {
    let attributes = "kind: 'Issue | PullRequest | #, default \"#\"', number: 'string, matches /[0-9]{4}|#/, default \"#\"', id: string";
    let design = design(&text("<kind:lower>#<number>#<id>", attributes));
    for (kind, number) in [("#", "#"), ("#", "0001"), ("Issue", "#"), ("Issue", "0001")] {
        let (key, read) = round_trip(&design, &[("kind", kind), ("number", number), ("id", "x")]).unwrap();
        assert_eq!(key, format!("{}#{number}#x", kind.to_lowercase()));
        assert_eq!(read, item(&[("number", number), ("id", "x")]));
    }
}

#[test]
fn a_default_that_does_not_read_back_is_an_error() {
    // `a#b##c` could be `a` and `#b#…`, and `a#b` with nothing behind it.
    let attributes = "kind: 'string, default \"a#b\"', number: string";
    assert_eq!(
        faults(&text("<kind>#<number>", attributes)),
        ["KF087 the default of `kind` gives `a#b`, and `<kind>#<number>` could not be read back"]
    );
    // `a##b#x` could be `a#`, `b` and `x`, or `a`, `#b` and `x`.
    let attributes = "kind: 'string, default \"a#\"', number: 'string, default \"#b\"', id: string";
    assert_eq!(faults(&text("<kind>#<number>#<id>", attributes)).len(), 2);
    // Encoded, at the end, or told apart by what follows.
    assert_eq!(faults(&text("<kind:url>#<number>", "kind: 'string, default \"a#b\"', number: string")), [""; 0]);
    assert_eq!(faults(&text("<number>#<kind>", "kind: 'string, default \"a#b\"', number: string")), [""; 0]);
    assert_eq!(faults(&text("<kind>#N<number>", "kind: 'string, default \"a#b\"', number: integer")), [""; 0]);
}

#[test]
fn a_default_at_the_end_does_not_give_the_key_of_another_entity() {
    let other = "  Part:\n    PK: TICKETS\n    SK: \"T#<id>#PART#<part>\"\n    attributes: {id: string, part: string}\npatterns";
    let ticket =
        |default: &str| text("T#<id>", &format!("id: 'string, default \"{default}\"'")).replace("patterns", other);
    assert_eq!(faults(&ticket("#")), [""; 0]);
    assert_eq!(
        faults(&ticket("a#PART#b")),
        ["KF087 the default of `id` gives `a#PART#b`, and `T#<id>` a key of `T#<id>#PART#<part>`"]
    );
}

#[test]
fn patterns_state_a_default_as_a_parameter_or_as_text() {
    let attributes = "kind: 'string, default \"#\"', number: string";
    let base = text("kind_<kind>#number_<number>", attributes);
    let with = |pattern: &str| design(&base.replace("patterns: {}", &format!("patterns:\n  found: \"{pattern}\"")));
    let by_text = with("PK = TICKETS and begins_with(SK, kind_##number_)");
    assert_eq!(by_text.patterns.len(), 1);
    let by_parameter = with("PK = TICKETS and SK = kind_<kind>#number_<number>");
    let plan = by_parameter.access_plan(by_parameter.patterns[0].id);
    let given = item(&[("kind", "#"), ("number", "4")]);
    let arguments = keyfold_design::access::KeyArguments::new(&given);
    let rendered = plan.sort.as_ref().unwrap().range.render(arguments).unwrap().unwrap();
    assert_eq!(rendered, keyfold_design::access::RenderedSort::Equal(AttributeValue::S("kind_##number_4".to_owned())));
}

const PIECES: [&str; 8] = ["a", "#", "##", "a#", "#a", "b", "a#b", "a##"];
const LITERALS: [&str; 6] = ["#", "_", "#a", "##", "#N", "_#"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    /// What the checker accepts reads back to the values that it was made of, and no two items have one key.
    #[test]
    fn accepted_templates_read_back(
        defaults in prop::array::uniform3(0..PIECES.len()),
        literals in prop::array::uniform3(0..LITERALS.len()),
        one in prop::array::uniform3(0..PIECES.len()),
        other in prop::array::uniform3(0..PIECES.len()),
    ) {
        let template = format!("<x>{}<y>{}<z>", LITERALS[literals[0]], LITERALS[literals[1]]);
        let default = |name: &str, at: usize| format!("{name}: 'string, default \"{}\"'", PIECES[defaults[at]]);
        let attributes = [default("x", 0), default("y", 1), default("z", 2)].join(", ");
        let Ok((design, _)) = load("design.yaml", &text(&template, &attributes)) else { return Ok(()) };
        let values = |drawn: [usize; 3]| [("x", PIECES[drawn[0]]), ("y", PIECES[drawn[1]]), ("z", PIECES[drawn[2]])];
        // The defaults themselves can always be written.
        prop_assert!(round_trip(&design, &values(defaults)).is_some());
        let mixed = [defaults[0], one[1], defaults[2]];
        let drawn: Vec<_> = [one, other, mixed, defaults].into_iter().filter_map(|drawn| {
            let values = values(drawn);
            round_trip(&design, &values).map(|(key, read)| (key, read, item(&values)))
        }).collect();
        for (key, read, written) in &drawn {
            prop_assert_eq!(read, written, "{} of {}", key, template);
            for (other_key, _, other) in &drawn {
                prop_assert!(key != other_key || written == other, "{key} of {template}");
            }
        }
    }
}
