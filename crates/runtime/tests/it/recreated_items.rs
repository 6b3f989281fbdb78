//! An item that is deleted and created again while a write is planned on the first one: the write is planned again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::shop::{assert_in_step, get};
use crate::support::*;
use keyfold_dynamo::BackendFuture;
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// The verb of the write that is held up.
#[derive(Clone, Copy, Debug)]
enum Held {
    Patch,
    Put,
    Delete,
}

/// Holds up the first request that writes until it is let go.
#[derive(Default)]
struct HoldWrite {
    held: AtomicBool,
    reached: Notify,
    go: Notify,
}

impl Hook for HoldWrite {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            let writes = !matches!(call.name(), "GetItem" | "Query");
            if writes && !self.held.swap(true, Ordering::SeqCst) {
                self.reached.notify_one();
                self.go.notified().await;
            }
            Ok(())
        })
    }
}

async fn library() -> World<HoldWrite> {
    let world = World::new(shop(), HoldWrite::default()).await;
    for id in ["a", "z"] {
        world.given("Author", json!({"authorId": id, "name": id})).await;
    }
    world.given("Shelf", json!({"shelfId": "s", "label": "x"})).await;
    for id in ["b", "c", "d"] {
        world.given("Book", json!({"bookId": id, "authorId": "a", "title": "Red", "isbn": id, "tags": ["t1"]})).await;
    }
    world.given("Loan", json!({"loanId": "l", "bookId": "b", "reader": "Eve"})).await;
    world.given("Note", json!({"bookId": "b", "noteId": "n", "text": "good", "slug": "u1"})).await;
    world
}

async fn write(
    world: &World<HoldWrite>,
    entity: &'static str,
    held: Held,
    given: Value,
) -> Result<Option<Record>, Error> {
    let given = world.attributes(entity, given);
    let runtime = Arc::clone(&world.runtime);
    let caller = superuser();
    match held {
        Held::Patch => runtime.patch(&caller, entity, given, PatchOptions::default()).await.map(Some),
        Held::Put => runtime.put(&caller, entity, given).await.map(Some),
        Held::Delete => runtime.delete(&caller, entity, given, DeleteOptions::default()).await.map(|()| None),
    }
}

/// Holds up a write, deletes its item and creates it again, and lets the write go on.
async fn recreate(entity: &'static str, held: Held, given: Value, identity: Value, new: Value, later_ms: u64) {
    let story = format!("{held:?} {entity} {given}, {later_ms} ms later");
    let world = library().await;
    let others = async {
        world.hook().reached.notified().await;
        let identity = world.attributes(entity, identity);
        world.plain.delete(&superuser(), entity, identity, DeleteOptions::default()).await.unwrap();
        world.clock.advance(later_ms);
        world.given(entity, new).await;
        world.hook().go.notify_one();
    };
    let (outcome, ()) = tokio::join!(write(&world, entity, held, given), others);
    let record = outcome.unwrap_or_else(|error| panic!("{story}: {error}"));
    let table = world.table().await;
    assert_in_step(table.clone(), &|| story.clone());
    if let Some(record) = record {
        let (partition, sort) = match entity {
            "Note" => ("BOOK#b".to_owned(), "NOTE#n".to_owned()),
            entity => (
                format!("{}#{}", entity.to_uppercase(), if entity == "Loan" { "l" } else { "d" }),
                "METADATA".to_owned(),
            ),
        };
        let stored = &table[&format!("{partition} | {sort}")];
        for (name, value) in &record.attributes {
            assert_eq!(stored.get(name), Some(value), "`{name}` of {story}: {}", get(stored, name));
        }
    }
}

#[tokio::test]
async fn lookups_derived_items_and_keys_follow_the_new_item() {
    let new =
        json!({"bookId": "d", "authorId": "z", "shelfId": "s", "title": "Green", "isbn": "other", "tags": ["t2"]});
    for later_ms in [0, 1] {
        let patches =
            [json!({"title": "Blue"}), json!({"tags": ["t3"]}), json!({"isbn": "mine"}), json!({"authorId": "z"})];
        for patch in patches {
            let mut given = object(patch);
            given.insert("bookId".to_owned(), json!("d"));
            recreate_book(Held::Patch, Value::Object(given), new.clone(), later_ms).await;
        }
        let put = json!({"bookId": "d", "authorId": "a", "title": "Blue", "pages": 7});
        recreate_book(Held::Put, put, new.clone(), later_ms).await;
    }
}

async fn recreate_book(held: Held, given: Value, new: Value, later_ms: u64) {
    recreate("Book", held, given, json!({"bookId": "d"}), new, later_ms).await;
}

#[tokio::test]
async fn counters_follow_the_new_item() {
    let new = json!({"loanId": "l", "bookId": "d", "reader": "Eve"});
    for later_ms in [0, 1] {
        for (held, given) in [
            (Held::Patch, json!({"loanId": "l", "bookId": "c"})),
            (Held::Put, json!({"loanId": "l", "bookId": "c", "reader": "Eve"})),
            (Held::Delete, json!({"loanId": "l"})),
        ] {
            recreate("Loan", held, given, json!({"loanId": "l"}), new.clone(), later_ms).await;
        }
    }
}

#[tokio::test]
async fn items_without_a_version_are_compared_as_before() {
    let identity = json!({"bookId": "b", "noteId": "n"});
    let new = json!({"bookId": "b", "noteId": "n", "text": "bad", "slug": "u2"});
    let given = json!({"bookId": "b", "noteId": "n", "slug": "u3"});
    recreate("Note", Held::Patch, given, identity.clone(), new.clone(), 0).await;
    recreate("Note", Held::Delete, identity.clone(), identity, new, 0).await;
}
