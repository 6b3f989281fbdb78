//! A transaction sent again under its client request token is answered, not applied again.

use crate::scene;

use std::ops::Bound;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{action, condition, get, put, transact, updating};
use crate::scene::tables::table;
use crate::scene::{item, n, options, options_at, s, whole};
use keyfold_dynamo::operation::{TransactWrite, TransactWriteKind};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, ServiceError};
use keyfold_engine::Engine;
use keyfold_engine::store::{MemoryStore, Store};
use keyfold_environment::ManualClock;

const START: u64 = 1_700_000_000;
const WINDOW: u64 = 600;

fn key() -> Attributes {
    item([("pk", s("counter"))])
}

fn add(amount: i64) -> Vec<TransactWrite> {
    let update = updating("ADD hits :amount", [(":amount", n(amount))]);
    vec![action("t", TransactWriteKind::Update { key: key(), update })]
}

fn hits(engine: &Engine) -> i64 {
    get(engine, "t", key()).map_or(0, |item| whole(&item, "hits"))
}

fn engine_at(rows: &Arc<MemoryStore>, clock: &Arc<ManualClock>) -> Engine {
    Engine::with_store(Arc::clone(rows) as Arc<_>, options_at(clock)).unwrap()
}

fn with_table(engine: Engine) -> Engine {
    table("t", ("pk", KeyType::S), None).create(&engine);
    engine
}

fn assert_mismatch<T: std::fmt::Debug>(result: Result<T, ServiceError>) {
    assert_eq!(result.unwrap_err().code(), "IdempotentParameterMismatchException");
}

#[test]
fn the_second_time_is_answered_and_not_applied() {
    let engine = with_table(scene::memory());
    for _ in 0..3 {
        transact(&engine, add(5), Some("a")).unwrap();
    }
    assert_eq!(hits(&engine), 5);
    transact(&engine, add(5), Some("b")).unwrap();
    assert_eq!(hits(&engine), 10);
    transact(&engine, add(5), None).unwrap();
    transact(&engine, add(5), None).unwrap();
    assert_eq!(hits(&engine), 20);
}

#[test]
fn another_request_under_the_same_token_is_refused() {
    let engine = with_table(scene::memory());
    transact(&engine, add(5), Some("a")).unwrap();
    assert_mismatch(transact(&engine, add(6), Some("a")));
    assert_mismatch(transact(
        &engine,
        [add(5), vec![action("t", TransactWriteKind::Put { item: item([("pk", s("x"))]) })]].concat(),
        Some("a"),
    ));
    assert_eq!(hits(&engine), 5);
    transact(&engine, add(5), Some("a")).unwrap();
    assert_eq!(hits(&engine), 5);
}

#[test]
fn a_refused_transaction_does_not_spend_its_token() {
    let engine = with_table(scene::memory());
    let when_ready = || {
        let mut writes = add(1);
        writes[0].condition = Some(condition("attribute_exists(ready)", []));
        writes
    };
    assert_eq!(transact(&engine, when_ready(), Some("a")).unwrap_err().code(), "TransactionCanceledException");
    put(&engine, "t", item([("pk", s("counter")), ("ready", n(1)), ("hits", n(0))])).unwrap();
    transact(&engine, when_ready(), Some("a")).unwrap();
    transact(&engine, when_ready(), Some("a")).unwrap();
    assert_eq!(hits(&engine), 1);
}

#[test]
fn tokens_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let engine = with_table(Engine::open(folder.path(), options()).unwrap());
    transact(&engine, add(5), Some("a")).unwrap();
    drop(engine);
    let engine = Engine::open(folder.path(), options()).unwrap();
    transact(&engine, add(5), Some("a")).unwrap();
    assert_mismatch(transact(&engine, add(6), Some("a")));
    assert_eq!(hits(&engine), 5);
}

#[test]
fn after_ten_minutes_a_token_is_free_again() {
    let (rows, clock) = (Arc::new(MemoryStore::default()), Arc::new(ManualClock::at_second(START)));
    let engine = with_table(engine_at(&rows, &clock));
    transact(&engine, add(5), Some("a")).unwrap();
    clock.set_second(START + WINDOW - 1);
    engine.run_maintenance().unwrap();
    transact(&engine, add(5), Some("a")).unwrap();
    assert_mismatch(transact(&engine, add(6), Some("a")));
    assert_eq!(hits(&engine), 5);
    clock.set_second(START + WINDOW + 1);
    // Not yet swept away, and free all the same.
    transact(&engine, add(6), Some("a")).unwrap();
    assert_eq!(hits(&engine), 11);
    engine.run_maintenance().unwrap();
    transact(&engine, add(6), Some("a")).unwrap();
    assert_eq!(hits(&engine), 11);
}

fn row_count(rows: &MemoryStore) -> usize {
    rows.snapshot().range((Bound::Unbounded, Bound::Unbounded), false).count()
}

#[test]
fn expired_tokens_leave_nothing_behind() {
    let (rows, clock) = (Arc::new(MemoryStore::default()), Arc::new(ManualClock::at_second(START)));
    let engine = with_table(engine_at(&rows, &clock));
    transact(&engine, add(1), None).unwrap();
    let before = row_count(&rows);
    for number in 0..1000 {
        transact(&engine, add(1), Some(&format!("token-{number}"))).unwrap();
    }
    assert_eq!(row_count(&rows), before + 2000);
    clock.set_second(START + WINDOW + 1);
    engine.run_maintenance().unwrap();
    assert_eq!(row_count(&rows), before);
}

/// The first use has expired, and the second as well, when the sweep comes to both.
#[test]
fn a_token_used_again_after_its_time_is_swept_away_too() {
    let (rows, clock) = (Arc::new(MemoryStore::default()), Arc::new(ManualClock::at_second(START)));
    let engine = with_table(engine_at(&rows, &clock));
    transact(&engine, add(1), None).unwrap();
    let before = row_count(&rows);
    transact(&engine, add(1), Some("a")).unwrap();
    clock.set_second(START + WINDOW + 1);
    transact(&engine, add(1), Some("a")).unwrap();
    clock.set_second(START + 3 * WINDOW);
    let (done, swept) = mpsc::channel();
    thread::spawn(move || {
        engine.run_maintenance().unwrap();
        done.send(engine).unwrap();
    });
    let engine = swept.recv_timeout(Duration::from_secs(10)).expect("the sweep does not come to an end");
    assert_eq!(row_count(&rows), before);
    transact(&engine, add(1), Some("a")).unwrap();
    assert_eq!(hits(&engine), 4);
}

#[test]
fn the_same_token_at_the_same_time_is_applied_once() {
    let engine = with_table(scene::memory());
    for round in 0..50 {
        let token = format!("round-{round}");
        thread::scope(|scope| {
            for _ in 0..32 {
                scope.spawn(|| transact(&engine, add(1), Some(&token)).unwrap());
            }
        });
        assert_eq!(hits(&engine), round + 1);
    }
}

#[test]
fn a_transaction_in_flight_holds_its_token() {
    let store = Arc::new(GatedStore::default());
    let engine = with_table(Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap());
    store.commits.close();
    thread::scope(|scope| {
        let engine = &engine;
        let first = scope.spawn(move || transact(engine, add(1), Some("a")));
        store.commits.await_a_visitor();
        let again = scope.spawn(move || transact(engine, add(1), Some("a")));
        assert_mismatch(transact(engine, add(2), Some("a")));
        thread::sleep(Duration::from_millis(100));
        assert!(!again.is_finished(), "answered before the transaction it repeats is on disk");
        store.commits.open();
        first.join().unwrap().unwrap();
        again.join().unwrap().unwrap();
    });
    assert_eq!(hits(&engine), 1);
}

#[test]
fn a_clock_that_is_set_back_frees_no_token_and_keeps_none_for_longer() {
    let (rows, clock) = (Arc::new(MemoryStore::default()), Arc::new(ManualClock::at_second(START)));
    let engine = with_table(engine_at(&rows, &clock));
    clock.step_to_second(START + 5000);
    transact(&engine, add(5), Some("a")).unwrap();
    clock.step_to_second(START);
    transact(&engine, add(5), Some("a")).unwrap();
    transact(&engine, add(5), Some("b")).unwrap();
    assert_eq!(hits(&engine), 10);
    // Ten minutes later both are free, although the clock shows a time before the first one's use.
    clock.advance((WINDOW + 1) * 1000);
    engine.run_maintenance().unwrap();
    transact(&engine, add(5), Some("a")).unwrap();
    transact(&engine, add(5), Some("b")).unwrap();
    assert_eq!(hits(&engine), 20);
}
