//! The engine's futures run under any executor, and may be dropped at any time.

use crate::scene;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{action, aliases, get, partition, put, put_if, scan_all};
use crate::scene::tables::{all, table};
use crate::scene::{assert_sound, item, n, options, s, wait};
use keyfold_dynamo::operation::{PutItemInput, TransactWriteItemsInput, TransactWriteKind};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend};
use keyfold_engine::Engine;

fn new_table(engine: &Engine) {
    table("t", ("pk", KeyType::S), Some(("sk", KeyType::N)))
        .global("by_g", ("g", KeyType::S), None, all())
        .create(engine);
}

fn numbered(partition: usize, number: usize) -> Attributes {
    item([("pk", s(format!("p{partition}"))), ("sk", n(number)), ("g", s("g"))])
}

/// Writes, large transactions and whole scans side by side.
async fn work(engine: &Engine, worker: usize) {
    for number in 0..20 {
        let input = PutItemInput { table_name: "t".to_owned(), item: numbered(worker, number), ..Default::default() };
        engine.put_item(input).await.unwrap();
    }
    let writes = (100..160).map(|number| action("t", TransactWriteKind::Put { item: numbered(worker, number) }));
    let input = TransactWriteItemsInput { writes: writes.collect(), ..TransactWriteItemsInput::default() };
    engine.transact_write_items(input).await.unwrap();
    let page = engine.query(partition("t", None, "pk", s(format!("p{worker}")))).await.unwrap();
    assert_eq!(page.count, 80);
    let page = engine.query(partition("t", Some("by_g"), "g", s("g"))).await.unwrap();
    assert!(page.count >= 80);
}

async fn many_workers(engine: Arc<Engine>) {
    let tasks: Vec<_> = (0..30)
        .map(|worker| {
            let engine = Arc::clone(&engine);
            tokio::spawn(async move { work(&engine, worker).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(engine.describe_table("t".to_owned()).await.unwrap().item_count, 30 * 80);
    assert_sound(&engine);
}

#[test]
fn many_tasks_share_a_runtime_of_several_threads() {
    let engine = Arc::new(scene::memory());
    new_table(&engine);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(many_workers(engine));
}

#[test]
fn many_tasks_share_a_runtime_of_one_thread() {
    let engine = Arc::new(scene::memory());
    new_table(&engine);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(many_workers(engine));
}

#[test]
fn a_future_that_is_never_polled_does_nothing() {
    let engine = scene::memory();
    new_table(&engine);
    let input = PutItemInput { table_name: "t".to_owned(), item: numbered(1, 1), ..PutItemInput::default() };
    drop(engine.put_item(input));
    assert_eq!(scan_all(&engine, "t", None), Vec::<Attributes>::new());
}

/// A client that hangs up after its request was taken changes nothing about the write, and blocks nobody.
#[test]
fn a_future_that_is_dropped_midway_writes_all_the_same() {
    let store = Arc::new(GatedStore::default());
    let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap();
    new_table(&engine);
    store.commits.close();
    {
        let input = PutItemInput { table_name: "t".to_owned(), item: numbered(1, 1), ..PutItemInput::default() };
        let mut future = pin!(engine.put_item(input));
        assert!(matches!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
    }
    store.commits.open();
    // Behind it in the queue, so it is on disk when this is answered.
    let refused = put_if(&engine, "t", numbered(1, 1), "attribute_not_exists(pk)", aliases([]));
    assert_eq!(refused.unwrap_err().code(), "ConditionalCheckFailedException");
    assert_eq!(get(&engine, "t", item([("pk", s("p1")), ("sk", n(1))])), Some(numbered(1, 1)));
    put(&engine, "t", numbered(1, 2)).unwrap();
    assert_eq!(wait(engine.describe_table("t".to_owned())).unwrap().item_count, 2);
    assert_sound(&engine);
}
