//! Deletes of items with everything that refers to them: what policies forbid stays, and every item has its audit
//! entry.

use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_dynamo::AttributeValue;
use serde_json::json;

use crate::over_sockets::world::{Setting, World};

const DESIGN: &str = "
design: shelves
table: shelves
entities:
  Rack:
    delete: cascade when asked
    PK: RACK#<rackId>
    SK: METADATA
    attributes: {rackId: string}
  Book:
    PK: RACK#<rackId>
    SK: BOOK#<bookId>
    attributes:
      rackId: string, refers to Rack
      bookId: string
      tags: list of string, at most 5 items, optional
      locked: boolean, default false
  BookTag:
    derived from: Book, for each tag in tags
    PK: TAG#<tag>
    SK: BOOK#<rackId>#<bookId>
callers: {operators: role operator}
allow:
  - operators: everything
  - role keeper: everything Rack
";
const POLICY: &str = "
forbid (principal, action == Action::\"delete\", resource is Book) when { resource.locked };
forbid (principal, action == Action::\"delete\", resource is BookTag);
";
const OLGA: &str = "subject=olga;role=operator";
/// May delete shelves, and neither delete nor read books.
const KIM: &str = "subject=kim;role=keeper";

async fn shelf(books: usize) -> World {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::custom(DESIGN, &[("locks.cedar", POLICY)], setting).await;
    world.client.post(OLGA, "/v1/shelves/racks", json!({"rackId": "s"})).await.expect(201);
    for number in 0..books {
        let book = json!({"rackId": "s", "bookId": format!("b{number:03}"), "tags": ["red", "blue"]});
        world.client.post(OLGA, "/v1/shelves/books", book).await.expect(201);
    }
    world
}

#[tokio::test]
async fn a_forbid_on_an_item_that_goes_with_another_stops_the_delete() {
    let world = shelf(3).await;
    world.client.patch(OLGA, "/v1/shelves/books/s/b001", json!({"locked": true})).await.expect(200);
    let before = world.stored("shelves").await;
    for who in [OLGA, KIM] {
        let denied = world.client.delete(who, "/v1/shelves/racks/s?cascade=true").await.problem(403, "not-allowed");
        let subject = &who["subject=".len()..who.find(';').unwrap()];
        let detail = format!("a policy forbids `{subject}` to delete a Book that would be deleted with this Rack");
        assert_eq!(denied["detail"], detail);
    }
    assert_eq!(world.stored("shelves").await, before);
    world.client.patch(OLGA, "/v1/shelves/books/s/b001", json!({"locked": false})).await.expect(200);
    // Permission for the shelf is enough, and the tags belong to their book.
    world.client.delete(KIM, "/v1/shelves/racks/s?cascade=true").await.expect(204);
    assert_eq!(world.stored("shelves").await, []);
}

#[tokio::test]
async fn every_deleted_item_has_an_audit_entry() {
    for books in [3, 70] {
        let world = shelf(books).await;
        world.client.delete(KIM, "/v1/shelves/racks/s?cascade=true").await.expect(204);
        let is = |item: &keyfold_dynamo::Attributes, name: &str, text: &str| {
            item.get(name).and_then(AttributeValue::as_str) == Some(text)
        };
        let entries = world.change_records().await;
        let deletes = entries.iter().filter(|entry| is(entry, "verb", "delete") && is(entry, "subject", "kim"));
        let mut identities: Vec<&str> = deletes.map(|entry| entry["identity"].as_str().unwrap()).collect();
        identities.sort_unstable();
        let mut expected: Vec<String> = (0..books).map(|number| format!("s/b{number:03}")).collect();
        expected.insert(0, "s".to_owned());
        assert_eq!(identities, expected);
    }
}
