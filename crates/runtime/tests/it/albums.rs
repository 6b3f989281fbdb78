//! Many callers at once in the design `albums`: whatever they do, lookups, views, counts and the tree stay in step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record, Write};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

const TENANT: &str = "01K9ZV0000000000000000TENA";
const PATCH: PatchOptions = PatchOptions::new();

fn albums() -> Arc<Design> {
    design(&design_text("../../designs/albums/design.yaml"))
}

/// A ULID of a kind and a number.
fn id(kind: &str, number: usize) -> String {
    format!("01K9ZV{:0>20}", format!("{kind}{number:02}"))
}

fn user(number: usize, email: &str) -> Value {
    json!({"userId": id("ADA", number), "issuer": "https://id.example.com", "subject": format!("s{number}"), "email": email, "name": "x"})
}

fn text<'a>(item: &'a Attributes, name: &str) -> &'a str {
    item.get(name).and_then(AttributeValue::as_str).unwrap_or_default()
}

fn count(item: &Attributes, name: &str) -> usize {
    item.get(name).and_then(AttributeValue::as_number).map_or(0, |number| number.to_string().parse().unwrap())
}

/// Runs calls at once, and gives what came of each.
async fn at_once(tasks: Vec<JoinHandle<Result<(), Error>>>) -> Vec<Result<(), Error>> {
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

fn create(world: &World<Nothing>, entity: &'static str, value: Value) -> JoinHandle<Result<(), Error>> {
    let (runtime, attributes) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    tokio::spawn(async move { runtime.create(&superuser(), entity, attributes).await.map(drop::<Record>) })
}

fn patch(world: &World<Nothing>, entity: &'static str, value: Value) -> JoinHandle<Result<(), Error>> {
    let (runtime, attributes) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    tokio::spawn(async move { runtime.patch(&superuser(), entity, attributes, PATCH).await.map(drop::<Record>) })
}

fn delete(world: &World<Nothing>, entity: &'static str, value: Value, cascade: bool) -> JoinHandle<Result<(), Error>> {
    let (runtime, identity) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    let options = DeleteOptions { cascade, expected_version: None };
    tokio::spawn(async move { runtime.delete(&superuser(), entity, identity, options).await })
}

/// Every item of the table is one that the others account for.
async fn assert_in_step(world: &World<Nothing>) {
    let table = world.table().await;
    let mut left: BTreeSet<&str> = table.keys().map(String::as_str).collect();
    let mut members: BTreeMap<String, usize> = BTreeMap::new();
    let mut expect = |key: String, name: &str, value: &str| {
        let item = table.get(&key).unwrap_or_else(|| panic!("there is no {key} in {:#?}", table.keys()));
        assert_eq!(text(item, name), value, "{name} of {key}");
        left.remove(key.as_str());
    };
    for item in table.values().filter(|item| text(item, "PK").starts_with("MEMBERSHIP#")) {
        let (tenant, user, membership) = (text(item, "tenantId"), text(item, "userId"), text(item, "membershipId"));
        if !text(item, "SK").starts_with("METADATA#") {
            continue;
        }
        let role = text(item, "role");
        expect(format!("MEMBERSHIP#{membership} | METADATA#{membership}"), "role", role);
        expect(format!("MEMBERSHIP#{membership} | LOOKUP#TENANT"), "role", role);
        expect(format!("MEMBERSHIP#{membership} | LOOKUP#USER"), "role", role);
        expect(format!("LOOKUP#MEMBERSHIP#TENANT_USER#{tenant}#{user} | LOOKUP"), "membershipId", membership);
        *members.entry(tenant.to_owned()).or_default() += 1;
        *members.entry(user.to_owned()).or_default() += 1;
    }
    for item in table.values() {
        let (partition, sort) = (text(item, "PK"), text(item, "SK"));
        assert_eq!(item.get("kf_delete"), None, "{partition} {sort} is still marked");
        if partition.starts_with("USER#") {
            let id = text(item, "userId");
            let email = text(item, "email").to_lowercase();
            expect(format!("{partition} | {sort}"), "userId", id);
            expect(format!("LOOKUP#USER#EMAIL#{email} | LOOKUP"), "userId", id);
            let subject = text(item, "subject");
            expect(
                format!("LOOKUP#USER#OIDC_SUB#https%3A%2F%2Fid.example.com#{subject} | LOOKUP"),
                "GSI2SK",
                &format!("USER#{id}"),
            );
            assert_eq!(count(item, "membershipCount"), members.get(id).copied().unwrap_or(0), "{partition}");
        } else if sort.starts_with("METADATA#") && partition.starts_with("TENANT#") {
            let id = text(item, "tenantId");
            expect(format!("{partition} | {sort}"), "tenantId", id);
            assert_eq!(count(item, "memberCount"), members.get(id).copied().unwrap_or(0), "{partition}");
        } else if sort.starts_with("ALBUM#") {
            let parent = item.get("parentId").and_then(AttributeValue::as_str);
            let under = parent.map_or(format!("TENANT#{TENANT}"), |parent| format!("ALBUM#{parent}"));
            expect(format!("{partition} | {sort}"), "GSI1PK", &under);
            let children = table.values().filter(|other| text(other, "parentId") == text(item, "albumId")).count();
            assert_eq!(count(item, "childCount"), children, "{sort}");
            assert_rooted(&table, item);
        } else if sort.starts_with("IMAGE#") {
            expect(format!("{partition} | {sort}"), "GSI1PK", &format!("ALBUM#{}", text(item, "albumId")));
            assert!(
                table.contains_key(&format!("{partition} | ALBUM#{}", text(item, "albumId"))),
                "{sort} is an orphan"
            );
        }
    }
    assert!(left.is_empty(), "nobody's: {left:?}");
}

/// The way up ends at a root.
fn assert_rooted(table: &BTreeMap<String, Attributes>, album: &Attributes) {
    let mut current = album;
    for _ in 0..100 {
        let Some(parent) = current.get("parentId").and_then(AttributeValue::as_str) else { return };
        let key = format!("TENANT#{TENANT} | ALBUM#{parent}");
        current = table.get(&key).unwrap_or_else(|| panic!("{key} is missing"));
    }
    panic!("{} is its own ancestor", text(album, "albumId"));
}

/// Every name of the document is the name of a helper, and no other is.
#[test]
fn the_helpers_match_the_document() {
    let design = albums();
    let named: BTreeSet<&str> =
        design.entities.iter().flat_map(|entity| entity.helpers.values()).map(String::as_str).collect();
    let document = BTreeSet::from([
        "gsi1AlbumChild",
        "gsi1ImageByAlbum",
        "gsi2UserByOidcSub",
        "gsi2UserByEmail",
        "userLookupPartition",
        "userLookupSort",
        "gsi2MembershipByTenant",
        "gsi2MembershipByUser",
        "pkTenant",
        "pkUser",
        "skUserMetadata",
    ]);
    assert_eq!(named, document);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_users_who_claim_one_address_one_gets_it() {
    for round in 0..10 {
        let world = World::new(albums(), Nothing).await;
        for number in 0..8 {
            world.given("User", user(number, &format!("u{number}@example.com"))).await;
        }
        let spelt = ["one@example.com", "ONE@example.com", "One@Example.com", "one@EXAMPLE.com"];
        let mut tasks = Vec::new();
        for number in 0..8 {
            let email = spelt[number % spelt.len()];
            tasks.push(create(&world, "User", user(number + 8, email)));
            tasks.push(patch(&world, "User", json!({"userId": id("ADA", number), "email": email})));
        }
        let outcomes = at_once(tasks).await;
        let won = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        assert_eq!(won, 1, "round {round}: {outcomes:?}");
        for refused in outcomes.into_iter().filter(Result::is_err) {
            assert_eq!(violated(refused), "email");
        }
        assert_in_step(&world).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_creates_of_a_membership_make_one() {
    for round in 0..10 {
        let world = World::new(albums(), Nothing).await;
        world.given("Tenant", json!({"tenantId": TENANT, "name": "x"})).await;
        world.given("User", user(1, "ada@example.com")).await;
        let membership = |number: usize| json!({"membershipId": id("MB", number), "tenantId": TENANT, "userId": id("ADA", 1), "role": "viewer"});
        let outcomes = at_once((0..12).map(|number| create(&world, "Membership", membership(number))).collect()).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "round {round}: {outcomes:?}");
        for refused in outcomes.into_iter().filter(Result::is_err) {
            assert_eq!(violated(refused), "user in tenant");
        }
        assert_in_step(&world).await;
    }
}

/// Roles change, members come and go, and their user is deleted: no view is left without its membership.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memberships_are_never_half_written() {
    for round in 0..20 {
        let world = World::new(albums(), Nothing).await;
        world.given("Tenant", json!({"tenantId": TENANT, "name": "x"})).await;
        for number in 0..4 {
            world.given("User", user(number, &format!("u{number}@example.com"))).await;
        }
        let member = |number: usize, role: &str| json!({"membershipId": id("MB", number), "tenantId": TENANT, "userId": id("ADA", number), "role": role});
        for number in 0..3 {
            world.given("Membership", member(number, "viewer")).await;
        }
        let tasks = vec![
            patch(&world, "Membership", json!({"membershipId": id("MB", 0), "role": "admin"})),
            patch(&world, "Membership", json!({"membershipId": id("MB", 0), "role": "editor"})),
            delete(&world, "Membership", json!({"membershipId": id("MB", 1)}), false),
            patch(&world, "Membership", json!({"membershipId": id("MB", 1), "role": "admin"})),
            delete(&world, "User", json!({"userId": id("ADA", 2)}), false),
            patch(&world, "Membership", json!({"membershipId": id("MB", 2), "role": "admin"})),
            create(&world, "Membership", member(3, "viewer")),
            delete(&world, "User", json!({"userId": id("ADA", 3)}), false),
        ];
        let outcomes = at_once(tasks).await;
        for place in [0, 1, 2, 4, 7] {
            assert_eq!(outcomes[place], Ok(()), "round {round}, {place}");
        }
        assert_in_step(&world).await;
        let table = world.table().await;
        for gone in [2, 3] {
            assert!(table.keys().all(|key| !key.contains(&id("ADA", gone))), "round {round}: {:?}", table.keys());
        }
    }
}

/// Albums move, come and go all at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_tree_stays_a_tree_however_many_move_albums() {
    for round in 0..10_usize {
        let world = World::new(albums(), Nothing).await;
        world.given("Tenant", json!({"tenantId": TENANT, "name": "x"})).await;
        for number in 0..8 {
            world.given("Album", json!({"tenantId": TENANT, "albumId": id("AB", number), "title": "x"})).await;
        }
        let mut tasks = Vec::new();
        for number in 0..24 {
            // Many pairs in both directions, others around in a circle.
            let (album, parent) = ((number + round) % 8, (number * 3 + round + 1) % 8);
            let moved = json!({"tenantId": TENANT, "albumId": id("AB", album), "parentId": id("AB", parent)});
            tasks.push(patch(&world, "Album", moved));
        }
        for number in 0..4 {
            let image = json!({"tenantId": TENANT, "imageId": id("PH", number), "albumId": id("AB", number), "objectKey": "x", "contentType": "image/png"});
            tasks.push(create(&world, "Image", image));
        }
        tasks.push(delete(&world, "Album", json!({"tenantId": TENANT, "albumId": id("AB", 3)}), true));
        for outcome in at_once(tasks).await {
            match outcome {
                Ok(()) => {}
                Err(Error::Constraint(violation)) => {
                    assert!(["parentId", "albumId"].contains(&violation.name.as_str()), "{violation:?}");
                }
                // Moved while it was looked at, again and again; or gone with another.
                Err(Error::Conflict { .. } | Error::NotFound { .. }) => {}
                Err(error) => panic!("round {round}: {error}"),
            }
        }
        assert_in_step(&world).await;
    }
}

/// A transaction can create albums, and put others below them.
#[tokio::test]
async fn a_transaction_cannot_put_albums_below_each_other() {
    let world = World::new(albums(), Nothing).await;
    world.given("Tenant", json!({"tenantId": TENANT, "name": "x"})).await;
    let album = |number: usize, parent: Option<usize>| match parent {
        None => json!({"tenantId": TENANT, "albumId": id("AB", number), "title": "x"}),
        Some(parent) => {
            json!({"tenantId": TENANT, "albumId": id("AB", number), "parentId": id("AB", parent), "title": "x"})
        }
    };
    world.given("Album", album(0, None)).await;
    world.given("Album", album(1, Some(0))).await;
    let create = |number, parent| {
        let attributes = world.attributes("Album", album(number, parent));
        Write::Create { entity: "Album".to_owned(), attributes }
    };
    let moved = |number, parent| {
        let attributes = world.attributes("Album", album(number, Some(parent)));
        Write::Patch { entity: "Album".to_owned(), attributes, options: PATCH }
    };
    let cycles = [
        vec![create(2, Some(3)), create(3, Some(2))],
        // Below a new album, which is below it.
        vec![create(2, Some(0)), moved(0, 2)],
        // The same with a stored album in between.
        vec![create(2, Some(1)), moved(0, 2)],
    ];
    for writes in cycles {
        match world.runtime.transact(&superuser(), writes.clone()).await {
            Err(Error::Constraint(violation)) => assert_eq!(
                violation.message, "`parentId` of Album cannot be set: it would be its own ancestor",
                "{writes:?}"
            ),
            other => panic!("{writes:?}: {other:?}"),
        }
    }
    let tree = vec![create(2, None), create(3, Some(2)), moved(0, 3)];
    assert_eq!(world.runtime.transact(&superuser(), tree).await.unwrap().len(), 3);
    assert_in_step(&world).await;
}
