//! Tables become what they should be, on the engine.

use crate::support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::support::{Mischief, Unruly, engine, everything, expire_by, fill, impatient, index, item, put, table};
use keyfold_dynamo::operation::IndexUpdate;
use keyfold_dynamo::table::ProjectionType::{All, KeysOnly};
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_tables::apply::ApplyEvent;
use keyfold_tables::{ApplyError, ApplyOptions, DesiredTable, Loss, apply, plan, read_live};

fn options(allowed: &[&str]) -> ApplyOptions {
    ApplyOptions {
        allowed_losses: allowed.iter().map(|name| (*name).to_owned()).collect(),
        backoff: impatient(),
        poll: Duration::from_millis(20),
        grace: Duration::from_millis(200),
    }
}

async fn texts(backend: &dyn Backend, desired: &DesiredTable, allowed: &[&str]) -> Result<Vec<String>, ApplyError> {
    let done = apply(backend, desired, &options(allowed), &mut |_| {}).await?;
    Ok(done.changes.into_iter().map(|change| change.text).collect())
}

async fn is_settled(backend: &dyn Backend, desired: &DesiredTable) -> bool {
    let live = read_live(backend, desired, impatient()).await.unwrap();
    let plan = plan(desired, live.as_ref());
    plan.is_empty() && plan.ongoing.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_created_once() {
    let engine = engine();
    let mut desired = table("orders", vec![index("byOwner", "owner", Some("SK"), All)]);
    desired.time_to_live = Some("until".to_owned());
    desired.create.tags.insert("team".to_owned(), "orders".to_owned());
    desired.create.deletion_protection = true;
    assert_eq!(
        texts(engine.as_ref(), &desired, &[]).await.unwrap(),
        [
            "create table `orders`: partition PK (S), sort SK (S), on demand\n  \
             with index `byOwner`: partition owner (S), sort SK (S), all attributes",
            "expire items by `until`"
        ]
    );
    assert!(is_settled(engine.as_ref(), &desired).await);
    assert_eq!(texts(engine.as_ref(), &desired, &[]).await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn losses_must_be_confirmed_by_name() {
    let engine = engine();
    let old = table("orders", vec![index("byOwner", "owner", None, All), index("old", "owner", Some("SK"), All)]);
    texts(engine.as_ref(), &old, &[]).await.unwrap();
    fill(engine.as_ref(), "orders", 0..100).await;
    let mut new =
        table("orders", vec![index("byOwner", "owner", None, KeysOnly), index("byScore", "score", None, All)]);
    new.time_to_live = Some("until".to_owned());
    let before = engine.describe_table("orders".to_owned()).await.unwrap();
    let refused = texts(engine.as_ref(), &new, &["index:old"]).await.unwrap_err();
    let ApplyError::WouldLose { losses } = refused else { panic!("{refused}") };
    let loss = |name: &str, text: &str| Loss { name: name.to_owned(), text: text.to_owned() };
    assert_eq!(
        losses,
        [
            loss("index:byOwner", "reads through `byOwner` fail until it is filled again"),
            loss("ttl:until", "items whose `until` has passed are deleted"),
        ]
    );
    assert_eq!(engine.describe_table("orders".to_owned()).await.unwrap(), before);
    let done = texts(engine.as_ref(), &new, &["index:old", "index:byOwner", "ttl:until"]).await.unwrap();
    assert_eq!(
        done,
        [
            "create index `byScore`: partition score (N), all attributes",
            "delete index `byOwner` to recreate it: it projects all attributes but should project keys only",
            "create index `byOwner`: partition owner (S), keys only",
            "delete index `old`: partition owner (S), sort SK (S), all attributes",
            "expire items by `until`",
        ]
    );
    assert!(is_settled(engine.as_ref(), &new).await);
    assert_eq!(everything(engine.as_ref(), "orders", None).await.len(), 100);
    assert_eq!(everything(engine.as_ref(), "orders", Some("byOwner")).await.len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn indexes_change_one_at_a_time() {
    let inner = engine();
    let watched: Arc<dyn Backend> = Arc::clone(&inner) as _;
    let backend = Unruly::new(watched, |_, _| Mischief::None);
    texts(backend.as_ref(), &table("orders", vec![]), &[]).await.unwrap();
    fill(backend.as_ref(), "orders", 0..2_000).await;
    let names = ["a", "b", "c"];
    let desired = table("orders", names.map(|name| index(name, "owner", Some("SK"), All)).to_vec());
    let mut waits = 0;
    let mut started = Vec::new();
    let mut count = |event: ApplyEvent<'_>| match event {
        ApplyEvent::Waiting(_) => waits += 1,
        ApplyEvent::Started(change) => started.push(change.action.index().unwrap().to_owned()),
        ApplyEvent::Done { .. } => {}
    };
    apply(backend.as_ref(), &desired, &options(&[]), &mut count).await.unwrap();
    assert_eq!(started, names);
    assert!(waits >= 3, "an index of 2000 items is not full at once");
    let updates = std::mem::take(&mut *backend.updates.lock().unwrap());
    assert_eq!(updates.len(), 3);
    for (update, name) in updates.iter().zip(names) {
        let [IndexUpdate::Create(spec)] = update.index_updates.as_deref().unwrap() else { panic!() };
        assert_eq!(spec.name, name);
    }
    for name in names {
        assert_eq!(everything(backend.as_ref(), "orders", Some(name)).await.len(), 2_000);
    }
}

/// The one who applies goes away while an index is being filled; the next waits for that, and does what is left.
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_is_continued_by_the_next() {
    let engine = engine();
    texts(engine.as_ref(), &table("orders", vec![]), &[]).await.unwrap();
    fill(engine.as_ref(), "orders", 0..10_000).await;
    let desired = table("orders", vec![index("a", "owner", None, All), index("b", "score", None, KeysOnly)]);
    let (tell, told) = std::sync::mpsc::channel();
    let first = tokio::spawn({
        let (engine, desired) = (Arc::clone(&engine), desired.clone());
        async move {
            let mut tell = |event: ApplyEvent<'_>| {
                if let ApplyEvent::Waiting(wait) = event {
                    tell.send(wait).unwrap();
                }
            };
            apply(engine.as_ref(), &desired, &options(&[]), &mut tell).await
        }
    });
    let wait = tokio::task::spawn_blocking(move || told.recv().unwrap()).await.unwrap();
    first.abort();
    assert!(first.await.is_err());
    assert_eq!(wait.ongoing.to_string(), "index `a` is being filled");
    let done = texts(engine.as_ref(), &desired, &[]).await.unwrap();
    assert_eq!(done, ["create index `b`: partition score (N), keys only"]);
    assert!(is_settled(engine.as_ref(), &desired).await);
    assert_eq!(everything(engine.as_ref(), "orders", Some("a")).await.len(), 10_000);
    assert_eq!(everything(engine.as_ref(), "orders", Some("b")).await.len(), 10_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_filled_while_items_are_written() {
    let engine = engine();
    texts(engine.as_ref(), &table("orders", vec![]), &[]).await.unwrap();
    fill(engine.as_ref(), "orders", 0..5_000).await;
    let stop = Arc::new(AtomicBool::new(false));
    let written = Arc::new(AtomicU64::new(0));
    let writer = tokio::spawn({
        let (engine, stop, written) = (Arc::clone(&engine), Arc::clone(&stop), Arc::clone(&written));
        async move {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                // New items, and old ones that move to another location of the index.
                put(engine.as_ref(), "orders", item(5_000 + number)).await;
                let mut moved = item((number * 7) % 5_000);
                moved.insert("owner".to_owned(), support::text(&format!("moved {number}")));
                put(engine.as_ref(), "orders", moved).await;
                number += 1;
                written.store(number, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
        }
    });
    while written.load(Ordering::Relaxed) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let before = written.load(Ordering::Relaxed);
    let desired = table("orders", vec![index("byOwner", "owner", Some("SK"), All)]);
    let mut items = Vec::new();
    let mut note = |event: ApplyEvent<'_>| {
        if let ApplyEvent::Waiting(wait) = event {
            items.extend(wait.items);
        }
    };
    apply(engine.as_ref(), &desired, &options(&[]), &mut note).await.unwrap();
    let after = written.load(Ordering::Relaxed);
    stop.store(true, Ordering::Relaxed);
    writer.await.unwrap();
    assert!(after > before, "nothing was written meanwhile");
    assert!(items.is_sorted() && items.iter().all(|(filled, all)| filled <= all), "{items:?}");
    let table = everything(engine.as_ref(), "orders", None).await;
    assert_eq!(table.len() as u64, 5_000 + written.load(Ordering::Relaxed));
    assert_eq!(everything(engine.as_ref(), "orders", Some("byOwner")).await, table);
}

/// Someone else is at the table, or at too many tables of the account.
#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_is_busy_is_asked_again() {
    let inner = engine();
    texts(inner.as_ref(), &table("orders", vec![]), &[]).await.unwrap();
    let mut refusals = vec![
        ServiceError::ResourceInUse("busy".to_owned()),
        ServiceError::LimitExceeded("too many".to_owned()),
        ServiceError::LimitExceeded("too many".to_owned()),
    ];
    let backend = Unruly::new(inner, move |operation, _| match operation {
        "update_table" => refusals.pop().map_or(Mischief::None, Mischief::Fail),
        _ => Mischief::None,
    });
    let desired = table("orders", vec![index("a", "owner", None, All)]);
    texts(backend.as_ref(), &desired, &[]).await.unwrap();
    assert_eq!(backend.count("update_table"), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_not_made_is_not_waited_for_forever() {
    let inner = engine();
    texts(inner.as_ref(), &table("orders", vec![]), &[]).await.unwrap();
    let backend = Unruly::new(inner, |operation, _| match operation {
        "update_table" => Mischief::Pretend,
        _ => Mischief::None,
    });
    let desired = table("orders", vec![index("a", "owner", None, All)]);
    let error = texts(backend.as_ref(), &desired, &[]).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the backend accepted the change but did not apply it: create index `a`: partition owner (S), all attributes"
    );
    assert_eq!(backend.count("update_table"), 1);
}

/// DynamoDB may not tell of a new table for a moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_table_may_come_to_light_late() {
    let mut looks = 0;
    let backend = Unruly::new(engine(), move |operation, _| {
        if operation != "describe_table" {
            return Mischief::None;
        }
        looks += 1;
        if looks <= 5 { Mischief::Fail(ServiceError::ResourceNotFound(String::new())) } else { Mischief::None }
    });
    let desired = table("orders", vec![]);
    let done = texts(backend.as_ref(), &desired, &[]).await.unwrap();
    assert_eq!(done, ["create table `orders`: partition PK (S), sort SK (S), on demand"]);
    assert_eq!(backend.count("create_table"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_keys_are_impossible() {
    let engine = engine();
    texts(engine.as_ref(), &table("orders", vec![]), &[]).await.unwrap();
    let mut desired = table("orders", vec![index("a", "owner", None, All)]);
    desired.create.key_schema = support::schema("PK", None);
    let error = texts(engine.as_ref(), &desired, &[]).await.unwrap_err();
    let ApplyError::Impossible { obstacles } = error else { panic!("{error}") };
    assert_eq!(
        obstacles,
        [
            "the keys of a table cannot change: the table has partition PK (S), sort SK (S) but should have partition PK (S)"
        ]
    );
    assert!(engine.describe_table("orders".to_owned()).await.unwrap().global_indexes.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_attribute_to_expire_by() {
    let engine = engine();
    let mut desired = table("orders", vec![]);
    texts(engine.as_ref(), &desired, &[]).await.unwrap();
    expire_by(engine.as_ref(), "orders", "old").await;
    desired.time_to_live = Some("until".to_owned());
    let done = texts(engine.as_ref(), &desired, &[]).await.unwrap();
    assert_eq!(done, ["stop expiring items by `old`", "expire items by `until`"]);
    let expiry = engine.describe_time_to_live("orders".to_owned()).await.unwrap();
    assert_eq!(expiry.attribute_name.as_deref(), Some("until"));
}
