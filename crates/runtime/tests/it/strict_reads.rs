//! Reads fail or return nothing where they cannot be carried out as asked: they never read more than they may, and a
//! failure of the table never looks like an absent item.

use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::operation::{PageOutput, PutItemInput, QueryInput};
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend, ServiceError};
use keyfold_runtime::{Caller, Error, QueryOptions, Write, json};
use serde_json::{Value, json};

const DESIGN: &str = "
design: desk
table: desk
tenant: accountId
indexes:
  GSI1: {purpose: tickets by state}
  GSI2: {purpose: memberships of a user}
entities:
  Ticket:
    scope: tenant
    PK: ACCOUNT#<accountId>
    SK: TICKET#<ticketId>
    GSI1PK: STATE#<state>
    GSI1SK: <ticketId>
    attributes: {accountId: string, ticketId: string, state: string}
  Membership:
    scope: global
    PK: MEMBERSHIP#<membershipId>
    SK: MEMBERSHIP
    GSI2PK: USER#<userId>
    GSI2SK: <team>
    attributes: {membershipId: string, userId: string, team: string}
patterns:
  tickets by state: GSI1PK = STATE#<state>
  memberships of a user: GSI2PK = USER#<userId>
callers:
  members: tenant
  operators: role operator
  groups: {from: Membership, of: userId, group: team}
allow:
  - members: everything Ticket
  - operators: everything
accept:
  KF030 tickets by state: few tickets
";

fn desk() -> Arc<Design> {
    design(DESIGN)
}

#[tokio::test]
async fn a_tenant_that_no_key_can_hold_reads_no_partition() {
    let world = World::new(desk(), Recorder::default()).await;
    world.given("Ticket", json!({"accountId": "acme", "ticketId": "t1", "state": "open"})).await;
    let open = || arguments(&world.design, "tickets by state", json!({"state": "open"}));
    let query = async |tenant: &str| {
        let caller = Caller::member(tenant, "ada");
        world.runtime.query(&caller, "tickets by state", open(), &QueryOptions::default()).await.unwrap()
    };
    assert_eq!(query("acme").await.count, 1);
    assert_eq!(world.hook().names(), ["Query"]);
    let page = query("").await;
    assert_eq!((page.count, page.evaluated, page.cursor), (0, 0, None));
    assert!(world.hook().names().is_empty(), "the index holds other tenants' items only");
}

/// Responds to queries without items.
struct WithoutItems(Arc<dyn Backend>);

impl ForwardingBackend for WithoutItems {
    fn inner(&self) -> &dyn Backend {
        self.0.as_ref()
    }

    fn query(&self, input: QueryInput) -> BackendFuture<'_, PageOutput> {
        Box::pin(async move { Ok(PageOutput { items: None, ..self.0.query(input).await? }) })
    }
}

#[tokio::test]
async fn a_page_without_items_is_a_failure_of_the_table() {
    let world = World::new(desk(), Nothing).await;
    let runtime = runtime_on(&world.design, Arc::new(WithoutItems(Arc::clone(&world.engine))));
    let open = arguments(&world.design, "tickets by state", json!({"state": "open"}));
    let page = runtime.query(&Caller::member("acme", "ada"), "tickets by state", open, &QueryOptions::default()).await;
    assert_eq!(page, Err(Error::Unavailable("a query returned no items".to_owned())));
}

#[tokio::test]
async fn a_membership_that_cannot_be_read_is_not_taken_for_none() {
    let world = World::new(desk(), Nothing).await;
    world.given("Membership", json!({"membershipId": "m1", "userId": "ada", "team": "red"})).await;
    let ada = Caller { subject: Some("ada".to_owned()), ..Caller::default() };
    assert_eq!(world.runtime.resolve_caller(ada.clone()).await.unwrap().groups, ["red"]);
    // Another program wrote an id that no key can hold.
    let stored = json!({
        "PK": "MEMBERSHIP#m2", "SK": "MEMBERSHIP", "GSI2PK": "USER#ada", "GSI2SK": "blue",
        "membershipId": "", "userId": "ada", "team": "blue",
    });
    let item = object(stored).into_iter().map(|(name, value)| (name, text(&value))).collect();
    let input = PutItemInput { table_name: "desk".to_owned(), item, ..PutItemInput::default() };
    world.engine.put_item(input).await.unwrap();
    let resolved = world.runtime.resolve_caller(ada).await;
    assert!(matches!(&resolved, Err(Error::Undecodable { key, .. }) if key.contains("m2")), "{resolved:?}");
    // A subject that no key can hold has no memberships.
    let nobody = Caller { subject: Some(String::new()), ..Caller::default() };
    assert!(world.runtime.resolve_caller(nobody).await.unwrap().groups.is_empty());
}

fn text(value: &Value) -> keyfold_dynamo::AttributeValue {
    keyfold_dynamo::AttributeValue::S(value.as_str().unwrap().to_owned())
}

/// Rejects every read of one item.
struct Rejecting;

impl Hook for Rejecting {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            match call {
                Call::Get | Call::BatchGet => {
                    Err(ServiceError::Validation("The provided key element does not match the schema".to_owned()))
                }
                _ => Ok(()),
            }
        })
    }
}

#[tokio::test]
async fn only_an_identity_that_no_key_can_hold_is_impossible() {
    let world = World::new(desk(), Rejecting).await;
    let get = async |id: &str| {
        let identity = attributes(&world.design, "Membership", json!({"membershipId": id}));
        world.runtime.get(&superuser(), "Membership", identity).await
    };
    let impossible = get("").await;
    assert!(
        matches!(&impossible, Err(Error::ImpossibleIdentity(violation)) if violation.name == "membershipId"),
        "{impossible:?}"
    );
    assert!(matches!(get("m1").await, Err(Error::Unavailable(_))), "the table rejects the read");
    let several =
        vec![("Membership".to_owned(), attributes(&world.design, "Membership", json!({"membershipId": "m1"})))];
    assert!(matches!(world.runtime.batch_get(&superuser(), several).await, Err(Error::Unavailable(_))));
}

#[tokio::test]
async fn the_explanation_of_a_delete_shows_the_read_that_it_needs() {
    let world = World::new(shop(), Recorder::default()).await;
    let author = world.given("Author", json!({"name": "Lem"})).await;
    let author = json::object(&author.attributes)["authorId"].clone();
    let book = world.given("Book", json!({"authorId": author, "title": "Solaris"})).await;
    let book = json::object(&book.attributes)["bookId"].clone();
    world.given("Loan", json!({"loanId": "l1", "bookId": book, "reader": "ada"})).await;
    let identity = world.attributes("Loan", json!({"loanId": "l1"}));
    let delete = Write::Delete { entity: "Loan".to_owned(), identity, options: Default::default() };
    let explained = world.runtime.explain_writes(&superuser(), vec![delete]).await.unwrap();
    assert_eq!(world.hook().names(), ["GetItem"]);
    let operations: Vec<&str> = explained.requests.iter().map(|request| request.operation).collect();
    assert_eq!(operations, ["GetItem", "TransactWriteItems: Delete", "TransactWriteItems: Update"]);
    assert_eq!(explained.read_units, 1.0);
}
