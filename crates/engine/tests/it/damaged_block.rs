//! One damaged block: the scrub finds it, reads elsewhere and writes go on, and a merge of tables that meets it makes
//! the store read-only.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::scene::requests::put;
use crate::scene::tables::table;
use crate::scene::{item, s, wait};
use keyfold_dynamo::operation::GetItemInput;
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend};
use keyfold_engine::store::{StoreSettings, forward_log};
use keyfold_engine::{Engine, Health, Options};

const ITEMS: usize = 400;

fn options(scrub_interval: Duration) -> Options {
    let store = StoreSettings { write_buffer_bytes: 64 << 10, ..StoreSettings::default() };
    Options { store, scrub_interval, ..Options::default() }
}

fn open(folder: &Path, scrub_interval: Duration) -> Engine {
    Engine::open(folder, options(scrub_interval)).unwrap()
}

fn key(number: usize) -> Attributes {
    item([("pk", s(number.to_string()))])
}

fn large(number: usize, round: usize) -> Attributes {
    item([("pk", s(number.to_string())), ("data", s("x".repeat(1000))), ("round", s(round.to_string()))])
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what} did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn tables(folder: &Path) -> Vec<PathBuf> {
    let folder = folder.join("keyspaces/1/tables");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Flips a bit in the middle of the largest table; the first block has the engine's own records. Gives file and
/// position.
fn damage(folder: &Path) -> (PathBuf, u64) {
    let file = tables(folder).into_iter().max_by_key(|file| file.metadata().unwrap().len()).unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let position = bytes.len() / 2;
    bytes[position] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    (file, position as u64)
}

/// A closed engine with rows in tables.
fn prepare(folder: &Path) {
    let engine = open(folder, Duration::from_secs(3600));
    table("items", ("pk", KeyType::S), None).create(&engine);
    for number in 0..ITEMS {
        put(&engine, "items", large(number, 0)).unwrap();
    }
    // Until the store has nothing to merge.
    let (mut before, mut unchanged) = (Vec::new(), 0);
    wait_until("rest", || {
        let now = tables(folder);
        unchanged = if now == before { unchanged + 1 } else { 0 };
        before = now;
        !before.is_empty() && unchanged > 40
    });
    drop(engine);
}

fn reading(number: usize) -> GetItemInput {
    GetItemInput { table_name: "items".to_owned(), key: key(number), ..GetItemInput::default() }
}

fn readable(engine: &Engine) -> usize {
    let read = |number| wait(engine.get_item(reading(number)));
    (0..ITEMS).filter(|number| read(*number).is_ok()).count()
}

#[test]
fn a_damaged_block_is_found_and_makes_the_store_read_only_once_a_merge_meets_it() {
    forward_log();
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let (file, position) = damage(folder.path());
    let engine = open(folder.path(), Duration::from_millis(10));
    wait_until("finding the damage", || !engine.damage().is_empty());
    let found = engine.damage().remove(0);
    assert_eq!(found.file, file);
    assert!(found.bytes.contains(&position), "{found}");
    let rows = found.rows.unwrap_or_default();
    assert!(rows.contains("table `items`"), "{rows}");

    let mut round = 0;
    wait_until("a merge", || {
        round += 1;
        // A write needs the old value, so those of damaged rows fail.
        let written = (0..ITEMS).filter(|number| put(&engine, "items", large(*number, round)).is_ok()).count();
        assert!(written > ITEMS / 2 || !engine.health().is_serving(), "{written}");
        matches!(engine.health(), Health::ReadOnly { damage, .. } if !damage.is_empty())
    });
    let health = engine.health().to_string();
    assert!(health.starts_with("only reads are served, because data is damaged: `"), "{health}");
    assert!(health.contains(file.to_str().unwrap()) && health.contains("table `items`"), "{health}");
    // The refusal names the table, but no folder of the server.
    let mut text = String::new();
    wait_until("an explained refusal", || {
        text = put(&engine, "items", item([("pk", s("new"))])).unwrap_err().to_string();
        text.contains("table `items`")
    });
    assert!(text.starts_with("the store is read-only, because stored data is damaged: table file "), "{text}");
    assert!(!text.contains(folder.path().to_str().unwrap()), "{text}");
    assert!(readable(&engine) > ITEMS / 2);
}

#[test]
fn a_read_of_a_damaged_block_fails_with_a_neutral_text() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    damage(folder.path());
    let engine = open(folder.path(), Duration::from_secs(3600));
    let texts: Vec<String> = (0..ITEMS)
        .filter_map(|number| wait(engine.get_item(reading(number))).err())
        .map(|error| error.to_string())
        .collect();
    assert!(!texts.is_empty() && texts.len() < ITEMS / 2, "{} rows", texts.len());
    for text in texts {
        assert_eq!(text, "stored data is damaged and could not be read; the server's log has the cause");
    }
}
