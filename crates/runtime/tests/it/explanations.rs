//! What `explain` says of a call, beside its expressions: the order of requests, and their cost.

use crate::support::*;
use keyfold_dynamo::operation::TransactWriteKind;
use keyfold_runtime::{Caller, DeleteOptions, Error, Explanation, Write};
use serde_json::{Value, json};

const DESIGN: &str = "
design: posts
table: posts
indexes:
  byDay: {partition: day, sort: postId, purpose: the posts of a day, projection: keys}
entities:
  Post:
    PK: AUTHOR#<authorId>
    SK: POST#<postId>
    attributes:
      postId: string
      authorId: string
      day: date
patterns:
  posts between: day between <from> and <to>, at most 31 days
  newest posts between: day between <from> and <to>, at most 31 days, newest first
allow:
  - signed in: everything
accept:
  KF031 day: few posts
  KF064 posts between: few are read
  KF064 newest posts between: few are read
";

fn days(explained: &Explanation) -> Vec<&str> {
    explained.requests.iter().map(|request| request.values[":v0"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn partitions_and_queries_are_in_the_order_in_which_they_are_read() {
    let world = World::new(design(DESIGN), Nothing).await;
    let explain = |pattern: &str, to: &str| {
        let given: Value = json!({"from": "2026-01-01", "to": to});
        world.runtime.explain_query(&superuser(), pattern, arguments(&world.design, pattern, given), 20).unwrap()
    };
    let oldest = explain("posts between", "2026-01-02");
    assert_eq!(days(&oldest), ["2026-01-01", "2026-01-02"]);
    assert!(oldest.requests.iter().all(|request| request.forward == Some(true)));
    let newest = explain("newest posts between", "2026-01-02");
    assert_eq!(days(&newest), ["2026-01-02", "2026-01-01"]);
    assert!(newest.requests.iter().all(|request| request.forward == Some(false)));
    assert_eq!(newest.assumed_item_bytes, Some(1024));
    let none = explain("posts between", "2025-12-31");
    assert_eq!((none.requests.len(), none.read_units, none.assumed_item_bytes), (0, 0.0, None));
}

#[tokio::test]
async fn the_further_reads_of_a_pattern_are_those_of_its_plan() {
    let per_result = async |file: &str, pattern: &str, given: Value| {
        let world = World::new(design(&design_text(file)), Nothing).await;
        let given = arguments(&world.design, pattern, given);
        world.runtime.explain_query(&superuser(), pattern, given, 20).unwrap().per_result
    };
    let moves = "../../tests/generated/moves/design.yaml";
    let of_team = per_result(moves, "people of a team", json!({"team": "red"})).await;
    assert_eq!(of_team.unwrap(), "GetItem (consistent read), and a Query of its partition if it has moved");
    let by_email = per_result(moves, "person by email", json!({"email": "ada@acme.example"})).await;
    assert_eq!(by_email.unwrap(), "Query of its partition (consistent read)");
    assert_eq!(per_result(moves, "rooms in a city", json!({"city": "Oslo"})).await, None);
    let user =
        per_result("../../designs/albums/design.yaml", "user by email", json!({"email": "ada@example.com"})).await;
    assert_eq!(user.unwrap(), "GetItem (consistent read)");
}

const SHELVES: &str = "
design: shelves
table: shelves
indexes:
  GSI1: {purpose: the folders within a folder}
entities:
  Shelf:
    plural: Shelves
    delete: cascade when asked
    PK: SHELF#<shelfId>
    SK: METADATA
    attributes: {shelfId: string, bookCount: 'integer, default 0'}
  Book:
    PK: SHELF#<shelfId>
    SK: BOOK#<bookId>
    attributes:
      bookId: string
      shelfId: string, refers to Shelf, counted as bookCount
  Folder:
    PK: FOLDER#<folderId>
    SK: METADATA
    GSI1PK: WITHIN#<within>
    GSI1SK: <folderId>
    attributes:
      folderId: string
      within: string, optional, refers to Folder, no cycles, counted as childCount
      childCount: integer, default 0
  Seal:
    delete: never
    PK: SEAL#<sealId>
    SK: METADATA
    attributes: {sealId: string}
patterns:
  shelf: PK = SHELF#<shelfId> -> Shelf, Book
  folders within: GSI1PK = WITHIN#<within>
allow:
  - signed in: read Shelf
  - signed in: delete Shelf
";

fn operations(explained: &Explanation) -> Vec<&'static str> {
    explained.requests.iter().map(|request| request.operation).collect()
}

/// The operations of recorded calls, with one for each action of a transaction.
fn sent(calls: &[Call]) -> Vec<String> {
    let mut operations = Vec::new();
    for call in calls {
        match call {
            Call::Transact(input) => operations.extend(input.writes.iter().map(|write| {
                let action = match write.kind {
                    TransactWriteKind::Put { .. } => "Put",
                    TransactWriteKind::Update { .. } => "Update",
                    TransactWriteKind::Delete { .. } => "Delete",
                    TransactWriteKind::ConditionCheck { .. } => "ConditionCheck",
                };
                format!("TransactWriteItems: {action}")
            })),
            other => operations.push(other.name().to_owned()),
        }
    }
    operations
}

fn delete(world: &World<Recorder>, entity: &str, identity: Value, cascade: bool) -> Write {
    let identity = world.attributes(entity, identity);
    Write::Delete { entity: entity.to_owned(), identity, options: DeleteOptions { expected_version: None, cascade } }
}

async fn shelves() -> World<Recorder> {
    let world = World::new(design(SHELVES), Recorder::default()).await;
    world.given("Shelf", json!({"shelfId": "full"})).await;
    world.given("Shelf", json!({"shelfId": "empty"})).await;
    world.given("Seal", json!({"sealId": "s1"})).await;
    for book in ["b1", "b2"] {
        world.given("Book", json!({"shelfId": "full", "bookId": book})).await;
    }
    world
}

#[tokio::test]
async fn a_delete_is_explained_by_the_requests_that_it_sends() {
    let world = shelves().await;
    let shelf = |id: &str| json!({"shelfId": id});
    let superuser = superuser();
    let explain = |write: Write| world.runtime.explain_writes(&superuser, vec![write]);
    let blocked = explain(delete(&world, "Shelf", shelf("full"), false)).await;
    assert_eq!(violated(blocked), "Book.shelfId");
    let before = world.table().await;
    let cascade = explain(delete(&world, "Shelf", shelf("full"), true)).await.unwrap();
    let empty = explain(delete(&world, "Shelf", shelf("empty"), false)).await.unwrap();
    assert_eq!(world.table().await, before, "nothing is written");
    assert_eq!(operations(&empty), ["GetItem", "UpdateItem", "Query", "DeleteItem"]);
    assert_eq!((empty.read_units, empty.write_units), (2.0, 2.0));
    assert_eq!(
        operations(&cascade),
        [
            "GetItem",
            "UpdateItem",
            "Query",
            "TransactWriteItems: Delete",
            "TransactWriteItems: Delete",
            "TransactWriteItems: Delete"
        ]
    );
    assert_eq!((cascade.read_units, cascade.write_units), (2.0, 7.0));
    for (id, cascades, explained) in [("full", true, cascade), ("empty", false, empty)] {
        world.hook().take();
        let options = DeleteOptions { cascade: cascades, ..DeleteOptions::default() };
        world.runtime.delete(&superuser, "Shelf", world.attributes("Shelf", shelf(id)), options).await.unwrap();
        assert_eq!(sent(&world.hook().take()), operations(&explained), "{id}");
    }
}

async fn explain(world: &World<Recorder>, caller: Caller, write: Write) -> Result<usize, Error> {
    world.runtime.explain_writes(&caller, vec![write]).await.map(|explained| explained.requests.len())
}

#[tokio::test]
async fn a_delete_that_is_rejected_is_not_explained() {
    let world = shelves().await;
    assert_eq!(
        violated(explain(&world, superuser(), delete(&world, "Seal", json!({"sealId": "s1"}), false)).await),
        "delete"
    );
    let cascade =
        explain(&world, superuser(), delete(&world, "Book", json!({"shelfId": "full", "bookId": "b1"}), true)).await;
    let text = "`cascade` does not apply to Book: the design does not say `delete: cascade when asked`";
    assert_eq!(cascade, Err(Error::Invalid(text.to_owned())));
    // The explanation would name books, which this caller may not read.
    let reader = Caller { subject: Some("ann".to_owned()), ..Caller::default() };
    for shelf in ["full", "empty"] {
        let hidden = explain(&world, reader.clone(), delete(&world, "Shelf", json!({"shelfId": shelf}), true)).await;
        assert_eq!(hidden, Err(Error::NotAllowed("no rule lets `ann` get Book".to_owned())), "{shelf}");
    }
}

#[tokio::test]
async fn several_writes_are_explained_with_what_they_require_of_each_other() {
    let world = shelves().await;
    for folder in ["a", "b"] {
        world.given("Folder", json!({"folderId": folder})).await;
    }
    let folder = |id: &str, within: &str| {
        let attributes = world.attributes("Folder", json!({"folderId": id, "within": within}));
        Write::Create { entity: "Folder".to_owned(), attributes }
    };
    let circle = vec![folder("c", "d"), folder("d", "c")];
    assert_eq!(violated(world.runtime.explain_writes(&superuser(), circle.clone()).await), "within");
    assert_eq!(violated(world.runtime.transact(&superuser(), circle).await), "within");
    // The transaction also depends on the folder above the new one.
    let moved = |id: &str, within: &str| {
        let attributes = world.attributes("Folder", json!({"folderId": id, "within": within}));
        Write::Patch { entity: "Folder".to_owned(), attributes, options: Default::default() }
    };
    world.hook().take();
    let chain = vec![folder("e", "a"), moved("b", "e")];
    let explained = world.runtime.explain_writes(&superuser(), chain.clone()).await.unwrap();
    world.hook().take();
    world.runtime.transact(&superuser(), chain).await.unwrap();
    assert_eq!(sent(&world.hook().take()), operations(&explained));
}
