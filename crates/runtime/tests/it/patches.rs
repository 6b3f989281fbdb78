//! Patches: what they send, what they are conditional on, and what they do to keys.

use crate::support;

use crate::support::*;
use keyfold_dynamo::expression::{Condition, Printer};
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Error, ItemName, PatchOptions, Record, Write};
use serde_json::{Value, json};

const VERSION: PatchOptions = PatchOptions::new();

async fn bookshop() -> World<Recorder> {
    let world = World::new(shop(), Recorder::default()).await;
    world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
    world.given("Author", json!({"authorId": "z", "name": "Zoe"})).await;
    world.given("Book", json!({"bookId": "b", "authorId": "a", "title": "One"})).await;
    world.given("Note", json!({"bookId": "b", "noteId": "n", "text": "good", "slug": "mine"})).await;
    world
}

async fn platform() -> World<Recorder> {
    let world = World::new(design(&design_text("../../designs/platform/design.yaml")), Recorder::default()).await;
    world.given("Account", json!({"accountId": "n", "name": "Northwind"})).await;
    world.given("Role", json!({"roleId": "r", "name": "Clerk"})).await;
    world.given("Enterprise", json!({"enterpriseId": "e", "name": "Globex"})).await;
    let user = json!({"userId": "u", "accountId": "n", "roleId": "r", "email": "a@b.example", "firstName": "A", "lastName": "B"});
    world.given("User", user).await;
    let license = json!({"accountId": "n", "licenseId": "l", "enterpriseId": "e", "endDate": "2026-12-31", "seats": 3});
    world.given("License", license).await;
    world
}

async fn try_patch(
    world: &World<Recorder>,
    entity: &str,
    value: Value,
    options: PatchOptions,
) -> Result<Record, Error> {
    world.clock.advance(1000);
    world.runtime.patch(&superuser(), entity, world.attributes(entity, value), options).await
}

async fn patch(world: &World<Recorder>, entity: &str, value: Value) -> Record {
    try_patch(world, entity, value, VERSION).await.unwrap()
}

async fn stored(world: &World<Recorder>, key: &str) -> Attributes {
    world.table().await.remove(key).unwrap_or_else(|| panic!("nothing at {key}"))
}

fn text<'a>(item: &'a Attributes, name: &str) -> Option<&'a str> {
    item.get(name).map(|value| value.as_str().unwrap())
}

fn number(item: &Attributes, name: &str) -> String {
    item[name].as_number().unwrap().to_string()
}

/// A condition with its names and values in place.
fn spelt(condition: &Condition) -> String {
    let mut printer = Printer::new();
    let mut spelt = condition.print(&mut printer);
    let aliases = printer.into_aliases();
    let mut names: Vec<_> = aliases.names.iter().flatten().collect();
    names.sort_by_key(|(alias, _)| std::cmp::Reverse(alias.len()));
    for (alias, name) in names {
        spelt = spelt.replace(alias.as_str(), name);
    }
    let mut values: Vec<_> = aliases.values.iter().flatten().collect();
    values.sort_by_key(|(alias, _)| std::cmp::Reverse(alias.len()));
    for (alias, value) in values {
        let value = match value {
            AttributeValue::S(text) => text.clone(),
            AttributeValue::N(number) => number.to_string(),
            other => format!("{other:?}"),
        };
        spelt = spelt.replace(alias.as_str(), &value);
    }
    spelt
}

fn condition(call: &Call) -> String {
    match call {
        Call::Update(input) => spelt(input.options.condition.as_ref().unwrap()),
        Call::Transact(input) => spelt(input.writes[0].condition.as_ref().unwrap()),
        other => panic!("{} has no condition", other.name()),
    }
}

#[tokio::test]
async fn a_patch_that_needs_no_read_is_one_request() {
    let world = bookshop().await;
    let record = patch(&world, "Book", json!({"bookId": "b", "pages": 300})).await;
    let calls = world.hook().take();
    assert_eq!(calls.iter().map(Call::name).collect::<Vec<_>>(), ["UpdateItem"]);
    assert_eq!(condition(&calls[0]), "attribute_exists(PK) AND attribute_not_exists(kf_delete)");
    // The answer is the whole item all the same.
    assert_eq!(number(&record.attributes, "pages"), "300");
    assert_eq!(number(&record.attributes, "version"), "2");
    assert_eq!(text(&record.attributes, "title"), Some("One"));
    assert_eq!(text(&record.attributes, "updatedAt"), Some("2026-01-01T00:00:01.000Z"));
    assert_eq!(text(&record.attributes, "createdAt"), Some("2026-01-01T00:00:00.000Z"));
    assert_eq!(text(&record.attributes, "updatedBy"), Some("test"));
    patch(&world, "Note", json!({"bookId": "b", "noteId": "n", "text": "bad"})).await;
    assert_eq!(world.hook().names(), ["UpdateItem"]);
    patch(&world, "Book", json!({"bookId": "b", "pages": null})).await;
    assert_eq!(world.hook().names(), ["UpdateItem"]);
    assert!(!stored(&world, "BOOK#b | METADATA").await.contains_key("pages"));
}

#[tokio::test]
async fn a_patch_recomputes_the_keys_it_touches() {
    let world = platform().await;
    let keys = |item: &Attributes| (text(item, "GSI3PK").unwrap().to_owned(), text(item, "GSI3SK").unwrap().to_owned());
    patch(&world, "User", json!({"userId": "u", "status": "inactive"})).await;
    assert_eq!(world.hook().names(), ["UpdateItem"]);
    let user = stored(&world, "USER#u | METADATA").await;
    assert_eq!(keys(&user), ("USER#STATUS#inactive".to_owned(), "9999-12-31#u".to_owned()));
    patch(&world, "User", json!({"userId": "u", "status": "active", "endDate": "2026-05-05"})).await;
    assert_eq!(world.hook().names(), ["UpdateItem"]);
    let user = stored(&world, "USER#u | METADATA").await;
    assert_eq!(keys(&user), ("USER#STATUS#active".to_owned(), "2026-05-05#u".to_owned()));
    // What is taken away is replaced in the key.
    patch(&world, "User", json!({"userId": "u", "endDate": null})).await;
    assert_eq!(world.hook().names(), ["UpdateItem"]);
    let user = stored(&world, "USER#u | METADATA").await;
    assert_eq!(keys(&user), ("USER#STATUS#active".to_owned(), "9999-12-31#u".to_owned()));
    assert!(!user.contains_key("endDate"));

    patch(&world, "License", json!({"accountId": "n", "licenseId": "l", "status": "expired"})).await;
    assert_eq!(world.hook().names(), ["UpdateItem"]);
    let license = stored(&world, "ACCOUNT#n | LICENSE#l").await;
    assert_eq!(keys(&license), ("LICENSE#STATUS#expired".to_owned(), "2026-12-31#l".to_owned()));
    // A rule over two attributes takes a look at the item.
    patch(&world, "License", json!({"accountId": "n", "licenseId": "l", "status": "active", "endDate": "2027-01-01"}))
        .await;
    assert_eq!(world.hook().names(), ["GetItem", "UpdateItem"]);
    let license = stored(&world, "ACCOUNT#n | LICENSE#l").await;
    assert_eq!(keys(&license), ("LICENSE#STATUS#active".to_owned(), "2027-01-01#l".to_owned()));
    let wrong = json!({"accountId": "n", "licenseId": "l", "startDate": "2027-06-01"});
    assert_eq!(violated(try_patch(&world, "License", wrong, VERSION).await), "a license ends after it starts");
}

#[tokio::test]
async fn an_item_of_another_program_enters_an_index_with_both_keys() {
    let world = platform().await;
    let text_of = |value: &str| AttributeValue::S(value.to_owned());
    let mut item: Attributes = [("PK", "ACCOUNT#n"), ("SK", "LICENSE#m"), ("accountId", "n"), ("licenseId", "m")]
        .into_iter()
        .chain([("enterpriseId", "e"), ("status", "active"), ("startDate", "2026-01-01"), ("endDate", "2026-12-31")])
        .map(|(name, value)| (name.to_owned(), text_of(value)))
        .collect();
    item.insert("seats".to_owned(), AttributeValue::N(5_u64.into()));
    let input = PutItemInput { table_name: "app_data".to_owned(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
    patch(&world, "License", json!({"accountId": "n", "licenseId": "m", "status": "expired"})).await;
    // Blindly first, which would have written one half of the key alone.
    assert_eq!(world.hook().names(), ["UpdateItem", "GetItem", "UpdateItem"]);
    let license = stored(&world, "ACCOUNT#n | LICENSE#m").await;
    assert_eq!(text(&license, "GSI3PK"), Some("LICENSE#STATUS#expired"));
    assert_eq!(text(&license, "GSI3SK"), Some("2026-12-31#m"));
    assert_eq!(text(&license, "GSI1SK"), Some("LICENSE#m"));
    patch(&world, "License", json!({"accountId": "n", "licenseId": "m", "status": "active"})).await;
    assert_eq!(world.hook().names(), ["UpdateItem"]);
}

#[tokio::test]
async fn a_patch_that_needs_the_old_item_is_conditional_on_its_version_and_what_it_was_planned_on() {
    let world = bookshop().await;
    patch(&world, "Book", json!({"bookId": "b", "title": "Two"})).await;
    let calls = world.hook().take();
    assert_eq!(
        calls.iter().map(Call::name).collect::<Vec<_>>(),
        ["GetItem", "GetItem", "TransactWriteItems"],
        "the second looks whether a word's last book leaves"
    );
    assert_eq!(
        condition(&calls[2]),
        "attribute_exists(PK) AND attribute_not_exists(kf_delete) AND version = 1 AND authorId = a \
         AND attribute_not_exists(shelfId) AND attribute_not_exists(isbn) AND title = One AND status = in \
         AND attribute_not_exists(dueDate) AND attribute_not_exists(tags) AND createdAt = 2026-01-01T00:00:00.000Z",
        "neither `pages` nor who changed it when"
    );
    let book = stored(&world, "BOOK#b | METADATA").await;
    assert_eq!(text(&book, "GSI1SK"), Some("Two#b"));
    let table = world.table().await;
    assert!(!table.contains_key("WORD#One | WORD"));
    assert!(table["WORD#Two | WORD"].contains_key("bookIds"));
}

#[tokio::test]
async fn a_patch_of_an_item_without_a_version_is_conditional_on_the_values_read() {
    let world = bookshop().await;
    patch(&world, "Note", json!({"bookId": "b", "noteId": "n", "slug": "other"})).await;
    let calls = world.hook().take();
    assert_eq!(calls.iter().map(Call::name).collect::<Vec<_>>(), ["GetItem", "TransactWriteItems"]);
    assert_eq!(
        condition(&calls[1]),
        "attribute_exists(PK) AND bookId = b AND noteId = n AND slug = mine AND text = good AND attribute_not_exists(stars) \
         AND attribute_not_exists(pinned) AND attribute_not_exists(rank)"
    );
}

#[tokio::test]
async fn an_item_of_another_program_gets_a_version() {
    let world = platform().await;
    let item = json!({"PK": "ACCOUNT#n", "SK": "LICENSE#x", "enterpriseId": "e", "endDate": "2026-01-01", "seats": 1, "status": "active", "theirs": "kept"});
    let entity = world.design.entity_named("License").unwrap();
    let item = keyfold_runtime::json::attributes(entity, object(item)).unwrap();
    let input = PutItemInput { table_name: world.design.table.name.clone(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
    patch(&world, "License", json!({"accountId": "n", "licenseId": "x", "endDate": "2026-02-02"})).await;
    let calls = world.hook().take();
    let condition = condition(calls.last().unwrap());
    assert!(
        condition.contains("attribute_not_exists(version)") && condition.contains("endDate = 2026-01-01"),
        "{condition}"
    );
    let license = stored(&world, "ACCOUNT#n | LICENSE#x").await;
    assert_eq!(text(&license, "GSI3SK"), Some("2026-02-02#x"));
    assert_eq!(text(&license, "GSI2PK"), Some("ENTERPRISE#e"));
    assert_eq!(text(&license, "theirs"), Some("kept"));
    assert_eq!(number(&license, "version"), "1");
}

#[tokio::test]
async fn both_keys_of_a_sparse_index_are_set_and_removed_together() {
    let world = bookshop().await;
    let keys = async |world: &World<Recorder>| {
        let book = stored(world, "BOOK#b | METADATA").await;
        (text(&book, "GSI2PK").map(str::to_owned), text(&book, "GSI2SK").map(str::to_owned))
    };
    let pair = |partition: &str, sort: &str| (Some(partition.to_owned()), Some(sort.to_owned()));
    assert_eq!(keys(&world).await, (None, None));
    patch(&world, "Book", json!({"bookId": "b", "status": "lost"})).await;
    assert_eq!(keys(&world).await, (None, None));
    patch(&world, "Book", json!({"bookId": "b", "dueDate": "2026-02-02"})).await;
    assert_eq!(keys(&world).await, pair("DUE#lost", "2026-02-02#b"));
    patch(&world, "Book", json!({"bookId": "b", "status": "out"})).await;
    assert_eq!(keys(&world).await, pair("DUE#out", "2026-02-02#b"));
    assert_eq!(
        violated(try_patch(&world, "Book", json!({"bookId": "b", "dueDate": null}), VERSION).await),
        "a book that is out is due"
    );
    assert_eq!(keys(&world).await, pair("DUE#out", "2026-02-02#b"));
    patch(&world, "Book", json!({"bookId": "b", "dueDate": null, "status": "in"})).await;
    assert_eq!(keys(&world).await, (None, None));
    patch(&world, "Book", json!({"bookId": "b", "dueDate": "2026-03-03", "status": "in"})).await;
    assert_eq!(keys(&world).await, pair("DUE#in", "2026-03-03#b"));
}

#[tokio::test]
async fn a_change_of_the_base_key_is_a_move() {
    let archive = design(&design_text("../../designs/archive/design.yaml"));
    let world = World::new(archive, Recorder::default()).await;
    let place = world.given("Place", json!({"fullName": "Hamburg Altona"})).await;
    assert_eq!(text(&place.attributes, "id"), Some("1"));
    world.given("Place", json!({"fullName": "Altona"})).await;
    patch(&world, "Place", json!({"id": "1", "fullName": "Bremen Altona"})).await;
    assert_eq!(world.hook().names(), ["Query", "GetItem", "TransactWriteItems"]);
    let table = world.table().await;
    let keys: Vec<&str> = table.keys().map(String::as_str).filter(|key| key.contains("place#")).collect();
    assert_eq!(keys, ["1 | place#Br", "2 | place#Al"]);
    assert_eq!(text(&table["1 | place#Br"], "GSISK"), Some("Bremen Altona"));
    assert_eq!(number(&table["1 | place#Br"], "version"), "2");
    let ids = |word: &str| match table[&format!("placeWord#{word} | placeWord")].get("placeIds") {
        Some(AttributeValue::Ss(ids)) => ids.iter().cloned().collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!((ids("Altona"), ids("Bremen")), (vec!["1".to_owned(), "2".to_owned()], vec!["1".to_owned()]));
    assert!(!table.contains_key("placeWord#Hamburg | placeWord"), "nobody is left in it");
    // The same key: an update where it lies.
    patch(&world, "Place", json!({"id": "1", "fullName": "Bremen Mitte"})).await;
    assert_eq!(text(&stored(&world, "1 | place#Br").await, "fullName"), Some("Bremen Mitte"));
    // An id is there once, whatever the rest of its key.
    let again = world.attributes("Place", json!({"id": "2", "fullName": "Zwickau"}));
    let again = world.runtime.create(&superuser(), "Place", again).await;
    assert!(matches!(again, Err(Error::Exists { .. })), "{again:?}");
    // A put moves as well.
    let put = world.attributes("Place", json!({"id": "2", "fullName": "Zwickau"}));
    world.runtime.put(&superuser(), "Place", put).await.unwrap();
    let table = world.table().await;
    let keys: Vec<&str> = table.keys().map(String::as_str).filter(|key| key.contains("place#")).collect();
    assert_eq!(keys, ["1 | place#Br", "2 | place#Zw"]);
}

#[tokio::test]
async fn fixed_attributes_do_not_change() {
    let world = bookshop().await;
    world.given("Loan", json!({"loanId": "l", "bookId": "b", "reader": "Eve"})).await;
    let before = world.table().await;
    assert_eq!(violated(try_patch(&world, "Loan", json!({"loanId": "l", "reader": "Ann"}), VERSION).await), "reader");
    assert_eq!(violated(try_patch(&world, "Loan", json!({"loanId": "l", "reader": null}), VERSION).await), "reader");
    assert_eq!(world.table().await, before);
    patch(&world, "Loan", json!({"loanId": "l", "reader": "Eve"})).await;
    let other = world.attributes("Loan", json!({"loanId": "l", "bookId": "b", "reader": "Ann"}));
    assert_eq!(violated(world.runtime.put(&superuser(), "Loan", other).await), "reader");
}

#[tokio::test]
async fn expected_versions_are_compared() {
    let world = bookshop().await;
    let expecting = |version| PatchOptions::expecting(Some(version));
    patch(&world, "Book", json!({"bookId": "b", "pages": 1})).await;
    // Without a read, and with one.
    for change in [json!({"bookId": "b", "pages": 2}), json!({"bookId": "b", "title": "Two"})] {
        let stale = try_patch(&world, "Book", change, expecting(1)).await;
        let Err(Error::Conflict { item: Some(ItemName { entity, identity }), current: Some(current) }) = stale else {
            panic!("{stale:?}")
        };
        assert_eq!((entity.as_str(), identity.as_str()), ("Book", "bookId=b"));
        assert_eq!(number(&current, "version"), "2");
        assert_eq!(text(&current, "title"), Some("One"));
        assert!(!current.contains_key("GSI1PK"), "an entity, not an item");
    }
    try_patch(&world, "Book", json!({"bookId": "b", "title": "Two"}), expecting(2)).await.unwrap();
    try_patch(&world, "Book", json!({"bookId": "b", "pages": 3}), expecting(3)).await.unwrap();
    assert_eq!(number(&stored(&world, "BOOK#b | METADATA").await, "version"), "4");
    let none = try_patch(&world, "Note", json!({"bookId": "b", "noteId": "n", "text": "x"}), expecting(1)).await;
    assert!(matches!(none, Err(Error::Invalid(_))), "{none:?}");
}

#[tokio::test]
async fn attributes_that_cannot_be_set_are_rejected() {
    let world = bookshop().await;
    let before = world.table().await;
    for (name, value) in [
        ("pagez", json!(1)),
        ("GSI1PK", json!("x")),
        ("PK", json!("x")),
        ("kind", json!("x")),
        ("version", json!(9)),
        ("createdAt", json!("2020-01-01T00:00:00.000Z")),
        ("loanCount", json!(9)),
        ("kf_delete", json!("deleting")),
        ("title", json!("")),
        ("title", json!(null)),
        ("authorId", json!("nobody")),
        ("authorId", json!(null)),
        ("status", json!("burnt")),
        ("dueDate", json!("2026-02-30")),
        ("tags", json!(["a", "b", "c", "d", "e", "f"])),
        ("pages", json!(0)),
    ] {
        let mut change = object(json!({"bookId": "b"}));
        change.insert(name.to_owned(), value.clone());
        let refused = try_patch(&world, "Book", Value::Object(change), VERSION).await;
        let Err(Error::Constraint(violation)) = &refused else { panic!("{name} {value}: {refused:?}") };
        assert_eq!(violation.name, name);
    }
    assert_eq!(world.table().await, before);
    let nobody = try_patch(&world, "Book", json!({"bookId": "none", "pages": 1}), VERSION).await;
    assert_eq!(nobody, Err(Error::NotFound { entity: "Book".to_owned(), identity: "bookId=none".to_owned() }));
    assert_eq!(world.table().await, before, "a patch creates nothing");
}

#[tokio::test]
async fn null_removes_an_attribute_and_everything_computed_from_it() {
    let world = bookshop().await;
    world.given("Shelf", json!({"shelfId": "s", "label": "x"})).await;
    patch(&world, "Book", json!({"bookId": "b", "shelfId": "s", "isbn": "I1", "tags": ["red", "red", "blue"]})).await;
    let table = world.table().await;
    for key in ["SHELF#s | BOOK#b", "LOOKUP#ISBN#i1 | LOOKUP", "TAG#red | BOOK#b", "TAG#blue | BOOK#b"] {
        assert!(table.contains_key(key), "{key}");
    }
    assert_eq!(number(&table["SHELF#s | METADATA"], "bookCount"), "1");
    patch(&world, "Book", json!({"bookId": "b", "shelfId": null, "isbn": null, "tags": null})).await;
    let table = world.table().await;
    for key in ["SHELF#s | BOOK#b", "LOOKUP#ISBN#i1 | LOOKUP", "TAG#red | BOOK#b", "TAG#blue | BOOK#b"] {
        assert!(!table.contains_key(key), "{key}");
    }
    assert_eq!(number(&table["SHELF#s | METADATA"], "bookCount"), "0");
    let book = &table["BOOK#b | METADATA"];
    assert!(["shelfId", "isbn", "tags"].iter().all(|name| !book.contains_key(*name)));
    support::shop::assert_in_step(table.clone(), &String::new);
}

#[tokio::test]
async fn unknown_attributes_of_an_open_entity_can_be_set_and_removed() {
    let archive = design(&design_text("../../designs/archive/design.yaml"));
    let world = World::new(archive, Recorder::default()).await;
    world.given("Settings", json!({"name": "main", "colour": "red", "size": 3})).await;
    patch(&world, "Settings", json!({"colour": null, "shape": "round"})).await;
    let settings = stored(&world, "settings | settings").await;
    assert_eq!((text(&settings, "colour"), text(&settings, "shape")), (None, Some("round")));
    // With a look at the item, which a change in a transaction takes.
    let attributes = world.attributes("Settings", json!({"size": null, "colour": "blue"}));
    let write = Write::Patch { entity: "Settings".to_owned(), attributes, options: VERSION };
    let other = Write::Create { entity: "PlaceSettings".to_owned(), attributes: Attributes::new() };
    world.runtime.transact(&superuser(), vec![write, other]).await.unwrap();
    let settings = stored(&world, "settings | settings").await;
    assert_eq!((text(&settings, "colour"), settings.contains_key("size")), (Some("blue"), false));
}

#[tokio::test]
async fn a_tree_stays_a_tree() {
    let albums = design(&design_text("../../designs/albums/design.yaml"));
    let world = World::new(albums, Recorder::default()).await;
    let tenant = "01K9ZV0000000000000000TTTT";
    let id = |letter: char| format!("01K9ZV0000000000000000{}", String::from(letter).repeat(4));
    world.given("Tenant", json!({"tenantId": tenant, "name": "T"})).await;
    for (album, parent) in [('A', None), ('B', Some('A')), ('C', Some('B')), ('D', None)] {
        let mut value = object(json!({"tenantId": tenant, "albumId": id(album), "title": "x"}));
        value.extend(parent.map(|parent| ("parentId".to_owned(), json!(id(parent)))));
        world.given("Album", Value::Object(value)).await;
    }
    let under = |album: char, parent: char| json!({"tenantId": tenant, "albumId": id(album), "parentId": id(parent)});
    for (album, parent) in [('A', 'A'), ('A', 'B'), ('A', 'C'), ('B', 'C')] {
        assert_eq!(violated(try_patch(&world, "Album", under(album, parent), VERSION).await), "parentId");
    }
    let own =
        world.attributes("Album", json!({"tenantId": tenant, "albumId": id('E'), "parentId": id('E'), "title": "x"}));
    assert_eq!(violated(world.runtime.create(&superuser(), "Album", own).await), "parentId");
    patch(&world, "Album", under('C', 'D')).await;
    patch(&world, "Album", under('A', 'C')).await;
    assert_eq!(violated(try_patch(&world, "Album", under('D', 'B'), VERSION).await), "parentId");
    // Two moves that together would close a circle: A is below C, which is below D.
    let (runtime, first) = (std::sync::Arc::clone(&world.runtime), world.attributes("Album", under('B', 'D')));
    let second = world.attributes("Album", under('D', 'B'));
    let other = std::sync::Arc::clone(&world.runtime);
    let first = tokio::spawn(async move { runtime.patch(&superuser(), "Album", first, VERSION).await });
    let second = tokio::spawn(async move { other.patch(&superuser(), "Album", second, VERSION).await });
    let outcomes = [first.await.unwrap().is_ok(), second.await.unwrap().is_ok()];
    assert_eq!(outcomes.iter().filter(|ok| **ok).count(), 1, "{outcomes:?}");
}

/// Changes an attribute of a stored item as another program would.
async fn overwrite(world: &World<Recorder>, key: &str, name: &str, value: AttributeValue) {
    let mut item = stored(world, key).await;
    item.insert(name.to_owned(), value);
    let input = PutItemInput { table_name: world.design.table.name.clone(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
}

#[tokio::test]
async fn a_version_that_another_program_stored_as_text_starts_again() {
    let world = platform().await;
    let address =
        json!({"accountId": "n", "addressId": "a", "street": "S", "postalCode": "1", "city": "C", "country": "DE"});
    world.given("Address", address).await;
    overwrite(&world, "ACCOUNT#n | ADDRESS#a", "version", AttributeValue::S("one".to_owned())).await;
    let change = json!({"accountId": "n", "addressId": "a", "street": "T"});
    let alone = patch(&world, "Address", change.clone()).await;
    assert_eq!((number(&alone.attributes, "version"), text(&alone.attributes, "street")), ("1".to_owned(), Some("T")));
    overwrite(&world, "ACCOUNT#n | ADDRESS#a", "version", AttributeValue::S("one".to_owned())).await;
    let write = |change| Write::Patch {
        entity: "Address".to_owned(),
        attributes: world.attributes("Address", change),
        options: VERSION,
    };
    let other = Write::Create {
        entity: "Role".to_owned(),
        attributes: world.attributes("Role", json!({"roleId": "s", "name": "Guard"})),
    };
    world.runtime.transact(&superuser(), vec![write(change), other]).await.unwrap();
    assert_eq!(number(&stored(&world, "ACCOUNT#n | ADDRESS#a").await, "version"), "1");
}

#[tokio::test]
async fn an_optional_attribute_that_is_null_is_absent() {
    let world = platform().await;
    let key = world.table().await.into_keys().find(|key| key.contains("LICENSE#l")).unwrap();
    overwrite(&world, &key, "note", AttributeValue::Null).await;
    let identity = json!({"accountId": "n", "licenseId": "l"});
    let found = world.get("License", identity.clone()).await.unwrap();
    assert_eq!(found.get("note"), None);
    let of_enterprise = arguments(&world.design, "licenses by enterprise", json!({"enterpriseId": "e"}));
    let page = world
        .runtime
        .query(&superuser(), "licenses by enterprise", of_enterprise, &keyfold_runtime::QueryOptions::default())
        .await
        .unwrap();
    assert!(page.records.iter().all(|record| !record.attributes.contains_key("note")), "{:?}", page.records);
    assert_eq!(page.count, 1);
}
