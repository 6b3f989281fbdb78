//! Ranges that hold items of several entities: what callers get, and what they must not learn of the rest.

use crate::support::*;
use keyfold_runtime::{Caller, Page, QueryOptions, Record, json};
use serde_json::{Value, json};

/// Issues before their repository, which is before its stars. Secrets are between the issues and the repository, and
/// only operators list them. In `GSI1`, notes of any tenant share the partition of a customer.
const DESIGN: &str = "
design: hub
table: hub
tenant: org
indexes:
  GSI1: {purpose: what a customer has}
entities:
  Repo:
    scope: tenant
    PK: ORG#<org>#<repo>
    SK: REPO#<repo>
    attributes: {org: string, repo: string, about: 'string, optional'}
  Issue:
    scope: tenant
    PK: ORG#<org>#<repo>
    SK: ISSUE#<number:width(6)>
    GSI1PK: ORG#<org>
    GSI1SK: ISSUE#<number:width(6)>
    attributes: {org: string, repo: string, number: integer}
  Secret:
    scope: tenant
    PK: ORG#<org>#<repo>
    SK: KEY#<name>
    attributes: {org: string, repo: string, name: string, value: string}
  Star:
    scope: tenant
    PK: ORG#<org>#<repo>
    SK: STAR#<user>
    attributes: {org: string, repo: string, user: string}
  Mention:
    scope: tenant
    PK: MENTION#<mentionId>
    SK: MENTION
    GSI1PK: ORG#<about>
    GSI1SK: HINT#<mentionId>
    attributes: {org: string, mentionId: string, about: string}
patterns:
  newest: PK = ORG#<org>#<repo> and SK <= REPO#<repo>, newest first -> Repo, Issue
  between: PK = ORG#<org>#<repo> and SK between ISSUE#<number> and REPO#<repo> -> Issue, Repo
  from issues on: PK = ORG#<org>#<repo> and SK >= ISSUE#<number> -> Issue, Repo, Star
  of org: GSI1PK = ORG#<org> and GSI1SK <= ISSUE#<number> -> Issue
callers:
  members: tenant
  operators: role operator
allow:
  - operators: everything
  - members: read Repo, Issue, Star, Mention
accept:
  KF030 of org: few
";

async fn world(secrets: usize, mentions: usize) -> World<Recorder> {
    let world = World::new(design(DESIGN), Recorder::default()).await;
    world.given("Repo", json!({"org": "acme", "repo": "kf", "about": "keys"})).await;
    for number in 1..=9 {
        world.given("Issue", json!({"org": "acme", "repo": "kf", "number": number})).await;
    }
    world.given("Star", json!({"org": "acme", "repo": "kf", "user": "ada"})).await;
    for name in 0..secrets {
        let secret = json!({"org": "acme", "repo": "kf", "name": format!("k{name:03}"), "value": "x".repeat(2000)});
        world.given("Secret", secret).await;
    }
    for mention in 0..mentions {
        let mention = json!({"org": "other", "mentionId": format!("m{mention:03}"), "about": "acme"});
        world.given("Mention", mention).await;
    }
    world
}

fn entities<'w>(world: &'w World<Recorder>, records: &[Record]) -> Vec<&'w str> {
    records.iter().map(|record| world.design[record.entity].name.as_str()).collect()
}

fn shown(world: &World<Recorder>, records: &[Record]) -> Vec<Value> {
    let items = records.iter().map(|record| Value::Object(json::object(&record.attributes)));
    entities(world, records).into_iter().zip(items).map(|(entity, item)| json!([entity, item])).collect()
}

fn numbers(page: &Page) -> Vec<i64> {
    let numbers = page.records.iter().filter_map(|record| record.attributes.get("number"));
    numbers.filter_map(|number| number.as_number()?.to_i64()).collect()
}

async fn query(world: &World<Recorder>, caller: &Caller, pattern: &str, given: Value, options: &QueryOptions) -> Page {
    let arguments = arguments(&world.design, pattern, given);
    world.runtime.query(caller, pattern, arguments, options).await.unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

#[tokio::test]
async fn a_parent_comes_with_its_newest_children() {
    let world = world(3, 0).await;
    let options = QueryOptions { take: Some(4), ..QueryOptions::default() };
    let given = json!({"org": "acme", "repo": "kf"});
    let first = query(&world, &superuser(), "newest", given.clone(), &options).await;
    assert_eq!(entities(&world, &first.records), ["Repo", "Issue", "Issue", "Issue"]);
    assert_eq!(numbers(&first), [9, 8, 7]);
    let next = QueryOptions { cursor: first.cursor, ..options };
    let second = query(&world, &superuser(), "newest", given, &next).await;
    assert_eq!(numbers(&second), [6, 5, 4, 3]);
    let given = json!({"org": "acme", "repo": "kf", "number": 8});
    let between = query(&world, &superuser(), "between", given.clone(), &QueryOptions::default()).await;
    assert_eq!((numbers(&between), between.count), (vec![8, 9], 3));
    let on = query(&world, &superuser(), "from issues on", given, &QueryOptions::default()).await;
    assert_eq!(entities(&world, &on.records), ["Issue", "Issue", "Repo", "Star"]);
}

/// All pages with the given options, as everything that the caller learns from them.
async fn pages(
    world: &World<Recorder>,
    caller: &Caller,
    pattern: &str,
    given: &Value,
    options: QueryOptions,
) -> Vec<String> {
    let mut options = options;
    let mut pages = Vec::new();
    for _ in 0..40 {
        let page = query(world, caller, pattern, given.clone(), &options).await;
        pages.push(format!(
            "{:?} {} {} {} {:?} {} {:?}",
            shown(world, &page.records),
            page.count,
            page.evaluated,
            page.read_units,
            page.stop_reason,
            page.cursor.is_some(),
            page.problems,
        ));
        match page.cursor {
            Some(cursor) => options.cursor = Some(cursor),
            None => return pages,
        }
    }
    panic!("{pattern} does not end: {pages:?}");
}

#[tokio::test]
async fn members_learn_nothing_of_items_that_no_rule_lets_them_list() {
    let ada = Caller::member("acme", "ada");
    let (without, with) = (world(0, 0).await, world(120, 0).await);
    let patterns = [
        ("newest", json!({"org": "acme", "repo": "kf"})),
        ("between", json!({"org": "acme", "repo": "kf", "number": 3})),
        ("from issues on", json!({"org": "acme", "repo": "kf", "number": 3})),
    ];
    for (pattern, given) in patterns {
        for options in [
            QueryOptions::default(),
            QueryOptions { reverse: true, ..QueryOptions::default() },
            QueryOptions { take: Some(1), ..QueryOptions::default() },
            QueryOptions { take: Some(3), ..QueryOptions::default() },
            QueryOptions { limit: Some(1), ..QueryOptions::default() },
            QueryOptions { limit: Some(4), ..QueryOptions::default() },
            QueryOptions { read_budget: Some(0.5), ..QueryOptions::default() },
            QueryOptions { take: Some(2), limit: Some(3), read_budget: Some(1.0), ..QueryOptions::default() },
        ] {
            let known = pages(&without, &ada, pattern, &given, options.clone()).await;
            let seen = pages(&with, &ada, pattern, &given, options.clone()).await;
            assert_eq!(seen, known, "{pattern} {options:?}");
        }
    }
    // Operators may list them, and see what they cost.
    let operator = superuser();
    let given = json!({"org": "acme", "repo": "kf"});
    let page = query(&with, &operator, "newest", given, &QueryOptions::default()).await;
    assert_eq!((page.count, page.evaluated), (10, 130));
}

#[tokio::test]
async fn members_learn_nothing_of_other_tenants_items_beside_their_own() {
    let ada = Caller::member("acme", "ada");
    let (without, with) = (world(0, 0).await, world(0, 120).await);
    let given = json!({"org": "acme", "number": 9});
    for options in [
        QueryOptions::default(),
        QueryOptions { take: Some(2), ..QueryOptions::default() },
        QueryOptions { limit: Some(2), ..QueryOptions::default() },
        QueryOptions { read_budget: Some(0.5), ..QueryOptions::default() },
    ] {
        let known = pages(&without, &ada, "of org", &given, options.clone()).await;
        let seen = pages(&with, &ada, "of org", &given, options.clone()).await;
        assert_eq!(seen, known, "{options:?}");
    }
}
