//! Many callers at once in the design `catalogue`, and deletes of large sites that are cut short: tags, comments beside
//! their sites, participations and counts stay in step.

use crate::support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes, BackendFuture, ServiceError};
use keyfold_runtime::{Caller, DeleteOptions, Error, PatchOptions, QueryOptions, Record};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

const PLAYERS: [&str; 5] = [
    "019a5c00-0000-7000-8000-000000000ada",
    "019a5c00-0000-7000-8000-000000000b0b",
    "019a5c00-0000-7000-8000-000000000dee",
    "019a5c00-0000-7000-8000-000000000fae",
    "019a5c00-0000-7000-8000-000000000abe",
];

type Outcome = Result<(), Error>;

fn catalogue() -> Arc<Design> {
    design(&design_text("../../designs/catalogue/design.yaml"))
}

fn site(id: &str) -> Value {
    json!({"site": id, "url": "https://example.com/", "title": id, "tags": ["a", "b"]})
}

fn game(number: usize, players: [&str; 4]) -> Value {
    json!({
        "matchId": format!("019b1000-0000-7000-8000-{number:012}"), "date": "2026-01-03",
        "teamAPlayer1Id": players[0], "teamAPlayer2Id": players[1], "teamBPlayer1Id": players[2], "teamBPlayer2Id": players[3],
        "winningTeam": "A", "teamAGames": 3, "teamBGames": number % 3,
    })
}

fn text<'a>(item: &'a Attributes, name: &str) -> &'a str {
    item.get(name).and_then(AttributeValue::as_str).unwrap_or_default()
}

fn count(item: &Attributes, name: &str) -> usize {
    item.get(name).and_then(AttributeValue::as_number).map_or(0, |number| number.to_string().parse().unwrap())
}

fn create<H: Hook + 'static>(world: &World<H>, entity: &'static str, value: Value) -> JoinHandle<Outcome> {
    let (runtime, attributes) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    tokio::spawn(async move { runtime.create(&superuser(), entity, attributes).await.map(drop::<Record>) })
}

fn patch<H: Hook + 'static>(world: &World<H>, entity: &'static str, value: Value) -> JoinHandle<Outcome> {
    let (runtime, attributes) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    let options = PatchOptions::new();
    tokio::spawn(async move { runtime.patch(&superuser(), entity, attributes, options).await.map(drop::<Record>) })
}

fn delete<H: Hook + 'static>(world: &World<H>, entity: &'static str, value: Value) -> JoinHandle<Outcome> {
    let (runtime, identity) = (Arc::clone(&world.runtime), world.attributes(entity, value));
    tokio::spawn(async move { runtime.delete(&superuser(), entity, identity, DeleteOptions::default()).await })
}

async fn at_once(tasks: Vec<JoinHandle<Outcome>>) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

/// The items of a table that its entities account for, and no other; counters included.
fn assert_in_step(table: &BTreeMap<String, Attributes>) {
    let mut expected: BTreeSet<String> = BTreeSet::new();
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for (key, item) in table {
        assert_eq!(item.get("kf_delete"), None, "{key} is still marked");
        let (partition, sort) = (text(item, "PK"), text(item, "SK"));
        let is_derived = ["TAG#", "COMMENT#", "MATCH#"].iter().any(|prefix| sort.starts_with(prefix));
        if is_derived {
            continue;
        }
        expected.insert(key.clone());
        if let Some(AttributeValue::L(tags)) = item.get("tags") {
            expected.extend(tags.iter().map(|tag| format!("{partition} | TAG#{}", tag.as_str().unwrap())));
        } else if let Some((site, comment)) = sort.split_once("#COMMENT#") {
            let beside = format!("{site} | COMMENT#{comment}");
            assert_eq!(text(&table[&beside], "body"), text(item, "body"), "{beside}");
            assert_eq!(format!("USER#{}", text(&table[&beside], "user")), partition, "{beside}");
            assert!(table.contains_key(&format!("{site} | METADATA")), "{key} is an orphan");
            expected.insert(beside);
        } else if partition.starts_with("USER#") && sort.starts_with("SITE#") {
            *counts.entry((format!("{sort} | METADATA"), "ratingCount")).or_default() += 1;
        } else if let Some(group) = sort.strip_prefix("MEMBERSHIP#") {
            *counts.entry((format!("GROUP#{group} | METADATA"), "memberCount")).or_default() += 1;
        } else if partition.starts_with("SQUASH#MATCH#") {
            for name in ["teamAPlayer1Id", "teamAPlayer2Id", "teamBPlayer1Id", "teamBPlayer2Id"] {
                let player = format!("SQUASH#PLAYER#{}", text(item, name));
                assert!(table.contains_key(&format!("{player} | METADATA")), "{name} of {key} is gone");
                let participation = format!("{player} | MATCH#{}", text(item, "matchId"));
                assert_eq!(text(&table[&participation], "squashDate"), text(item, "date"), "{participation}");
                expected.insert(participation);
            }
        }
    }
    assert_eq!(table.keys().cloned().collect::<BTreeSet<_>>(), expected);
    for ((target, counter), referring) in &counts {
        assert!(table.contains_key(target), "{target} is gone, and {referring} refer to it");
        assert_eq!(count(&table[target], counter), *referring, "{counter} of {target}");
    }
    for (key, item) in table {
        for counter in ["ratingCount", "memberCount"].into_iter().filter(|counter| item.contains_key(*counter)) {
            let referring = counts.get(&(key.clone(), counter)).copied().unwrap_or(0);
            assert_eq!(count(item, counter), referring, "{counter} of {key}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_tags_of_a_site_are_those_of_its_last_edit() {
    let world = World::new(catalogue(), Nothing).await;
    world.given("Site", site("s")).await;
    let lists = [json!(["a"]), json!(["b", "c#"]), json!([]), json!(["a", "b", "c", "d"]), json!(["e", "a"])];
    for _ in 0..6 {
        let edits = lists.iter().map(|tags| patch(&world, "Site", json!({"site": "s", "tags": tags}))).collect();
        let done = at_once(edits).await.into_iter().filter(Result::is_ok).count();
        assert!(done >= 1, "one of them wins");
        assert_in_step(&world.table().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_player_is_not_deleted_into_a_match_that_is_being_created() {
    for round in 0..12 {
        let world = World::new(catalogue(), Nothing).await;
        for player in PLAYERS {
            world.given("Player", json!({"playerId": player, "name": player})).await;
        }
        let [ada, bob, dee, fae, abe] = PLAYERS;
        let calls = vec![
            create(&world, "Match", game(1, [ada, bob, dee, fae])),
            delete(&world, "Player", json!({"playerId": PLAYERS[round % 4]})),
            create(&world, "Match", game(2, [abe, bob, ada, fae])),
            delete(&world, "Player", json!({"playerId": abe})),
        ];
        let outcomes = at_once(calls).await;
        let table = world.table().await;
        assert_in_step(&table);
        for (outcome, key) in outcomes.iter().zip([
            "SQUASH#MATCH#019b1000-0000-7000-8000-000000000001 | METADATA".to_owned(),
            String::new(),
            "SQUASH#MATCH#019b1000-0000-7000-8000-000000000002 | METADATA".to_owned(),
            String::new(),
        ]) {
            assert!(key.is_empty() || table.contains_key(&key) == outcome.is_ok(), "{key}: {outcome:?}");
        }
        assert_eq!(table.contains_key(&format!("SQUASH#PLAYER#{abe} | METADATA")), outcomes[3].is_err());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_match_whose_players_and_date_many_change_has_its_four_participations() {
    let world = World::new(catalogue(), Nothing).await;
    for player in PLAYERS {
        world.given("Player", json!({"playerId": player, "name": player})).await;
    }
    let [ada, bob, dee, fae, abe] = PLAYERS;
    let id = json!(game(1, [ada, bob, dee, fae])["matchId"]);
    world.given("Match", game(1, [ada, bob, dee, fae])).await;
    for _ in 0..6 {
        let changes = vec![
            patch(&world, "Match", json!({"matchId": id, "teamAPlayer1Id": abe})),
            patch(&world, "Match", json!({"matchId": id, "teamAPlayer1Id": ada, "teamBPlayer2Id": fae})),
            patch(&world, "Match", json!({"matchId": id, "date": "2026-02-01"})),
            patch(&world, "Match", json!({"matchId": id, "date": "2026-01-03", "teamBPlayer2Id": abe})),
        ];
        at_once(changes).await;
        let table = world.table().await;
        assert_in_step(&table);
        assert_eq!(table.len(), PLAYERS.len() + 5);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_site_that_is_deleted_while_it_is_rated_leaves_nothing() {
    for _ in 0..8 {
        let world = World::new(catalogue(), Nothing).await;
        world.given("Site", site("s")).await;
        world.given("Rating", json!({"user": "u0", "site": "s", "stars": 5})).await;
        let mut calls = vec![delete(&world, "Site", json!({"site": "s"}))];
        for number in 1..5 {
            let user = format!("u{number}");
            calls.push(create(&world, "Rating", json!({"user": user, "site": "s", "stars": number})));
            calls.push(create(&world, "Comment", json!({"user": user, "site": "s", "body": "Hello"})));
        }
        calls.push(patch(&world, "Site", json!({"site": "s", "tags": ["c"]})));
        let deleted = at_once(calls).await.remove(0);
        let table = world.table().await;
        assert_in_step(&table);
        assert_eq!(table.is_empty(), deleted.is_ok(), "{deleted:?}: {:?}", table.keys());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_comments_with_one_id_one_is_beside_the_site() {
    for _ in 0..6 {
        let world = World::new(catalogue(), Nothing).await;
        world.given("Site", site("s")).await;
        let comment =
            |user: usize| json!({"user": format!("u{user}"), "site": "s", "commentId": "c", "body": user.to_string()});
        let outcomes = at_once((0..8).map(|user| create(&world, "Comment", comment(user))).collect()).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        for refused in outcomes.into_iter().filter(Result::is_err) {
            assert!(
                matches!(&refused, Err(Error::Constraint(violation)) if violation.name == "SiteComment")
                    || matches!(refused, Err(Error::Conflict { .. })),
                "{refused:?}"
            );
        }
        assert_in_step(&world.table().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_is_in_a_group_that_was_deleted_while_they_were_added() {
    for _ in 0..8 {
        let world = World::new(catalogue(), Nothing).await;
        world.given("Group", json!({"name": "Squash", "permissions": []})).await;
        let mut calls = vec![delete(&world, "Group", json!({"name": "Squash"}))];
        for number in 0..6 {
            let membership = json!({"userId": format!("u{number}"), "groupName": "Squash"});
            calls.push(create(&world, "GroupMembership", membership));
        }
        let deleted = at_once(calls).await.remove(0);
        let table = world.table().await;
        assert_in_step(&table);
        assert_eq!(table.is_empty(), deleted.is_ok(), "{deleted:?}");
    }
}

/// Carries out some writes; then nothing goes through any more.
struct Cut {
    after: usize,
    writes: AtomicUsize,
    /// The last write is carried out, and its answer lost.
    loses_answer: bool,
}

fn lost() -> ServiceError {
    ServiceError::Unavailable("the connection is gone".to_owned())
}

impl Hook for Cut {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            assert!(call.actions() <= 100, "a transaction takes 100 actions");
            if self.writes.load(Ordering::SeqCst) >= self.after {
                return Err(lost());
            }
            self.writes.fetch_add(usize::from(call.is_write() && !self.loses_answer), Ordering::SeqCst);
            Ok(())
        })
    }

    fn after(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            let is_last =
                self.loses_answer && call.is_write() && self.writes.fetch_add(1, Ordering::SeqCst) + 1 >= self.after;
            if is_last { Err(lost()) } else { Ok(()) }
        })
    }
}

const RATERS: usize = 70;

/// A site with more ratings and comments than a transaction takes, and another with some.
async fn rated(after: usize, loses_answer: bool) -> World<Cut> {
    let world = World::new(catalogue(), Cut { after, writes: AtomicUsize::new(0), loses_answer }).await;
    for id in ["large", "small"] {
        world.given("Site", site(id)).await;
        for number in 0..if id == "large" { RATERS } else { 2 } {
            let user = format!("u{number:02}");
            world.given("Rating", json!({"user": user, "site": id, "stars": number % 5 + 1})).await;
            world
                .given("Comment", json!({"user": user, "site": id, "commentId": format!("c{number:02}"), "body": "x"}))
                .await;
        }
    }
    world
}

async fn shown(world: &World<Cut>, pattern: &str, arguments: Value) -> usize {
    let arguments = support::arguments(&world.design, pattern, arguments);
    let options = QueryOptions { take: Some(1000), ..QueryOptions::default() };
    world.plain.query(&Caller::superuser("test"), pattern, arguments, &options).await.unwrap().count
}

/// The delete of a large site takes several steps. Wherever it is cut, the site is there or gone, and the same call
/// made again goes on.
async fn cut_everywhere(loses_answer: bool) {
    let mut was_resumed = 0;
    for after in usize::from(loses_answer).. {
        let world = rated(after, loses_answer).await;
        let large = world.attributes("Site", json!({"site": "large"}));
        let cut = world.runtime.delete(&superuser(), "Site", large.clone(), DeleteOptions::default()).await;
        let is_there = world.get("Site", json!({"site": "large"})).await.is_some();
        assert_eq!(shown(&world, "all sites", json!({})).await, 1 + usize::from(is_there), "cut after {after} writes");
        let is_left = world.table().await.contains_key("SITE#large | METADATA");
        if cut.is_err() {
            was_resumed += usize::from(!is_there);
            // A process that looked for referring items, and is gone, is forgotten after a while.
            world.clock.advance(31_000);
            let again = world.plain.delete(&superuser(), "Site", large, DeleteOptions::default()).await;
            // The answer that was lost may have been the last.
            assert_eq!(again.is_ok(), is_left, "cut after {after} writes: {again:?}");
            assert!(is_left || loses_answer && matches!(again, Err(Error::NotFound { .. })), "{again:?}");
        }
        let table = world.table().await;
        assert_in_step(&table);
        assert!(table.keys().all(|key| !key.contains("large")), "cut after {after} writes");
        assert_eq!(table.len(), 3 + 2 * 3, "the other site with its tags, ratings and comments stays");
        assert_eq!(shown(&world, "ratings by stars", json!({"stars": 1})).await, 1);
        if cut.is_ok() {
            break;
        }
    }
    assert!(was_resumed >= 3, "only {was_resumed} were cut between the steps");
}

#[tokio::test]
async fn a_large_site_is_deleted_in_steps_and_resumed_wherever_it_stopped() {
    cut_everywhere(false).await;
}

#[tokio::test]
async fn a_large_site_is_deleted_wherever_an_answer_is_lost() {
    cut_everywhere(true).await;
}
