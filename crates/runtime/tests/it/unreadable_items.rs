//! Writes by callers who may not read what they write: neither the result nor an error shows it.

use crate::support::*;
use keyfold_runtime::{Caller, DeleteOptions, Error, PatchOptions, Write};
use serde_json::json;

const DESIGN: &str = "
design: desk
table: desk
entities:
  Folder:
    PK: FOLDER#<folderId>
    SK: METADATA
    attributes:
      folderId: string
      notes: integer, default 0
  Note:
    PK: NOTE#<noteId>
    SK: METADATA
    unique:
      code: {PK: CODE#<code>, SK: LOOKUP}
    must hold:
      \"a code is short\": size(code) <= limit
    attributes:
      noteId: string
      folderId: string, optional, refers to Folder, counted as notes, delete ignored
      code: string
      limit: integer, at most 9
      text: string, optional
      version: version
callers: {operators: role operator}
allow:
  - role reader: read Note
  - signed in: create, update, delete Note
";

fn writer() -> Caller {
    Caller { subject: Some("eve".to_owned()), ..Caller::default() }
}

async fn world() -> World<Nothing> {
    let world = World::new(design(DESIGN), Nothing).await;
    world.given("Note", json!({"noteId": "n", "code": "abcde", "limit": 7, "text": "secret"})).await;
    world
}

#[tokio::test]
async fn every_verb_returns_identity_and_version_only() {
    let world = world().await;
    let eve = writer();
    let note = |value| world.attributes("Note", value);
    let bare = |id: &str, version: i64| note(json!({"noteId": id, "version": version}));
    let patched =
        world.runtime.patch(&eve, "Note", note(json!({"noteId": "n"})), PatchOptions::default()).await.unwrap();
    assert_eq!((patched.is_readable, patched.attributes), (false, bare("n", 1)));
    let text = note(json!({"noteId": "n", "text": "x"}));
    let patched = world.runtime.patch(&eve, "Note", text.clone(), PatchOptions::default()).await.unwrap();
    assert_eq!((patched.is_readable, patched.attributes), (false, bare("n", 2)));
    let upserted = world.runtime.upsert(&eve, "Note", text).await.unwrap();
    assert_eq!(upserted.attributes, bare("n", 3));
    let new = note(json!({"noteId": "m", "code": "m", "limit": 7}));
    assert_eq!(world.runtime.create(&eve, "Note", new.clone()).await.unwrap().attributes, bare("m", 1));
    assert_eq!(world.runtime.put(&eve, "Note", new.clone()).await.unwrap().attributes, bare("m", 2));
    let puts = vec![Write::Put { entity: "Note".to_owned(), attributes: new.clone() }];
    let batch = world.runtime.batch_write(&eve, puts).await.remove(0).unwrap().unwrap();
    assert_eq!((batch.is_readable, batch.attributes), (false, bare("m", 3)));
    let reader = Caller { roles: vec!["reader".to_owned()], ..writer() };
    let whole = world.runtime.put(&reader, "Note", new).await.unwrap();
    assert!(whole.is_readable && whole.attributes.contains_key("code"));
}

/// A stored value is shown to those who may read it, and a given one to the caller who gave it.
#[tokio::test]
async fn violations_show_no_stored_value() {
    let world = world().await;
    let (eve, reader) = (writer(), Caller { roles: vec!["reader".to_owned()], ..writer() });
    let patch = |caller: Caller, value| {
        let (runtime, given) = (&world.runtime, world.attributes("Note", value));
        async move { runtime.patch(&caller, "Note", given, PatchOptions::default()).await.unwrap_err().to_string() }
    };
    let short = json!({"noteId": "n", "limit": 3});
    assert_eq!(patch(eve.clone(), short.clone()).await, "Note violates \"a code is short\" (limit=3)");
    assert_eq!(patch(reader.clone(), short).await, "Note violates \"a code is short\" (code=abcde, limit=3)");
    // Another program has stored a value that the design does not allow.
    let mut stored = world.table().await["NOTE#n | METADATA"].clone();
    stored.insert("limit".to_owned(), keyfold_dynamo::AttributeValue::N(4711_u64.into()));
    let put = keyfold_dynamo::operation::PutItemInput {
        table_name: world.design.table.name.clone(),
        item: stored,
        ..Default::default()
    };
    world.engine.put_item(put).await.unwrap();
    let code = json!({"noteId": "n", "code": "abc"});
    assert_eq!(patch(eve, code.clone()).await, "the stored `limit` of Note violates the design");
    assert!(patch(reader, code).await.contains("4711"));
}

/// A conflict names the item that the call names, and no other that the caller may not read.
#[tokio::test]
async fn conflicts_name_no_item_that_the_caller_may_not_read() {
    let world = world().await;
    let stale = PatchOptions::expecting(Some(9));
    let given = world.attributes("Note", json!({"noteId": "n", "text": "x"}));
    let refused = world.runtime.patch(&writer(), "Note", given, stale).await.unwrap_err();
    let Error::Conflict { item: Some(item), current: None } = refused else { panic!("{refused:?}") };
    assert_eq!((item.entity.as_str(), item.identity.as_str()), ("Note", "noteId=n"));
    // The folder that the note leaves is being deleted: its id is a stored value.
    world.given("Folder", json!({"folderId": "hidden"})).await;
    world.given("Note", json!({"noteId": "m", "code": "m", "limit": 7, "folderId": "hidden"})).await;
    let stale = DeleteOptions { expected_version: Some(9), ..DeleteOptions::default() };
    let named = world.attributes("Note", json!({"noteId": "m"}));
    let refused = world.runtime.delete(&writer(), "Note", named, stale).await.unwrap_err();
    assert!(matches!(&refused, Error::Conflict { current: None, .. }), "{refused:?}");
    assert!(!refused.to_string().contains("hidden"), "{refused}");
}
