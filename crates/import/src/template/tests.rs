use keyfold_design::template::ValueKind;
use keyfold_dynamo::{AttributeValue, Number};

use super::{Column, Pool, index_key};

fn text(value: &str) -> Option<AttributeValue> {
    (!value.is_empty()).then(|| AttributeValue::S(value.to_owned()))
}

fn column(name: &str, kind: ValueKind, values: &[&str]) -> Column {
    let values = values
        .iter()
        .map(|value| match kind {
            ValueKind::Integer => Number::parse(value).ok().map(AttributeValue::N),
            _ => text(value),
        })
        .collect();
    Column::new(name, kind, values)
}

fn recognized(columns: Vec<Column>, keys: &[&str]) -> Option<String> {
    let pool = Pool { columns, rows: keys.len() };
    let rows: Vec<(usize, &str)> = keys.iter().copied().enumerate().filter(|(_, key)| !key.is_empty()).collect();
    index_key(&pool, &rows, '#')?.source()
}

#[test]
fn attributes_are_found_in_their_formats() {
    let name = || column("name", ValueKind::Text, &["Ærø Ø", "Bornholm"]);
    let number = || column("number", ValueKind::Integer, &["7", "12"]);
    let day = || column("day", ValueKind::Date, &["2026-01-31", "2025-12-02"]);
    for (columns, keys, template) in [
        (vec![name()], ["N#Ærø Ø", "N#Bornholm"], "N#<name>"),
        (vec![name()], ["ærø ø", "bornholm"], "<name:lower>"),
        (vec![name()], ["X#ÆRØ Ø#y", "X#BORNHOLM#y"], "X#<name:upper>#y"),
        (vec![name()], ["%C3%86r%C3%B8%20%C3%98", "Bornholm"], "<name:url>"),
        (vec![name()], ["p#Ær", "p#Bo"], "p#<name:first(2)>"),
        (vec![number()], ["0007", "0012"], "<number:width(4)>"),
        (vec![number()], ["7", "12"], "<number>"),
        (vec![day()], ["D#2026#01", "D#2025#12"], "D#<day:year>#<day:month>"),
        (vec![day()], ["D#2026-01", "D#2025-12"], "D#<day:year>-<day:month>"),
        (vec![name(), number()], ["Ærø Ø7", "Bornholm12"], "<name><number>"),
        (vec![number()], ["v1-7", "v1-12"], "v1-<number>"),
    ] {
        assert_eq!(recognized(columns, &keys).as_deref(), Some(template));
    }
}

#[test]
fn a_text_stands_in_for_what_is_absent() {
    let columns = vec![
        column("endDate", ValueKind::Date, &["2026-01-01", "", ""]),
        column("userId", ValueKind::Text, &["ada", "bob", "cee"]),
    ];
    let keys = ["2026-01-01#ada", "9999-12-31#bob", "9999-12-31#cee"];
    assert_eq!(recognized(columns, &keys).as_deref(), Some("<endDate or 9999-12-31>#<userId>"));
}

#[test]
fn another_template_stands_in_for_what_is_absent() {
    let columns =
        vec![column("parentId", ValueKind::Text, &["", "a1"]), column("tenantId", ValueKind::Text, &["t1", "t1"])];
    let template = recognized(columns, &["TENANT#t1", "ALBUM#a1"]);
    assert_eq!(template.as_deref(), Some("ALBUM#<parentId> or TENANT#<tenantId>"));
}

#[test]
fn a_word_is_not_a_value_because_some_attribute_has_it() {
    let role = column("team", ValueKind::Text, &["USER", "USER"]);
    assert_eq!(recognized(vec![role], &["KIND#USER", "KIND#USER"]).as_deref(), Some("KIND#USER"));
    let status = column("status", ValueKind::Text, &["active", "active"]);
    assert_eq!(recognized(vec![status], &["STATUS#active", "STATUS#active"]).as_deref(), Some("STATUS#<status>"));
}

#[test]
fn what_no_attribute_holds_is_not_guessed() {
    let name = column("name", ValueKind::Text, &["Ada", "Bob"]);
    assert_eq!(recognized(vec![name], &["N#1", "N#2"]), None);
}
