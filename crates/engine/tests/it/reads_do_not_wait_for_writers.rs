//! While a commit is on its way to disk, reads answer at once with what was there before; and nobody is told anything
//! that rests on the commit before it is on disk.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{
    action, aliases, condition, get, partition, put, put_if, query_all, scan_once, transact, update,
};
use crate::scene::tables::{all, table};
use crate::scene::{assert_sound, item, n, options, s, wait};
use keyfold_dynamo::operation::{
    BatchGetItemInput, KeysAndAttributes, TransactGet, TransactGetItemsInput, TransactWrite, TransactWriteKind,
};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend, ServiceError};
use keyfold_engine::Engine;

struct Scene {
    store: Arc<GatedStore>,
    engine: Arc<Engine>,
}

fn key() -> Attributes {
    item([("pk", s("a"))])
}

fn valued(value: i64) -> Attributes {
    item([("pk", s("a")), ("v", n(value)), ("g", s(format!("g{value}")))])
}

impl Scene {
    /// One item with the value 1 is on disk, and no commit gets any further.
    fn with_commits_held_up() -> Self {
        let store = Arc::new(GatedStore::default());
        let engine = Arc::new(Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap());
        table("t", ("pk", KeyType::S), None).global("by_g", ("g", KeyType::S), None, all()).create(&engine);
        put(&engine, "t", valued(1)).unwrap();
        store.commits.close();
        Self { store, engine }
    }

    /// Does something on a thread of its own; what it comes to can be waited for.
    fn start<T: Send + 'static>(&self, work: impl FnOnce(&Engine) -> T + Send + 'static) -> Receiver<T> {
        let (sender, receiver) = mpsc::channel();
        let engine = Arc::clone(&self.engine);
        thread::spawn(move || sender.send(work(&engine)));
        receiver
    }
}

/// A test that fails must not leave the engine's threads waiting.
impl Drop for Scene {
    fn drop(&mut self) {
        self.store.commits.open();
    }
}

fn assert_unanswered<T: std::fmt::Debug>(answer: &Receiver<T>) {
    assert_eq!(answer.recv_timeout(Duration::from_millis(150)).unwrap_err(), RecvTimeoutError::Timeout);
}

fn answer<T>(answer: &Receiver<T>) -> T {
    answer.recv_timeout(Duration::from_secs(10)).expect("no answer came")
}

#[test]
fn reads_see_the_old_value_until_the_new_one_is_on_disk() {
    let scene = Scene::with_commits_held_up();
    let written = scene.start(|engine| put(engine, "t", valued(2)));
    scene.store.commits.await_a_visitor();
    let read = scene.start(|engine| {
        assert_eq!(get(engine, "t", key()), Some(valued(1)));
        assert_eq!(query_all(engine, partition("t", None, "pk", s("a"))), [valued(1)]);
        assert_eq!(query_all(engine, partition("t", Some("by_g"), "g", s("g1"))), [valued(1)]);
        assert_eq!(query_all(engine, partition("t", Some("by_g"), "g", s("g2"))), []);
        assert_eq!(scan_once(engine, "t", None), [valued(1)]);
        let gets = vec![TransactGet { table_name: "t".to_owned(), key: key(), ..TransactGet::default() }];
        let input = TransactGetItemsInput { gets, ..TransactGetItemsInput::default() };
        assert_eq!(wait(engine.transact_get_items(input)).unwrap().items, [Some(valued(1).into())]);
        let request = KeysAndAttributes { keys: vec![key()], consistent_read: true, ..KeysAndAttributes::default() };
        let input = BatchGetItemInput { requests: vec![("t".to_owned(), request)], ..BatchGetItemInput::default() };
        assert_eq!(wait(engine.batch_get_item(input)).unwrap().responses["t"], [valued(1)]);
        let described = wait(engine.describe_table("t".to_owned())).unwrap();
        assert_eq!(described.item_count, 1);
    });
    answer(&read);
    assert_unanswered(&written);
    scene.store.commits.open();
    answer(&written).unwrap();
    assert_eq!(get(&scene.engine, "t", key()), Some(valued(2)));
    assert_eq!(query_all(&scene.engine, partition("t", Some("by_g"), "g", s("g2"))), [valued(2)]);
}

#[test]
fn a_condition_that_fails_on_a_value_in_flight_is_reported_once_that_value_is_on_disk() {
    let scene = Scene::with_commits_held_up();
    let written = scene.start(|engine| put(engine, "t", valued(2)));
    scene.store.commits.await_a_visitor();
    let refused = scene.start(|engine| put_if(engine, "t", valued(3), "v = :one", aliases([(":one", n(1))])));
    let cancelled = scene.start(|engine| {
        let check = TransactWrite {
            condition: Some(condition("v = :one", [(":one", n(1))])),
            ..action("t", TransactWriteKind::ConditionCheck { key: key() })
        };
        transact(engine, vec![check], None)
    });
    let unchanged = scene.start(|engine| put(engine, "t", valued(2)));
    assert_unanswered(&refused);
    assert_unanswered(&cancelled);
    assert_unanswered(&unchanged);
    scene.store.commits.open();
    answer(&written).unwrap();
    assert_eq!(answer(&refused).unwrap_err(), ServiceError::ConditionalCheckFailed { item: None });
    assert_eq!(answer(&cancelled).unwrap_err().code(), "TransactionCanceledException");
    answer(&unchanged).unwrap();
}

#[test]
fn writers_of_one_item_build_on_values_in_flight_and_share_a_commit() {
    let scene = Scene::with_commits_held_up();
    let first = scene.start(|engine| update(engine, "t", key(), "ADD v :one", aliases([(":one", n(1))])));
    scene.store.commits.await_a_visitor();
    let others: Vec<_> = (0..50)
        .map(|_| scene.start(|engine| update(engine, "t", key(), "ADD v :one", aliases([(":one", n(1))]))))
        .collect();
    // Wait until all of them are in the queue behind the one that is held up.
    thread::sleep(Duration::from_millis(300));
    let commits = scene.store.commit_count.load(std::sync::atomic::Ordering::SeqCst);
    scene.store.commits.open();
    answer(&first).unwrap();
    for other in &others {
        answer(other).unwrap();
    }
    assert_eq!(get(&scene.engine, "t", key()).unwrap()["v"], n(52));
    let commits = scene.store.commit_count.load(std::sync::atomic::Ordering::SeqCst) - commits;
    assert!(commits < 10, "51 writes took {commits} commits");
    assert_sound(&scene.engine);
}
