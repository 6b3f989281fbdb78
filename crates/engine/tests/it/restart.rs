//! Everything survives closing and opening; a folder has one engine at a time, and a process as many as it likes.

use crate::scene;

use std::path::Path;

use crate::scene::requests::{delete, get, partition, put, query_all, scan_all};
use crate::scene::tables::{all, include, table};
use crate::scene::{assert_sound, b, item, n, options, s, wait};
use keyfold_dynamo::operation::{CreateTableInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::{KeyType, TableDescription, TimeToLiveStatus};
use keyfold_dynamo::{Attributes, Backend};
use keyfold_engine::store::{Change, Durability, FjallStore, Store, StoreError, StoreSettings};
use keyfold_engine::{Engine, OpenError, Options};

fn open(path: &Path) -> Engine {
    Engine::open(path, options()).unwrap()
}

fn create(engine: &Engine) {
    let input = table("orders", ("pk", KeyType::S), Some(("sk", KeyType::N)))
        .local("by_label", ("pk", KeyType::S), ("label", KeyType::B), all())
        .global("by_state", ("state", KeyType::S), None, include(&["note"]))
        .input();
    let tags = [("team".to_owned(), "blue".to_owned())].into();
    wait(engine.create_table(CreateTableInput { deletion_protection: true, tags, ..input })).unwrap();
    let time_to_live =
        UpdateTimeToLiveInput { table_name: "orders".to_owned(), enabled: true, attribute_name: "expires".to_owned() };
    wait(engine.update_time_to_live(time_to_live)).unwrap();
    engine.run_maintenance().unwrap();
}

fn numbered(number: usize) -> Attributes {
    item([
        ("pk", s(format!("p{}", number % 5))),
        ("sk", n(number)),
        ("label", b(&[number as u8, 0, 255])),
        ("state", s(if number.is_multiple_of(2) { "even" } else { "odd" })),
        ("note", s("n".repeat(number))),
    ])
}

fn describe(engine: &Engine) -> TableDescription {
    wait(engine.describe_table("orders".to_owned())).unwrap()
}

fn everything(engine: &Engine) -> (TableDescription, Vec<Attributes>, Vec<Attributes>, Vec<Attributes>) {
    (
        describe(engine),
        scan_all(engine, "orders", None),
        query_all(engine, partition("orders", Some("by_state"), "state", s("odd"))),
        query_all(engine, partition("orders", Some("by_label"), "pk", s("p3"))),
    )
}

#[test]
fn everything_survives_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    create(&engine);
    for number in 0..100 {
        put(&engine, "orders", numbered(number)).unwrap();
    }
    for number in (0..100).step_by(7) {
        let whole = numbered(number);
        delete(&engine, "orders", item([("pk", whole["pk"].clone()), ("sk", whole["sk"].clone())])).unwrap();
    }
    let before = everything(&engine);
    assert_eq!(before.0.item_count, 85);
    assert_eq!(before.2.len(), 43);
    drop(engine);
    for _ in 0..3 {
        let engine = open(folder.path());
        assert_eq!(everything(&engine), before);
        assert_sound(&engine);
        assert!(describe(&engine).deletion_protection);
        let tags = wait(engine.list_tags_of_resource(before.0.arn.clone().unwrap(), None)).unwrap().tags;
        assert_eq!(tags, [("team".to_owned(), "blue".to_owned())]);
        let ttl = wait(engine.describe_time_to_live("orders".to_owned())).unwrap();
        assert_eq!((ttl.status, ttl.attribute_name.as_deref()), (TimeToLiveStatus::Enabled, Some("expires")));
    }
    // A table made after reopening does not get a number that is in use.
    let engine = open(folder.path());
    table("later", ("pk", KeyType::S), None).create(&engine);
    put(&engine, "later", item([("pk", s("p3"))])).unwrap();
    assert_eq!(everything(&engine), before);
}

#[test]
fn durable_commits_survive_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let durable = || Options { durability: Durability::Durable, ..options() };
    let engine = Engine::open(folder.path(), durable()).unwrap();
    create(&engine);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let engine = &engine;
            scope.spawn(move || {
                for round in 0..5 {
                    put(engine, "orders", numbered(writer * 5 + round)).unwrap();
                }
            });
        }
    });
    drop(engine);
    let engine = Engine::open(folder.path(), durable()).unwrap();
    assert_eq!(describe(&engine).item_count, 40);
    assert_sound(&engine);
}

#[test]
fn a_folder_has_one_engine_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path());
    create(&first);
    let second = Engine::open(folder.path(), options()).err().expect("a second engine was opened");
    assert!(matches!(second, OpenError::Store(StoreError::Locked)), "{second:?}");
    assert_eq!(second.to_string(), "the data folder is in use by another process");
    // The first is none the worse for it.
    put(&first, "orders", numbered(1)).unwrap();
    drop(first);
    assert_eq!(describe(&open(folder.path())).item_count, 1);
}

#[test]
fn several_engines_live_in_one_process() {
    let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let engines: Vec<Engine> = folders.iter().map(|folder| open(folder.path())).collect();
    std::thread::scope(|scope| {
        for (number, engine) in engines.iter().enumerate() {
            scope.spawn(move || {
                create(engine);
                for item in 0..(number + 1) * 10 {
                    put(engine, "orders", numbered(item)).unwrap();
                }
            });
        }
    });
    let counts: Vec<u64> = engines.iter().map(|engine| describe(engine).item_count).collect();
    assert_eq!(counts, [10, 20, 30]);
    drop(engines);
    for (folder, count) in folders.iter().zip([10, 20, 30]) {
        assert_eq!(describe(&open(folder.path())).item_count, count);
    }
}

#[test]
fn data_of_another_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
    let format_row = vec![0x01, 0x00];
    let found = store.get(&format_row).unwrap().expect("the format is recorded");
    let next = u32::from_be_bytes((*found).try_into().unwrap()) + 1;
    store.commit(vec![Change::Put(format_row, next.to_be_bytes().to_vec())], Durability::Durable).unwrap();
    drop(store);
    let refused = Engine::open(folder.path(), options()).err().expect("another format was opened");
    let expected = format!(
        "the data is in format {next}, but this version reads format {}; open the folder with the version of Keyfold that \
         wrote it",
        next - 1
    );
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn a_damaged_record_of_a_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    create(&engine);
    drop(engine);
    let store = FjallStore::open(folder.path(), StoreSettings::default()).unwrap();
    let record = [&[0x01, 0x01][..], b"orders"].concat();
    assert!(store.get(&record).unwrap().is_some());
    store.commit(vec![Change::Put(record, b"{not json".to_vec())], Durability::Durable).unwrap();
    drop(store);
    let refused = Engine::open(folder.path(), options()).err().expect("damaged data was opened");
    assert_eq!(
        refused.to_string(),
        "the definition of a table at 0x01016f7264657273 cannot be decoded; list all damage with `keyfold engine check`; \
         restore the folder from a backup, or salvage it with `keyfold engine repair`"
    );
}

#[test]
fn an_engine_in_memory_keeps_nothing() {
    let engine = scene::memory();
    create(&engine);
    put(&engine, "orders", numbered(1)).unwrap();
    drop(engine);
    let engine = scene::memory();
    assert!(wait(engine.describe_table("orders".to_owned())).is_err());
    create(&engine);
    assert_eq!(get(&engine, "orders", item([("pk", s("p1")), ("sk", n(1))])), None);
}
