//! Patterns whose results are what the items of the range refer to, or are derived from: read together, and only for
//! those who may have both.

use std::sync::Arc;

use crate::support::*;
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_runtime::{Caller, Error, Page, QueryOptions};
use serde_json::{Value, json};

const DESIGN: &str = "
design: clubs
table: clubs
tenant: org
indexes:
  byGroup: {partition: groupName, sort: joinedOn, projection: include org, purpose: members of a group}
  byTag: {partition: tag, sort: none, purpose: articles by tag}
entities:
  User:
    scope: tenant
    owner: userId
    PK: USER#<userId>
    SK: METADATA
    attributes: {org: string, userId: string, name: string, secret: 'string, optional, visible to operators'}
  Membership:
    scope: tenant
    owner: addedBy
    PK: USER#<userId>
    SK: MEMBER#<groupName>
    attributes:
      org: string
      userId: string, refers to User, delete ignored
      groupName: string
      joinedOn: date
      addedBy: string
  Place:
    scope: tenant
    PK: PLACE#<placeId>
    SK: PLACE#<name:first(1)>
    identity: placeId
    attributes: {org: string, placeId: string, name: string}
  Visit:
    scope: tenant
    PK: ORG#<org>
    SK: VISIT#<visitId>
    attributes: {org: string, visitId: string, placeId: 'string, refers to Place, delete ignored'}
  Article:
    scope: tenant
    PK: ORG#<org>
    SK: ARTICLE#<articleId>
    attributes: {org: string, articleId: string, tags: 'list of string, at most 9 items', title: string}
  ArticleTag:
    scope: tenant
    derived from: Article, for each tag in tags
    PK: ORG#<org>
    SK: TAG#<tag>#<articleId>
    tag: <tag>
patterns:
  users of a group: groupName = <groupName>, own tenant only -> User
  memberships of a group: groupName = <groupName>, own tenant only -> Membership
  places that were visited: PK = ORG#<org> and begins_with(SK, VISIT#) -> Place
  articles with a tag: tag = <tag>, own tenant only -> Article
  articles: PK = ORG#<org> and begins_with(SK, ARTICLE#)
  visits: PK = ORG#<org> and begins_with(SK, VISIT#)
callers: {operators: role operator, members: tenant}
allow:
  - operators: everything
  - members and role clerk: read User, Membership, Place, Visit, Article, ArticleTag
  - members and role reader: read User, Place, Article
  - members and role lister: read Membership
  - members and role half: read User
  - the owner: read Membership
";

fn clerk(org: &str) -> Caller {
    with_role(org, "cleo", "clerk")
}

fn with_role(org: &str, subject: &str, role: &str) -> Caller {
    Caller { roles: vec![role.to_owned()], ..Caller::member(org, subject) }
}

async fn clubs() -> World<Recorder> {
    let world = World::new(design(DESIGN), Recorder::default()).await;
    for (org, id) in [("acme", "ann"), ("acme", "bob"), ("acme", "cyd"), ("globex", "dan")] {
        world.given("User", json!({"org": org, "userId": id, "name": id, "secret": "s"})).await;
    }
    for (org, id, day, by) in [
        ("acme", "ann", "2026-01-01", "ann"),
        ("acme", "bob", "2026-01-02", "ann"),
        ("acme", "cyd", "2026-01-03", "bob"),
        ("globex", "dan", "2026-01-04", "dan"),
    ] {
        let member = json!({"org": org, "userId": id, "groupName": "squash", "joinedOn": day, "addedBy": by});
        world.given("Membership", member).await;
    }
    world.hook().take();
    world
}

async fn page_of(
    world: &World<Recorder>,
    caller: &Caller,
    pattern: &str,
    with: Value,
    options: &QueryOptions,
) -> Result<Page, Error> {
    let arguments = arguments(&world.design, pattern, with);
    Arc::clone(&world.runtime).query(caller, pattern, arguments, options).await
}

async fn users(world: &World<Recorder>, caller: &Caller) -> Result<Vec<String>, Error> {
    let options = QueryOptions::default();
    let page = page_of(world, caller, "users of a group", json!({"groupName": "squash"}), &options).await?;
    Ok(ids(&page, "userId"))
}

fn ids(page: &Page, name: &str) -> Vec<String> {
    page.records.iter().map(|record| record.attributes[name].as_str().unwrap().to_owned()).collect()
}

/// An item as another program writes it.
async fn written(world: &World<Recorder>, item: &[(&str, &str)]) {
    let item = item.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::S((*value).to_owned()))).collect();
    let table_name = world.design.table.name.clone();
    world.engine.put_item(PutItemInput { table_name, item, ..PutItemInput::default() }).await.unwrap();
}

#[tokio::test]
async fn the_items_of_a_page_are_read_together() {
    let world = clubs().await;
    let options = QueryOptions::default();
    let page =
        page_of(&world, &superuser(), "users of a group", json!({"groupName": "squash"}), &options).await.unwrap();
    assert_eq!(ids(&page, "userId"), ["ann", "bob", "cyd", "dan"]);
    assert_eq!(page.records[0].attributes["name"], AttributeValue::S("ann".to_owned()));
    let calls = world.hook().take();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(matches!(calls[0], Call::Query(_)), "{calls:?}");
    // Half a unit for the query, and one for each item, which is read consistently.
    assert_eq!(page.read_units, 4.5);
    let given = arguments(&world.design, "users of a group", json!({"groupName": "squash"}));
    let explained = world.runtime.explain_query(&superuser(), "users of a group", given, 20).unwrap();
    assert_eq!(
        explained.per_result.as_deref(),
        Some("BatchGetItem of what the items of a response refer to (consistent read)")
    );
    assert!(explained.read_units > 20.0);
}

#[tokio::test]
async fn pages_are_full_and_follow_each_other() {
    let world = clubs().await;
    // Nobody is behind this one.
    written(
        &world,
        &[
            ("PK", "USER#gone"),
            ("SK", "MEMBER#squash"),
            ("groupName", "squash"),
            ("joinedOn", "2026-01-01"),
            ("org", "acme"),
            ("userId", "gone"),
            ("addedBy", "x"),
        ],
    )
    .await;
    let mut seen = Vec::new();
    let mut options = QueryOptions { take: Some(2), ..QueryOptions::default() };
    loop {
        let page =
            page_of(&world, &superuser(), "users of a group", json!({"groupName": "squash"}), &options).await.unwrap();
        if page.cursor.is_some() {
            assert_eq!(page.records.len(), 2);
        }
        seen.extend(ids(&page, "userId"));
        match page.cursor {
            Some(cursor) => options.cursor = Some(cursor),
            None => break,
        }
    }
    assert_eq!(seen, ["ann", "bob", "cyd", "dan"]);
}

#[tokio::test]
async fn members_get_those_of_their_tenant() {
    let world = clubs().await;
    assert_eq!(users(&world, &clerk("acme")).await.unwrap(), ["ann", "bob", "cyd"]);
    assert_eq!(users(&world, &clerk("globex")).await.unwrap(), ["dan"]);
    // A membership of one tenant that names a user of another one, as no reference here could.
    written(
        &world,
        &[
            ("PK", "USER#dan"),
            ("SK", "MEMBER#squash"),
            ("groupName", "squash"),
            ("joinedOn", "2026-01-01"),
            ("org", "acme"),
            ("userId", "dan"),
            ("addedBy", "x"),
        ],
    )
    .await;
    assert_eq!(users(&world, &clerk("acme")).await.unwrap(), ["ann", "bob", "cyd"]);
    let (caller, options) = (clerk("acme"), QueryOptions::default());
    let page = page_of(&world, &caller, "users of a group", json!({"groupName": "squash"}), &options).await.unwrap();
    assert_eq!(page.records[0].attributes.get("secret"), None);
}

#[tokio::test]
async fn who_may_not_list_what_refers_to_an_item_does_not_get_it_this_way() {
    let world = clubs().await;
    for role in ["lister", "reader"] {
        let refused = users(&world, &with_role("acme", "zed", role)).await;
        assert!(role == "reader" || matches!(refused, Err(Error::NotAllowed(_))), "{role}: {refused:?}");
    }
    // Of the memberships they see only those that they added: a rule on what the index does not hold.
    assert_eq!(users(&world, &with_role("acme", "ann", "half")).await.unwrap(), ["ann", "bob"]);
    assert_eq!(users(&world, &with_role("acme", "bob", "half")).await.unwrap(), ["cyd"]);
    assert_eq!(users(&world, &with_role("acme", "zed", "half")).await.unwrap(), [] as [&str; 0]);
}

#[tokio::test]
async fn an_item_that_its_identity_does_not_locate_is_searched() {
    let world = clubs().await;
    world.given("Place", json!({"org": "acme", "placeId": "p1", "name": "Rise"})).await;
    for visit in ["v1", "v2"] {
        world.given("Visit", json!({"org": "acme", "visitId": visit, "placeId": "p1"})).await;
    }
    let options = QueryOptions::default();
    let page =
        page_of(&world, &clerk("acme"), "places that were visited", json!({"org": "acme"}), &options).await.unwrap();
    assert_eq!(ids(&page, "name"), ["Rise", "Rise"]);
}

#[tokio::test]
async fn an_item_leads_to_the_one_that_it_is_derived_from() {
    let world = clubs().await;
    for (org, id, tags) in
        [("acme", "a1", ["css", "wasm"]), ("acme", "a2", ["css", "html"]), ("globex", "a3", ["css", "x"])]
    {
        world.given("Article", json!({"org": org, "articleId": id, "title": id, "tags": tags})).await;
    }
    let with = json!({"tag": "css"});
    let options = QueryOptions::default();
    let mut found =
        ids(&page_of(&world, &clerk("acme"), "articles with a tag", with.clone(), &options).await.unwrap(), "title");
    found.sort();
    assert_eq!(found, ["a1", "a2"]);
    let identity = world.attributes("Article", json!({"org": "acme", "articleId": "a1"}));
    world.plain.delete(&superuser(), "Article", identity, Default::default()).await.unwrap();
    let found = page_of(&world, &clerk("acme"), "articles with a tag", with, &options).await.unwrap();
    assert_eq!(ids(&found, "title"), ["a2"]);
}
