//! The memory of a cascading delete does not depend on the number of items that it deletes. A program of its own, since
//! its allocator counts.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../wire/tests/counting_allocator/mod.rs"]
mod counting_allocator;

use std::sync::{Arc, Mutex};

use counting_allocator::Measurement;
use keyfold_design::Design;
use keyfold_dynamo::expression::{Condition, Printer, Update};
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{AttributeValue, Attributes, Backend, BackendFuture, ForwardingBackend, Number, ServiceError};
use keyfold_engine::Engine;
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_runtime::{Access, Authorizer, Caller, Decision, DeleteOptions, Error, Options, Runtime};

const DESIGN: &str = "
design: library
table: library
indexes:
  GSI1: {purpose: books of a shelf}
entities:
  Shelf:
    plural: Shelves
    delete: cascade when asked
    PK: SHELF#<shelfId>
    SK: METADATA
    attributes: {shelfId: string, bookCount: 'integer, default 0'}
  Book:
    PK: BOOK#<bookId>
    SK: METADATA
    GSI1PK: SHELF#<shelfId>
    GSI1SK: BOOK#<bookId>
    attributes:
      bookId: string
      shelfId: string, refers to Shelf, counted as bookCount
      title: string
  Note:
    PK: BOOK#<bookId>
    SK: NOTE#<noteId>
    attributes:
      bookId: string, refers to Book, deleted with it
      noteId: string
      text: string
patterns:
  books of a shelf: GSI1PK = SHELF#<shelfId>
  book with notes: PK = BOOK#<bookId> -> Book, Note
allow:
  - signed in: everything
";

/// A shelf of books, each with a note, which are made up when they are read: the table takes next to no memory.
struct Library {
    engine: Engine,
    state: Mutex<State>,
}

struct State {
    shelf: Option<Attributes>,
    books: Vec<Book>,
}

#[derive(Clone, PartialEq, Default)]
struct Book {
    is_gone: bool,
    is_without_note: bool,
    mark: Option<Box<str>>,
}

fn item<const N: usize>(texts: [(&str, &str); N]) -> Attributes {
    texts.map(|(name, text)| (name.to_owned(), AttributeValue::S(text.to_owned()))).into()
}

fn number(partition: &str) -> usize {
    partition.strip_prefix("BOOK#").unwrap().parse().unwrap()
}

impl State {
    fn get(&self, key: &Attributes) -> Option<Attributes> {
        let (partition, sort) = (key["PK"].as_str().unwrap(), key["SK"].as_str().unwrap());
        if partition == "SHELF#s" {
            return self.shelf.clone();
        }
        let id = partition.strip_prefix("BOOK#").unwrap();
        let book = &self.books[number(partition)];
        if sort == "METADATA" {
            let mut stored = item([("PK", partition), ("SK", sort), ("GSI1PK", "SHELF#s"), ("GSI1SK", partition)]);
            stored.extend(item([("bookId", id), ("shelfId", "s"), ("title", "Red")]));
            stored.extend(book.mark.as_ref().map(|mark| ("kf_delete".to_owned(), AttributeValue::S(mark.to_string()))));
            return (!book.is_gone).then_some(stored);
        }
        let text = if id.ends_with("999") { "last of a thousand" } else { "free" };
        let note = item([("PK", partition), ("SK", sort), ("bookId", id), ("noteId", "n"), ("text", text)]);
        (!book.is_without_note).then_some(note)
    }

    fn put(&mut self, key: &Attributes, stored: Option<Attributes>) {
        let (partition, sort) = (key["PK"].as_str().unwrap(), key["SK"].as_str().unwrap());
        if partition == "SHELF#s" {
            self.shelf = stored;
            return;
        }
        let book = &mut self.books[number(partition)];
        match (sort, stored) {
            ("METADATA", Some(stored)) => book.mark = stored.get("kf_delete").map(|mark| mark.as_str().unwrap().into()),
            ("METADATA", None) => *book = Book { is_gone: true, mark: None, ..book.clone() },
            (_, None) => book.is_without_note = true,
            (_, Some(_)) => panic!("nobody writes notes"),
        }
    }

    fn require(&self, key: &Attributes, condition: Option<&Condition>) {
        let stored = self.get(key).unwrap_or_default();
        assert!(condition.is_none_or(|condition| condition.matches(&stored)), "nobody else writes: {key:?}");
    }

    fn update(&mut self, key: &Attributes, update: Option<&Update>) -> Attributes {
        let old = self.get(key).unwrap();
        let new = update.map_or(old.clone(), |update| update.apply(&old).unwrap().item);
        self.put(key, Some(new.clone()));
        new
    }

    /// Books through the index, or the note of a book; a thousand where the request has no limit.
    fn query(&self, input: &QueryInput) -> PageOutput {
        let start = input.page.exclusive_start_key.as_ref();
        let key = |book: usize, sort: &str| item([("PK", &format!("BOOK#{book:06}")), ("SK", sort)]);
        let mut printer = Printer::new();
        input.key_condition.print(&mut printer);
        let values = printer.into_aliases().values.unwrap();
        let mut texts = values.values().filter_map(AttributeValue::as_str);
        let (keys, last): (Vec<Attributes>, _) = match input.page.index_name {
            Some(_) => {
                let limit = usize::try_from(input.page.limit.unwrap_or(1000)).unwrap();
                let first = start.map_or(0, |start| number(start["PK"].as_str().unwrap()) + 1);
                let there = (first..self.books.len()).filter(|book| !self.books[*book].is_gone);
                let keys: Vec<Attributes> = there.take(limit).map(|book| key(book, "METADATA")).collect();
                let last = keys.last().filter(|_| keys.len() == limit).cloned();
                (keys, last)
            }
            None => (vec![key(number(texts.find(|text| text.starts_with("BOOK#")).unwrap()), "NOTE#n")], None),
        };
        let items: Vec<_> = keys.iter().filter_map(|key| self.get(key)).map(Into::into).collect();
        let count = items.len();
        let (items, scanned_count) = (Some(items), count);
        PageOutput { items, count, scanned_count, last_evaluated_key: last, consumed_capacity: None }
    }
}

impl ForwardingBackend for Library {
    fn inner(&self) -> &dyn Backend {
        &self.engine
    }

    fn before(&self, operation: &'static str) -> Result<(), ServiceError> {
        panic!("a delete does not send {operation}")
    }

    fn get_item(&self, input: GetItemInput) -> BackendFuture<'_, GetItemOutput> {
        let item = self.state.lock().unwrap().get(&input.key).map(Into::into);
        Box::pin(async { Ok(GetItemOutput { item, consumed_capacity: None }) })
    }

    fn query(&self, input: QueryInput) -> BackendFuture<'_, PageOutput> {
        let page = self.state.lock().unwrap().query(&input);
        Box::pin(async { Ok(page) })
    }

    fn update_item(&self, input: UpdateItemInput) -> BackendFuture<'_, WriteOutput> {
        let mut state = self.state.lock().unwrap();
        state.require(&input.key, input.options.condition.as_ref());
        let attributes = Some(state.update(&input.key, input.update.as_ref()));
        Box::pin(async { Ok(WriteOutput { attributes, ..WriteOutput::default() }) })
    }

    fn delete_item(&self, input: DeleteItemInput) -> BackendFuture<'_, WriteOutput> {
        let mut state = self.state.lock().unwrap();
        state.require(&input.key, input.options.condition.as_ref());
        state.put(&input.key, None);
        Box::pin(async { Ok(WriteOutput::default()) })
    }

    fn transact_write_items(&self, input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        let mut state = self.state.lock().unwrap();
        for write in &input.writes {
            match &write.kind {
                TransactWriteKind::Delete { key } => {
                    state.require(key, write.condition.as_ref());
                    state.put(key, None);
                }
                TransactWriteKind::Update { key, update } => {
                    state.require(key, write.condition.as_ref());
                    state.update(key, Some(update));
                }
                other => panic!("a delete does not send {other:?}"),
            }
        }
        Box::pin(async { Ok(TransactWriteItemsOutput::default()) })
    }
}

/// Forbids everyone to delete notes with a text.
struct Forbidding(&'static str);

impl Authorizer for Forbidding {
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
        item.map(|item| item["text"].as_str() == Some(self.0))
    }
}

/// Deletes a shelf with this many books. Returns the outcome, the bytes that this took at most, and what is left.
async fn delete(books: usize, forbidden: &'static str) -> (Result<(), Error>, usize, State) {
    let design = Arc::new(Design::load("design.yaml", DESIGN).unwrap_or_else(|found| panic!("{found:?}")).0);
    let mut shelf = item([("PK", "SHELF#s"), ("SK", "METADATA"), ("shelfId", "s")]);
    shelf.insert("bookCount".to_owned(), AttributeValue::N(Number::from(books as u64)));
    let state = Mutex::new(State { shelf: Some(shelf), books: vec![Book::default(); books] });
    let library = Arc::new(Library { engine: Engine::in_memory(Default::default()).unwrap(), state });
    let options = Options {
        authorizer: Arc::new(Forbidding(forbidden)),
        clock: Arc::new(ManualClock::default()),
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![7; 32],
        table_name: None,
    };
    let runtime = Runtime::new(design, Arc::clone(&library) as _, options);
    let eve = Caller { subject: Some("eve".to_owned()), ..Caller::default() };
    let cascade = DeleteOptions { expected_version: None, cascade: true };
    let measurement = Measurement::begin();
    let outcome = runtime.delete(&eve, "Shelf", item([("shelfId", "s")]), cascade).await;
    let most = measurement.peak();
    drop(runtime);
    let state = Arc::into_inner(library).unwrap().state.into_inner().unwrap();
    (outcome, most, state)
}

#[tokio::test]
async fn the_memory_of_a_cascade_does_not_grow_with_its_items() {
    const ALLOWANCE: usize = 4 << 20;
    let mut few = 0;
    for books in [1_000, 20_000] {
        let (outcome, most, left) = delete(books, "nothing").await;
        assert_eq!(outcome, Ok(()));
        assert!(left.shelf.is_none() && left.books.iter().all(|book| book.is_gone && book.is_without_note));
        if few == 0 {
            few = most;
        }
        assert!(most <= few + ALLOWANCE, "{most} bytes for {books} books, {few} for few");
    }
    // The note of the very last book: nothing is deleted, and no mark stays.
    let books = 1_000;
    let (outcome, most, left) = delete(books, "last of a thousand").await;
    let message = "a policy forbids `eve` to delete a Note that would be deleted with this Shelf";
    assert_eq!(outcome, Err(Error::NotAllowed(message.to_owned())));
    assert_eq!(left.shelf.unwrap().get("kf_delete"), None);
    assert!(left.books.iter().all(|book| *book == Book::default()));
    assert!(most <= few + ALLOWANCE, "{most} bytes for a delete that is rejected, {few} for one that is not");
}
