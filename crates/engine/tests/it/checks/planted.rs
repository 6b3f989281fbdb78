//! Faults that are put into a sound folder, one at a time: the check finds exactly them.

use std::ops::Bound;
use std::path::Path;

use keyfold_engine::check::Finding;
use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreSettings};

use super::{NOW, clock, create_table, findings, open};
use crate::scene::requests::{action, put, transact};
use crate::scene::{item, n, s};

type Rows = Vec<(Vec<u8>, Vec<u8>)>;

/// A table with four items, all in the index and in the list of expiries, and a token.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), &clock());
    create_table(&engine, "t");
    engine.run_maintenance().unwrap();
    for number in 0..4 {
        put(&engine, "t", an_item(number)).unwrap();
    }
    let put = keyfold_dynamo::operation::TransactWriteKind::Put { item: an_item(4) };
    transact(&engine, vec![action("t", put)], Some("token")).unwrap();
    drop(engine);
    folder
}

fn an_item(number: u64) -> keyfold_dynamo::Attributes {
    item([("pk", s(format!("p{number}"))), ("sk", n(number)), ("g", s("g")), ("expires", n(NOW + 100 + number))])
}

fn edit(folder: &Path, change: impl FnOnce(&FjallStore, Rows) -> Vec<Change>) -> Vec<Finding> {
    let store = FjallStore::open(folder, StoreSettings::default()).unwrap();
    let all = store.snapshot().range((Bound::Unbounded, Bound::Unbounded), false);
    let rows = all.map(|row| row.map(|(key, value)| (key.to_vec(), value.to_vec())).unwrap()).collect();
    let changes = change(&store, rows);
    assert!(!changes.is_empty());
    store.commit(changes, Durability::Durable).unwrap();
    drop(store);
    findings(folder)
}

const ITEMS: &[u8] = &[0x10, 0, 0, 0, 1];
const INDEX: &[u8] = &[0x10, 0, 0, 0, 2];
const EXPIRIES: &[u8] = &[0x11, 0, 0, 0, 3];
const COUNTS: &[u8] = &[0x01, 0x05];
const TOKENS: &[u8] = &[0x02];
const TOKEN_EXPIRIES: &[u8] = &[0x03];

/// The first row with a prefix.
fn first(rows: &Rows, prefix: &[u8]) -> (Vec<u8>, Vec<u8>) {
    rows.iter().find(|(key, _)| key.starts_with(prefix)).cloned().expect("a row with the prefix")
}

fn text(found: &[Finding]) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn the_folder_without_a_fault_is_sound() {
    assert_eq!(findings(folder().path()), []);
}

#[test]
fn a_missing_index_row_is_found() {
    let found = edit(folder().path(), |_, rows| vec![Change::Remove(first(&rows, INDEX).0)]);
    assert_eq!(text(&found), ["table `t`: index `by_g` lacks the item with pk = \"p0\", sk = 0"]);
}

#[test]
fn an_index_row_without_an_item_is_found() {
    let found = edit(folder().path(), |_, rows| {
        let mut row = first(&rows, INDEX).0;
        let last = row.len() - 1;
        row[last] ^= 1;
        vec![Change::Put(row, Vec::new())]
    });
    assert_eq!(text(&found), ["table `t`: index `by_g` has a row for g = \"g\", sk = 0 that belongs to no item"]);
}

#[test]
fn missing_and_stale_expiries_are_found() {
    let found = edit(folder().path(), |_, rows| vec![Change::Remove(first(&rows, EXPIRIES).0)]);
    assert_eq!(text(&found), ["table `t`: the item with pk = \"p0\", sk = 0 would never expire"]);
    let found = edit(folder().path(), |_, rows| {
        let mut row = first(&rows, EXPIRIES).0;
        row[12] = 1;
        vec![Change::Put(row, Vec::new())]
    });
    assert_eq!(found.iter().map(Finding::kind).collect::<Vec<_>>(), ["staleExpiryRow"]);
}

#[test]
fn wrong_counts_of_tables_and_indexes_are_found() {
    for (id, name) in [(1, "t"), (2, "by_g")] {
        let found = edit(folder().path(), |_, rows| {
            let (key, mut value) = first(&rows, &[COUNTS, &[0, 0, 0, id]].concat());
            value[7] = 9;
            vec![Change::Put(key, value)]
        });
        let expected = format!("table `t`: the recorded size of `{name}` is 9 items and ");
        assert!(found.len() == 1 && found[0].to_string().starts_with(&expected), "{found:?}");
    }
}

#[test]
fn damaged_and_misplaced_items_are_found() {
    let found = edit(folder().path(), |_, rows| vec![Change::Put(first(&rows, ITEMS).0, vec![255])]);
    assert_eq!(found.iter().map(Finding::kind).collect::<Vec<_>>(), ["undecodableItem"]);
    let found = edit(folder().path(), |_, rows| {
        let items: Rows = rows.into_iter().filter(|(key, _)| key.starts_with(ITEMS)).collect();
        vec![Change::Put(items[0].0.clone(), items[1].1.clone())]
    });
    assert_eq!(found.iter().map(Finding::kind).collect::<Vec<_>>(), ["misplacedItem"]);
}

#[test]
fn tokens_without_an_expiry_and_damaged_ones_are_found() {
    let found = edit(folder().path(), |_, rows| vec![Change::Remove(first(&rows, TOKEN_EXPIRIES).0)]);
    assert_eq!(found.iter().map(Finding::kind).collect::<Vec<_>>(), ["missingTokenExpiry"]);
    let found = edit(folder().path(), |_, rows| vec![Change::Put(first(&rows, TOKENS).0, vec![1])]);
    assert!(found[0].to_string().starts_with("the record of a client request token at 0x02"), "{found:?}");
}

#[test]
fn rows_that_belong_to_nothing_and_numbers_used_twice_are_found() {
    let stray = |number: u8| Change::Put(vec![0x10, 0, 0, 0, 9, number], Vec::new());
    let found = edit(folder().path(), |_, _| vec![stray(1), stray(2)]);
    assert_eq!(found, [Finding::StrayRows { range: 9, rows: 2 }]);
    let found = edit(folder().path(), |_, _| vec![Change::Put(vec![0x01, 0x02], vec![0, 0, 0, 2])]);
    assert_eq!(found, [Finding::ReusedNumber { next: 2, highest: 3 }]);
}

/// Whether its rows are stray cannot be known.
#[test]
fn a_definition_that_cannot_be_decoded_is_one_fault() {
    let found = edit(folder().path(), |_, rows| vec![Change::Put(first(&rows, &[0x01, 0x01]).0, vec![255])]);
    assert_eq!(found.iter().map(Finding::kind).collect::<Vec<_>>(), ["undecodableRecord"]);
}

#[test]
fn all_faults_are_found_at_once() {
    let found = edit(folder().path(), |_, rows| {
        let of = |prefix: &[u8]| first(&rows, prefix).0;
        vec![Change::Remove(of(INDEX)), Change::Remove(of(EXPIRIES)), Change::Remove(of(TOKEN_EXPIRIES))]
    });
    let kinds: Vec<_> = found.iter().map(Finding::kind).collect();
    assert_eq!(kinds, ["missingIndexRow", "missingExpiryRow", "missingTokenExpiry"]);
}
