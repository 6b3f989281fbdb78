//! When the store fails, nobody is told that a write succeeded which did not, and nothing is written after.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{action, aliases, get, partition, put, put_if, query_all, scan_all, transact, update};
use crate::scene::tables::{all, table};
use crate::scene::{assert_sound, item, n, options, s, wait};
use keyfold_dynamo::operation::TransactWriteKind;
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend, ServiceError};
use keyfold_engine::Engine;
use keyfold_engine::store::MemoryStore;

const FAILED: &str = "the request failed in the store; the server's log has the cause";
const RECOVERING: &str = "the store has failed and is being recovered; retry the request";

fn engine_on(store: &Arc<GatedStore>) -> Engine {
    Engine::with_store(Arc::clone(store) as Arc<_>, options()).unwrap()
}

fn key(name: impl ToString) -> Attributes {
    item([("pk", s(name.to_string()))])
}

fn new_table(engine: &Engine) {
    table("t", ("pk", KeyType::S), None).global("by_g", ("g", KeyType::S), None, all()).create(engine);
}

/// The write may be on disk or not.
fn assert_failed<T: std::fmt::Debug>(result: Result<T, ServiceError>) {
    assert_eq!(result.unwrap_err(), ServiceError::Internal(FAILED.to_owned()));
}

/// The write was not carried out and can be retried.
fn assert_refused<T: std::fmt::Debug>(result: Result<T, ServiceError>) {
    assert_eq!(result.unwrap_err(), ServiceError::Unavailable(RECOVERING.to_owned()));
}

#[test]
fn waiting_and_later_writers_get_the_error() {
    let rows = Arc::new(MemoryStore::default());
    let store = GatedStore::over(&rows);
    let engine = engine_on(&store);
    new_table(&engine);
    let old = item([("pk", s("a")), ("v", n(1)), ("g", s("one"))]);
    put(&engine, "t", old.clone()).unwrap();
    store.commits.close();
    thread::scope(|scope| {
        let engine = &engine;
        let first = scope.spawn(move || update(engine, "t", key("a"), "SET v = :v", aliases([(":v", n(2))])));
        store.commits.await_a_visitor();
        let mut waiting = vec![
            // Built on the value that will be lost.
            scope.spawn(move || update(engine, "t", key("a"), "ADD v :v", aliases([(":v", n(5))]))),
            // Refused because of the value that will be lost.
            scope.spawn(move || put_if(engine, "t", key("a"), "v = :v", aliases([(":v", n(1))]))),
            // Changes nothing of the value that will be lost.
            scope.spawn(move || update(engine, "t", key("a"), "SET v = :v", aliases([(":v", n(2))]))),
        ];
        waiting.extend((0..5).map(|number| scope.spawn(move || put(engine, "t", key(number)))));
        thread::sleep(Duration::from_millis(200));
        store.fails.store(true, Ordering::SeqCst);
        store.commits.open();
        assert_failed(first.join().unwrap());
        for writer in waiting {
            assert_refused(writer.join().unwrap());
        }
    });
    // The store would work again, but what is on disk is no longer known.
    store.fails.store(false, Ordering::SeqCst);
    assert_refused(put(&engine, "t", key("later")));
    assert_refused(transact(&engine, vec![action("t", TransactWriteKind::Put { item: key("later") })], Some("token")));
    assert_refused(wait(engine.create_table(table("t2", ("pk", KeyType::S), None).input())));
    assert_refused(wait(engine.delete_table("t".to_owned())));

    // Reads go on.
    assert_eq!(get(&engine, "t", key("a")), Some(old.clone()));
    assert_eq!(query_all(&engine, partition("t", Some("by_g"), "g", s("one"))), std::slice::from_ref(&old));
    assert_sound(&engine);
    drop(engine);

    let engine = engine_on(&GatedStore::over(&rows));
    assert_eq!(scan_all(&engine, "t", None), [old]);
    assert_sound(&engine);
    // The token was not spent.
    transact(&engine, vec![action("t", TransactWriteKind::Put { item: key("later") })], Some("token")).unwrap();
    assert_eq!(get(&engine, "t", key("later")), Some(key("later")));
}

#[test]
fn exactly_the_acknowledged_writes_are_there_after_reopening() {
    for commits_before_the_failure in [0, 1, 7, 40] {
        let rows = Arc::new(MemoryStore::default());
        let store = GatedStore::over(&rows);
        let engine = engine_on(&store);
        new_table(&engine);
        let fails_from = store.commit_count.load(Ordering::SeqCst) + commits_before_the_failure;
        let acknowledged: BTreeSet<String> = thread::scope(|scope| {
            let writers: Vec<_> = (0..16)
                .map(|writer| {
                    let (engine, store) = (&engine, &store);
                    scope.spawn(move || {
                        let mut acknowledged = Vec::new();
                        for round in 0.. {
                            if store.commit_count.load(Ordering::SeqCst) >= fails_from {
                                store.fails.store(true, Ordering::SeqCst);
                            }
                            let name = format!("{writer}-{round}");
                            let new = item([("pk", s(&name)), ("g", s(format!("{}", round % 3)))]);
                            match put(engine, "t", new) {
                                Ok(_) => acknowledged.push(name),
                                Err(ServiceError::Internal(text)) if text == FAILED => break,
                                Err(ServiceError::Unavailable(text)) if text == RECOVERING => break,
                                Err(other) => panic!("{other}"),
                            }
                        }
                        acknowledged
                    })
                })
                .collect();
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
        });
        drop(engine);
        let engine = engine_on(&GatedStore::over(&rows));
        let stored: BTreeSet<String> =
            scan_all(&engine, "t", None).iter().map(|item| item["pk"].as_str().unwrap().to_owned()).collect();
        assert_eq!(stored, acknowledged);
        assert_sound(&engine);
    }
}

#[test]
fn a_table_whose_creation_failed_is_not_there_after_reopening() {
    let rows = Arc::new(MemoryStore::default());
    let store = GatedStore::over(&rows);
    let engine = engine_on(&store);
    store.fails.store(true, Ordering::SeqCst);
    assert_failed(wait(engine.create_table(table("t", ("pk", KeyType::S), None).input())));
    drop(engine);
    let engine = engine_on(&GatedStore::over(&rows));
    let error = wait(engine.describe_table("t".to_owned())).unwrap_err();
    assert_eq!(error.code(), "ResourceNotFoundException");
    new_table(&engine);
}
