//! Writes to other tables that happen with a change, or not at all.

use std::collections::BTreeMap;

use crate::support::*;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{ScanInput, TransactWrite, TransactWriteKind};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Item};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record, SideWrites, Write};
use serde_json::json;

/// Notes what a change left, under a name that can be used once.
struct Note<'a>(&'a str);

impl SideWrites for Note<'_> {
    fn writes(&self, left: &[Option<Record>]) -> Result<Vec<TransactWrite>, Error> {
        let title = left.first().and_then(|record| record.as_ref()?.attributes.get("title")?.as_str());
        let item = [("PK", self.0), ("SK", "note"), ("title", title.unwrap_or("gone"))]
            .map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned())));
        Ok(vec![TransactWrite {
            table_name: "notes".to_owned(),
            kind: TransactWriteKind::Put { item: item.into() },
            condition: Some(Condition::attribute_not_exists("PK")),
            return_old_on_failure: true,
        }])
    }

    fn removal(&self, removed: &Record) -> Result<Vec<TransactWrite>, Error> {
        let id = removed.attributes["bookId"].as_str().unwrap();
        let item = [("PK", id), ("SK", "note"), ("title", "gone too")]
            .map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned())));
        Ok(vec![TransactWrite {
            table_name: "notes".to_owned(),
            kind: TransactWriteKind::Put { item: item.into() },
            condition: None,
            return_old_on_failure: false,
        }])
    }
}

/// The books that a transaction deletes, and those that it notes.
fn deleted_and_noted(writes: &[TransactWrite]) -> (Vec<String>, Vec<String>) {
    let text = |item: &Attributes| item["PK"].as_str().unwrap().to_owned();
    let (mut deleted, mut noted) = (Vec::new(), Vec::new());
    for write in writes {
        match &write.kind {
            TransactWriteKind::Delete { key } if key["SK"].as_str() == Some("METADATA") => {
                deleted.extend(text(key).strip_prefix("BOOK#").map(str::to_owned));
            }
            TransactWriteKind::Put { item } if write.table_name == "notes" && text(item) != "1" => {
                noted.push(text(item))
            }
            _ => {}
        }
    }
    deleted.sort();
    noted.sort();
    (deleted, noted)
}

async fn bookshop() -> World<Recorder> {
    let world = World::new(shop(), Recorder::default()).await;
    let mut notes = world.design.create_table();
    notes.table_name = "notes".to_owned();
    world.engine.create_table(notes).await.unwrap();
    world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
    world.given("Shelf", json!({"shelfId": "s", "label": "x"})).await;
    world.given("Book", json!({"bookId": "b", "authorId": "a", "shelfId": "s", "title": "One"})).await;
    world
}

async fn notes(backend: &dyn Backend) -> BTreeMap<String, String> {
    let output = backend.scan(ScanInput { table_name: "notes".to_owned(), ..ScanInput::default() }).await.unwrap();
    let items = output.items.unwrap().into_iter().map(|item| Item::into_attributes(item).unwrap());
    let text = |item: &Attributes, name: &str| item[name].as_str().unwrap().to_owned();
    items.map(|item| (text(&item, "PK"), text(&item, "title"))).collect()
}

fn patch(world: &World<Recorder>, title: &str) -> Vec<Write> {
    let attributes = world.attributes("Book", json!({"bookId": "b", "title": title}));
    vec![Write::Patch { entity: "Book".to_owned(), attributes, options: PatchOptions::default() }]
}

#[tokio::test]
async fn side_writes_are_part_of_the_transaction() {
    let world = bookshop().await;
    let records = world.runtime.transact_with(&superuser(), patch(&world, "Two"), &Note("1")).await.unwrap();
    assert_eq!(records[0].as_ref().unwrap().attributes["title"].as_str(), Some("Two"));
    assert_eq!(notes(world.engine.as_ref()).await, BTreeMap::from([("1".to_owned(), "Two".to_owned())]));
    // A patch that needs no look is made with one: the note tells what it left.
    let pages = world.attributes("Book", json!({"bookId": "b", "pages": 7}));
    let pages = Write::Patch { entity: "Book".to_owned(), attributes: pages, options: PatchOptions::default() };
    world.hook().take();
    world.runtime.transact_with(&superuser(), vec![pages], &Note("2")).await.unwrap();
    assert_eq!(world.hook().names(), ["GetItem", "TransactWriteItems"]);
    assert_eq!(notes(world.engine.as_ref()).await["2"], "Two");
}

#[tokio::test]
async fn a_rejected_side_write_prevents_the_change() {
    let world = bookshop().await;
    world.runtime.transact_with(&superuser(), patch(&world, "Two"), &Note("1")).await.unwrap();
    let before = world.table().await;
    let refused = world.runtime.transact_with(&superuser(), patch(&world, "Three"), &Note("1")).await;
    let Err(Error::SideWriteFailed { index: 0, item: Some(item) }) = refused else { panic!("{refused:?}") };
    assert_eq!(item["title"].as_str(), Some("Two"), "the note that is there");
    assert_eq!(world.table().await, before);
    // And a change that is refused leaves no note.
    let nobody = world.attributes("Book", json!({"bookId": "b", "authorId": "nobody"}));
    let nobody = Write::Patch { entity: "Book".to_owned(), attributes: nobody, options: PatchOptions::default() };
    assert_eq!(violated(world.runtime.transact_with(&superuser(), vec![nobody], &Note("2")).await), "authorId");
    assert_eq!(notes(world.engine.as_ref()).await.len(), 1);
}

#[tokio::test]
async fn side_writes_of_a_delete_are_part_of_its_last_transaction() {
    for books in [3, 120] {
        let world = bookshop().await;
        for number in 0..books {
            let book = json!({"bookId": format!("x{number}"), "authorId": "a", "shelfId": "s", "title": "Many"});
            world.given("Book", book).await;
        }
        let shelf = || world.attributes("Shelf", json!({"shelfId": "s"}));
        let plainly = DeleteOptions::default();
        let refused = world.runtime.delete_with(&superuser(), "Shelf", shelf(), plainly, &Note("1")).await;
        assert_eq!(violated(refused), "Book.shelfId");
        assert!(notes(world.engine.as_ref()).await.is_empty());
        world.hook().take();
        let cascade = DeleteOptions { cascade: true, ..plainly };
        world.runtime.delete_with(&superuser(), "Shelf", shelf(), cascade, &Note("1")).await.unwrap();
        assert_eq!(notes(world.engine.as_ref()).await["1"], "gone");
        let calls = world.hook().take();
        let transactions = calls.iter().filter_map(|call| match call {
            Call::Transact(input) => Some(deleted_and_noted(&input.writes)),
            _ => None,
        });
        let all: usize = transactions.map(|(deleted, noted)| (assert_eq!(deleted, noted), deleted.len()).1).sum();
        assert_eq!(all, books + 1, "every book was noted in the transaction that deleted it");
        assert!(world.table().await.keys().all(|key| !key.starts_with("BOOK#") && !key.starts_with("SHELF#")));
    }
}
