//! Items that other programs wrote and that do not fit the design: no list fails because of one, and nobody learns of
//! one that may be another's.

use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Caller, Error, Page, QueryOptions, StopReason, Write};
use serde_json::json;

const DESIGN: &str = "
design: desk
table: desk
tenant: accountId
indexes:
  GSI1: {purpose: tickets by state}
entities:
  Ticket:
    scope: tenant
    PK: ACCOUNT#<accountId>
    SK: TICKET#<ticketId>
    GSI1PK: STATE#<state>
    GSI1SK: <ticketId>
    attributes:
      accountId: string
      ticketId: string
      state: string
      total: number, optional
      note: string, optional, visible to operators
  Draft:
    scope: tenant
    PK: DRAFTS#<accountId>
    SK: DRAFT#<draftId>
    attributes: {accountId: string, draftId: string, total: number}
patterns:
  tickets: PK = ACCOUNT#<accountId>
  tickets by state: GSI1PK = STATE#<state>
  number of tickets: PK = ACCOUNT#<accountId>, count
  drafts: PK = DRAFTS#<accountId>
callers:
  members: tenant
  operators: role operator
allow:
  - members: everything Ticket
  - members: read Draft when total > 5.0
  - operators: everything
accept:
  KF030 tickets by state: few tickets
";

fn desk() -> Arc<Design> {
    design(DESIGN)
}

fn member(tenant: &str) -> Caller {
    Caller::member(tenant, "ada")
}

fn operator() -> Caller {
    Caller { subject: Some("root".to_owned()), roles: vec!["operator".to_owned()], ..Caller::default() }
}

impl<H: Hook> World<H> {
    /// Another program writes an item of strings; `total` as it is given.
    async fn write(&self, item: &[(&str, &str)], total: Option<AttributeValue>) {
        let texts = item.iter().map(|(name, text)| ((*name).to_owned(), AttributeValue::S((*text).to_owned())));
        let item: Attributes = texts.chain(total.map(|total| ("total".to_owned(), total))).collect();
        let input = PutItemInput { table_name: "desk".to_owned(), item, ..PutItemInput::default() };
        self.engine.put_item(input).await.unwrap();
    }

    async fn write_ticket(&self, tenant: &str, id: &str, total: AttributeValue) {
        let (pk, sk) = (format!("ACCOUNT#{tenant}"), format!("TICKET#{id}"));
        let keys = [("PK", pk.as_str()), ("SK", sk.as_str()), ("GSI1PK", "STATE#open"), ("GSI1SK", id)];
        let own = [("accountId", tenant), ("ticketId", id), ("state", "open")];
        self.write(&[keys.as_slice(), own.as_slice()].concat(), Some(total)).await;
    }

    async fn page(&self, caller: &Caller, pattern: &str, arguments: serde_json::Value) -> Page {
        let arguments = self::arguments(&self.design, pattern, arguments);
        self.runtime.query(caller, pattern, arguments, &QueryOptions::default()).await.unwrap()
    }

    async fn ticket(&self, caller: &Caller, tenant: &str, id: &str) -> Result<Option<String>, Error> {
        let identity = attributes(&self.design, "Ticket", json!({"accountId": tenant, "ticketId": id}));
        let found = self.runtime.get(caller, "Ticket", identity.clone()).await;
        let several = self.runtime.batch_get(caller, vec![("Ticket".to_owned(), identity)]).await;
        assert_eq!(several, found.clone().map(|found| vec![found]), "a batch is told the same");
        Ok(found?.map(|record| get(&record.attributes, "ticketId").to_owned()))
    }
}

fn get<'a>(attributes: &'a Attributes, name: &str) -> &'a str {
    attributes[name].as_str().unwrap()
}

/// The keys and the causes of the problems of a page.
fn problems(page: &Page) -> Vec<String> {
    let text = |problem: &keyfold_runtime::ItemProblem| {
        let key: Vec<String> = problem.key.keys().map(|name| get(&problem.key, name).to_owned()).collect();
        format!("{} {}: {}", key.join("|"), problem.expected, problem.cause)
    };
    page.problems.iter().map(text).collect()
}

const UNKNOWN: &str = "its key matches no entity of the design";

#[tokio::test]
async fn an_unknown_item_is_left_out_and_reported_to_those_whose_range_it_is_in() {
    let world = World::new(desk(), Nothing).await;
    world.given("Ticket", json!({"accountId": "acme", "ticketId": "t1", "state": "open"})).await;
    let before = world.page(&member("acme"), "tickets by state", json!({"state": "open"})).await;
    let index = [("GSI1PK", "STATE#open"), ("GSI1SK", "t0")];
    world.write(&[[("PK", "ACCOUNT#acme"), ("SK", "WEIRD#1")], index].concat(), None).await;

    let page = world.page(&member("acme"), "tickets", json!({})).await;
    assert_eq!((page.count, problems(&page)), (1, vec![format!("ACCOUNT#acme|WEIRD#1 Ticket: {UNKNOWN}")]));
    let page = world.page(&member("acme"), "number of tickets", json!({})).await;
    assert_eq!((page.count, page.problems.len()), (1, 1));

    // The range holds items of all tenants, and the unknown one may be any tenant's.
    assert_eq!(world.page(&member("acme"), "tickets by state", json!({"state": "open"})).await, before);
    let page = world.page(&operator(), "tickets by state", json!({"state": "open"})).await;
    assert_eq!((page.count, problems(&page)), (1, vec![format!("ACCOUNT#acme|WEIRD#1 Ticket: {UNKNOWN}")]));
}

#[tokio::test]
async fn an_item_with_a_value_of_another_kind_is_left_out_and_explained() {
    let world = World::new(desk(), Nothing).await;
    world.given("Ticket", json!({"accountId": "acme", "ticketId": "t1", "state": "open"})).await;
    world.write_ticket("acme", "t2", AttributeValue::S("12.50".to_owned())).await;
    let cause = "`total` must be a number but is stored as S";
    let reported = || vec![format!("ACCOUNT#acme|TICKET#t2 Ticket: {cause}")];
    let page = world.page(&member("acme"), "tickets", json!({})).await;
    assert_eq!((page.count, problems(&page)), (1, reported()));
    // A count has as many results as the list, and the same problems.
    let page = world.page(&member("acme"), "number of tickets", json!({})).await;
    assert_eq!((page.count, problems(&page)), (1, reported()));
    // Members are told of problems in ranges of their own tenant only, operators in all.
    let page = world.page(&member("acme"), "tickets by state", json!({"state": "open"})).await;
    assert_eq!((page.count, page.problems.len()), (1, 0));
    let page = world.page(&operator(), "tickets by state", json!({"state": "open"})).await;
    assert_eq!((page.count, problems(&page)), (1, reported()));
    let error = world.ticket(&member("acme"), "acme", "t2").await.unwrap_err();
    assert_eq!(error.to_string(), format!("the item at accountId=acme, ticketId=t2 is not a valid Ticket: {cause}"));
    // For others it does not exist.
    assert_eq!(world.page(&member("other"), "tickets by state", json!({"state": "open"})).await.problems, []);
    assert_eq!(world.ticket(&member("other"), "acme", "t2").await, Ok(None));

    // Whoever may write the item can mend it.
    let patch = attributes(&world.design, "Ticket", json!({"accountId": "acme", "ticketId": "t2", "total": 12.5}));
    let write = Write::Patch { entity: "Ticket".to_owned(), attributes: patch, options: Default::default() };
    world.runtime.transact(&member("acme"), vec![write]).await.unwrap();
    assert_eq!(world.ticket(&member("acme"), "acme", "t2").await, Ok(Some("t2".to_owned())));
}

#[tokio::test]
async fn what_the_caller_does_not_see_is_no_problem_to_them() {
    let world = World::new(desk(), Nothing).await;
    let number = AttributeValue::N(1u64.into());
    let keys = [("PK", "ACCOUNT#acme"), ("SK", "TICKET#t1"), ("GSI1PK", "STATE#open"), ("GSI1SK", "t1")];
    let own = [("accountId", "acme"), ("ticketId", "t1"), ("state", "open")];
    world.write(&[keys.as_slice(), own.as_slice()].concat(), Some(number.clone())).await;
    let mut item = world.table().await.into_values().next().unwrap();
    item.insert("note".to_owned(), number);
    world
        .engine
        .put_item(PutItemInput { table_name: "desk".to_owned(), item, ..PutItemInput::default() })
        .await
        .unwrap();
    let page = world.page(&member("acme"), "tickets", json!({})).await;
    assert_eq!((page.count, page.problems.len()), (1, 0));
    let page = world.page(&operator(), "tickets", json!({"accountId": "acme"})).await;
    let cause = "`note` must be a string but is stored as N";
    assert_eq!((page.count, problems(&page)), (0, vec![format!("ACCOUNT#acme|TICKET#t1 Ticket: {cause}")]));
}

#[tokio::test]
async fn an_item_on_which_a_rule_cannot_be_evaluated_is_not_shown() {
    let world = World::new(desk(), Nothing).await;
    let draft = [("PK", "DRAFTS#acme"), ("SK", "DRAFT#d1"), ("accountId", "acme"), ("draftId", "d1")];
    world.write(&draft, Some(AttributeValue::S("much".to_owned()))).await;
    world.write(&[("PK", "DRAFTS#acme"), ("SK", "unknown")], None).await;
    let page = world.page(&member("acme"), "drafts", json!({})).await;
    assert_eq!((page.count, page.evaluated, page.problems.len()), (0, 0, 0));
    let identity = attributes(&world.design, "Draft", json!({"accountId": "acme", "draftId": "d1"}));
    assert_eq!(world.runtime.get(&member("acme"), "Draft", identity).await, Ok(None));
    let page = world.page(&operator(), "drafts", json!({"accountId": "acme"})).await;
    assert_eq!((page.count, page.problems.len()), (0, 2));
}

#[tokio::test]
async fn a_page_ends_after_many_problems_and_the_next_one_goes_on() {
    let world = World::new(desk(), Nothing).await;
    for number in 0..250 {
        world.write(&[("PK", "ACCOUNT#acme"), ("SK", format!("A{number:03}").as_str())], None).await;
    }
    world.given("Ticket", json!({"accountId": "acme", "ticketId": "t1", "state": "open"})).await;
    let mut found = Vec::new();
    let mut options = QueryOptions::default();
    loop {
        let given = arguments(&world.design, "tickets", json!({}));
        let page = world.runtime.query(&member("acme"), "tickets", given, &options).await.unwrap();
        found.extend(page.problems.iter().map(|problem| get(&problem.key, "SK").to_owned()));
        let Some(cursor) = page.cursor else {
            assert_eq!((page.count, page.stop_reason), (1, StopReason::End));
            break;
        };
        assert_eq!((page.count, page.problems.len(), page.stop_reason), (0, 100, StopReason::Examined));
        options.cursor = Some(cursor);
    }
    let all: Vec<String> = (0..250).map(|number| format!("A{number:03}")).collect();
    assert_eq!(found, all);
}

const PEOPLE: &str = "
design: people
table: people
tenant: accountId
indexes:
  GSI1: {purpose: lookups}
entities:
  User:
    scope: tenant
    PK: ACCOUNT#<accountId>
    SK: USER#<userId>
    unique:
      email: {PK: EMAIL#<email>, SK: LOOKUP, GSI1PK: EMAIL#<email>, GSI1SK: LOOKUP}
    attributes: {accountId: string, userId: string, email: 'string, optional'}
patterns:
  user by email: GSI1PK = EMAIL#<email>, across tenants -> User
callers:
  operators: role operator
allow:
  - operators: everything
";

#[tokio::test]
async fn lookups_whose_values_give_no_key_are_left_out() {
    let world = World::new(design(PEOPLE), Nothing).await;
    let lookup = async |id: Option<AttributeValue>| {
        let texts = [("PK", "EMAIL#a@b"), ("SK", "LOOKUP"), ("GSI1PK", "EMAIL#a@b"), ("GSI1SK", "LOOKUP")];
        let texts = texts.into_iter().chain([("accountId", "acme"), ("email", "a@b")]);
        let texts = texts.map(|(name, text)| (name.to_owned(), AttributeValue::S(text.to_owned())));
        let item: Attributes = texts.chain(id.map(|id| ("userId".to_owned(), id))).collect();
        let input = PutItemInput { table_name: "people".to_owned(), item, ..PutItemInput::default() };
        world.engine.put_item(input).await.unwrap();
    };
    let page = async || world.page(&operator(), "user by email", json!({"email": "a@b"})).await;
    let nowhere = ["EMAIL#a@b|LOOKUP User: its values do not lead to a User"];
    lookup(None).await;
    assert_eq!(problems(&page().await), nowhere);
    lookup(Some(AttributeValue::N(7u64.into()))).await;
    assert_eq!(problems(&page().await), nowhere);

    // A user whose own address is no text has no lookup, so this one is nobody's.
    lookup(Some(AttributeValue::S("u1".to_owned()))).await;
    let texts = [("PK", "ACCOUNT#acme"), ("SK", "USER#u1"), ("accountId", "acme"), ("userId", "u1")];
    let texts = texts.map(|(name, text)| (name.to_owned(), AttributeValue::S(text.to_owned())));
    let item: Attributes = texts.into_iter().chain([("email".to_owned(), AttributeValue::N(7u64.into()))]).collect();
    let input = PutItemInput { table_name: "people".to_owned(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
    let page = page().await;
    assert_eq!((page.count, page.problems.len()), (0, 0));
}

const KEYS: &str = "
design: keys
table: keys
tenant: accountId
indexes:
  GSI1: {purpose: badges of an account}
  GSI2: {purpose: accounts by the beginning of their names}
entities:
  Badge:
    scope: tenant
    PK: ACCOUNT#<accountId>
    SK: BADGE#<room>#<badgeId>
    GSI1PK: ACCOUNT#<accountId>
    GSI1SK: BADGE#<badgeId>
    identity: accountId, badgeId
    attributes:
      accountId: string
      badgeId: string
      room: string, visible to operators
      level: number, optional
      createdAt: created at
  Area:
    scope: tenant
    PK: AREA#<areaId>
    SK: AREA
    GSI2PK: ACCOUNTS#<accountId:first(2)>
    GSI2SK: <areaId>
    attributes: {accountId: 'string, at least 2 characters', areaId: string}
  Door:
    scope: global
    PK: DOORS
    SK: DOOR#<doorId>
    attributes: {doorId: string}
patterns:
  badges: PK = ACCOUNT#<accountId>
  badges by id: GSI1PK = ACCOUNT#<accountId>
  areas: GSI2PK = ACCOUNTS#<accountId:first(2)>
  doors: PK = DOORS
callers:
  members: tenant
  operators: role operator
allow:
  - members: everything
  - operators: everything
";

async fn write_to_keys<H: Hook>(world: &World<H>, texts: &[(&str, &str)], others: &[(&str, AttributeValue)]) {
    let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), AttributeValue::S((*text).to_owned())));
    let others = others.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let item: Attributes = texts.chain(others).collect();
    let input = PutItemInput { table_name: "keys".to_owned(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
}

#[tokio::test]
async fn a_problem_does_not_show_hidden_attributes_in_the_key() {
    let world = World::new(design(KEYS), Nothing).await;
    let badge = [("PK", "ACCOUNT#acme"), ("SK", "BADGE#vault#b1"), ("accountId", "acme"), ("badgeId", "b1")];
    let level = [("level", AttributeValue::S("high".to_owned()))];
    write_to_keys(&world, &[badge.as_slice(), &[("room", "vault")]].concat(), &level).await;
    let cause = "`level` must be a number but is stored as S";
    let page = world.page(&member("acme"), "badges", json!({})).await;
    assert_eq!((page.count, problems(&page)), (0, vec![format!("acme|b1 Badge: {cause}")]));
    let page = world.page(&operator(), "badges", json!({"accountId": "acme"})).await;
    assert_eq!(problems(&page), [format!("ACCOUNT#acme|BADGE#vault#b1 Badge: {cause}")]);
}

#[tokio::test]
async fn members_are_told_of_unknown_items_in_the_table_only() {
    let world = World::new(design(KEYS), Nothing).await;
    let foreign = [("PK", "ACCOUNT#globex"), ("SK", "WEIRD"), ("GSI1PK", "ACCOUNT#acme"), ("GSI1SK", "BADGE#b1")];
    write_to_keys(&world, &foreign, &[]).await;
    // Its key in the table is another tenant's.
    let page = world.page(&member("acme"), "badges by id", json!({})).await;
    assert_eq!((page.count, page.evaluated, page.problems.len()), (0, 0, 0));
    let page = world.page(&member("globex"), "badges", json!({})).await;
    assert_eq!(problems(&page), [format!("ACCOUNT#globex|WEIRD Badge: {UNKNOWN}")]);
    let page = world.page(&operator(), "badges by id", json!({"accountId": "acme"})).await;
    assert_eq!(problems(&page), [format!("ACCOUNT#globex|WEIRD Badge: {UNKNOWN}")]);
}

#[tokio::test]
async fn a_form_of_the_tenant_that_several_share_makes_no_range_their_own() {
    let world = World::new(design(KEYS), Nothing).await;
    for (tenant, area) in [("acme", "a1"), ("acorn", "a2")] {
        world.given("Area", json!({"accountId": tenant, "areaId": area})).await;
    }
    let page = world.page(&member("acme"), "areas", json!({"accountId": "acme"})).await;
    assert_eq!((page.count, page.evaluated), (1, 1));
}

#[tokio::test]
async fn many_items_that_are_not_reported_take_few_requests() {
    let world = World::new(design(KEYS), Recorder::default()).await;
    for number in 0..150 {
        write_to_keys(&world, &[("PK", "DOORS"), ("SK", format!("A{number:03}").as_str())], &[]).await;
    }
    world.given("Door", json!({"doorId": "d1"})).await;
    world.hook().take();
    let options = QueryOptions { take: Some(1), ..QueryOptions::default() };
    let given = arguments(&world.design, "doors", json!({}));
    let page = world.runtime.query(&member("acme"), "doors", given, &options).await.unwrap();
    assert_eq!((page.count, page.evaluated, page.problems.len()), (1, 1, 0));
    let requests = world.hook().names().len();
    assert!(requests < 20, "{requests} requests");
}

#[tokio::test]
async fn a_stamp_that_is_stored_as_null_is_absent() {
    let world = World::new(design(KEYS), Nothing).await;
    let badge = [("PK", "ACCOUNT#acme"), ("SK", "BADGE#hall#b1"), ("accountId", "acme"), ("badgeId", "b1")];
    let stamp = [("createdAt", AttributeValue::Null)];
    write_to_keys(&world, &[badge.as_slice(), &[("room", "hall")]].concat(), &stamp).await;
    let page = world.page(&member("acme"), "badges", json!({})).await;
    assert_eq!((page.count, page.problems.len()), (1, 0));
    assert!(!page.records[0].attributes.contains_key("createdAt"));
}

#[tokio::test]
async fn an_item_whose_keys_contradict_each_other_hides_no_other() {
    let text = "
design: doubles
table: doubles
entities:
  Memo:
    PK: MEMO#<memoId>
    SK: MEMO#<memoId>#<title>
    identity: memoId
    attributes: {memoId: string, title: string}
allow:
  - signed in: everything
accept:
  KF047 Memo: memos are found by their ids
";
    let world = World::new(design(text), Nothing).await;
    world.given("Memo", json!({"memoId": "m1", "title": "zebra"})).await;
    let texts = [("PK", "MEMO#m1"), ("SK", "MEMO#other#apple")];
    let item: Attributes =
        texts.iter().map(|(name, text)| ((*name).to_owned(), AttributeValue::S((*text).to_owned()))).collect();
    let input = PutItemInput { table_name: "doubles".to_owned(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
    let identity = attributes(&world.design, "Memo", json!({"memoId": "m1"}));
    let found = world.runtime.get(&superuser(), "Memo", identity).await.unwrap().unwrap();
    assert_eq!(get(&found.attributes, "title"), "zebra");
}
