//! Tables that nobody designed for this: the import never fails, and the draft always checks and is true of the items.

use crate::sound;

use std::collections::BTreeMap;

use keyfold_design::model::{Index, KeyAttribute, Projection};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_import::{Draft, ImportedTable, Sample, draft_from_items};

use self::sound::assert_sound;

fn key(name: &str, key_type: KeyType) -> KeyAttribute {
    KeyAttribute::new(name, key_type)
}

fn table() -> ImportedTable {
    let mut facts = ImportedTable::new("things", key("PK", KeyType::S), Some(key("SK", KeyType::S)));
    facts.indexes.push(Index::new(0, "GSI1", vec![key("GSI1PK", KeyType::S)], vec![key("GSI1SK", KeyType::S)]));
    facts
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

fn number(value: i64) -> AttributeValue {
    AttributeValue::N(Number::from(value))
}

fn item(attributes: &[(&str, AttributeValue)]) -> Attributes {
    attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn texts(attributes: &[(&str, &str)]) -> Attributes {
    attributes.iter().map(|(name, value)| ((*name).to_owned(), text(value))).collect()
}

/// Imports; the draft checks, since its design was loaded, and is sound. Also tells how many items it recognizes.
fn import(facts: &ImportedTable, items: Vec<Attributes>) -> (Draft, usize) {
    let sample = Sample { items: items.clone(), is_whole: false };
    let draft = draft_from_items(facts, &sample, "a table").unwrap_or_else(|found| panic!("{found:#?}"));
    keyfold_design::load("draft.yaml", &draft.text).unwrap_or_else(|found| panic!("{found:#?}\n{}", draft.text));
    let recognized = assert_sound(facts, &draft.design, &items);
    (draft, recognized)
}

fn source(draft: &Draft, entity: &str, key: &str) -> Option<String> {
    let entity = draft.design.entity_named(entity)?;
    let computed = entity.layout.computed.iter().find(|computed| computed.name == key)?;
    Some(computed.template.source.clone())
}

#[test]
fn names_that_rest_reserves() {
    let items = ["PATTERN", "TRANSACTION", "DOC", "ORDER"].into_iter().flat_map(|word| {
        (0..4).map(move |number| {
            texts(&[("PK", &format!("{word}#{number}")), ("SK", "METADATA"), ("title", &format!("{word} {number}"))])
        })
    });
    let (draft, recognized) = import(&table(), items.collect());
    let names: Vec<&str> = draft.design.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!((names, recognized), (vec!["DocItem", "Order", "PatternItem", "TransactionItem"], 16));
}

#[test]
fn an_empty_table() {
    let (draft, _) = import(&table(), Vec::new());
    assert_eq!(draft.design.entities.len(), 1);
    assert!(draft.text.contains("# note: the table has no items, so its entities are unknown\n"));
}

#[test]
fn one_item() {
    let one = texts(&[("PK", "USER#7"), ("SK", "METADATA"), ("userId", "7"), ("name", "Ann")]);
    let (draft, recognized) = import(&table(), vec![one]);
    assert_eq!(recognized, 1);
    assert_eq!(source(&draft, "User", "PK").as_deref(), Some("USER#<userId>"));
    assert_eq!(source(&draft, "User", "SK").as_deref(), Some("METADATA"));
}

#[test]
fn keys_without_any_pattern() {
    let items: Vec<Attributes> = (0..50)
        .map(|at: u64| {
            let noise =
                |salt: u64| format!("{:x}", (at + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(salt as u32));
            texts(&[("PK", &noise(3)), ("SK", &noise(29)), ("GSI1PK", &noise(11)), ("x", &noise(40))])
        })
        .collect();
    let (draft, recognized) = import(&table(), items);
    assert_eq!(recognized, 50);
    assert_eq!(draft.design.entities.len(), 1);
    assert_eq!(draft.design.entities[0].name, "Thing");
}

#[test]
fn keys_that_are_numbers_and_bytes() {
    let mut facts = ImportedTable::new("things", key("id", KeyType::N), Some(key("at", KeyType::B)));
    let by_rank = Index::new(0, "byRank", vec![key("rank", KeyType::N)], vec![key("at", KeyType::B)]);
    facts.indexes.push(Index { projection: Projection::KeysOnly, ..by_rank });
    let items = (0..5)
        .map(|at| item(&[("id", number(at)), ("at", AttributeValue::B(vec![at as u8, 255])), ("rank", number(at % 2))]))
        .collect();
    let (draft, recognized) = import(&facts, items);
    assert_eq!(recognized, 5);
    let entity = &draft.design.entities[0];
    assert_eq!(entity.layout.partition.template.source, "<id>");
    assert_eq!(entity.layout.index_keys.len(), 1);
}

#[test]
fn a_table_without_a_sort_key() {
    let facts = ImportedTable::new("users", key("userId", KeyType::S), None);
    let items = ["ann", "bob", "cee"].map(|name| texts(&[("userId", name), ("mail", &format!("{name}@example.com"))]));
    let (draft, recognized) = import(&facts, items.to_vec());
    assert_eq!(recognized, 3);
    assert!(draft.text.contains("    attributes:\n      userId: string\n      mail: email\n"), "{}", draft.text);
}

#[test]
fn huge_attributes_and_deep_ones() {
    let mut deep = AttributeValue::L(Vec::new());
    for _ in 0..30 {
        deep = AttributeValue::L(vec![deep]);
    }
    let items = (0..3)
        .map(|at| {
            item(&[
                ("PK", text(&format!("DOC#{at}"))),
                ("SK", text("BODY")),
                ("docId", text(&at.to_string())),
                ("body", text(&"x".repeat(390_000))),
                ("deep", deep.clone()),
            ])
        })
        .collect();
    let (draft, recognized) = import(&table(), items);
    assert_eq!(recognized, 3);
    assert!(draft.text.len() < 2_000, "{}", draft.text);
    assert_eq!(source(&draft, "Body", "PK").as_deref(), Some("DOC#<docId>"));
}

#[test]
fn attribute_names_that_need_quotes() {
    let names = [
        "plain",
        "with blank",
        "a.b",
        "#hash",
        "- dash",
        "yes",
        "null",
        "a: b",
        "\"quoted\"",
        "'single'",
        "{flow}",
        "<tag>",
        "ü",
        "12",
        "tab\there",
        "line\nbreak",
        "*",
        "&",
        "!",
        "%",
        "@",
        "`",
        "scope",
        "attributes",
        "delete",
        "open",
        "must hold",
    ];
    let items = (0..4)
        .map(|at| {
            let mut one = texts(&[("PK", &format!("ODD#{at}")), ("SK", "METADATA"), ("oddId", &at.to_string())]);
            one.extend(names.iter().map(|name| ((*name).to_owned(), text("v"))));
            one
        })
        .collect();
    let (draft, recognized) = import(&table(), items);
    assert_eq!(recognized, 4);
    let entity = draft.design.entity_named("Odd").unwrap();
    assert!(entity.open);
    for name in ["plain", "#hash", "yes", "null", "\"quoted\"", "{flow}", "ü", "12", "*", "%", "scope", "delete"] {
        assert!(entity.attribute(name).is_some(), "{name}\n{}", draft.text);
    }
}

#[test]
fn keys_with_the_names_of_words() {
    let facts = ImportedTable::new("things", key("scope", KeyType::S), Some(key("identity", KeyType::S)));
    let items = (0..3).map(|at| texts(&[("scope", "A#1"), ("identity", &format!("B#{at}"))])).collect();
    let (_, recognized) = import(&facts, items);
    assert_eq!(recognized, 3);
}

#[test]
fn foreign_items_among_those_of_a_design() {
    let mut items: Vec<Attributes> = (0..20)
        .map(|at| {
            let id = format!("o-{at}");
            texts(&[
                ("PK", &format!("ORDER#{id}")),
                ("SK", "METADATA"),
                ("orderId", &id),
                ("GSI1PK", "ORDERS"),
                ("GSI1SK", &id),
            ])
        })
        .collect();
    items.push(texts(&[("PK", "lock"), ("SK", "leader election 7")]));
    items.push(item(&[
        ("PK", text("$$migrations")),
        ("SK", text("2024-01-01T00:00:00Z")),
        ("done", AttributeValue::Bool(true)),
    ]));
    items.push(texts(&[("PK", "####"), ("SK", "#")]));
    items.push(texts(&[("PK", "ORDER#"), ("SK", "<b>")]));
    items.push(texts(&[("PK", " or "), ("SK", " ")]));
    let (draft, _) = import(&table(), items);
    assert_eq!(source(&draft, "Order", "PK").as_deref(), Some("ORDER#<orderId>"));
    assert_eq!(source(&draft, "Order", "GSI1PK").as_deref(), Some("ORDERS"));
    assert_eq!(source(&draft, "Order", "GSI1SK").as_deref(), Some("<orderId>"));
}

/// Half of the items lack the key though they have all its attributes: as a template it would come back with the next
/// write.
#[test]
fn an_index_key_that_is_there_by_other_rules() {
    let items = (0..10)
        .map(|at| {
            let id = format!("t{at}");
            let mut one = texts(&[("PK", &format!("TASK#{id}")), ("SK", "METADATA"), ("taskId", &id)]);
            if at % 2 == 0 {
                one.insert("GSI1PK".to_owned(), text("OPEN"));
                one.insert("GSI1SK".to_owned(), text(&id));
            }
            one
        })
        .collect();
    let (draft, recognized) = import(&table(), items);
    assert_eq!(recognized, 10);
    assert_eq!(source(&draft, "Task", "GSI1PK"), None);
    let said = "    # GSI1PK: kept unchanged: items without it have all attributes of its template (`OPEN` fits 5 of 10 items)\n";
    assert!(draft.text.contains(said), "{}", draft.text);
    assert!(draft.text.contains("      GSI1PK: string, optional  # in 5 of 10 items\n"), "{}", draft.text);
}

/// One stale key is enough to give a template up, and the draft says which one it was.
#[test]
fn stale_keys() {
    let items = (0..20)
        .map(|at| {
            let (id, status) = (format!("l{at}"), if at % 2 == 0 { "active" } else { "expired" });
            let indexed = if at == 7 { "active" } else { status };
            let account = if at == 3 { "WRONG".to_owned() } else { format!("a{}", at % 4) };
            texts(&[
                ("PK", &format!("ACCOUNT#a{}", at % 4)),
                ("SK", &format!("LICENSE#{id}")),
                ("GSI1PK", &format!("LICENSE#STATUS#{indexed}")),
                ("GSI1SK", &id),
                ("accountId", &account),
                ("licenseId", &id),
                ("status", status),
            ])
        })
        .collect();
    let (draft, recognized) = import(&table(), items);
    assert_eq!(recognized, 20);
    for line in [
        "    # GSI1PK: kept unchanged: only 19 of 20 items fit `LICENSE#STATUS#<status>`; are the others stale?\n",
        "      account: string, key only  # guess: `accountId` has it in 19 of 20 items; is it wrong in the others?\n",
    ] {
        assert!(draft.text.contains(line), "{line}\n{}", draft.text);
    }
}

/// Two kinds with the same keys cannot be told apart by them: they are one entity.
#[test]
fn kinds_that_only_an_attribute_tells_apart() {
    let items = (0..12)
        .map(|at| {
            let kind = if at % 3 == 0 { "Customer" } else { "Invoice" };
            texts(&[
                ("PK", &format!("T#{}", at % 2)),
                ("SK", &format!("{at:026}")),
                ("type", kind),
                ("id", &format!("{at:026}")),
            ])
        })
        .collect();
    let (draft, recognized) = import(&table(), items);
    assert_eq!(recognized, 12);
    assert_eq!(draft.design.entities.len(), 1);
}

#[test]
fn another_delimiter() {
    let items = (0..6)
        .map(|at| {
            let id = format!("u{at}");
            texts(&[("PK", &format!("USER|{id}")), ("SK", &format!("PROFILE|{id}")), ("userId", &id)])
        })
        .collect();
    let (draft, _) = import(&table(), items);
    assert_eq!(draft.design.table.delimiter, '|');
    assert_eq!(
        source(&draft, "UserProfile", "SK").or(source(&draft, "Profile", "SK")).as_deref(),
        Some("PROFILE|<userId>")
    );
}

#[test]
fn invalid_names() {
    let items = ["日本", "été", "🙂", "-", "__", "a".repeat(300).as_str()]
        .into_iter()
        .flat_map(|word| (0..3).map(move |at| (word.to_owned(), at)))
        .map(|(word, at)| {
            texts(&[("PK", &format!("{word}#{at}")), ("SK", &format!("{word}#")), ("n", &at.to_string())])
        })
        .collect();
    let (_, recognized) = import(&table(), items);
    assert_eq!(recognized, 18);
}

#[test]
fn many_kinds() {
    let items: Vec<Attributes> = (0..300)
        .map(|at| {
            let word: String = format!("{at:03}").bytes().map(|digit| char::from(b'A' + digit - b'0')).collect();
            texts(&[("PK", &format!("KIND{word}#1")), ("SK", "METADATA")])
        })
        .collect();
    let (draft, _) = import(&table(), items);
    assert!(draft.design.entities.len() <= 80);
}

#[test]
fn values_of_every_type_in_one_attribute() {
    let values = [
        text("a"),
        number(1),
        AttributeValue::Bool(true),
        AttributeValue::Null,
        AttributeValue::B(vec![0]),
        AttributeValue::L(vec![text("x"), number(2)]),
        AttributeValue::M(BTreeMap::from([("k".to_owned(), text("v"))])),
        AttributeValue::Ss(["a".to_owned()].into_iter().collect()),
        AttributeValue::Ns([Number::from(1i64)].into_iter().collect()),
        AttributeValue::Bs([vec![1u8]].into_iter().collect()),
    ];
    let items = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            item(&[
                ("PK", text(&format!("M#{at}"))),
                ("SK", text("METADATA")),
                ("mId", text(&at.to_string())),
                ("any", value.clone()),
            ])
        })
        .collect();
    let (draft, recognized) = import(&table(), items);
    assert_eq!(recognized, 10);
    let line = "      any: any, optional  # in 9 of 10 items; null in 1 item; values of type B, BOOL, BS, L, M, N, NS, S, SS\n";
    assert!(draft.text.contains(line), "{}", draft.text);
}
