//! A server whose disk keeps only what was synced loses nothing that it acknowledged.
//!
//! `KEYFOLD_SEED` repeats a run, `KEYFOLD_LONG=1` plays 200 rounds.

use std::time::Duration;

use crate::crash::randomness::{Random, seed};
use crate::crash::rounds::{Crash, Rounds, is_long_run};
use crate::crash::server::Launch;
use crate::crash::table::{self, TABLE};
use keyfold_conformance::Endpoint;
use keyfold_power_loss::{Watch, roll_back_in_part};
use serde_json::json;

#[test]
fn lost_power_loses_nothing_acknowledged() {
    if is_unsupported() {
        return;
    }
    let count = if is_long_run() { 200 } else { 10 };
    Rounds::new(Crash::Power, &[], seed()).play(count);
}

/// A disk that had written some pages of the last batch, but not all.
#[test]
fn lost_power_amid_writing_loses_nothing_acknowledged() {
    if is_unsupported() {
        return;
    }
    let count = if is_long_run() { 200 } else { 10 };
    Rounds::new(Crash::PowerAmidWriting, &[], seed()).play(count);
}

/// One writer of large items: the last batch is one item of many pages, any of which may be missing.
#[test]
fn lost_power_amid_writing_a_large_item_leaves_the_one_before() {
    if is_unsupported() {
        return;
    }
    let mut random = Random::new(seed());
    let space = tempfile::tempdir().unwrap();
    let (data, output) = (space.path().join("data"), space.path().join("output"));
    std::fs::create_dir(&data).unwrap();
    let mut acknowledged = 0;
    for round in 0..40 {
        let watch = Watch::new(&data, &space.path().join("power-loss")).unwrap();
        let mut server = Launch { data: &data, output: &output, options: &[], watch: Some(&watch) }.start();
        server.wait_until_ready();
        let endpoint = server.endpoint();
        if round == 0 {
            table::create(&endpoint);
        } else {
            // On a busy machine the power may go before the first write: then there is no item, and none is owed.
            let found = table::scan(&endpoint, None).first().map_or(0, |item| table::number(item, "Revision"));
            assert!(found == acknowledged || found == acknowledged + 1, "{acknowledged} acknowledged, {found} found");
            acknowledged = found;
        }
        let lifetime = Duration::from_millis(random.between(20, 120));
        acknowledged = std::thread::scope(|scope| {
            let writer = scope.spawn(|| rewrite_a_large_item(&endpoint, acknowledged));
            std::thread::sleep(lifetime);
            server.kill();
            writer.join().unwrap()
        });
        roll_back_in_part(random.next(), watch.log(), &data).unwrap();
    }
}

/// Counts its writes from `revision` on until the server goes away; returns the last that was acknowledged.
fn rewrite_a_large_item(endpoint: &Endpoint, mut revision: i64) -> i64 {
    loop {
        let item = json!({
            "PK": {"S": "large"}, "SK": {"S": "large"}, "Revision": {"N": (revision + 1).to_string()},
            "Payload": {"S": "x".repeat(300_000)},
        });
        match endpoint.call("PutItem", &json!({"TableName": TABLE, "Item": item})) {
            Ok(answer) => assert!(answer.is_success(), "{}", answer.body),
            Err(_) => return revision,
        }
        revision += 1;
    }
}

/// The same crash, with a server that does not sync: the audit must see the loss, or it would never see any. What is
/// left is older, yet whole.
#[test]
fn an_unsynced_server_is_caught_losing_writes() {
    if is_unsupported() {
        return;
    }
    let mut rounds = Rounds::new(Crash::Power, &[], seed());
    rounds.write_for(Duration::from_secs(1), 0);
    let findings = rounds.restart_and_audit();
    assert!(findings.is_clean(), "{findings:#?}");

    rounds.serve_with(&["--durability", "relaxed"]);
    let acknowledged = rounds.write_for(Duration::from_secs(2), 1);
    let findings = rounds.restart_and_audit();
    println!("{acknowledged} acknowledged, {} items and counters found to have lost writes", findings.lost.len());
    assert!(findings.lost.len() > 1, "hardly anything was lost of {acknowledged} writes that were never synced");
    assert!(findings.inconsistent.is_empty(), "{:#?}", findings.inconsistent);
}

fn is_unsupported() -> bool {
    let unsupported = !Watch::is_supported();
    if unsupported {
        println!("skipped: the power-loss library runs on Linux on x86-64 only");
    }
    unsupported
}
