//! A server killed at random points under 64 writers loses nothing that it acknowledged.
//!
//! `KEYFOLD_SEED` repeats a run, `KEYFOLD_LONG=1` plays a thousand rounds.

use std::collections::BTreeMap;

use crate::crash::audit::{Findings, audit, compare_rows};
use crate::crash::ledger::{Ledger, balance_key, counter_key};
use crate::crash::randomness::{Random, seed};
use crate::crash::rounds::{self, Crash, Rounds, is_long_run};
use crate::crash::server::Launch;
use crate::crash::table::{self, Key, TABLE};
use serde_json::{Value, json};

#[test]
fn killed_servers_lose_nothing_acknowledged() {
    let count = if is_long_run() { 1_000 } else { 20 };
    Rounds::new(Crash::Process, &[], seed()).play(count);
}

/// Each fault put in by hand shows up in the audit, and nothing else does.
#[test]
fn the_audit_finds_faults() {
    let space = tempfile::tempdir().unwrap();
    let output = space.path().join("output");
    let data = space.path().join("data");
    let mut server =
        Launch { data: &data, output: &output, options: &["--durability", "relaxed"], watch: None }.start();
    server.wait_until_ready();
    let endpoint = server.endpoint();
    rounds::prepare(&endpoint);
    let mut ledger = Ledger::new(&mut Random::new(7));
    for writer in &mut ledger.writers {
        (0..30).for_each(|_| writer.step(&endpoint).unwrap());
    }
    assert_eq!(audit(&endpoint, &mut ledger), Findings::default());

    let mut after = |operation: &str, request: Value| {
        table::must(&endpoint, operation, &request);
        let findings = audit(&endpoint, &mut ledger);
        (findings.lost.len(), findings.inconsistent.len())
    };
    let items = table::scan(&endpoint, None);
    let first = |prefix: &str| {
        let key = items.iter().map(Key::of).find(|key| key.sort.starts_with(prefix)).unwrap();
        json!({"TableName": TABLE, "Key": key.to_json()})
    };
    assert_eq!(after("DeleteItem", first("LICENSE#")), (1, 0), "a lost item");
    assert_eq!(after("DeleteItem", first("TRANSFER#")), (1, 1), "a lost transfer");

    let strange = json!({"PK": {"S": "ACCOUNT#0"}, "SK": {"S": "LICENSE#strange"}});
    assert_eq!(after("PutItem", json!({"TableName": TABLE, "Item": strange})), (0, 2), "an item from nowhere");
    assert_eq!(after("DeleteItem", json!({"TableName": TABLE, "Key": strange})), (0, 1), "only the lost transfer");

    let add = |key: Key, attribute: &str, amount: &str| {
        json!({
            "TableName": TABLE, "Key": key.to_json(), "UpdateExpression": format!("ADD {attribute} :amount"),
            "ExpressionAttributeValues": {":amount": {"N": amount}},
        })
    };
    assert_eq!(after("UpdateItem", add(counter_key(3), "Hits", "-1")), (1, 1), "a lost increment");
    assert_eq!(after("UpdateItem", add(counter_key(3), "Hits", "1")), (0, 2), "an increment from nowhere");
    assert_eq!(after("UpdateItem", add(balance_key(5), "Balance", "9")), (0, 2), "half a transfer");
    server.kill();
}

#[test]
fn the_audit_compares_index_rows_exactly() {
    let row = |sort: &str, title: &str| {
        let row = table::item(json!({"PK": {"S": "p"}, "SK": {"S": sort}, "Title": {"S": title}}));
        (Key::of(&row), row)
    };
    let expected = BTreeMap::from([row("a", "one"), row("b", "two"), row("c", "three")]);
    let found = BTreeMap::from([row("a", "one"), row("b", "stale"), row("d", "four")]);
    let mut findings = Findings::default();
    compare_rows("the index", &found, &expected, &mut findings);
    let key = |sort: &str| format!("Key {{ partition: \"p\", sort: \"{sort}\" }}");
    let shown = |sort: &str, title: &str| json!(row(sort, title).1).to_string();
    assert_eq!(
        findings.inconsistent,
        [
            format!("the index holds for {} {}, not {}", key("b"), shown("b", "stale"), shown("b", "two")),
            format!("the index holds for {} absence, not {}", key("c"), shown("c", "three")),
            format!("the index holds {}, which no item accounts for", key("d")),
        ]
    );
}
