//! Several writes of one call: all or nothing, each item once, and rules that hold across them.

use crate::support::shop::assert_in_step;
use crate::support::*;
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record, Write};
use serde_json::{Value, json};

fn create<H: Hook + 'static>(world: &World<H>, entity: &str, value: Value) -> Write {
    Write::Create { entity: entity.to_owned(), attributes: world.attributes(entity, value) }
}

fn patch<H: Hook + 'static>(world: &World<H>, entity: &str, value: Value) -> Write {
    let attributes = world.attributes(entity, value);
    Write::Patch { entity: entity.to_owned(), attributes, options: PatchOptions::default() }
}

fn delete<H: Hook + 'static>(world: &World<H>, entity: &str, value: Value) -> Write {
    let identity = world.attributes(entity, value);
    Write::Delete { entity: entity.to_owned(), identity, options: DeleteOptions::default() }
}

async fn bookshop() -> World<Recorder> {
    let world = World::new(shop(), Recorder::default()).await;
    world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
    world.given("Book", json!({"bookId": "b", "authorId": "a", "title": "Red", "isbn": "1"})).await;
    world.given("Note", json!({"bookId": "b", "noteId": "n", "text": "x", "slug": "mine"})).await;
    world
}

async fn transact(world: &World<Recorder>, writes: Vec<Write>) -> Result<Vec<Option<Record>>, Error> {
    let before = world.table().await;
    let outcome = world.runtime.transact(&superuser(), writes).await;
    let after = world.table().await;
    if outcome.is_err() {
        assert_eq!(after, before, "{outcome:?}");
    }
    assert_in_step(after, &|| format!("{outcome:?}"));
    // What is answered is what is there then, also what other writes of the call count on it.
    for record in outcome.iter().flatten().flatten() {
        let entity = &world.runtime.design()[record.entity];
        let identity = record.attributes.iter().filter(|(name, _)| entity.identity.contains(name));
        let identity = identity.map(|(name, value)| (name.clone(), value.clone())).collect();
        let read = world.plain.get(&superuser(), &entity.name, identity).await.unwrap();
        assert_eq!(read.as_ref(), Some(record));
    }
    outcome
}

fn twice(outcome: Result<Vec<Option<Record>>, Error>, key: &str) {
    assert_eq!(outcome, Err(Error::Invalid(format!("two writes of one call change the item at {key}"))));
}

#[tokio::test]
async fn parents_and_children_can_be_created_in_any_order() {
    let shelf = json!({"shelfId": "s", "label": "x"});
    let author = json!({"authorId": "z", "name": "Zoe"});
    let books = ["b1", "b2"].map(|id| json!({"bookId": id, "authorId": "z", "shelfId": "s", "title": "Red Blue"}));
    let orders: [[usize; 4]; 3] = [[0, 1, 2, 3], [2, 3, 0, 1], [2, 0, 3, 1]];
    for order in orders {
        let world = bookshop().await;
        let writes = [
            create(&world, "Shelf", shelf.clone()),
            create(&world, "Author", author.clone()),
            create(&world, "Book", books[0].clone()),
            create(&world, "Book", books[1].clone()),
        ];
        world.hook().take();
        transact(&world, order.iter().map(|place| writes[*place].clone()).collect()).await.unwrap();
        assert_eq!(world.hook().names(), ["TransactWriteItems"]);
        assert_eq!(world.get("Shelf", json!({"shelfId": "s"})).await.unwrap()["bookCount"], json!(2));
    }
}

#[tokio::test]
async fn returned_counters_include_the_other_writes_of_the_call() {
    let world = bookshop().await;
    world.given("Shelf", json!({"shelfId": "s", "label": "x"})).await;
    let book =
        |id: &str| create(&world, "Book", json!({"bookId": id, "authorId": "a", "shelfId": "s", "title": "Red"}));
    let label = patch(&world, "Shelf", json!({"shelfId": "s", "label": "y"}));
    let left = transact(&world, vec![book("b1"), label, book("b2")]).await.unwrap();
    let shelf = left[1].as_ref().unwrap();
    assert_eq!(shelf.attributes["bookCount"].as_number().unwrap().to_i64(), Some(2));
    assert_eq!(shelf.attributes["label"].as_str(), Some("y"));
}

#[tokio::test]
async fn two_writes_of_one_item_are_rejected() {
    let world = bookshop().await;
    let pages = |pages: u32| patch(&world, "Book", json!({"bookId": "b", "pages": pages}));
    twice(transact(&world, vec![pages(1), pages(2)]).await, "BOOK#b, METADATA");
    let status = patch(&world, "Book", json!({"bookId": "b", "status": "lost"}));
    twice(transact(&world, vec![pages(1), status]).await, "BOOK#b, METADATA");
    // Also where nothing that both set differs: neither knows the other's values.
    let note = |value: Value| patch(&world, "Note", value);
    let (text, stars) =
        (json!({"bookId": "b", "noteId": "n", "text": "y"}), json!({"bookId": "b", "noteId": "n", "stars": 3}));
    twice(transact(&world, vec![note(text.clone()), note(stars)]).await, "BOOK#b, NOTE#n");
    let gone = delete(&world, "Note", json!({"bookId": "b", "noteId": "n"}));
    twice(transact(&world, vec![note(text), gone.clone()]).await, "BOOK#b, NOTE#n");
    let again = create(&world, "Note", json!({"bookId": "b", "noteId": "n", "text": "z"}));
    twice(transact(&world, vec![gone, again]).await, "BOOK#b, NOTE#n");
    let shelf = || create(&world, "Shelf", json!({"shelfId": "s", "label": "x"}));
    twice(transact(&world, vec![shelf(), shelf()]).await, "SHELF#s, METADATA");
}

#[tokio::test]
async fn the_violated_rule_is_named() {
    let world = bookshop().await;
    let book = |id: &str, isbn: &str| {
        create(&world, "Book", json!({"bookId": id, "authorId": "a", "title": "Red", "isbn": isbn}))
    };
    assert_eq!(violated(transact(&world, vec![book("x", "7"), book("y", "7")]).await), "isbn");
    assert_eq!(violated(transact(&world, vec![book("x", "7"), book("y", "1")]).await), "isbn");
    let exists = transact(&world, vec![book("x", "7"), book("b", "8")]).await;
    assert_eq!(exists, Err(Error::Exists { entity: "Book".to_owned(), identity: "bookId=b".to_owned() }));
    let lost = create(&world, "Note", json!({"bookId": "nowhere", "noteId": "m", "text": "x"}));
    assert_eq!(violated(transact(&world, vec![book("x", "7"), lost]).await), "bookId");
    let missing = patch(&world, "Author", json!({"authorId": "none", "name": "No"}));
    assert_eq!(transact(&world, vec![book("x", "7"), missing]).await.unwrap_err().kind(), "not found");
    let referred = delete(&world, "Book", json!({"bookId": "b"}));
    assert_eq!(transact(&world, vec![book("x", "7"), referred]).await.unwrap_err().kind(), "invalid");
    // A value that one gives up is free in the same call.
    let gives_up = patch(&world, "Book", json!({"bookId": "b", "isbn": null}));
    transact(&world, vec![gives_up, book("x", "1")]).await.unwrap();
}

#[tokio::test]
async fn shared_sets_keep_the_members_of_all_sources() {
    let world = bookshop().await;
    let book = |id: &str, title: &str| create(&world, "Book", json!({"bookId": id, "authorId": "a", "title": title}));
    transact(&world, vec![book("x", "Red Blue"), book("y", "Blue Red"), book("z", "Green")]).await.unwrap();
    assert_eq!(books_with(&world, "Red").await, ["b", "x", "y"]);
    assert_eq!(books_with(&world, "Blue").await, ["x", "y"]);
    // Two that leave a word, and two that come to one.
    let title = |id: &str, title: &str| patch(&world, "Book", json!({"bookId": id, "title": title}));
    transact(&world, vec![title("x", "Grey"), title("y", "Grey")]).await.unwrap();
    assert_eq!(books_with(&world, "Red").await, ["b"]);
    assert!(books_with(&world, "Blue").await.is_empty());
    assert_eq!(books_with(&world, "Grey").await, ["x", "y"]);
    // One leaves what the other comes to: that is two calls.
    let outcome = transact(&world, vec![title("z", "Grey"), title("x", "Green")]).await;
    let message = "two writes of one call change an item that depends on both".to_owned();
    assert_eq!(outcome, Err(Error::Invalid(message)));
    assert_eq!(books_with(&world, "Grey").await, ["x", "y"]);
    assert_eq!(books_with(&world, "Green").await, ["z"]);
    transact(&world, vec![delete(&world, "Note", json!({"bookId": "b", "noteId": "n"})), title("b", "Black")])
        .await
        .unwrap();
    assert!(books_with(&world, "Red").await.is_empty());
    assert_eq!(books_with(&world, "Black").await, ["b"]);
}

/// The ids that the set of a title's word holds.
async fn books_with(world: &World<Recorder>, word: &str) -> Vec<String> {
    let Some(found) = world.get("TitleWord", json!({"word": word})).await else { return Vec::new() };
    let ids = found["bookIds"].as_array().cloned().unwrap_or_default();
    ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn references_stay_within_a_tenant_also_within_a_call() {
    let world = World::new(design(&design_text("../../designs/platform/design.yaml")), Nothing).await;
    for account in ["n", "c"] {
        world.given("Account", json!({"accountId": account, "name": account})).await;
    }
    let role = |account: &str| create(&world, "Role", json!({"roleId": "r", "accountId": account, "name": "Clerk"}));
    let user = |account: &str| {
        let user = json!({"userId": "u", "accountId": account, "roleId": "r", "email": "a@b.example", "firstName": "A", "lastName": "B"});
        create(&world, "User", user)
    };
    let before = world.table().await;
    for writes in [vec![role("n"), user("c")], vec![user("c"), role("n")]] {
        assert_eq!(violated(world.runtime.transact(&superuser(), writes).await), "roleId");
        assert_eq!(world.table().await, before);
    }
    for writes in [vec![role("n"), user("n")], vec![user("n"), role("n")]] {
        world.runtime.transact(&superuser(), writes).await.unwrap();
        assert_eq!(world.get("Role", json!({"roleId": "r"})).await.unwrap()["userCount"], json!(1));
        let identity = world.attributes("User", json!({"userId": "u"}));
        world.runtime.delete(&superuser(), "User", identity, DeleteOptions::default()).await.unwrap();
        let identity = world.attributes("Role", json!({"roleId": "r"}));
        world.runtime.delete(&superuser(), "Role", identity, DeleteOptions::default()).await.unwrap();
    }
}

#[tokio::test]
async fn a_call_with_more_items_than_a_transaction_holds_is_rejected() {
    let world = bookshop().await;
    let writes = (0..101)
        .map(|number| create(&world, "Shelf", json!({"shelfId": format!("s{number}"), "label": "x"})))
        .collect();
    assert_eq!(violated(transact(&world, writes).await), "transaction size");
}

#[tokio::test]
async fn a_unique_value_is_handed_over_within_one_transaction() {
    let book = |id: &str, isbn: Value| json!({"bookId": id, "isbn": isbn});
    let new = |id: &str, isbn: &str| json!({"bookId": id, "authorId": "a", "title": "Blue", "isbn": isbn});
    let world = bookshop().await;
    world.given("Book", new("c", "2")).await;
    let lookup = |table: &std::collections::BTreeMap<String, keyfold_dynamo::Attributes>, isbn: &str| {
        let found = table.get(&format!("LOOKUP#ISBN#{isbn} | LOOKUP"));
        found.and_then(|lookup| lookup["bookId"].as_str()).map(str::to_owned)
    };
    // One gives it up, and another takes it, in either order.
    transact(&world, vec![patch(&world, "Book", book("b", json!("3"))), create(&world, "Book", new("d", "1"))])
        .await
        .unwrap();
    let table = world.table().await;
    assert_eq!((lookup(&table, "1").as_deref(), lookup(&table, "3").as_deref()), (Some("d"), Some("b")));
    transact(&world, vec![patch(&world, "Book", book("c", json!("1"))), patch(&world, "Book", book("d", Value::Null))])
        .await
        .unwrap();
    let table = world.table().await;
    assert_eq!((lookup(&table, "1").as_deref(), lookup(&table, "2")), (Some("c"), None));
    // Two items swap.
    transact(&world, vec![patch(&world, "Book", book("b", json!("1"))), patch(&world, "Book", book("c", json!("3")))])
        .await
        .unwrap();
    let table = world.table().await;
    assert_eq!((lookup(&table, "1").as_deref(), lookup(&table, "3").as_deref()), (Some("b"), Some("c")));
    // Three rotate, of which one takes what nobody has.
    let rotation = [("b", "3"), ("c", "9"), ("d", "1")];
    let writes = rotation.map(|(id, isbn)| patch(&world, "Book", book(id, json!(isbn))));
    transact(&world, writes.to_vec()).await.unwrap();
    let table = world.table().await;
    let holders = ["3", "9", "1"].map(|isbn| lookup(&table, isbn).unwrap());
    assert_eq!(holders, ["b", "c", "d"]);
    // Only one can take it.
    let taken = transact(
        &world,
        vec![
            patch(&world, "Book", book("b", Value::Null)),
            patch(&world, "Book", book("c", json!("3"))),
            patch(&world, "Book", book("d", json!("3"))),
        ],
    );
    assert_eq!(violated(taken.await), "isbn");
    // Nobody takes what someone else has.
    let other =
        transact(&world, vec![patch(&world, "Book", book("b", Value::Null)), create(&world, "Book", new("e", "9"))]);
    assert_eq!(violated(other.await), "isbn");
}

#[tokio::test]
async fn a_deleted_items_unique_value_can_be_taken() {
    let world = bookshop().await;
    let note = |id: &str| json!({"bookId": "b", "noteId": id, "text": "y", "slug": "mine"});
    let gone = json!({"bookId": "b", "noteId": "n"});
    transact(&world, vec![delete(&world, "Note", gone), create(&world, "Note", note("m"))]).await.unwrap();
    let gone = json!({"bookId": "b", "noteId": "m"});
    transact(&world, vec![create(&world, "Note", note("k")), delete(&world, "Note", gone)]).await.unwrap();
    // The lookup belongs to another item by then: the table was changed by another program.
    let table = world.table().await;
    let key = table.keys().find(|key| key.contains("mine")).unwrap();
    let mut lookup = table[key].clone();
    assert_eq!(lookup["noteId"].as_str(), Some("k"));
    lookup.insert("noteId".to_owned(), keyfold_dynamo::AttributeValue::S("other".to_owned()));
    let input =
        keyfold_dynamo::operation::PutItemInput { table_name: "shop".to_owned(), item: lookup, ..Default::default() };
    world.engine.put_item(input).await.unwrap();
    let gone = json!({"bookId": "b", "noteId": "k"});
    let writes = vec![delete(&world, "Note", gone), create(&world, "Note", note("l"))];
    assert_eq!(violated(world.runtime.transact(&superuser(), writes).await), "slug");
}
