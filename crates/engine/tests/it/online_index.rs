//! An index is added to a table in use, and removed from it, without anyone noticing but those who ask for it.

use crate::scene;

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{aliases, delete, partition, put, query_all, scan_all, update};
use crate::scene::tables::{all, definition, include, index, keys_only, table};
use crate::scene::{assert_sound, item, n, options, s, validation_text, wait};
use keyfold_dynamo::operation::{IndexUpdate, UpdateTableInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::{IndexDescription, IndexSpec, KeyType, TableDescription, TableStatus};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{Attributes, Backend, ServiceError};
use keyfold_engine::Engine;
use keyfold_engine::store::{MemoryStore, Store};

const G: (&str, KeyType) = ("g", KeyType::S);
const H: (&str, KeyType) = ("h", KeyType::N);

fn new_table(engine: &Engine) {
    table("t", ("pk", KeyType::S), Some(("sk", KeyType::N))).create(engine);
}

fn key(number: usize) -> Attributes {
    item([("pk", s(format!("p{}", number % 7))), ("sk", n(number))])
}

/// An item with keys of the index; every fifth lacks one.
fn numbered(number: usize) -> Attributes {
    let mut new = key(number);
    new.insert("g".to_owned(), s(format!("g{}", number % 3)));
    if !number.is_multiple_of(5) {
        new.insert("h".to_owned(), n(number));
    }
    new.insert("data".to_owned(), s("x".repeat(number % 50)));
    new
}

fn update_table(engine: &Engine, change: IndexUpdate) -> Result<TableDescription, ServiceError> {
    wait(engine.update_table(UpdateTableInput {
        table_name: "t".to_owned(),
        attribute_definitions: vec![definition(G), definition(H)],
        index_updates: Some(vec![change]),
        ..UpdateTableInput::default()
    }))
}

fn add(engine: &Engine, spec: IndexSpec) {
    update_table(engine, IndexUpdate::Create(spec)).unwrap();
}

fn drop_index(engine: &Engine, name: &str) {
    update_table(engine, IndexUpdate::Delete { name: name.to_owned() }).unwrap();
}

fn described(engine: &Engine, name: &str) -> IndexDescription {
    let description = wait(engine.describe_table("t".to_owned())).unwrap();
    description.global_indexes.into_iter().find(|index| index.name == name).unwrap()
}

fn in_any_order(items: Vec<Attributes>) -> BTreeSet<String> {
    let count = items.len();
    let set: BTreeSet<String> = items.into_iter().map(|item| format!("{item:?}")).collect();
    assert_eq!(set.len(), count, "an item came twice");
    set
}

/// The index `by_g` on `g` and `h`, holding whole items, has exactly the items it should.
fn assert_filled(engine: &Engine) {
    let index = described(engine, "by_g");
    assert_eq!((index.status, index.backfilling), (Some(TableStatus::Active), None));
    let members: Vec<Attributes> = scan_all(engine, "t", None)
        .into_iter()
        .filter(|item| item.contains_key("g") && item.contains_key("h"))
        .collect();
    assert_eq!(index.item_count, members.len() as u64);
    assert_eq!(index.size_bytes, members.iter().map(item_size).sum::<usize>() as u64);
    let queried: Vec<Attributes> = ["g0", "g1", "g2"]
        .iter()
        .flat_map(|group| query_all(engine, partition("t", Some("by_g"), "g", s(*group))))
        .collect();
    assert_eq!(in_any_order(queried), in_any_order(members));
    assert_eq!(scan_all(engine, "t", Some("by_g")).len() as u64, index.item_count);
    assert_sound(engine);
}

#[test]
fn it_is_filled_while_writers_write() {
    for round in 0..5 {
        let engine = scene::memory();
        new_table(&engine);
        for number in 0..1500 {
            put(&engine, "t", numbered(number)).unwrap();
        }
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for writer in 0..8 {
                let (engine, stop) = (&engine, &stop);
                scope.spawn(move || {
                    let mut step = writer * 17 + round;
                    while !stop.load(Ordering::SeqCst) {
                        step += 1;
                        let number = step * 31 % 1600;
                        match step % 4 {
                            0 => drop(delete(engine, "t", key(number)).unwrap()),
                            1 => drop(put(engine, "t", numbered(number)).unwrap()),
                            2 => {
                                let values = aliases([(":g", s(format!("g{}", step % 3))), (":h", n(step))]);
                                update(engine, "t", key(number), "SET g = :g, h = :h", values).unwrap();
                            }
                            _ => drop(update(engine, "t", key(number), "REMOVE g", aliases([])).unwrap()),
                        }
                    }
                });
            }
            add(&engine, index("by_g", G, Some(H), all()));
            engine.run_maintenance().unwrap();
            stop.store(true, Ordering::SeqCst);
        });
        assert_filled(&engine);
    }
}

#[test]
fn until_it_is_filled_it_is_not_read_but_written() {
    let rows = Arc::new(MemoryStore::default());
    let engine = Engine::with_store(Arc::clone(&rows) as Arc<_>, options()).unwrap();
    new_table(&engine);
    for number in 0..10 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    add(&engine, index("by_g", G, Some(H), all()));
    let index_now = described(&engine, "by_g");
    assert_eq!((index_now.status, index_now.backfilling), (Some(TableStatus::Creating), Some(true)));
    let refused = wait(engine.query(partition("t", Some("by_g"), "g", s("g1"))));
    assert_eq!(validation_text(refused), "Cannot read from backfilling global secondary index: by_g");
    // From its first moment its keys are looked after.
    let mut wrong = numbered(1);
    wrong.insert("h".to_owned(), s("text"));
    assert!(validation_text(put(&engine, "t", wrong)).contains("Type mismatch for Index Key"));
    put(&engine, "t", numbered(11)).unwrap();
    assert_eq!(described(&engine, "by_g").item_count, 1);
    let second = update_table(&engine, IndexUpdate::Create(index("another", G, None, all())));
    assert_eq!(second.unwrap_err().code(), "LimitExceededException");
    engine.run_maintenance().unwrap();
    assert_filled(&engine);
    add(&engine, index("another", G, None, keys_only()));
    engine.run_maintenance().unwrap();
    assert_eq!(described(&engine, "another").item_count, 11);
    assert_sound(&engine);
}

#[test]
fn a_fill_that_broke_off_goes_on_after_reopening() {
    let rows = Arc::new(MemoryStore::default());
    let store = GatedStore::over(&rows);
    let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap();
    new_table(&engine);
    for number in 0..2000 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    add(&engine, index("by_g", G, Some(H), all()));
    // The first slice of the fill lands, then the store fails: as if the power went.
    store.fails_from.store(store.commit_count.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
    // The slice that the store fails, or one that comes after it.
    let code = engine.run_maintenance().unwrap_err().code();
    assert!(["InternalServerError", "ServiceUnavailable"].contains(&code), "{code}");
    let filled = described(&engine, "by_g").item_count;
    assert!(filled > 0 && filled < 1600, "{filled} rows were filled before the failure");
    drop(engine);

    let engine = Engine::with_store(Arc::clone(&rows) as Arc<_>, options()).unwrap();
    // Items change before the fill comes to them, and after it has.
    for number in (0..2000).step_by(3) {
        match number % 2 {
            0 => drop(delete(&engine, "t", key(number)).unwrap()),
            _ => drop(update(&engine, "t", key(number), "SET g = :g", aliases([(":g", s("g1"))])).unwrap()),
        }
    }
    engine.run_maintenance().unwrap();
    assert_filled(&engine);
    drop(engine);
    assert_filled(&Engine::with_store(rows as Arc<_>, options()).unwrap());
}

#[test]
fn a_fill_goes_on_after_reopening_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(folder.path(), options()).unwrap();
    new_table(&engine);
    for number in 0..600 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    add(&engine, index("by_g", G, Some(H), all()));
    drop(engine);
    let engine = Engine::open(folder.path(), options()).unwrap();
    engine.run_maintenance().unwrap();
    assert_filled(&engine);
}

#[test]
fn items_that_do_not_fit_are_left_out() {
    let engine = scene::memory();
    new_table(&engine);
    for number in 0..20 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    let odd = |number: usize, g, h| {
        let mut new = numbered(number);
        new.insert("g".to_owned(), g);
        new.insert("h".to_owned(), h);
        put(&engine, "t", new).unwrap();
    };
    odd(100, n(1), n(1));
    odd(101, s("g1"), s("1"));
    odd(102, s(""), n(1));
    odd(103, s("g".repeat(2049)), n(1));
    odd(104, s("g".repeat(2048)), n(1));
    add(&engine, index("by_g", G, Some(H), include(&["data"])));
    engine.run_maintenance().unwrap();
    let members = 16 + 1;
    assert_eq!(described(&engine, "by_g").item_count, members);
    assert_eq!(scan_all(&engine, "t", Some("by_g")).len() as u64, members);
    assert_sound(&engine);
    // Once it fits, an item comes in.
    update(&engine, "t", key(100), "SET g = :g", aliases([(":g", s("g1"))])).unwrap();
    assert_eq!(described(&engine, "by_g").item_count, members + 1);
    delete(&engine, "t", key(101)).unwrap();
    assert_eq!(described(&engine, "by_g").item_count, members + 1);
    assert_sound(&engine);
}

fn row_count(rows: &MemoryStore) -> usize {
    rows.snapshot().range((Bound::Unbounded, Bound::Unbounded), false).count()
}

#[test]
fn a_deleted_index_leaves_nothing_behind() {
    let rows = Arc::new(MemoryStore::default());
    let engine = Engine::with_store(Arc::clone(&rows) as Arc<_>, options()).unwrap();
    new_table(&engine);
    for number in 0..1000 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    add(&engine, index("one", G, None, all()));
    engine.run_maintenance().unwrap();
    let before = row_count(&rows);
    add(&engine, index("by_g", G, Some(H), all()));
    engine.run_maintenance().unwrap();
    assert_eq!(row_count(&rows), before + 800 + 1);
    drop_index(&engine, "by_g");
    let gone = wait(engine.query(partition("t", Some("by_g"), "g", s("g1"))));
    assert!(validation_text(gone).starts_with("The table does not have the specified index"));
    // What is written meanwhile does not touch it.
    put(&engine, "t", numbered(1001)).unwrap();
    delete(&engine, "t", key(1001)).unwrap();
    engine.run_maintenance().unwrap();
    assert_eq!(row_count(&rows), before);
    // `h` is nobody's key now, and may be anything.
    update(&engine, "t", key(1), "SET h = :h", aliases([(":h", s("text"))])).unwrap();
    assert_sound(&engine);
    // Under the same name comes a new index, without the old rows.
    update(&engine, "t", key(1), "SET h = :h", aliases([(":h", n(1))])).unwrap();
    add(&engine, index("by_g", G, Some(H), all()));
    engine.run_maintenance().unwrap();
    assert_filled(&engine);
}

#[test]
fn an_index_or_a_table_deleted_while_it_is_filled_is_gone() {
    let rows = Arc::new(MemoryStore::default());
    let store = GatedStore::over(&rows);
    let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap();
    let empty = row_count(&rows);
    new_table(&engine);
    for number in 0..1000 {
        put(&engine, "t", numbered(number)).unwrap();
    }
    let before = row_count(&rows);
    thread::scope(|scope| {
        add(&engine, index("by_g", G, Some(H), all()));
        store.commits.close();
        let fill = scope.spawn(|| engine.run_maintenance().unwrap());
        store.commits.await_a_visitor();
        let deletion = scope.spawn(|| drop_index(&engine, "by_g"));
        thread::sleep(std::time::Duration::from_millis(50));
        store.commits.open();
        deletion.join().unwrap();
        fill.join().unwrap();
    });
    engine.run_maintenance().unwrap();
    assert_eq!(row_count(&rows), before);
    assert_sound(&engine);

    add(&engine, index("by_g", G, Some(H), all()));
    wait(engine.delete_table("t".to_owned())).unwrap();
    engine.run_maintenance().unwrap();
    // The next free number is the one thing remembered.
    assert_eq!(row_count(&rows), empty + 1);
}

/// Items are taken into the list of expiries while an index comes to be, and are written in that very moment.
#[test]
fn an_index_added_while_expiries_are_taken_in_counts_right() {
    let store = Arc::new(GatedStore::default());
    let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap();
    table("t", ("pk", KeyType::S), None).create(&engine);
    let gated = |number: usize| item([("pk", s(format!("gated-{number}")))]);
    for number in 0..3 {
        let mut new = gated(number);
        new.insert("g".to_owned(), s("old"));
        new.insert("expires".to_owned(), n(4_000_000_000u64));
        put(&engine, "t", new).unwrap();
    }
    let input =
        UpdateTimeToLiveInput { table_name: "t".to_owned(), enabled: true, attribute_name: "expires".to_owned() };
    wait(engine.update_time_to_live(input)).unwrap();
    *store.gated_read.lock() = Some(b"gated-".to_vec());
    store.reads.close();
    thread::scope(|scope| {
        let engine = &engine;
        let fill = scope.spawn(move || engine.run_maintenance().unwrap());
        store.reads.await_a_visitor();
        let adding = scope.spawn(move || {
            let input = UpdateTableInput {
                table_name: "t".to_owned(),
                attribute_definitions: vec![definition(G)],
                index_updates: Some(vec![IndexUpdate::Create(index("by_g", G, None, all()))]),
                ..UpdateTableInput::default()
            };
            wait(engine.update_table(input)).unwrap();
        });
        // The first item is done under the old definition of the table, then the index comes to be.
        thread::sleep(std::time::Duration::from_millis(50));
        store.reads.let_one_pass();
        adding.join().unwrap();
        store.reads.await_a_visitor();
        store.commits.close();
        // The second item is done, and does not come to disk.
        store.reads.let_one_pass();
        thread::sleep(std::time::Duration::from_millis(50));
        let writers: Vec<_> = (0..3)
            .map(|number| {
                let values = aliases([(":g", s("new"))]);
                scope.spawn(move || update(engine, "t", gated(number), "SET g = :g", values).unwrap())
            })
            .collect();
        thread::sleep(std::time::Duration::from_millis(50));
        store.reads.open();
        store.commits.open();
        writers.into_iter().for_each(|writer| drop(writer.join().unwrap()));
        fill.join().unwrap();
    });
    engine.run_maintenance().unwrap();
    let items = query_all(&engine, partition("t", Some("by_g"), "g", s("new")));
    assert_eq!(items.len(), 3);
    assert_eq!(described(&engine, "by_g").item_count, 3);
    assert_sound(&engine);
}
