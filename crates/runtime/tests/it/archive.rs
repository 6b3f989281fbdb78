//! The design `archive`: what its patterns ask, and many callers at once. Whatever they do, words, households, counters
//! and identities stay in step, and every id is there once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

const PATCH: PatchOptions = PatchOptions::new();

fn archive() -> Arc<Design> {
    design(&design_text("../../designs/archive/design.yaml"))
}

fn text<'a>(item: &'a Attributes, name: &str) -> &'a str {
    item.get(name).and_then(AttributeValue::as_str).unwrap_or_default()
}

fn number(item: &Attributes, name: &str) -> i64 {
    item.get(name).and_then(AttributeValue::as_number).map_or(0, |number| number.to_i64().unwrap())
}

/// The number that an id of a sequence is.
fn id(item: &Attributes, name: &str) -> i64 {
    text(item, name).parse().unwrap()
}

fn ids(item: &Attributes, name: &str) -> BTreeSet<i64> {
    match item.get(name) {
        Some(AttributeValue::Ss(set)) => set.iter().map(|id| id.parse().unwrap()).collect(),
        other => panic!("{name} is {other:?}"),
    }
}

type Outcome = Result<Option<Record>, Error>;

fn create(world: &World<Nothing>, entity: &'static str, value: Value) -> JoinHandle<Outcome> {
    let (runtime, attributes) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    tokio::spawn(async move { runtime.create(&superuser(), entity, attributes).await.map(Some) })
}

fn patch(world: &World<Nothing>, entity: &'static str, value: Value) -> JoinHandle<Outcome> {
    let (runtime, attributes) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    tokio::spawn(async move { runtime.patch(&superuser(), entity, attributes, PATCH).await.map(Some) })
}

fn delete(world: &World<Nothing>, entity: &'static str, value: Value, cascade: bool) -> JoinHandle<Outcome> {
    let (runtime, identity) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    let options = DeleteOptions { cascade, expected_version: None };
    tokio::spawn(async move { runtime.delete(&superuser(), entity, identity, options).await.map(|()| None) })
}

/// Runs calls at once, and gives what came of each.
async fn at_once(tasks: Vec<JoinHandle<Outcome>>) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

/// Every item of the table is one that the others account for.
async fn assert_in_step(world: &World<Nothing>) {
    let table = world.table().await;
    let of = |prefix: &'static str| table.values().filter(move |item| text(item, "SK").starts_with(prefix));
    let exact = |sort: &'static str| table.values().filter(move |item| text(item, "SK") == sort);
    for item in table.values() {
        assert_eq!(item.get("kf_delete"), None, "{} {} is still marked", text(item, "PK"), text(item, "SK"));
    }

    let mut words: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let mut places = BTreeSet::new();
    for place in of("place#") {
        let (place_id, name) = (id(place, "id"), text(place, "fullName"));
        assert!(places.insert(place_id), "place {place_id} is there twice");
        let sort = format!("place#{}", name.chars().take(2).collect::<String>());
        assert_eq!(
            (text(place, "PK"), text(place, "SK"), text(place, "GSISK")),
            (&*place_id.to_string(), &*sort, name)
        );
        for word in name.split(' ') {
            words.entry(format!("placeWord#{word}")).or_default().insert(place_id);
        }
    }
    let kept: BTreeMap<String, BTreeSet<i64>> =
        exact("placeWord").map(|word| (text(word, "PK").to_owned(), ids(word, "placeIds"))).collect();
    assert_eq!(kept, words);

    let (mut records, mut counts): (BTreeSet<i64>, BTreeMap<i64, i64>) = (BTreeSet::new(), BTreeMap::new());
    let mut households: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for record in of("record_post#") {
        let (record_id, post) = (id(record, "id"), id(record, "postId"));
        assert!(records.insert(record_id), "record {record_id} is there twice");
        assert_eq!(text(record, "SK"), format!("record_post#{post}"));
        assert!(table.contains_key(&format!("{post} | post")), "record {record_id} has no post");
        *counts.entry(post).or_default() += 1;
        if record.contains_key("household") {
            let key = format!("{post} | record_household#{}", text(record, "household"));
            households.entry(key).or_default().insert(record_id);
        }
    }
    let kept: BTreeMap<String, BTreeSet<i64>> = of("record_household#")
        .map(|item| (format!("{} | {}", text(item, "PK"), text(item, "SK")), ids(item, "recordIds")))
        .collect();
    assert_eq!(kept, households);

    let mut posts: BTreeMap<i64, i64> = BTreeMap::new();
    for post in exact("post") {
        let (post_id, collection) = (id(post, "id"), id(post, "collectionId"));
        assert_eq!(
            number(post, "recordCount"),
            counts.get(&post_id).copied().unwrap_or(0),
            "records of post {post_id}"
        );
        assert!(table.contains_key(&format!("{collection} | collection")), "post {post_id} has no collection");
        *posts.entry(collection).or_default() += 1;
    }
    for collection in exact("collection") {
        let of = id(collection, "id");
        assert_eq!(number(collection, "postCount"), posts.get(&of).copied().unwrap_or(0), "posts of collection {of}");
    }
    let mut links: BTreeMap<i64, i64> = BTreeMap::new();
    for link in of("collection_category#") {
        assert!(table.contains_key(&format!("{} | collection", text(link, "PK"))), "{link:?} has no collection");
        *links.entry(id(link, "categoryId")).or_default() += 1;
    }
    for category in exact("category") {
        let of = id(category, "id");
        let linked = links.remove(&of).unwrap_or(0);
        assert_eq!(number(category, "collectionCount"), linked, "collections of category {of}");
    }
    assert!(links.is_empty(), "links without a category: {links:?}");

    let identities: BTreeSet<(String, &str)> = exact("user")
        .map(|user| (format!("userIdentity#{}#{}", text(user, "issuer"), text(user, "subject")), text(user, "id")))
        .collect();
    let kept: BTreeSet<(String, &str)> =
        exact("userIdentity").map(|lookup| (text(lookup, "PK").to_owned(), text(lookup, "id"))).collect();
    assert_eq!(kept, identities);
}

/// What became of a call that others may have got in the way of.
fn assert_tolerable(outcome: &Outcome, violations: &[&str]) {
    match outcome {
        Ok(_) | Err(Error::Conflict { .. } | Error::NotFound { .. }) => {}
        Err(Error::Constraint(violation)) => assert!(violations.contains(&violation.name.as_str()), "{violation:?}"),
        Err(error) => panic!("{error}"),
    }
}

/// A pattern, its arguments, the index that it asks and the key condition.
type Row<'a> = (&'a str, Value, Option<&'a str>, &'a str);

/// The document's table, row by row; nothing is ever scanned.
#[tokio::test]
async fn patterns_send_the_requests_of_the_document() {
    let design = archive();
    let runtime = runtime_on(&design, engine());
    let gsi = Some("GSI");
    let rows: &[Row<'_>] = &[
        ("categories", json!({}), gsi, "SK = category"),
        ("collections", json!({}), gsi, "SK = collection"),
        ("collection with categories", json!({"collectionId": "7"}), None, "PK = 7"),
        (
            "categories of a collection",
            json!({"collectionId": "7"}),
            None,
            "PK = 7 AND begins_with(SK, collection_category#)",
        ),
        ("collections of a category", json!({"categoryId": "7"}), gsi, "SK = collection_category#7"),
        ("places by name", json!({"name": "Ærøs"}), gsi, "SK = place#Ær AND begins_with(GSISK, Ærøs)"),
        ("places with a word", json!({"word": "Ærø"}), None, "PK = placeWord#Ærø"),
        ("posts", json!({}), gsi, "SK = post"),
        ("posts of a collection", json!({"collectionId": "7"}), gsi, "SK = post AND GSISK = 7"),
        ("post with households", json!({"postId": "7"}), None, "PK = 7"),
        ("records of a post", json!({"postId": "7"}), gsi, "SK = record_post#7"),
        ("households of a post", json!({"postId": "7"}), None, "PK = 7 AND begins_with(SK, record_household#)"),
        (
            "records of a household",
            json!({"postId": "7", "household": "12"}),
            gsi,
            "SK = record_household#12 AND GSISK = 7",
        ),
        ("settings", json!({}), gsi, "SK = settings"),
        ("settings by name", json!({"name": "Islands"}), gsi, "SK = settings AND GSISK = Islands"),
        ("users", json!({}), gsi, "SK = user"),
        (
            "user by identity",
            json!({"issuer": "https://id.example", "subject": "a b"}),
            gsi,
            "SK = user AND GSISK = https%3A%2F%2Fid.examplea%20b",
        ),
    ];
    for (pattern, given, index, condition) in rows {
        let given = arguments(&design, pattern, given.clone());
        let explained = runtime.explain_query(&superuser(), pattern, given, 20).unwrap();
        let [request] = explained.requests.as_slice() else { panic!("{pattern}: {explained:?}") };
        let mut on = request.on.clone();
        for (alias, name) in request.names.iter().rev() {
            on = on.replace(alias, name);
        }
        for (alias, value) in request.values.iter().rev() {
            on = on.replace(alias, value.as_str().unwrap());
        }
        assert_eq!(
            (request.operation, request.index.as_deref(), on.as_str()),
            ("Query", *index, *condition),
            "{pattern}"
        );
        assert_eq!(request.filter.is_some(), *pattern == "user by identity", "{pattern}");
    }
    assert_eq!(rows.len(), design.patterns.len(), "every pattern has its row");
}

/// "There's no way to query for all records regardless of post."
#[test]
fn records_are_listed_by_their_post_only() {
    let design = archive();
    let record = design.entity_named("Record").unwrap().id;
    let of_records = design.patterns.iter().filter(|pattern| pattern.entities().any(|entity| entity == record));
    let found: Vec<(&str, Vec<&str>)> = of_records
        .map(|pattern| {
            (
                pattern.name.as_str(),
                design.access_plan(pattern.id).parameters.iter().map(|parameter| parameter.name.as_str()).collect(),
            )
        })
        .collect();
    assert_eq!(found, [("records of a post", vec!["postId"])]);
}

#[test]
fn the_table_is_the_one_of_the_document() {
    let design = archive();
    let input = design.create_table();
    let defined: BTreeSet<(&str, String)> = input
        .attribute_definitions
        .iter()
        .map(|defined| (defined.name.as_str(), format!("{:?}", defined.key_type)))
        .collect();
    assert_eq!(defined, BTreeSet::from(["GSISK", "PK", "SK"].map(|name| (name, "S".to_owned()))));
    let keys: Vec<&str> = input.key_schema.iter().map(|key| key.name.as_str()).collect();
    assert_eq!(keys, ["PK", "SK"]);
    let indexes = input.global_indexes.unwrap();
    let of_index: Vec<&str> = indexes[0].key_schema.iter().map(|key| key.name.as_str()).collect();
    assert_eq!((indexes.len(), indexes[0].name.as_str(), of_index), (1, "GSI", vec!["SK", "GSISK"]));
}

/// A read by id is one query, and does not read what else lies in the partition.
#[tokio::test]
async fn a_read_by_id_is_a_query_of_its_own_part_of_the_partition() {
    let world = World::new(archive(), Recorder::default()).await;
    world.given("Collection", json!({"name": "x"})).await;
    world.given("Post", json!({"collectionId": "1", "name": "x"})).await;
    world.given("Place", json!({"fullName": "Rise"})).await;
    world.given("Record", json!({"postId": "1", "household": "1"})).await;
    for (entity, prefix) in [("Place", "place#"), ("Record", "record_post#")] {
        let found =
            world.runtime.get(&superuser(), entity, world.attributes(entity, json!({"id": "1"}))).await.unwrap();
        assert_eq!(found.map(|found| id(&found.attributes, "id")), Some(1));
        let calls = world.hook().take();
        let [Call::Query(query)] = calls.as_slice() else { panic!("{calls:?}") };
        let mut printer = Printer::new();
        let condition = query.key_condition.print(&mut printer);
        let aliases = printer.into_aliases();
        let values: Vec<&str> = aliases.values.iter().flatten().map(|(_, value)| value.as_str().unwrap()).collect();
        assert_eq!(values, ["1", prefix]);
        let asked = (condition.as_str(), query.page.consistent_read);
        assert_eq!(asked, ("#n0 = :v0 AND begins_with(#n1, :v1)", true));
    }
}

/// Only the words that differ are written.
#[tokio::test]
async fn a_rename_writes_the_difference() {
    let world = World::new(archive(), Recorder::default()).await;
    world.given("Place", json!({"fullName": "Marstal Ærø Denmark"})).await;
    let renamed = world.attributes("Place", json!({"id": "1", "fullName": "Marstal Als Denmark"}));
    world.runtime.patch(&superuser(), "Place", renamed, PATCH).await.unwrap();
    let calls = world.hook().take();
    let written: Vec<usize> = calls.iter().filter(|call| call.is_write()).map(Call::actions).collect();
    // The place, the word that goes and the word that comes.
    assert_eq!(written, [3]);
    let moved = world.attributes("Place", json!({"id": "1", "fullName": "Aal Als Denmark"}));
    world.runtime.patch(&superuser(), "Place", moved, PATCH).await.unwrap();
    let calls = world.hook().take();
    let written: Vec<usize> = calls.iter().filter(|call| call.is_write()).map(Call::actions).collect();
    // The place is deleted here and put there.
    assert_eq!(written, [4]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_writers_draw_no_number_twice() {
    let world = World::new(archive(), Nothing).await;
    world.given("Collection", json!({"name": "x"})).await;
    world.given("Post", json!({"collectionId": "1", "name": "x"})).await;
    let mut tasks = Vec::new();
    for count in 0..64 {
        tasks.push(create(&world, "Category", json!({"name": format!("category {count}")})));
        tasks.push(create(&world, "Place", json!({"fullName": format!("place {count}")})));
    }
    let mut drawn: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
    for (place, outcome) in at_once(tasks).await.into_iter().enumerate() {
        // Two places share the word `place`: some may have had to give up, but none gets another's number.
        match outcome {
            Ok(record) => {
                assert!(drawn.entry(place % 2).or_default().insert(id(&record.unwrap().attributes, "id")));
            }
            Err(Error::Conflict { .. }) if place % 2 == 1 => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(drawn[&0], (1..=64).collect());
    assert_in_step(&world).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_claim_one_identity_one_gets_it() {
    for round in 0..10 {
        let world = World::new(archive(), Nothing).await;
        for count in 0..6 {
            let id = format!("01K9ZV000000000000000000{count:02}");
            world.given("User", json!({"id": id, "issuer": "a", "subject": format!("s{count}"), "name": "x"})).await;
        }
        let mut tasks = Vec::new();
        for count in 0..6 {
            let id = format!("01K9ZV000000000000000000{count:02}");
            tasks.push(create(&world, "User", json!({"issuer": "a", "subject": "one", "name": "x"})));
            tasks.push(patch(&world, "User", json!({"id": id, "subject": "one"})));
        }
        let outcomes = at_once(tasks).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "round {round}: {outcomes:?}");
        for refused in outcomes.into_iter().filter(Result::is_err) {
            assert_eq!(violated(refused), "identity");
        }
        assert_in_step(&world).await;
    }
}

/// Places are renamed, and so moved, created and deleted, with words in common. Who finds a place moved looks for it
/// again.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn words_stay_in_step_however_many_rename_places() {
    let names = ["Rise Als", "Rise Sild", "Als Sild", "Sild", "Marstal Rise Als", "Ommel"];
    for round in 0..15_usize {
        let world = World::new(archive(), Nothing).await;
        for name in names.iter().take(4) {
            world.given("Place", json!({"fullName": name})).await;
        }
        let gone = round % 4 + 1;
        let mut tasks = Vec::new();
        let mut ids = Vec::new();
        for count in 0..16 {
            let (id, name) = ((count + round) % 4 + 1, names[(count * 5 + round) % names.len()]);
            ids.push(id);
            tasks.push(patch(&world, "Place", json!({"id": id.to_string(), "fullName": name})));
        }
        tasks.push(create(&world, "Place", json!({"fullName": names[round % names.len()]})));
        tasks.push(delete(&world, "Place", json!({"id": gone.to_string()}), false));
        let outcomes = at_once(tasks).await;
        for (outcome, id) in outcomes.iter().zip(&ids) {
            match outcome {
                Ok(_) | Err(Error::Conflict { .. }) => {}
                Err(Error::NotFound { .. }) if *id == gone => {}
                other => panic!("round {round}, place {id}: {other:?}"),
            }
        }
        assert!(outcomes.iter().filter(|outcome| outcome.is_ok()).count() >= 8, "round {round}: {outcomes:?}");
        assert!(outcomes[16].is_ok(), "round {round}: {:?}", outcomes[16]);
        assert_in_step(&world).await;
    }
}

/// Records go from post to post and from household to household, while one of the posts is deleted with all it has.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn households_stay_in_step_however_many_move_records() {
    for round in 0..15_usize {
        let world = World::new(archive(), Nothing).await;
        world.given("Category", json!({"name": "x"})).await;
        world.given("Collection", json!({"name": "x"})).await;
        for _ in 0..3 {
            world.given("Post", json!({"collectionId": "1", "name": "x"})).await;
        }
        for count in 0..6 {
            world
                .given("Record", json!({"postId": (count % 3 + 1).to_string(), "household": format!("{}", count % 2)}))
                .await;
        }
        let mut tasks = Vec::new();
        for count in 0..12 {
            let (id, post) = ((count + round) % 6 + 1, (count * 7 + round) % 3 + 1);
            tasks.push(patch(
                &world,
                "Record",
                json!({"id": id.to_string(), "postId": post.to_string(), "household": format!("{}", count % 3)}),
            ));
        }
        tasks.push(create(&world, "Record", json!({"postId": "2", "household": "0"})));
        tasks.push(delete(&world, "Record", json!({"id": (round % 6 + 1).to_string()}), false));
        tasks.push(delete(&world, "Post", json!({"id": "2"}), true));
        tasks.push(create(&world, "CollectionCategory", json!({"collectionId": "1", "categoryId": "1"})));
        tasks.push(delete(&world, "Category", json!({"id": "1"}), false));
        let outcomes = at_once(tasks).await;
        let expected = ["postId", "categoryId", "CollectionCategory.categoryId", "Record.postId"];
        outcomes.iter().for_each(|outcome| assert_tolerable(outcome, &expected));
        assert_in_step(&world).await;
    }
}

/// One record that many move at once ends in one post, and every mover finds it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_record_that_many_move_is_never_lost() {
    for round in 0..15_usize {
        let world = World::new(archive(), Nothing).await;
        world.given("Collection", json!({"name": "x"})).await;
        for _ in 0..4 {
            world.given("Post", json!({"collectionId": "1", "name": "x"})).await;
        }
        world.given("Record", json!({"postId": "1", "household": "1"})).await;
        let moves = (0..8)
            .map(|count| patch(&world, "Record", json!({"id": "1", "postId": ((count + round) % 4 + 1).to_string()})));
        let mut tasks: Vec<_> = moves.collect();
        tasks.push(patch(&world, "Record", json!({"id": "1", "household": "2"})));
        let outcomes = at_once(tasks).await;
        for outcome in &outcomes {
            assert!(matches!(outcome, Ok(_) | Err(Error::Conflict { .. })), "round {round}: {outcome:?}");
        }
        assert!(outcomes.iter().filter(|outcome| outcome.is_ok()).count() >= 4, "round {round}: {outcomes:?}");
        assert_eq!(world.table().await.keys().filter(|key| key.starts_with("1 | record_post#")).count(), 1);
        assert_in_step(&world).await;
    }
}
