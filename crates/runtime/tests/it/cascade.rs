//! Deletes of more than a transaction takes: in steps, and whole again after any of them was cut short.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::shop::assert_in_step;
use crate::support::*;
use keyfold_dynamo::{BackendFuture, ServiceError};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, QueryOptions, Runtime};
use serde_json::json;

const BOOKS: usize = 60;
const CASCADE: DeleteOptions = DeleteOptions { expected_version: None, cascade: true };

/// Carries out some writes; then nothing goes through any more.
struct Cut {
    after: usize,
    writes: AtomicUsize,
    /// The last write is carried out, and its answer lost.
    loses_answer: bool,
    largest: AtomicUsize,
}

impl Cut {
    fn after(after: usize, loses_answer: bool) -> Self {
        Self { after, writes: AtomicUsize::new(0), loses_answer, largest: AtomicUsize::new(0) }
    }

    fn never() -> Self {
        Self::after(usize::MAX, false)
    }

    fn is_cut(&self) -> bool {
        self.writes.load(Ordering::SeqCst) >= self.after
    }
}

fn lost() -> ServiceError {
    ServiceError::Unavailable("the connection is gone".to_owned())
}

impl Hook for Cut {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            if self.is_cut() {
                return Err(lost());
            }
            if call.is_write() {
                self.largest.fetch_max(call.actions(), Ordering::SeqCst);
            }
            if call.is_write() && !self.loses_answer {
                self.writes.fetch_add(1, Ordering::SeqCst);
            }
            Ok(())
        })
    }

    fn after(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            if call.is_write() && self.loses_answer && self.writes.fetch_add(1, Ordering::SeqCst) + 1 >= self.after {
                return Err(lost());
            }
            Ok(())
        })
    }
}

/// A shelf with many books, each with a note and every third with a loan.
async fn library(cut: Cut) -> World<Cut> {
    library_of(BOOKS, cut).await
}

async fn library_of(books: usize, cut: Cut) -> World<Cut> {
    let world = World::new(shop(), cut).await;
    world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
    world.given("Shelf", json!({"shelfId": "s", "label": "x"})).await;
    world.given("Shelf", json!({"shelfId": "t", "label": "y"})).await;
    world.given("Book", json!({"bookId": "other", "authorId": "a", "title": "Red", "shelfId": "t"})).await;
    for number in 0..books {
        let book = json!({
            "bookId": format!("b{number:02}"), "authorId": "a", "shelfId": "s", "title": "Red", "isbn": format!("i{number}"),
        });
        world.given("Book", book).await;
        let note = json!({"bookId": format!("b{number:02}"), "noteId": "n", "text": "x", "slug": format!("s{number}")});
        world.given("Note", note).await;
        if number % 3 == 0 {
            let loan = json!({"loanId": format!("l{number:02}"), "bookId": format!("b{number:02}"), "reader": "Eve"});
            world.given("Loan", loan).await;
        }
    }
    world
}

async fn delete(world: &World<Cut>, runtime: &Runtime) -> Result<(), Error> {
    runtime.delete(&superuser(), "Shelf", world.attributes("Shelf", json!({"shelfId": "s"})), CASCADE).await
}

/// Whatever is shown is whole.
async fn assert_whole(world: &World<Cut>, place: &str) {
    let shelf = world.get("Shelf", json!({"shelfId": "s"})).await;
    let arguments = arguments(&world.design, "shelf with books", json!({"shelfId": "s"}));
    let options = QueryOptions { take: Some(1000), ..QueryOptions::default() };
    let page = world.plain.query(&superuser(), "shelf with books", arguments, &options).await.unwrap();
    let listed = page.records.iter().any(|record| world.design[record.entity].name == "Shelf");
    assert_eq!(listed, shelf.is_some(), "{place}");
    let mut shown = 0;
    for number in 0..BOOKS {
        let id = format!("b{number:02}");
        let Some(book) = world.get("Book", json!({"bookId": id})).await else { continue };
        shown += 1;
        let note = world.get("Note", json!({"bookId": id, "noteId": "n"})).await;
        assert!(note.is_some(), "{id} is shown without its note: {place}");
        if number % 3 == 0 {
            let loan = world.get("Loan", json!({"loanId": format!("l{number:02}")})).await;
            assert!(loan.is_some(), "{id} is shown without its loan: {place}");
            assert_eq!(book["loanCount"], json!(1), "{place}");
        }
    }
    if let Some(shelf) = shelf {
        assert_eq!(shown, BOOKS, "the shelf is shown without some of its books: {place}");
        assert_eq!(shelf["bookCount"], json!(BOOKS), "{place}");
    }
}

/// Nothing is left but what has nothing to do with it.
async fn assert_gone(world: &World<Cut>, place: &str) {
    let table = world.table().await;
    let keys: Vec<&str> = table.keys().map(String::as_str).collect();
    assert_eq!(
        keys.iter().filter(|key| key.starts_with("BOOK#") || key.starts_with("LOAN#")).count(),
        1,
        "{place}: {keys:?}"
    );
    assert_eq!(keys.iter().filter(|key| key.starts_with("SHELF#")).count(), 2, "{place}: {keys:?}");
    assert_eq!(world.get("Author", json!({"authorId": "a"})).await.unwrap()["bookCount"], json!(1), "{place}");
    assert_in_step(table.clone(), &|| place.to_owned());
}

#[tokio::test]
async fn a_large_cascade_goes_in_steps() {
    let world = library(Cut::never()).await;
    delete(&world, &world.runtime).await.unwrap();
    assert_gone(&world, "in one go").await;
    let largest = world.hook().largest.load(Ordering::SeqCst);
    assert!((50..=100).contains(&largest), "{largest} actions in a transaction");
    let again = delete(&world, &world.runtime).await;
    assert_eq!(again, Err(Error::NotFound { entity: "Shelf".to_owned(), identity: "shelfId=s".to_owned() }));
}

async fn cut_everywhere(loses_answer: bool) {
    let mut cuts = 0;
    for after in 1.. {
        let world = library(Cut::after(after, loses_answer)).await;
        let outcome = delete(&world, &world.runtime).await;
        let place = format!("cut after {after} writes, answer lost: {loses_answer}: {outcome:?}");
        if !world.hook().is_cut() {
            assert_eq!(outcome, Ok(()), "{place}");
            break;
        }
        cuts += 1;
        assert_whole(&world, &place).await;
        match delete(&world, &world.plain).await {
            Ok(()) => {}
            // The whole delete was carried out.
            Err(Error::NotFound { .. }) => assert!(loses_answer || outcome.is_ok(), "{place}"),
            // Only looked at so far: the marks of the call that was cut are believed for a while.
            Err(Error::Conflict { .. }) => {
                assert!(world.get("Shelf", json!({"shelfId": "s"})).await.is_some(), "{place}");
                assert_whole(&world, &place).await;
                world.clock.advance(31_000);
                delete(&world, &world.plain).await.unwrap_or_else(|error| panic!("{error}: {place}"));
            }
            Err(error) => panic!("{error}: {place}"),
        }
        assert_gone(&world, &place).await;
    }
    assert!(cuts > BOOKS + 4, "only {cuts} writes");
}

#[tokio::test]
async fn a_cascade_interrupted_after_any_write_can_be_resumed() {
    cut_everywhere(false).await;
}

#[tokio::test]
async fn a_cascade_interrupted_by_a_lost_response_can_be_resumed() {
    cut_everywhere(true).await;
}

/// Of books that are read in several pages, some may be gone while the next page is still to be read.
#[tokio::test]
async fn a_cascade_over_several_pages_can_be_resumed() {
    let books = 230;
    let marks = books + 1;
    for after in [marks, marks + 1, marks + 2, marks + 3, marks + 5, marks + 8, marks + 12, usize::MAX] {
        let world = library_of(books, Cut::after(after, false)).await;
        let outcome = delete(&world, &world.runtime).await;
        let place = format!("cut after {after} writes: {outcome:?}");
        assert_eq!(outcome.is_ok(), after == usize::MAX, "{place}");
        // Whatever of the books is shown has its note.
        let table = world.table().await;
        for number in 0..books {
            let id = format!("b{number:02}");
            let is_shown = world.get("Book", json!({"bookId": id})).await.is_some();
            assert!(!is_shown || table.contains_key(&format!("BOOK#{id} | NOTE#n")), "{id}: {place}");
        }
        if outcome.is_err() {
            if after == marks {
                world.clock.advance(31_000);
            }
            delete(&world, &world.plain).await.unwrap_or_else(|error| panic!("{error}: {place}"));
        }
        assert_gone(&world, &place).await;
    }
}

const PARTS: &str = "
design: parts
table: parts
indexes:
  GSI1: {purpose: the parts of a part}
  GSI2: {purpose: the parts next to a part}
entities:
  Part:
    PK: PART#<partId>
    SK: METADATA
    GSI1PK: WITHIN#<within>
    GSI1SK: <partId>
    GSI2PK: BESIDE#<beside>
    GSI2SK: <partId>
    attributes:
      partId: string
      within: string, optional, refers to Part, deleted with it, counted as partCount
      beside: string, optional, refers to Part, deleted with it, counted as partCount
      partCount: integer, default 0
patterns:
  parts within: GSI1PK = WITHIN#<within>
  parts beside: GSI2PK = BESIDE#<beside>
allow:
  - signed in: everything
";

/// Each part is within the one before and beside the one before that, and the first is within the last: every part can
/// be reached in many ways, also from itself.
#[tokio::test]
async fn a_cascade_deletes_items_that_refer_to_each_other_once() {
    for parts in [5, 40, 150] {
        let world = World::new(design(PARTS), Recorder::default()).await;
        let id = |number: usize| format!("p{number:03}");
        for number in 0..parts {
            let mut part = json!({"partId": id(number)});
            if number >= 1 {
                part["within"] = json!(id(number - 1));
            }
            if number >= 2 {
                part["beside"] = json!(id(number - 2));
            }
            world.given("Part", part).await;
        }
        let first = world.attributes("Part", json!({"partId": id(0), "within": id(parts - 1)}));
        world.plain.patch(&superuser(), "Part", first, PatchOptions::default()).await.unwrap();
        world.given("Part", json!({"partId": "other"})).await;
        world.hook().take();
        let middle = world.attributes("Part", json!({"partId": id(parts / 2)}));
        world.runtime.delete(&superuser(), "Part", middle, DeleteOptions::default()).await.unwrap();
        assert_eq!(world.table().await.into_keys().collect::<Vec<_>>(), ["PART#other | METADATA"], "{parts} parts");
        // Each part is asked once for those that refer to it, and once more if they are deleted in steps.
        let queries = world.hook().take().iter().filter(|call| matches!(call, Call::Query(_))).count();
        assert_eq!(queries, parts * 2 * if parts > 100 { 2 } else { 1 }, "{parts} parts");
    }
}

const BOXES: &str = "
design: boxes
table: boxes
indexes:
  GSI1: {purpose: what is in a box}
entities:
  Box:
    plural: Boxes
    delete: cascade when asked
    PK: BOX#<boxId>
    SK: METADATA
    attributes: {boxId: string}
  Slot:
    PK: SLOT#<slotId>
    SK: METADATA
    GSI1PK: BOX#<boxId>
    GSI1SK: SLOT#<slotId>
    attributes: {slotId: string, boxId: 'string, refers to Box', labelCount: 'integer, default 0'}
  Sheet:
    PK: SHEET#<sheetId>
    SK: METADATA
    GSI1PK: BOX#<boxId>
    GSI1SK: SHEET#<sheetId>
    attributes: {sheetId: string, boxId: 'string, optional, refers to Box'}
  Label:
    PK: SHEET#<sheetId>
    SK: LABEL#<slotId>
    attributes:
      sheetId: string, refers to Sheet, deleted with it
      slotId: string, refers to Slot, counted as labelCount
patterns:
  contents: GSI1PK = BOX#<boxId> -> Slot, Sheet
  sheet: PK = SHEET#<sheetId> -> Sheet, Label
allow:
  - signed in: everything
";

/// No key leads from a slot to its labels; it only counts them.
#[tokio::test]
async fn an_item_outside_a_large_cascade_prevents_it() {
    let world = World::new(design(BOXES), Nothing).await;
    world.given("Box", json!({"boxId": "b"})).await;
    world.given("Sheet", json!({"sheetId": "inside", "boxId": "b"})).await;
    world.given("Sheet", json!({"sheetId": "outside"})).await;
    for number in 0..60 {
        let slot = format!("s{number:02}");
        world.given("Slot", json!({"slotId": slot, "boxId": "b"})).await;
        world.given("Label", json!({"sheetId": "inside", "slotId": slot})).await;
    }
    let outside = json!({"sheetId": "outside", "slotId": "s07"});
    world.given("Label", outside.clone()).await;
    let before = world.table().await;
    let delete = async || {
        world.runtime.delete(&superuser(), "Box", world.attributes("Box", json!({"boxId": "b"})), CASCADE).await
    };
    let refused = delete().await;
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    assert_eq!(world.table().await, before, "nothing is deleted, and no mark is left");
    let outside = world.attributes("Label", outside);
    world.plain.delete(&superuser(), "Label", outside, DeleteOptions::default()).await.unwrap();
    delete().await.unwrap();
    assert_eq!(world.table().await.into_keys().collect::<Vec<_>>(), ["SHEET#outside | METADATA"]);
}

#[tokio::test]
async fn an_item_being_deleted_cannot_be_used() {
    // Behind the marks of the shelf and its books the first step begins.
    for after in BOOKS + 2..BOOKS + 6 {
        let world = library(Cut::after(after, false)).await;
        delete(&world, &world.runtime).await.unwrap_err();
        if world.get("Shelf", json!({"shelfId": "s"})).await.is_some() {
            continue;
        }
        let before = world.table().await;
        let runtime = &world.plain;
        let shelf = |label: &str| world.attributes("Shelf", json!({"shelfId": "s", "label": label}));
        let patched = runtime.patch(&superuser(), "Shelf", shelf("new"), PatchOptions::default()).await;
        assert!(matches!(patched, Err(Error::NotFound { .. } | Error::Conflict { .. })), "{patched:?}");
        let created = runtime.create(&superuser(), "Shelf", shelf("new")).await;
        assert!(matches!(created, Err(Error::Exists { .. })), "{created:?}");
        let put = runtime.put(&superuser(), "Shelf", shelf("new")).await;
        assert!(matches!(put, Err(Error::Exists { .. } | Error::Conflict { .. })), "{put:?}");
        let book = world.attributes("Book", json!({"bookId": "new", "authorId": "a", "title": "Red", "shelfId": "s"}));
        let refers = runtime.create(&superuser(), "Book", book).await;
        assert!(matches!(refers, Err(Error::Conflict { .. })), "{refers:?}");
        // However long it takes: what is going does not come back.
        world.clock.advance(3_600_000);
        let late = world.attributes("Book", json!({"bookId": "new", "authorId": "a", "title": "Red", "shelfId": "s"}));
        assert!(runtime.create(&superuser(), "Book", late).await.is_err());
        assert_eq!(world.table().await, before);
        // It was asked for once, and need not be asked for again.
        let identity = world.attributes("Shelf", json!({"shelfId": "s"}));
        runtime.delete(&superuser(), "Shelf", identity, DeleteOptions::default()).await.unwrap();
        assert_gone(&world, "after attempts to use it").await;
    }
}

#[tokio::test]
async fn stale_marks_are_cleared_by_whoever_comes_next() {
    let marked = async || {
        let world = library(Cut::after(1, false)).await;
        delete(&world, &world.runtime).await.unwrap_err();
        assert!(world.table().await["SHELF#s | METADATA"].contains_key("kf_delete"));
        world
    };
    let shelf = json!({"shelfId": "s", "label": "new"});
    let book = json!({"bookId": "new", "authorId": "a", "title": "Red", "shelfId": "s"});
    // A patch of the item, and a new item that refers to it.
    for (entity, value) in [("Shelf", shelf), ("Book", book)] {
        let world = marked().await;
        let write = async || {
            let attributes = world.attributes(entity, value.clone());
            match entity {
                "Shelf" => world.plain.patch(&superuser(), entity, attributes, PatchOptions::default()).await,
                _ => world.plain.create(&superuser(), entity, attributes).await,
            }
        };
        let early = write().await;
        assert!(matches!(early, Err(Error::Conflict { .. })), "{early:?}");
        world.clock.advance(29_000);
        assert!(write().await.is_err());
        world.clock.advance(2_000);
        write().await.unwrap();
        assert!(!world.table().await["SHELF#s | METADATA"].contains_key("kf_delete"));
    }
    // A refused delete takes its own mark away.
    let world = library(Cut::never()).await;
    let refused = world
        .runtime
        .delete(&superuser(), "Shelf", world.attributes("Shelf", json!({"shelfId": "s"})), DeleteOptions::default())
        .await;
    assert_eq!(violated(refused), "Book.shelfId");
    assert!(world.table().await.values().all(|item| !item.contains_key("kf_delete")));
}

#[tokio::test]
async fn concurrent_deletes_of_one_item_delete_it_once() {
    let world = library(Cut::never()).await;
    let mut tasks = Vec::new();
    for _ in 0..4 {
        let runtime = Arc::clone(&world.runtime);
        let identity = world.attributes("Shelf", json!({"shelfId": "s"}));
        tasks.push(tokio::spawn(async move { runtime.delete(&superuser(), "Shelf", identity, CASCADE).await }));
    }
    for task in tasks {
        match task.await.unwrap() {
            Ok(()) | Err(Error::NotFound { .. } | Error::Conflict { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    match delete(&world, &world.plain).await {
        Ok(()) | Err(Error::NotFound { .. }) => {}
        Err(error) => panic!("{error}"),
    }
    assert_gone(&world, "by several at once").await;
}

/// Two resumptions of an interrupted delete do not count anything twice.
#[tokio::test]
async fn concurrent_resumptions_complete_the_delete() {
    for after in BOOKS + 3..BOOKS + 7 {
        let world = library(Cut::after(after, false)).await;
        delete(&world, &world.runtime).await.unwrap_err();
        let other = Arc::new(runtime_with_clock(&world.design, Arc::clone(&world.engine), &world.clock));
        let mut tasks = Vec::new();
        for _ in 0..3 {
            let runtime = Arc::clone(&other);
            let identity = world.attributes("Shelf", json!({"shelfId": "s"}));
            tasks.push(tokio::spawn(async move { runtime.delete(&superuser(), "Shelf", identity, CASCADE).await }));
        }
        for task in tasks {
            drop(task.await.unwrap());
        }
        world.clock.advance(31_000);
        drop(delete(&world, &world.plain).await);
        assert_gone(&world, &format!("resumed after {after} writes")).await;
    }
}
