//! Items that are deleted with another need no permission, but nothing may forbid their delete.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::support::*;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes, Backend, BackendFuture, ServiceError};
use keyfold_runtime::{Access, Authorizer, Caller, Decision, DeleteOptions, Error, Options, Runtime};
use serde_json::json;

const CASCADE: DeleteOptions = DeleteOptions { expected_version: None, cascade: true };

/// Allows everything, and forbids everyone to delete notes that say `locked`.
struct LockedNotes;

impl Authorizer for LockedNotes {
    fn decide(&self, _: &Access<'_>) -> Decision {
        Decision::Allowed
    }

    fn decide_item(&self, _: &Access<'_>, _: &Attributes) -> bool {
        true
    }

    fn forbids(&self, access: &Access<'_>, item: Option<&Attributes>) -> Option<bool> {
        if access.entity.name != "Note" {
            return Some(false);
        }
        item.map(|item| item.get("text").and_then(AttributeValue::as_str) == Some("locked"))
    }
}

/// Locks a note before the first transaction, or lets nothing through after some writes.
#[derive(Default)]
struct Disturbance {
    note: Mutex<Option<Attributes>>,
    engine: OnceLock<Arc<dyn Backend>>,
    cut_after: Option<usize>,
    writes: AtomicUsize,
}

impl Hook for Disturbance {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            let count = if call.is_write() { self.writes.fetch_add(1, Ordering::SeqCst) } else { 0 };
            if self.cut_after.is_some_and(|cut| count >= cut) {
                return Err(ServiceError::Unavailable("the connection is gone".to_owned()));
            }
            let note = if matches!(call, Call::Transact(_)) { self.note.lock().unwrap().take() } else { None };
            if let (Some(note), Some(engine)) = (note, self.engine.get()) {
                put(engine.as_ref(), note).await;
            }
            Ok(())
        })
    }
}

async fn put(engine: &dyn Backend, item: Attributes) {
    let table_name = shop().table.name.clone();
    engine.put_item(PutItemInput { table_name, item, ..PutItemInput::default() }).await.unwrap();
}

/// A shelf with books, each with a note.
async fn library(books: usize, hook: Disturbance) -> World<Disturbance> {
    let world = World::new(shop(), hook).await;
    world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
    world.given("Shelf", json!({"shelfId": "s", "label": "x"})).await;
    for number in 0..books {
        let id = format!("b{number:02}");
        world.given("Book", json!({"bookId": id, "authorId": "a", "shelfId": "s", "title": "Red"})).await;
        world.given("Note", json!({"bookId": id, "noteId": "n", "text": "free"})).await;
    }
    world
}

fn runtime(world: &World<Disturbance>, backend: Arc<dyn Backend>) -> Runtime {
    let standard = Options::standard(&world.design).unwrap();
    let options = Options { authorizer: Arc::new(LockedNotes), clock: Arc::clone(&world.clock) as _, ..standard };
    Runtime::new(Arc::clone(&world.design), backend, options)
}

async fn delete_shelf(world: &World<Disturbance>, runtime: &Runtime) -> Result<(), Error> {
    let eve = Caller { subject: Some("eve".to_owned()), ..Caller::default() };
    runtime.delete(&eve, "Shelf", world.attributes("Shelf", json!({"shelfId": "s"})), CASCADE).await
}

async fn locked(world: &World<Disturbance>, book: &str) -> Attributes {
    let mut note = world.table().await[&format!("BOOK#{book} | NOTE#n")].clone();
    note.insert("text".to_owned(), AttributeValue::S("locked".to_owned()));
    note
}

fn forbidden() -> Error {
    let message = "a policy forbids `eve` to delete a Note that would be deleted with this Shelf";
    Error::NotAllowed(message.to_owned())
}

#[tokio::test]
async fn one_forbidden_item_prevents_the_whole_delete() {
    for books in [3, 60] {
        let world = library(books, Disturbance::default()).await;
        put(world.engine.as_ref(), locked(&world, "b01").await).await;
        let before = world.table().await;
        let runtime = runtime(&world, Arc::clone(&world.engine));
        assert_eq!(delete_shelf(&world, &runtime).await, Err(forbidden()));
        assert_eq!(world.table().await, before, "nothing is deleted, and no mark is left");
    }
}

#[tokio::test]
async fn the_last_of_many_items_prevents_the_whole_delete() {
    let world = library(130, Disturbance::default()).await;
    // The last key of the shelf's books.
    put(world.engine.as_ref(), locked(&world, "b99").await).await;
    let before = world.table().await;
    let runtime = runtime(&world, Arc::clone(&world.engine));
    assert_eq!(delete_shelf(&world, &runtime).await, Err(forbidden()));
    assert_eq!(world.table().await, before, "nothing is deleted, and no mark is left");
    let mut free = locked(&world, "b99").await;
    free.insert("text".to_owned(), AttributeValue::S("free".to_owned()));
    put(world.engine.as_ref(), free).await;
    delete_shelf(&world, &runtime).await.unwrap();
    assert!(world.table().await.keys().all(|key| !key.starts_with("BOOK#") && !key.starts_with("SHELF#")));
}

#[tokio::test]
async fn an_item_that_changes_after_its_decision_is_decided_again() {
    let world = library(3, Disturbance::default()).await;
    let hook = world.hook();
    hook.engine.set(Arc::clone(&world.engine)).ok().unwrap();
    let note = locked(&world, "b01").await;
    *hook.note.lock().unwrap() = Some(note.clone());
    let mut expected = world.table().await;
    expected.insert("BOOK#b01 | NOTE#n".to_owned(), note);
    let runtime = runtime(&world, Arc::clone(&world.watched) as _);
    assert_eq!(delete_shelf(&world, &runtime).await, Err(forbidden()));
    assert_eq!(world.table().await, expected);
}

#[tokio::test]
async fn a_resumed_delete_is_not_decided_again() {
    // The marks of the shelf and its books, two requests that begin the deletion, and one step.
    let world = library(60, Disturbance { cut_after: Some(64), ..Disturbance::default() }).await;
    let cut = runtime(&world, Arc::clone(&world.watched) as _);
    let refused = delete_shelf(&world, &cut).await;
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    let left: Vec<String> = world.table().await.into_keys().filter(|key| key.ends_with("| NOTE#n")).collect();
    assert!(!left.is_empty() && left.len() < 60, "{}", left.len());
    let book = left[0].trim_start_matches("BOOK#").trim_end_matches(" | NOTE#n").to_owned();
    put(world.engine.as_ref(), locked(&world, &book).await).await;
    delete_shelf(&world, &runtime(&world, Arc::clone(&world.engine))).await.unwrap();
    assert!(world.table().await.keys().all(|key| !key.starts_with("BOOK#") && !key.starts_with("SHELF#")));
}
