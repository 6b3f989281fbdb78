//! Whatever is written in whichever order: the table holds what its entities need, and nothing else.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::support::disturbed::{Failing, Yielding};
use crate::support::shop::{Entities, KINDS, assert_in_step, entities_of, get};
use crate::support::*;
use keyfold_design::model::DeleteRule;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record, Runtime, Write};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// One call, drawn from a few bytes.
#[derive(Debug, Clone)]
enum Step {
    Write(Vec<Write>),
    Delete { entity: &'static str, identity: Attributes, cascade: bool },
}

struct Dice<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl Dice<'_> {
    fn next(&mut self) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0))
    }

    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.next() % choices.len()]
    }

    fn id(&mut self, kind: &str, count: usize) -> String {
        format!("{kind}{}", self.next() % count)
    }

    /// An attribute that is given, absent, or (in a patch) taken away.
    fn maybe(
        &mut self,
        object: &mut Map<String, Value>,
        name: &str,
        patch: bool,
        value: impl FnOnce(&mut Self) -> Value,
    ) {
        match self.next() % 4 {
            0 => {}
            1 if patch => drop(object.insert(name.to_owned(), Value::Null)),
            _ => {
                let value = value(self);
                object.insert(name.to_owned(), value);
            }
        }
    }
}

const TITLES: [&str; 6] = ["Red", "Red Blue", "Blue Green", "Green", "Red Green Blue", "Grey"];

fn identity(kind: &str, dice: &mut Dice<'_>) -> Map<String, Value> {
    let mut object = Map::new();
    match kind {
        "Author" => drop(object.insert("authorId".to_owned(), json!(dice.id("a", 3)))),
        "Shelf" => drop(object.insert("shelfId".to_owned(), json!(dice.id("s", 2)))),
        "Book" => drop(object.insert("bookId".to_owned(), json!(dice.id("b", 4)))),
        "Note" => {
            // A note's number says its book, so that ids are unique.
            let book = dice.next() % 4;
            object.insert("bookId".to_owned(), json!(format!("b{book}")));
            object.insert("noteId".to_owned(), json!(format!("n{book}{}", dice.next() % 2)));
        }
        _ => drop(object.insert("loanId".to_owned(), json!(dice.id("l", 3)))),
    }
    object
}

fn content(kind: &str, patch: bool, dice: &mut Dice<'_>) -> Map<String, Value> {
    let mut object = identity(kind, dice);
    let whole = !patch;
    let required = |object: &mut Map<String, Value>, name: &str, value: Value, given: bool| {
        if whole || given {
            object.insert(name.to_owned(), value);
        }
    };
    match kind {
        "Author" => {
            let name = dice.of(&["Ada", "Bea", "Cid"]);
            required(&mut object, "name", json!(name), true);
        }
        "Shelf" => required(&mut object, "label", json!(dice.of(&["x", "y"])), true),
        "Book" => {
            let (author, given) = (dice.id("a", 3), dice.next().is_multiple_of(3));
            required(&mut object, "authorId", json!(author), given);
            let (title, given) = (dice.of(&TITLES), dice.next().is_multiple_of(2));
            required(&mut object, "title", json!(title), given);
            dice.maybe(&mut object, "shelfId", patch, |dice| json!(dice.id("s", 2)));
            dice.maybe(&mut object, "isbn", patch, |dice| json!(dice.of(&["i1", "I1", "i2", "i3"])));
            dice.maybe(&mut object, "dueDate", patch, |dice| json!(dice.of(&["2026-01-01", "2026-02-02"])));
            dice.maybe(&mut object, "tags", patch, |dice| {
                json!(["t1", "t2", "t1", "t3"].into_iter().skip(dice.next() % 4).collect::<Vec<_>>())
            });
            dice.maybe(&mut object, "pages", patch, |dice| json!(1 + dice.next()));
            if dice.next().is_multiple_of(2) {
                object.insert("status".to_owned(), json!(dice.of(&["in", "out", "lost"])));
            }
        }
        "Note" => {
            required(&mut object, "text", json!(dice.of(&["good", "bad"])), true);
            dice.maybe(&mut object, "slug", patch, |dice| json!(dice.of(&["u1", "u2"])));
            dice.maybe(&mut object, "stars", patch, |dice| json!(dice.next() % 6));
            dice.maybe(&mut object, "pinned", patch, |dice| json!(!dice.next().is_multiple_of(3)));
            dice.maybe(&mut object, "rank", patch, |dice| json!(dice.next() % 2));
        }
        _ => {
            let (book, given) = (dice.id("b", 4), dice.next().is_multiple_of(2));
            required(&mut object, "bookId", json!(book), given);
            required(&mut object, "reader", json!(dice.of(&["Eve", "Ann"])), false);
        }
    }
    object
}

fn write(dice: &mut Dice<'_>) -> Write {
    // Books twice as often: most things hang on them.
    let kind = ["Book", "Author", "Shelf", "Note", "Loan", "Book"][dice.next() % 6];
    let design = shop();
    let verb = dice.next() % 6;
    let attributes = attributes(&design, kind, Value::Object(content(kind, verb >= 4, dice)));
    let entity = kind.to_owned();
    match verb {
        0 | 1 => Write::Create { entity, attributes },
        2 => Write::Put { entity, attributes },
        3 => Write::Upsert { entity, attributes },
        _ => Write::Patch { entity, attributes, options: PatchOptions::default() },
    }
}

fn step(bytes: &[u8]) -> Step {
    let mut dice = Dice { bytes: bytes.iter() };
    match dice.next() % 8 {
        0 | 1 => {
            let (entity, _) = KINDS[dice.next() % KINDS.len()];
            let identity = attributes(&shop(), entity, Value::Object(identity(entity, &mut dice)));
            let offered = shop().entity_named(entity).unwrap().delete == DeleteRule::CascadeWhenAsked;
            Step::Delete { entity, identity, cascade: dice.next().is_multiple_of(2) && offered }
        }
        2 => Step::Write(vec![write(&mut dice), write(&mut dice)]),
        _ => Step::Write(vec![write(&mut dice)]),
    }
}

async fn play(runtime: &Runtime, step: Step) -> Result<Vec<Option<Record>>, Error> {
    match step {
        Step::Write(writes) => runtime.transact(&superuser(), writes).await,
        Step::Delete { entity, identity, cascade } => {
            let options = DeleteOptions { cascade, ..DeleteOptions::default() };
            runtime.delete(&superuser(), entity, identity, options).await.map(|()| Vec::new())
        }
    }
}

/// What a call leaves, in terms of entities alone.
fn follow(entities: &mut Entities, step: &Step, records: Vec<Option<Record>>) {
    match step {
        Step::Write(writes) => {
            for (write, record) in writes.iter().zip(records) {
                let (Write::Create { entity, .. }
                | Write::Put { entity, .. }
                | Write::Upsert { entity, .. }
                | Write::Patch { entity, .. }
                | Write::Delete { entity, .. }) = write;
                let (_, id) = KINDS.iter().find(|(kind, _)| kind == entity).unwrap();
                let attributes = record.unwrap().attributes;
                let place = (entity.clone(), get(&attributes, id).to_owned());
                let known = entities.insert(place.clone(), attributes).is_some();
                match write {
                    Write::Create { .. } => assert!(!known, "{place:?} was created twice"),
                    Write::Patch { .. } => assert!(known, "{place:?} was patched, and was not there"),
                    _ => {}
                }
            }
        }
        Step::Delete { entity, identity, .. } => {
            let (_, id) = KINDS.iter().find(|(kind, _)| kind == entity).unwrap();
            remove(entities, entity, get(identity, id));
        }
    }
}

fn remove(entities: &mut Entities, kind: &str, id: &str) {
    assert!(entities.remove(&(kind.to_owned(), id.to_owned())).is_some(), "{kind} {id} was deleted, and was not there");
    let children: &[(&str, &str)] = match kind {
        "Shelf" => &[("Book", "shelfId")],
        "Book" => &[("Note", "bookId"), ("Loan", "bookId")],
        _ => &[],
    };
    for (child, attribute) in children {
        let ids: Vec<String> = entities
            .iter()
            .filter(|((other, _), attributes)| other == child && get(attributes, attribute) == id)
            .map(|((_, id), _)| id.clone())
            .collect();
        ids.iter().for_each(|id| remove(entities, child, id));
    }
}

/// Entities without what others count.
fn uncounted(mut entities: Entities) -> Entities {
    for attributes in entities.values_mut() {
        attributes.retain(|name, _| !name.ends_with("Count"));
    }
    entities
}

fn in_one_thread<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// A table on which most references lead somewhere.
async fn furnished<H: Hook + 'static>(hook: H) -> World<H> {
    let world = World::new(shop(), hook).await;
    for (id, name) in [("a0", "Ada"), ("a1", "Bea")] {
        world.given("Author", json!({"authorId": id, "name": name})).await;
    }
    world.given("Shelf", json!({"shelfId": "s0", "label": "x"})).await;
    world.given("Book", json!({"bookId": "b0", "authorId": "a0", "title": "Red Blue", "shelfId": "s0"})).await;
    world.given("Book", json!({"bookId": "b1", "authorId": "a1", "title": "Red", "isbn": "i2"})).await;
    world
}

fn steps() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 40), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn sequential_writes_equal_a_rebuilt_table(bytes in steps()) {
        in_one_thread(async {
            let world = furnished(Nothing).await;
            let mut entities = entities_of(&world.design, &world.table().await);
            let mut story = Vec::new();
            for bytes in &bytes {
                world.clock.advance(1000);
                let step = step(bytes);
                let outcome = play(&world.runtime, step.clone()).await;
                story.push(format!("{step:?} -> {:?}", outcome.as_ref().map(|_| ())));
                match outcome {
                    Ok(records) => follow(&mut entities, &step, records),
                    Err(Error::Exists { .. } | Error::NotFound { .. } | Error::Constraint(_)) => {}
                    // Two writes of one item in one call.
                    Err(Error::Invalid(message)) if message.contains("two writes of one call") => {}
                    Err(error) => panic!("{error}\n{}", story.join("\n")),
                }
                let table = world.table().await;
                let stored = entities_of(&world.design, &table);
                assert_eq!(uncounted(stored), uncounted(entities.clone()), "{}", story.join("\n"));
                assert_in_step(table, &|| story.join("\n"));
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, max_shrink_iters: 50, ..ProptestConfig::default() })]

    #[test]
    fn concurrent_writes_equal_a_rebuilt_table(tasks in prop::collection::vec(steps(), 2..5)) {
        let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        threads.block_on(async {
            let world = furnished(Yielding::default()).await;
            let mut running = Vec::new();
            for bytes in tasks {
                let runtime = Arc::clone(&world.runtime);
                running.push(tokio::spawn(async move {
                    let mut story = Vec::new();
                    for bytes in &bytes {
                        let step = step(bytes);
                        let outcome = play(&runtime, step.clone()).await.map(|_| ());
                        if let Err(Error::Unavailable(_) | Error::Undecodable { .. } | Error::NotAllowed(_)) = outcome {
                            panic!("{step:?}: {outcome:?}");
                        }
                        story.push(format!("{step:?} -> {outcome:?}"));
                    }
                    story
                }));
            }
            let mut stories = Vec::new();
            for task in running {
                stories.push(task.await.unwrap().join("\n"));
            }
            assert_in_step(world.table().await, &|| stories.join("\n\nbeside that\n"));
        });
    }

    #[test]
    fn writes_on_a_failing_backend_equal_a_rebuilt_table(bytes in steps(), seed in any::<u64>()) {
        in_one_thread(async {
            let world = furnished(Failing { drawn: AtomicU64::new(seed), one_in: 3 }).await;
            let mut entities = entities_of(&world.design, &world.table().await);
            let mut story = Vec::new();
            for bytes in &bytes {
                let step = step(bytes);
                let outcome = play(&world.runtime, step.clone()).await;
                story.push(format!("{step:?} -> {:?}", outcome.as_ref().map(|_| ())));
                match outcome {
                    Ok(records) => follow(&mut entities, &step, records),
                    Err(Error::Exists { .. } | Error::NotFound { .. } | Error::Constraint(_)) => {}
                    Err(Error::Throttled | Error::Conflict { .. }) => {}
                    Err(Error::Invalid(message)) if message.contains("two writes of one call") => {}
                    Err(error) => panic!("{error}\n{}", story.join("\n")),
                }
                // A mark that could not be taken away again is forgotten after a while.
                let mut table = world.table().await;
                table.values_mut().for_each(|item| drop(item.remove("kf_delete")));
                let stored = entities_of(&world.design, &table);
                assert_eq!(uncounted(stored), uncounted(entities.clone()), "{}", story.join("\n"));
                assert_in_step(table, &|| story.join("\n"));
                world.clock.advance(31_000);
            }
            assert!(world.table().await.len() < 100);
        });
    }
}
