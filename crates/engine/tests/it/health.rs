//! An engine says what it can do, notices faults without a write, and recovers from those that pass.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{action, delete, get, put, scan_all, transact};
use crate::scene::tables::table;
use crate::scene::{assert_sound, item, n, options, s, wait};
use keyfold_dynamo::operation::TransactWriteKind;
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend, ServiceError};
use keyfold_engine::store::{DiskSpace, MemoryStore, StoreError};
use keyfold_engine::{Engine, Health, Options, ReopenError};

const NEARLY_FULL: &str = "the disk of the server is nearly full; only reads and deletes are accepted";
const MIB: u64 = 1 << 20;

fn key(name: impl ToString) -> Attributes {
    item([("pk", s(name.to_string()))])
}

fn gated() -> (Arc<GatedStore>, Engine) {
    let store = GatedStore::over(&Arc::new(MemoryStore::default()));
    let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap();
    table("t", ("pk", KeyType::S), None).create(&engine);
    (store, engine)
}

fn wait_for(engine: &Engine, wanted: &str) -> Health {
    let started = Instant::now();
    loop {
        let health = engine.health();
        if health.name() == wanted {
            return health;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{health} instead of {wanted}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_failed_sync_counts_although_another_failure_was_noticed_first() {
    let (store, engine) = gated();
    *store.fault.lock() = Some(StoreError::from(io::Error::from(io::ErrorKind::StorageFull)));
    wait_for(&engine, "failed");
    *store.fault.lock() = Some(StoreError::SyncFailed(Arc::new(io::Error::other("the disk"))));
    wait_for(&engine, "broken");
    // What came first, or comes later, changes nothing about it.
    *store.fault.lock() = Some(StoreError::from(io::Error::from(io::ErrorKind::StorageFull)));
    thread::sleep(Duration::from_millis(600));
    assert!(matches!(engine.health(), Health::Broken(StoreError::SyncFailed(_))), "{}", engine.health());
    *store.fault.lock() = None;
    assert!(matches!(engine.reopen(), Err(ReopenError::Broken(StoreError::SyncFailed(_)))));
}

#[test]
fn a_failed_engine_serves_writes_again_after_it_was_reopened() {
    let (store, engine) = gated();
    put(&engine, "t", key("before")).unwrap();
    assert!(engine.health().is_serving());
    store.fails.store(true, Ordering::SeqCst);
    put(&engine, "t", key("lost")).unwrap_err();
    assert!(matches!(engine.health(), Health::Failed(StoreError::Full(_))), "{}", engine.health());
    assert_eq!(engine.health().to_string(), "only reads are served: the disk is full: no storage space");
    assert_eq!(get(&engine, "t", key("before")), Some(key("before")));

    store.fails.store(false, Ordering::SeqCst);
    put(&engine, "t", key("lost")).unwrap_err();
    engine.reopen().unwrap();
    assert!(engine.health().is_serving());
    put(&engine, "t", key("after")).unwrap();
    let mut found = scan_all(&engine, "t", None);
    found.sort_by_key(|item| item["pk"].as_str().unwrap().to_owned());
    assert_eq!(found, [key("after"), key("before")]);
    assert_sound(&engine);
}

#[test]
fn a_fault_is_noticed_without_a_write() {
    let (store, engine) = gated();
    *store.fault.lock() = Some(StoreError::Stopped(Arc::new(io::Error::other("a merge failed"))));
    let health = wait_for(&engine, "failed");
    assert_eq!(health.to_string(), "only reads are served: the store has stopped after a failure: a merge failed");
    *store.fault.lock() = None;
    engine.reopen().unwrap();
    put(&engine, "t", key("after")).unwrap();
}

#[test]
fn nothing_is_acknowledged_after_a_failed_sync() {
    let (store, engine) = gated();
    *store.fault.lock() = Some(StoreError::SyncFailed(Arc::new(io::Error::other("the disk"))));
    let health = wait_for(&engine, "broken");
    assert_eq!(health.to_string(), "the store cannot be used any more: a write could not be synced to disk: the disk");
    *store.fault.lock() = None;
    assert!(matches!(engine.reopen(), Err(ReopenError::Broken(StoreError::SyncFailed(_)))));
    assert!(matches!(put(&engine, "t", key("a")), Err(ServiceError::Unavailable(_))));
    assert!(matches!(engine.close(), Err(StoreError::SyncFailed(_))));
}

#[test]
fn a_nearly_full_disk_accepts_deletes_only_until_there_is_space_again() {
    let (store, engine) = gated();
    for name in ["a", "b"] {
        put(&engine, "t", key(name)).unwrap();
    }
    *store.space.lock() = Some(DiskSpace { free_bytes: 255 * MIB, total_bytes: 100_000 * MIB, needed_bytes: 0 });
    wait_for(&engine, "nearly_full");
    let refused = |error: ServiceError| assert_eq!(error, ServiceError::Unavailable(NEARLY_FULL.to_owned()));
    let to_put = |name: &str| action("t", TransactWriteKind::Put { item: key(name) });
    let to_delete = |name: &str| action("t", TransactWriteKind::Delete { key: key(name) });
    refused(put(&engine, "t", key("c")).unwrap_err());
    refused(transact(&engine, vec![to_put("c")], None).unwrap_err());
    refused(wait(engine.create_table(table("t2", ("pk", KeyType::S), None).input())).unwrap_err());
    delete(&engine, "t", key("a")).unwrap();
    transact(&engine, vec![to_delete("b"), to_put("record")], None).unwrap();
    assert_eq!(scan_all(&engine, "t", None), [key("record")]);
    wait(engine.delete_table("t".to_owned())).unwrap();

    *store.space.lock() = Some(DiskSpace { free_bytes: 320 * MIB, total_bytes: 100_000 * MIB, needed_bytes: 0 });
    wait_for(&engine, "serving");
    table("t2", ("pk", KeyType::S), None).create(&engine);
    put(&engine, "t2", key("c")).unwrap();
}

#[test]
fn a_data_folder_that_is_removed_breaks_the_engine() {
    let space = tempfile::tempdir().unwrap();
    let folder = space.path().join("data");
    let engine = Engine::open(&folder, Options::default()).unwrap();
    std::fs::rename(&folder, space.path().join("elsewhere")).unwrap();
    let health = wait_for(&engine, "broken");
    assert!(matches!(health, Health::Broken(StoreError::FolderRemoved { .. })), "{health}");
    // Another engine's folder in its place is not its own.
    let other = Engine::open(&folder, Options::default()).unwrap();
    assert!(matches!(engine.reopen(), Err(ReopenError::Broken(_))));
    assert!(other.health().is_serving());
}

#[test]
fn a_commit_that_hangs_breaks_the_engine_and_slow_merges_before_it_do_not() {
    let patience = Duration::from_secs(1);
    let store = GatedStore::over(&Arc::new(MemoryStore::default()));
    let with_patience = Options { unresponsive_after: patience, ..options() };
    let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, with_patience).unwrap();
    table("t", ("pk", KeyType::S), None).create(&engine);
    thread::scope(|scope| {
        store.room.close();
        let writer = scope.spawn(|| put(&engine, "t", key("a")));
        store.room.await_a_visitor();
        thread::sleep(patience * 3);
        let while_waiting = engine.health();
        store.commits.close();
        store.room.open();
        store.commits.await_a_visitor();
        thread::sleep(patience * 2);
        let while_committing = engine.health();
        // Whatever happened: a panic would wait for the writer.
        store.commits.open();
        writer.join().unwrap().unwrap();
        assert!(while_waiting.is_serving(), "{while_waiting}");
        assert!(
            matches!(while_committing, Health::Broken(StoreError::Unresponsive { seconds: 1..=3 })),
            "{while_committing}"
        );
    });
}

/// Otherwise the engine would accept writes again after it was closed.
#[test]
fn closing_waits_for_a_reopening_that_is_under_way() {
    let (store, engine) = gated();
    store.commits.close();
    thread::scope(|scope| {
        let writer = scope.spawn(|| put(&engine, "t", key("a")));
        store.commits.await_a_visitor();
        let reopening = scope.spawn(|| engine.reopen());
        wait_for(&engine, "reopening");
        let closing = scope.spawn(|| engine.close());
        thread::sleep(Duration::from_millis(200));
        assert!(!closing.is_finished());
        store.commits.open();
        writer.join().unwrap().unwrap();
        reopening.join().unwrap().unwrap();
        closing.join().unwrap().unwrap();
    });
    let refused = put(&engine, "t", key("b")).unwrap_err();
    assert_eq!(refused, ServiceError::Unavailable("the engine is shutting down".to_owned()));
    assert!(matches!(engine.reopen(), Err(ReopenError::Closed)));
    assert_eq!(scan_all(&engine, "t", None), [key("a")]);
}

/// The operating system may have dropped what the failed sync was about, so that opening the files again proves
/// nothing.
#[test]
fn a_store_whose_last_sync_fails_is_not_reopened() {
    let (store, engine) = gated();
    store.fails.store(true, Ordering::SeqCst);
    put(&engine, "t", key("lost")).unwrap_err();
    store.sync_fails.store(true, Ordering::SeqCst);
    assert!(matches!(engine.reopen(), Err(ReopenError::Broken(StoreError::SyncFailed(_)))));
    assert!(matches!(engine.health(), Health::Broken(StoreError::SyncFailed(_))), "{}", engine.health());
    store.sync_fails.store(false, Ordering::SeqCst);
    assert!(matches!(engine.reopen(), Err(ReopenError::Broken(StoreError::SyncFailed(_)))));
    assert!(matches!(engine.close(), Err(StoreError::SyncFailed(_))));
}

/// The store does not end what it does, so that it is not known what is on disk.
#[test]
fn closing_while_the_store_cannot_be_closed_for_a_reopening_fails() {
    let (store, engine) = gated();
    store.commits.close();
    thread::scope(|scope| {
        let writer = scope.spawn(|| put(&engine, "t", key("a")));
        store.commits.await_a_visitor();
        assert!(matches!(engine.reopen(), Err(ReopenError::Busy)));
        assert!(matches!(engine.close(), Err(StoreError::Unresponsive { seconds: 4 })));
        store.commits.open();
        writer.join().unwrap().unwrap();
        engine.close().unwrap();
    });
}

fn open(folder: &Path) -> Engine {
    Engine::open(folder, Options::default()).unwrap()
}

/// The last number that each writer was told is on disk.
fn write_until(stop: &AtomicBool, engine: &Engine, writer: usize) -> i64 {
    let mut acknowledged = 0;
    while !stop.load(Ordering::SeqCst) {
        match put(engine, "t", item([("pk", s(writer.to_string())), ("v", n(acknowledged + 1))])) {
            Ok(_) => acknowledged += 1,
            Err(ServiceError::Unavailable(_)) => thread::yield_now(),
            Err(other) => panic!("{other}"),
        }
    }
    acknowledged
}

#[test]
fn reopening_under_load_loses_nothing_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    table("t", ("pk", KeyType::S), None).create(&engine);
    let stop = AtomicBool::new(false);
    let acknowledged: Vec<i64> = thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                scope.spawn({
                    let (stop, engine) = (&stop, &engine);
                    move || write_until(stop, engine, writer)
                })
            })
            .collect();
        let reopened = (0..5).try_for_each(|_| {
            thread::sleep(Duration::from_millis(50));
            engine.reopen()
        });
        // Whatever happened: a panic would wait for the writers.
        stop.store(true, Ordering::SeqCst);
        reopened.unwrap();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    for (writer, count) in acknowledged.into_iter().enumerate() {
        let found = get(&engine, "t", key(writer)).unwrap();
        assert_eq!(found["v"], n(count), "writer {writer}");
    }
    assert_sound(&engine);
}
