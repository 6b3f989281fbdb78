//! Calls that meet: a delete with a create, two patches, two creates.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::*;
use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_dynamo::{Attributes, BackendFuture, ServiceError};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, QueryOptions, Record, Runtime};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Holds up one request, by its number, until it is let go.
struct Pause {
    at: usize,
    seen: AtomicUsize,
    reached: Notify,
    go: Notify,
}

impl Pause {
    fn at(at: usize) -> Self {
        Self { at, seen: AtomicUsize::new(0), reached: Notify::new(), go: Notify::new() }
    }
}

impl Hook for Pause {
    fn before(&self, _: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            if self.seen.fetch_add(1, Ordering::SeqCst) == self.at {
                self.reached.notify_one();
                self.go.notified().await;
            }
            Ok(())
        })
    }
}

/// A parent, and a child that is about to be created under it.
struct Family {
    design: &'static str,
    given: Vec<(&'static str, Value)>,
    parent: (&'static str, Value),
    child: (&'static str, Value),
    /// The child's attribute that the parent's refusal names.
    refusal: &'static str,
    cascade: bool,
    /// Where the child lies.
    child_key: &'static str,
    parent_key: &'static str,
    counter: Option<&'static str>,
    /// What is there if and only if the child is.
    along: &'static [&'static str],
}

fn families() -> Vec<Family> {
    let shop = "tests/it/support/shop.yaml";
    let shelf_and_author =
        || vec![("Author", json!({"authorId": "a", "name": "Ada"})), ("Shelf", json!({"shelfId": "s", "label": "x"}))];
    let with_book = || {
        let mut given = shelf_and_author();
        given.push(("Book", json!({"bookId": "b", "authorId": "a", "shelfId": "s", "title": "One two"})));
        given
    };
    let book = ("Book", json!({"bookId": "b", "authorId": "a", "shelfId": "s", "title": "One two"}));
    vec![
        Family {
            design: "../../designs/agencies/design.yaml",
            given: vec![("Agency", json!({"agencyId": "n", "name": "Northwind"}))],
            parent: ("Agency", json!({"agencyId": "n"})),
            child: ("Member", json!({"agencyId": "n", "idpid": "ada"})),
            refusal: "Member.agencyId",
            cascade: false,
            child_key: "AGENCY#n | MEMBER#ada",
            parent_key: "AGENCY#n | AGENCY#n",
            counter: None,
            along: &[],
        },
        Family {
            design: "../../designs/agencies/design.yaml",
            given: vec![("Agency", json!({"agencyId": "n", "name": "Northwind"}))],
            parent: ("Agency", json!({"agencyId": "n"})),
            child: ("Member", json!({"agencyId": "n", "idpid": "ada"})),
            refusal: "",
            cascade: true,
            child_key: "AGENCY#n | MEMBER#ada",
            parent_key: "AGENCY#n | AGENCY#n",
            counter: None,
            along: &[],
        },
        Family {
            design: shop,
            given: with_book(),
            parent: ("Book", json!({"bookId": "b"})),
            child: ("Loan", json!({"loanId": "l", "bookId": "b", "reader": "Grace"})),
            refusal: "Loan.bookId",
            cascade: false,
            child_key: "LOAN#l | METADATA",
            parent_key: "BOOK#b | METADATA",
            counter: Some("loanCount"),
            along: &[],
        },
        Family {
            design: shop,
            given: with_book(),
            parent: ("Book", json!({"bookId": "b"})),
            child: ("Note", json!({"noteId": "n", "bookId": "b", "text": "good", "slug": "mine"})),
            refusal: "",
            cascade: false,
            child_key: "BOOK#b | NOTE#n",
            parent_key: "BOOK#b | METADATA",
            counter: None,
            along: &[],
        },
        Family {
            design: shop,
            given: shelf_and_author(),
            parent: ("Shelf", json!({"shelfId": "s"})),
            child: book.clone(),
            refusal: "Book.shelfId",
            cascade: false,
            child_key: "BOOK#b | METADATA",
            parent_key: "SHELF#s | METADATA",
            counter: Some("bookCount"),
            along: &[],
        },
        Family {
            design: shop,
            given: shelf_and_author(),
            parent: ("Shelf", json!({"shelfId": "s"})),
            child: book,
            refusal: "",
            cascade: true,
            child_key: "BOOK#b | METADATA",
            parent_key: "SHELF#s | METADATA",
            counter: Some("bookCount"),
            along: &[],
        },
        Family {
            design: shop,
            given: with_book(),
            parent: ("Shelf", json!({"shelfId": "s"})),
            child: ("Note", json!({"noteId": "n", "bookId": "b", "text": "good", "slug": "mine"})),
            refusal: "",
            cascade: true,
            child_key: "BOOK#b | NOTE#n",
            parent_key: "BOOK#b | METADATA",
            counter: None,
            along: &[],
        },
    ]
}

const PLAYERS: [&str; 4] = [
    "019a5c00-0000-7000-8000-000000000ada",
    "019a5c00-0000-7000-8000-000000000b0b",
    "019a5c00-0000-7000-8000-000000000dee",
    "019a5c00-0000-7000-8000-000000000fae",
];

/// Players and their matches, sites and what is said about them, groups and members.
fn families_of_catalogue() -> Vec<Family> {
    let design = "../../designs/catalogue/design.yaml";
    let site = || vec![("Site", json!({"site": "s", "url": "https://example.com/", "title": "x", "tags": ["a", "b"]}))];
    let players = || PLAYERS.iter().map(|id| ("Player", json!({"playerId": id, "name": "x"}))).collect();
    let game = || {
        json!({
            "matchId": "019b1000-0000-7000-8000-000000000001", "date": "2026-01-03", "winningTeam": "A", "teamAGames": 3, "teamBGames": 0,
            "teamAPlayer1Id": PLAYERS[0], "teamAPlayer2Id": PLAYERS[1], "teamBPlayer1Id": PLAYERS[2], "teamBPlayer2Id": PLAYERS[3],
        })
    };
    let player = |place: usize, refusal: &'static str, parent_key: &'static str| Family {
        design,
        given: players(),
        parent: ("Player", json!({"playerId": PLAYERS[place]})),
        child: ("Match", game()),
        refusal,
        cascade: false,
        child_key: "SQUASH#MATCH#019b1000-0000-7000-8000-000000000001 | METADATA",
        parent_key,
        counter: None,
        along: &[
            "SQUASH#PLAYER#019a5c00-0000-7000-8000-000000000ada | MATCH#019b1000-0000-7000-8000-000000000001",
            "SQUASH#PLAYER#019a5c00-0000-7000-8000-000000000b0b | MATCH#019b1000-0000-7000-8000-000000000001",
            "SQUASH#PLAYER#019a5c00-0000-7000-8000-000000000dee | MATCH#019b1000-0000-7000-8000-000000000001",
            "SQUASH#PLAYER#019a5c00-0000-7000-8000-000000000fae | MATCH#019b1000-0000-7000-8000-000000000001",
        ],
    };
    vec![
        player(0, "Match.teamAPlayer1Id", "SQUASH#PLAYER#019a5c00-0000-7000-8000-000000000ada | METADATA"),
        player(3, "Match.teamBPlayer2Id", "SQUASH#PLAYER#019a5c00-0000-7000-8000-000000000fae | METADATA"),
        Family {
            design,
            given: site(),
            parent: ("Site", json!({"site": "s"})),
            child: ("Rating", json!({"user": "ada", "site": "s", "stars": 5})),
            refusal: "",
            cascade: false,
            child_key: "USER#ada | SITE#s",
            parent_key: "SITE#s | METADATA",
            counter: Some("ratingCount"),
            along: &[],
        },
        Family {
            design,
            given: site(),
            parent: ("Site", json!({"site": "s"})),
            child: ("Comment", json!({"user": "ada", "site": "s", "commentId": "c", "body": "x"})),
            refusal: "",
            cascade: false,
            child_key: "USER#ada | SITE#s#COMMENT#c",
            parent_key: "SITE#s | METADATA",
            counter: None,
            along: &["SITE#s | COMMENT#c"],
        },
        Family {
            design,
            given: vec![("Group", json!({"name": "Squash", "permissions": []}))],
            parent: ("Group", json!({"name": "Squash"})),
            child: ("GroupMembership", json!({"userId": "ada", "groupName": "Squash"})),
            refusal: "",
            cascade: false,
            child_key: "USER#ada | MEMBERSHIP#Squash",
            parent_key: "GROUP#Squash | METADATA",
            counter: Some("memberCount"),
            along: &[],
        },
    ]
}

/// A member with both views, and the posts and records of an archive, whose ids come from sequences.
fn families_of_albums_and_archive() -> Vec<Family> {
    let (tenant, ada) = ("01K9ZV0000000000000000TENA", "01K9ZV00000000000000000ADA");
    let user = json!({"userId": ada, "issuer": "https://id.example.com", "subject": "s", "name": "Ada"});
    let membership =
        json!({"membershipId": "01K9ZV0000000000000000MB01", "tenantId": tenant, "userId": ada, "role": "viewer"});
    let collection = || ("Collection", json!({"name": "Denmark census 1880"}));
    let post = || ("Post", json!({"collectionId": "1", "name": "Marstal 1880"}));
    let archive = |parent: &'static str, cascade: bool| Family {
        design: "../../designs/archive/design.yaml",
        given: vec![collection(), post()],
        parent: (parent, json!({"id": "1"})),
        child: ("Record", json!({"postId": "1", "household": "1"})),
        refusal: if cascade { "" } else { "Record.postId" },
        cascade,
        child_key: "1 | record_post#1",
        parent_key: "1 | post",
        counter: Some("recordCount"),
        along: &["1 | record_household#1"],
    };
    vec![
        Family {
            design: "../../designs/albums/design.yaml",
            given: vec![("Tenant", json!({"tenantId": tenant, "name": "x"})), ("User", user)],
            parent: ("User", json!({"userId": ada})),
            child: ("Membership", membership),
            refusal: "",
            cascade: false,
            child_key: "MEMBERSHIP#01K9ZV0000000000000000MB01 | METADATA#01K9ZV0000000000000000MB01",
            parent_key: "USER#01K9ZV00000000000000000ADA | METADATA#01K9ZV00000000000000000ADA",
            counter: Some("membershipCount"),
            along: &[
                "MEMBERSHIP#01K9ZV0000000000000000MB01 | LOOKUP#TENANT",
                "MEMBERSHIP#01K9ZV0000000000000000MB01 | LOOKUP#USER",
                "LOOKUP#MEMBERSHIP#TENANT_USER#01K9ZV0000000000000000TENA#01K9ZV00000000000000000ADA | LOOKUP",
            ],
        },
        archive("Post", false),
        archive("Post", true),
        archive("Collection", true),
    ]
}

fn all_families() -> impl Iterator<Item = Family> {
    families().into_iter().chain(families_of_catalogue()).chain(families_of_albums_and_archive())
}

async fn world(family: &Family, pause: usize) -> World<Pause> {
    let world = World::new(design(&design_text(family.design)), Pause::at(pause)).await;
    for (entity, value) in &family.given {
        world.given(entity, value.clone()).await;
    }
    world
}

/// What must hold, no matter which call came first.
fn check(
    family: &Family,
    place: &str,
    deleted: &Result<(), Error>,
    created: &Result<Record, Error>,
    table: &BTreeMap<String, Attributes>,
) {
    let (entity, _) = &family.child;
    let place =
        format!("{entity} under {}, cascade {}, {place}: {deleted:?}, {created:?}", family.parent.0, family.cascade);
    let child = table.contains_key(family.child_key);
    let parent = table.get(family.parent_key);
    assert!(!child || parent.is_some(), "an orphan: {place}");
    assert_eq!(deleted.is_ok(), parent.is_none(), "{place}");
    if deleted.is_ok() {
        assert!(!child, "{place}");
        let goes_along = family.refusal.is_empty();
        assert!(created.is_err() || goes_along, "both went well: {place}");
    } else {
        assert_eq!(created.is_ok(), child, "{place}");
    }
    match created {
        Ok(_) => {}
        // The parent is gone, or on its way.
        Err(Error::Conflict { .. }) => {}
        Err(Error::Constraint(violation)) => {
            assert!(violation.message.contains("does not exist"), "{place}");
        }
        Err(error) => panic!("{error}: {place}"),
    }
    match deleted {
        Ok(()) => {}
        Err(Error::Constraint(violation)) => assert_eq!(violation.name, family.refusal, "{place}"),
        Err(error) => panic!("{error}: {place}"),
    }
    if let Some(parent) = parent {
        assert!(!parent.contains_key("kf_delete"), "{place}");
        if let Some(counter) = family.counter {
            let count = parent.get(counter).and_then(|value| value.as_number()).map(ToString::to_string);
            assert_eq!(count.as_deref(), Some(if child { "1" } else { "0" }), "{place}");
        }
    }
    for key in family.along {
        assert_eq!(table.contains_key(*key), child, "{key}: {place}");
    }
    for (key, _) in
        table.iter().filter(|(key, _)| key.contains("LOOKUP") || key.contains("UNIQUE") || key.contains("mine"))
    {
        assert!(child || !key.contains("mine"), "a stale lookup {key}: {place}");
    }
}

#[tokio::test]
async fn a_create_while_the_parent_is_being_deleted_leaves_no_orphan() {
    for family in all_families() {
        let mut held_up = 0;
        for pause in 0..20 {
            let world = world(&family, pause).await;
            let (entity, identity) = family.parent.clone();
            let identity = world.attributes(entity, identity);
            let options = DeleteOptions { cascade: family.cascade, ..DeleteOptions::default() };
            let runtime = Arc::clone(&world.runtime);
            let delete = tokio::spawn(async move { runtime.delete(&superuser(), entity, identity, options).await });
            tokio::pin!(delete);
            let early = tokio::select! {
                outcome = &mut delete => Some(outcome.unwrap()),
                () = world.hook().reached.notified() => None,
            };
            let paused = early.is_none();
            held_up += usize::from(paused);
            let (entity, value) = family.child.clone();
            let created = world.plain.create(&superuser(), entity, world.attributes(entity, value)).await;
            world.hook().go.notify_one();
            let deleted = match early {
                Some(outcome) => outcome,
                None => delete.await.unwrap(),
            };
            check(&family, &format!("delete held up before request {pause}"), &deleted, &created, &world.table().await);
            if !paused {
                break;
            }
        }
        assert!(held_up >= 3, "only {held_up} requests of a delete of {}", family.parent.0);
    }
}

#[tokio::test]
async fn a_delete_while_a_child_is_being_created_leaves_no_orphan() {
    for family in all_families() {
        for pause in 0..20 {
            let world = world(&family, pause).await;
            let (entity, value) = family.child.clone();
            let value = world.attributes(entity, value);
            let runtime = Arc::clone(&world.runtime);
            let create = tokio::spawn(async move { runtime.create(&superuser(), entity, value).await });
            tokio::pin!(create);
            let early = tokio::select! {
                outcome = &mut create => Some(outcome.unwrap()),
                () = world.hook().reached.notified() => None,
            };
            let paused = early.is_none();
            let (entity, identity) = family.parent.clone();
            let options = DeleteOptions { cascade: family.cascade, ..DeleteOptions::default() };
            let deleted = world.plain.delete(&superuser(), entity, world.attributes(entity, identity), options).await;
            world.hook().go.notify_one();
            let created = match early {
                Some(outcome) => outcome,
                None => create.await.unwrap(),
            };
            check(&family, &format!("create held up before request {pause}"), &deleted, &created, &world.table().await);
            if !paused {
                assert!(pause > 0, "a create sends at least one request");
                break;
            }
        }
    }
}

/// Children that change while their parent's delete has already read them.
#[tokio::test]
async fn a_child_that_changes_during_a_cascade_leaves_nothing_behind() {
    for pause in 0..12 {
        let world = World::new(shop(), Pause::at(pause)).await;
        world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
        world.given("Author", json!({"authorId": "z", "name": "Zoe"})).await;
        world.given("Book", json!({"bookId": "b", "authorId": "a", "title": "One two", "isbn": "1"})).await;
        world.given("Note", json!({"bookId": "b", "noteId": "n", "text": "x", "slug": "old"})).await;
        let identity = world.attributes("Book", json!({"bookId": "b"}));
        let runtime = Arc::clone(&world.runtime);
        let delete =
            tokio::spawn(async move { runtime.delete(&superuser(), "Book", identity, DeleteOptions::default()).await });
        tokio::pin!(delete);
        let early = tokio::select! {
            outcome = &mut delete => Some(outcome.unwrap()),
            () = world.hook().reached.notified() => None,
        };
        let paused = early.is_none();
        let note = world.attributes("Note", json!({"bookId": "b", "noteId": "n", "slug": "new"}));
        let renamed = world.plain.patch(&superuser(), "Note", note, PatchOptions::default()).await;
        let book = world.attributes("Book", json!({"bookId": "b", "authorId": "z", "title": "Three", "isbn": "2"}));
        let moved = world.plain.patch(&superuser(), "Book", book, PatchOptions::default()).await;
        world.hook().go.notify_one();
        let deleted = match early {
            Some(outcome) => outcome,
            None => delete.await.unwrap(),
        };
        let place = format!("held up before request {pause}: {deleted:?}, {renamed:?}, {moved:?}");
        assert_eq!(deleted, Ok(()), "{place}");
        let table = world.table().await;
        let mut left: Vec<&str> = table
            .iter()
            // A word's item stays, with nothing in its set.
            .filter(|(key, item)| !key.starts_with("WORD#") || item.contains_key("bookIds"))
            .map(|(key, _)| key.as_str())
            .collect();
        left.retain(|key| !key.starts_with("AUTHOR#") && !key.contains("Ada") && !key.contains("Zoe"));
        assert_eq!(left, Vec::<&str>::new(), "{place}");
        for author in ["a", "z"] {
            let author = world.get("Author", json!({"authorId": author})).await.unwrap();
            assert_eq!(author["bookCount"], json!(0), "{place}");
        }
        if !paused {
            break;
        }
    }
}

#[tokio::test]
async fn two_patches_of_one_item_lose_nothing() {
    for pause in 0..10 {
        let world = World::new(shop(), Pause::at(pause)).await;
        world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
        world.given("Book", json!({"bookId": "b", "authorId": "a", "title": "One"})).await;
        let first = world.attributes("Book", json!({"bookId": "b", "status": "out", "dueDate": "2026-03-01"}));
        let runtime = Arc::clone(&world.runtime);
        let task =
            tokio::spawn(async move { runtime.patch(&superuser(), "Book", first, PatchOptions::default()).await });
        tokio::pin!(task);
        let early = tokio::select! {
            outcome = &mut task => Some(outcome.unwrap()),
            () = world.hook().reached.notified() => None,
        };
        let paused = early.is_none();
        let second = world.attributes("Book", json!({"bookId": "b", "dueDate": "2026-05-05", "title": "Two"}));
        world.plain.patch(&superuser(), "Book", second, PatchOptions::default()).await.unwrap();
        world.hook().go.notify_one();
        match early {
            Some(outcome) => outcome,
            None => task.await.unwrap(),
        }
        .unwrap();
        let stored = &world.table().await["BOOK#b | METADATA"];
        // The last call decides about the due date; the rest of both is there.
        let due = if paused { "2026-03-01" } else { "2026-05-05" };
        let text = |name: &str| stored[name].as_str().unwrap().to_owned();
        assert_eq!(text("title"), "Two", "held up before request {pause}");
        assert_eq!(text("status"), "out");
        assert_eq!(text("dueDate"), due);
        assert_eq!(text("GSI2PK"), "DUE#out");
        assert_eq!(text("GSI2SK"), format!("{due}#b"));
        assert_eq!(text("GSI1SK"), "Two#b");
        assert_eq!(stored["version"].as_number().unwrap().to_string(), "3");
        if !paused {
            assert!(pause >= 2, "a patch of a computed key reads and writes");
            break;
        }
    }
}

/// A patch, put or upsert of a site's tags.
async fn edit(runtime: &Runtime, verb: &str, attributes: Attributes) -> Result<Record, Error> {
    match verb {
        "patch" => runtime.patch(&superuser(), "Site", attributes, PatchOptions::default()).await,
        "put" => runtime.put(&superuser(), "Site", attributes).await,
        _ => runtime.upsert(&superuser(), "Site", attributes).await,
    }
}

#[tokio::test]
async fn of_two_edits_of_a_sites_tags_the_last_one_is_in_step() {
    let (old, first, second) = (["a", "b", "c#"], ["b", "d"], ["a", "c#", "e"]);
    let pairs = [("patch", "patch"), ("patch", "put"), ("put", "patch"), ("put", "put"), ("upsert", "patch")];
    for (one, other) in pairs {
        for pause in 0..10 {
            let world = World::new(design(&design_text("../../designs/catalogue/design.yaml")), Pause::at(pause)).await;
            let site = |tags: &[&str]| json!({"site": "s", "url": "https://example.com/", "title": "x", "tags": tags});
            world.given("Site", site(&old)).await;
            let (runtime, attributes) = (Arc::clone(&world.runtime), world.attributes("Site", site(&first)));
            let task = tokio::spawn(async move { edit(&runtime, one, attributes).await });
            tokio::pin!(task);
            let early = tokio::select! {
                outcome = &mut task => Some(outcome.unwrap()),
                () = world.hook().reached.notified() => None,
            };
            let paused = early.is_none();
            edit(&world.plain, other, world.attributes("Site", site(&second))).await.unwrap();
            world.hook().go.notify_one();
            match early {
                Some(outcome) => outcome,
                None => task.await.unwrap(),
            }
            .unwrap();
            let place = format!("{one} held up before request {pause} by a {other}");
            let expected: &[&str] = if paused { &first } else { &second };
            let table = world.table().await;
            let site = world.get("Site", json!({"site": "s"})).await.unwrap();
            assert_eq!((&site["tags"], &site["version"]), (&json!(expected), &json!(3)), "{place}");
            let mut keys: Vec<String> = expected.iter().map(|tag| format!("SITE#s | TAG#{tag}")).collect();
            keys.insert(0, "SITE#s | METADATA".to_owned());
            assert_eq!(table.keys().cloned().collect::<Vec<_>>(), keys, "{place}");
            for tag in expected {
                let by_tag = arguments(&world.design, "sites by tag", json!({"tag": tag}));
                let page = world.plain.query(&superuser(), "sites by tag", by_tag, &QueryOptions::default()).await;
                assert_eq!(page.unwrap().count, 1, "{tag}: {place}");
            }
            if !paused {
                assert!(pause >= 2, "an edit of tags reads and writes");
                break;
            }
        }
    }
}

#[tokio::test]
async fn two_patches_of_an_item_without_a_version_lose_nothing() {
    let world = World::new(shop(), Pause::at(1)).await;
    world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
    world.given("Book", json!({"bookId": "b", "authorId": "a", "title": "One"})).await;
    world.given("Note", json!({"bookId": "b", "noteId": "n", "text": "x", "slug": "old"})).await;
    let first = world.attributes("Note", json!({"bookId": "b", "noteId": "n", "slug": "mine"}));
    let runtime = Arc::clone(&world.runtime);
    let task = tokio::spawn(async move { runtime.patch(&superuser(), "Note", first, PatchOptions::default()).await });
    world.hook().reached.notified().await;
    let second = world.attributes("Note", json!({"bookId": "b", "noteId": "n", "slug": "theirs", "stars": 5}));
    world.plain.patch(&superuser(), "Note", second, PatchOptions::default()).await.unwrap();
    world.hook().go.notify_one();
    task.await.unwrap().unwrap();
    let note = world.get("Note", json!({"bookId": "b", "noteId": "n"})).await.unwrap();
    assert_eq!(note, json!({"bookId": "b", "noteId": "n", "slug": "mine", "stars": 5, "text": "x"}));
    let slugs: Vec<String> = world.table().await.into_keys().filter(|key| key.contains("slug")).collect();
    assert_eq!(slugs.len(), 1, "{slugs:?}");
    assert!(slugs[0].contains("mine"), "{slugs:?}");
}

#[tokio::test]
async fn of_two_creates_with_one_unique_value_one_wins() {
    for pause in 0..3 {
        let world = World::new(shop(), Pause::at(pause)).await;
        world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
        let book = |id: &str, isbn: &str| {
            world.attributes("Book", json!({"bookId": id, "authorId": "a", "title": "One", "isbn": isbn}))
        };
        let (first, second) = (book("b1", "ABC"), book("b2", "abc"));
        let runtime = Arc::clone(&world.runtime);
        let task = tokio::spawn(async move { runtime.create(&superuser(), "Book", first).await });
        tokio::pin!(task);
        let early = tokio::select! {
            outcome = &mut task => Some(outcome.unwrap()),
            () = world.hook().reached.notified() => None,
        };
        let paused = early.is_none();
        let other = world.plain.create(&superuser(), "Book", second).await;
        world.hook().go.notify_one();
        let own = match early {
            Some(outcome) => outcome,
            None => task.await.unwrap(),
        };
        let (winner, loser) = if paused { (other, own) } else { (own, other) };
        assert!(winner.is_ok(), "{winner:?}");
        let Err(Error::Constraint(violation)) = loser else { panic!("{loser:?}") };
        assert_eq!(violation.name, "isbn");
        assert_eq!(violation.attribute.as_deref(), Some("isbn"));
        assert_eq!(violation.message, "`isbn` is taken: another item has the same isbn");
        let books = world.table().await.keys().filter(|key| key.starts_with("BOOK#")).count();
        assert_eq!(books, 1);
        let author = world.get("Author", json!({"authorId": "a"})).await.unwrap();
        assert_eq!(author["bookCount"], json!(1));
        if !paused {
            break;
        }
    }
}

#[tokio::test]
async fn creates_of_one_item_from_many_tasks_make_one() {
    let world = World::new(shop(), Nothing).await;
    world.given("Author", json!({"authorId": "a", "name": "Ada"})).await;
    let mut tasks = Vec::new();
    for number in 0..16 {
        let attributes = world
            .attributes("Book", json!({"bookId": "b", "authorId": "a", "title": format!("T{number}"), "isbn": "1"}));
        let runtime = Arc::clone(&world.runtime);
        tasks.push(tokio::spawn(async move { runtime.create(&superuser(), "Book", attributes).await }));
    }
    let mut won = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => won += 1,
            Err(Error::Exists { entity, identity }) => {
                assert_eq!((entity.as_str(), identity.as_str()), ("Book", "bookId=b"))
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(won, 1);
}

/// Another transaction is always at the second of a transaction's items.
struct AlwaysBusy;

impl Hook for AlwaysBusy {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            let Call::Transact(input) = call else { return Ok(()) };
            let mut reasons = vec![CancellationReason::NONE; input.writes.len()];
            reasons[1].code = CancellationCode::TransactionConflict;
            Err(ServiceError::TransactionCanceled { reasons })
        })
    }
}

#[tokio::test]
async fn a_conflict_names_the_item_that_is_being_written() {
    let world = World::new(design(&design_text("../../designs/agencies/design.yaml")), AlwaysBusy).await;
    world.given("Agency", json!({"agencyId": "n", "name": "Northwind"})).await;
    let member = world.attributes("Member", json!({"agencyId": "n", "idpid": "ada"}));
    let refused = world.runtime.create(&superuser(), "Member", member).await.unwrap_err();
    assert_eq!(refused.to_string(), "Agency agencyId=n was changed by someone else");
}
