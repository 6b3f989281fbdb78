use std::collections::BTreeMap;
use std::sync::Arc;

use keyfold_dynamo::{AttributeValue, Number};
use proptest::prelude::*;

use super::*;
use crate::syntax::Located;

fn template(text: &str, kinds: &[(&str, ValueKind)]) -> Template {
    let mut template = parse(Located::verbatim(text, 0), '#').expect("a template");
    for placeholder in template.placeholders_mut() {
        if let Some((_, kind)) = kinds.iter().find(|(name, _)| *name == placeholder.attribute) {
            placeholder.kind = kind.clone();
        }
    }
    template
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

fn render(template: &Template, values: &[(&str, AttributeValue)]) -> Result<Option<String>, TemplateError> {
    let values: BTreeMap<&str, &AttributeValue> = values.iter().map(|(name, value)| (*name, value)).collect();
    template.render_text(|name| values.get(name).copied())
}

#[test]
fn formats_cut_fold_pad_and_encode() {
    let row = |template_text: &str, kind: ValueKind, value: AttributeValue| {
        render(&template(template_text, &[("a", kind)]), &[("a", value)]).unwrap().unwrap()
    };
    assert_eq!(row("place#<a:first(2)>", ValueKind::Text, text("Ærø by")), "place#Ær");
    assert_eq!(row("<a:lower>", ValueKind::Text, text("Ada@Example.COM")), "ada@example.com");
    assert_eq!(row("<a:upper>", ValueKind::Text, text("ada")), "ADA");
    assert_eq!(row("N#<a:width(5)>", ValueKind::Integer, AttributeValue::N(Number::parse("42").unwrap())), "N#00042");
    assert_eq!(row("<a:url>", ValueKind::Text, text("https://id/å b#1")), "https%3A%2F%2Fid%2F%C3%A5%20b%231");
    assert_eq!(
        row("<a:date>", ValueKind::DateTime(TimestampFormat::default()), text("2026-11-15T08:00:00.000Z")),
        "2026-11-15"
    );
    assert_eq!(row("<a:year>/<a:month>/<a:day>", ValueKind::Date, text("2026-11-15")), "2026/11/15");
    assert_eq!(row("<a:shard(10)>", ValueKind::Text, text("u1")).len(), 1);
    assert_eq!(row("<a:shard(11)>", ValueKind::Text, text("u1")).len(), 2);
}

#[test]
fn numbers_that_descend_sort_the_highest_first_and_are_read_back() {
    let key = template("V#<n:descending(4)>#<id>", &[("n", ValueKind::Integer)]);
    let of = |number: i64| {
        let number = AttributeValue::N(Number::from(number));
        render(&key, &[("n", number), ("id", text("a"))])
    };
    assert_eq!(of(0).unwrap().unwrap(), "V#9999#a");
    assert_eq!(of(7).unwrap().unwrap(), "V#9992#a");
    assert_eq!(of(9999).unwrap().unwrap(), "V#0000#a");
    assert!(of(10_000).is_err() && of(-1).is_err());
    let mut keys: Vec<String> = (0..=9999).rev().map(|number| of(number).unwrap().unwrap()).collect();
    assert!(keys.is_sorted());
    for (number, key_text) in keys.drain(..).rev().enumerate() {
        let number = AttributeValue::N(Number::from(number as u64));
        assert_eq!(key.read(&key_text).unwrap().get("n"), Some(&number));
    }
    assert_eq!(key.read("V#999#a"), None);
    assert_eq!(key.read("V#99x9#a"), None);
}

#[test]
fn a_number_that_is_spelt_out_is_read_back() {
    let five = Template { key_type: keyfold_dynamo::table::KeyType::N, ..template("5", &[]) };
    let number = |text: &str| AttributeValue::N(Number::parse(text).unwrap());
    assert_eq!(five.render(|_| None).unwrap(), Some(number("5")));
    assert_eq!(five.read_value(&number("5.0")), Some(BTreeMap::new()));
    assert_eq!(five.read_value(&number("4")), None);
}

#[test]
fn an_absent_value_takes_its_fallback_or_leaves_the_index() {
    let with = template("<end or 9999-12-31>#<id>", &[("end", ValueKind::Date)]);
    assert_eq!(render(&with, &[("id", text("u1"))]).unwrap().unwrap(), "9999-12-31#u1");
    let without = template("<end>#<id>", &[("end", ValueKind::Date)]);
    assert_eq!(render(&without, &[("id", text("u1"))]).unwrap(), None);
    assert_eq!(with.read("2026-01-01#u1").unwrap().get("end"), Some(&text("2026-01-01")));
    assert_eq!(with.read("9999-12-31#u1").unwrap().get("end"), None);
}

#[test]
fn a_delimiter_is_allowed_at_the_end_only() {
    let last = template("TAG#<tag>", &[]);
    assert_eq!(render(&last, &[("tag", text("c#"))]).unwrap().unwrap(), "TAG#c#");
    assert_eq!(last.read("TAG#c#").unwrap().get("tag"), Some(&text("c#")));
    let inner = template("<tag>#<id>", &[]);
    assert_eq!(
        render(&inner, &[("tag", text("c#")), ("id", text("1"))]).unwrap_err().to_string(),
        "`c#` of `tag` contains `#`, which separates the parts of the key `<tag>#<id>`"
    );
}

#[test]
fn a_key_of_a_sibling_is_neither_written_nor_read() {
    let mut rating = template("SITE#<site>", &[]);
    let comment = template("SITE#<site>#COMMENT#<comment>", &[]);
    assert_eq!(overlap(&rating, &comment), Overlap::ThroughDelimiter("SITE#a#COMMENT#a".to_owned()));
    rating.set_rivals(vec![comment.clone()]);
    assert_eq!(
        render(&rating, &[("site", text("a#COMMENT#b"))]).unwrap_err(),
        TemplateError::BelongsToRival {
            attribute: "site".to_owned(),
            template: "SITE#<site>".to_owned(),
            value: "a#COMMENT#b".to_owned(),
            rival: "SITE#<site>#COMMENT#<comment>".to_owned(),
        }
    );
    assert_eq!(rating.read("SITE#a#COMMENT#b"), None);
    assert_eq!(comment.read("SITE#a#COMMENT#b").unwrap().get("comment"), Some(&text("b")));
    assert_eq!(rating.read("SITE#a#b").unwrap().get("site"), Some(&text("a#b")));
}

#[test]
fn templates_meet_where_a_text_fits_both() {
    let direct = |left: &Template, right: &Template| overlap(left, right);
    let id = template("<id>", &[("id", ValueKind::Integer)]);
    assert_eq!(direct(&id, &template("settings", &[])), Overlap::Never);
    assert_eq!(direct(&template("<id>", &[]), &template("settings", &[])), Overlap::Direct("settings".to_owned()));
    let status = template("S#<s>", &[("s", ValueKind::Enumeration(Arc::from(["on".to_owned(), "off".to_owned()])))]);
    assert_eq!(direct(&status, &template("S#off", &[])), Overlap::Direct("S#off".to_owned()));
    assert_eq!(direct(&status, &template("S#of", &[])), Overlap::Never);
    assert_eq!(direct(&template("A#<x>#B", &[]), &template("A#<y>#C", &[])), Overlap::Never);
}

#[test]
fn faults_are_told_with_their_place() {
    let faults = |text: &str| parse(Located::verbatim(text, 10), '#').unwrap_err();
    let fault = &faults("A#<status|active>")[0];
    assert_eq!(fault.message, "`<status|active>` is not a placeholder: `|` separates the values of an attribute");
    assert_eq!((fault.span.start, fault.span.end), (13, 26));
    assert_eq!(faults("<a:lowr>")[0].help.as_deref(), Some("did you mean `lower`?"));
    assert_eq!(faults("<a")[0].message, "the placeholder `<a` has no closing `>`");
    assert_eq!(faults("<a:width>#<b:first(x)>").len(), 2);
}

/// A kind with a strategy for its values.
fn kind_and_value() -> impl Strategy<Value = (ValueKind, AttributeValue, &'static str)> {
    let number = |n: i64| AttributeValue::N(Number::parse(&n.to_string()).unwrap());
    prop_oneof![
        ".{1,12}".prop_map(|value| (ValueKind::Text, AttributeValue::S(value), "")),
        ".{1,12}".prop_map(|value| (ValueKind::Text, AttributeValue::S(value), ":url")),
        any::<i64>().prop_map(move |n| (ValueKind::Integer, number(n), "")),
        (0i64..99_999).prop_map(move |n| (ValueKind::Integer, number(n), ":width(5)")),
        any::<bool>().prop_map(|flag| (ValueKind::Boolean, AttributeValue::Bool(flag), "")),
        (1u32..=9999, 1u32..=12, 1u32..=28).prop_map(|(y, m, d)| (
            ValueKind::Date,
            AttributeValue::S(format!("{y:04}-{m:02}-{d:02}")),
            ""
        )),
        (0u32..24, 0u32..60, 0u32..1000).prop_map(|(h, m, ms)| {
            (
                ValueKind::DateTime(TimestampFormat::default()),
                AttributeValue::S(format!("2026-11-15T{h:02}:{m:02}:59.{ms:03}Z")),
                "",
            )
        }),
        "[0-7][0-9A-HJKMNP-TV-Z]{25}".prop_map(|value| (ValueKind::Ulid, AttributeValue::S(value), "")),
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}".prop_map(|value| (
            ValueKind::Uuid,
            AttributeValue::S(value),
            ""
        )),
        prop_oneof![Just("active"), Just("expired#x")].prop_map(|value| {
            let kind = ValueKind::Enumeration(Arc::from(["active".to_owned(), "expired#x".to_owned()]));
            (kind, AttributeValue::S(value.to_owned()), "")
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever a template renders, it reads back to the same values; what it could not read back it refuses to render.
    #[test]
    fn a_rendered_key_reads_back(
        prefix in "[A-Z]{0,3}#?",
        pieces in prop::collection::vec((kind_and_value(), "(#|-|#[A-Z]{1,3}#)"), 1..4),
        suffix in "(#[A-Z]{1,4})?",
    ) {
        let mut source = prefix;
        let mut values: Vec<(String, ValueKind, AttributeValue)> = Vec::new();
        let count = pieces.len();
        for (position, ((kind, value, format), separator)) in pieces.into_iter().enumerate() {
            source.push_str(&format!("<a{position}{format}>"));
            if position + 1 < count {
                source.push_str(&separator);
            }
            values.push((format!("a{position}"), kind, value));
        }
        source.push_str(&suffix);
        let kinds: Vec<(&str, ValueKind)> = values.iter().map(|(name, kind, _)| (name.as_str(), kind.clone())).collect();
        let template = template(&source, &kinds);
        let given: Vec<(&str, AttributeValue)> = values.iter().map(|(name, _, value)| (name.as_str(), value.clone())).collect();
        match render(&template, &given) {
            Ok(Some(key)) => {
                let expected: Bindings = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
                prop_assert_eq!(template.read(&key), Some(expected), "{} gave {}", source, key);
            }
            Ok(None) => prop_assert!(false, "nothing is absent"),
            Err(TemplateError::Delimiter { value, delimiter, .. }) => prop_assert!(value.contains(delimiter)),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    /// Reading never takes a text for something that would render otherwise.
    #[test]
    fn a_read_key_renders_to_itself(key in "[A-C#]{1,4}(#|-|x){0,3}[0-9A-Za-z#%-]{0,12}") {
        for source in ["<a>", "A#<a>", "A#<a>#<b>", "<a>-<b>#x", "A#<a:url>#<b>", "<a:width(3)>#<b>"] {
            let kinds = if source.contains("width") { vec![("a", ValueKind::Integer)] } else { Vec::new() };
            let template = template(source, &kinds);
            if let Some(bindings) = template.read(&key) {
                let given: Vec<(&str, AttributeValue)> = bindings.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
                prop_assert_eq!(render(&template, &given).unwrap().unwrap(), key.clone(), "{}", source);
            }
        }
    }

    /// If two templates produce one text, the overlap says so.
    #[test]
    fn an_overlap_is_never_overlooked(value in "[a-z#]{1,6}", other in "[a-z]{1,3}") {
        let left = template("A#<x>", &[]);
        let right = template("A#<y>#<z>", &[]);
        if let (Ok(Some(one)), Ok(Some(two))) =
            (render(&left, &[("x", text(&value))]), render(&right, &[("y", text(&other)), ("z", text("q"))]))
            && one == two
        {
            prop_assert_ne!(overlap(&left, &right), Overlap::Never);
        }
    }
}
