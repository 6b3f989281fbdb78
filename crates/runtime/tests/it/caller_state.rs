//! Callers need the items that the design requires: callers who lose one are refused, and so is everyone while the
//! table cannot be read.

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::{BackendFuture, ServiceError};
use keyfold_runtime::{Caller, DeleteOptions, Error, PatchOptions};
use serde_json::json;

const DESIGN: &str = "
design: desks
table: desks
tenant: {attribute: firmId, entity: Firm}
entities:
  Firm:
    scope: tenant
    PK: FIRM#<firmId>
    SK: METADATA
    attributes:
      firmId: string
      status: open | closed, default open
  Clerk:
    scope: tenant
    PK: CLERK#<clerkId>
    SK: METADATA
    attributes:
      clerkId: string
      firmId: string
      status: active | inactive, default active
      endDate: date, optional
  Robot:
    scope: tenant
    PK: FIRM#<firmId>
    SK: ROBOT#<robotId>
    attributes: {firmId: string, robotId: string}
  Person:
    scope: global
    owner: personId
    PK: PERSON#<personId>
    SK: METADATA
    attributes: {personId: string}
callers:
  operators: role operator
  members: tenant
  requires:
    - Person: exists
    - Firm: status == \"open\"
    - Clerk: status == \"active\" && (endDate == null || endDate >= today)
      Robot by robotId: exists
allow:
  - operators: everything
  - members: read
";

/// The same, where a clerk is a member of their firm.
fn with_members() -> String {
    DESIGN.replace("members: tenant", "members: Clerk by clerkId")
}

async fn world<H: Hook + 'static>(hook: H) -> World<H> {
    world_of(DESIGN, hook).await
}

async fn world_of<H: Hook + 'static>(text: &str, hook: H) -> World<H> {
    let world = World::new(design(text), hook).await;
    for firm in ["acme", "bolt"] {
        world.given("Firm", json!({"firmId": firm})).await;
    }
    for person in ["ann", "bob", "r2"] {
        world.given("Person", json!({"personId": person})).await;
    }
    world.given("Clerk", json!({"clerkId": "ann", "firmId": "acme"})).await;
    world.given("Clerk", json!({"clerkId": "bob", "firmId": "acme", "endDate": "2026-01-02"})).await;
    world.given("Robot", json!({"robotId": "r2", "firmId": "acme"})).await;
    world
}

/// Whether a caller is admitted, and if not, what is missing.
async fn admission<H: Hook + 'static>(world: &World<H>, caller: Caller) -> Result<(), String> {
    match world.runtime.resolve_caller(caller).await {
        Ok(_) => Ok(()),
        Err(Error::NotAllowed(text)) => Err(text),
        Err(error) => panic!("{error:?}"),
    }
}

fn lacks(who: &str, what: &str) -> Result<(), String> {
    Err(format!("`{who}` is locked out: a valid {what} is required"))
}

#[tokio::test]
async fn callers_need_every_required_item_in_their_tenant() {
    let world = world(Nothing).await;
    for who in ["ann", "bob", "r2"] {
        assert_eq!(admission(&world, Caller::member("acme", who)).await, Ok(()), "{who}");
        // The clerk of one firm is nobody in another, and a person without a tenant has only to exist.
        assert_eq!(admission(&world, Caller::member("bolt", who)).await, lacks(who, "Clerk or Robot"));
        assert_eq!(admission(&world, Caller { tenant: None, ..Caller::member("", who) }).await, Ok(()));
    }
    assert_eq!(admission(&world, Caller::member("none", "ann")).await, lacks("ann", "Firm"));
    assert_eq!(admission(&world, Caller::member("acme", "eve")).await, lacks("eve", "Person"));
    for odd in ["", "a#b", "ann#"] {
        assert_eq!(admission(&world, Caller::member("acme", odd)).await, lacks(odd, "Person"));
        assert_eq!(admission(&world, Caller::member(odd, "ann")).await, lacks("ann", "Firm"));
    }
}

#[tokio::test]
async fn operators_superusers_and_anonymous_callers_need_nothing() {
    let world = world(Nothing).await;
    let operator = Caller { roles: vec!["operator".to_owned()], ..Caller::member("none", "olga") };
    for caller in [operator, Caller::superuser("root"), Caller::default()] {
        assert_eq!(admission(&world, caller).await, Ok(()));
    }
}

#[tokio::test]
async fn whoever_loses_an_item_is_refused() {
    let world = world(Nothing).await;
    let ann = || Caller::member("acme", "ann");
    let patch = |entity: &'static str, value| {
        let attributes = world.attributes(entity, value);
        async { world.plain.patch(&superuser(), entity, attributes, PatchOptions::default()).await.unwrap() }
    };
    patch("Clerk", json!({"clerkId": "ann", "status": "inactive"})).await;
    assert_eq!(admission(&world, ann()).await, lacks("ann", "Clerk or Robot"));
    patch("Clerk", json!({"clerkId": "ann", "status": "active"})).await;
    assert_eq!(admission(&world, ann()).await, Ok(()));
    patch("Firm", json!({"firmId": "acme", "status": "closed"})).await;
    assert_eq!(admission(&world, ann()).await, lacks("ann", "Firm"));
    patch("Firm", json!({"firmId": "acme", "status": "open"})).await;
    let person = world.attributes("Person", json!({"personId": "ann"}));
    world.plain.delete(&superuser(), "Person", person, DeleteOptions::default()).await.unwrap();
    assert_eq!(admission(&world, ann()).await, lacks("ann", "Person"));
}

#[tokio::test]
async fn an_end_date_counts_to_the_end_of_its_day() {
    let world = world(Nothing).await;
    let bob = || Caller::member("acme", "bob");
    // The clock starts with the year 2026.
    let second_of_january = 86_400_000;
    world.clock.advance(second_of_january);
    assert_eq!(admission(&world, bob()).await, Ok(()));
    world.clock.advance(86_400_000);
    assert_eq!(admission(&world, bob()).await, lacks("bob", "Clerk or Robot"));
    assert_eq!(admission(&world, Caller::member("acme", "ann")).await, Ok(()));
}

/// Fails every request.
struct Broken;

impl Hook for Broken {
    fn before(&self, _: Call) -> BackendFuture<'_, ()> {
        Box::pin(async { Err(ServiceError::Unavailable("the connection is gone".to_owned())) })
    }
}

#[tokio::test]
async fn nobody_is_admitted_while_the_table_cannot_be_read() {
    let world = world(Broken).await;
    let refused = world.runtime.resolve_caller(Caller::member("acme", "ann")).await.unwrap_err();
    assert!(matches!(refused, Error::Unavailable(_)), "{refused:?}");
}

#[test]
fn mistakes_are_reported() {
    for (stated, message, help) in [
        (
            "requires: Clerk",
            "`requires` is a list of items that callers need",
            "begin each with `- `: `- User: status == \"active\"`",
        ),
        ("requires: [Clark: exists]", "unknown entity `Clark`", "did you mean `Clerk`?"),
        ("requires: [Clerk by clerk: exists]", "`Clerk` has no attribute `clerk`", "did you mean `clerkId`?"),
        (
            "requires: [Clerk by status: exists]",
            "no key leads from a caller to `Clerk` by its `status`",
            "give `Clerk` a key, or an index, that begins with `status`",
        ),
        ("requires: [Clerk: 'status == \"activ\"']", "`activ` is not a value of `status`", "did you mean `active`?"),
        ("requires: [Clerk: endDate >= todai]", "`Clerk` has no attribute `todai`", "did you mean `today`?"),
        ("requires: [Clerk: clerkId == caller.subject]", "`Clerk` has no attribute `caller`", ""),
    ] {
        let start = DESIGN.find("  requires:").unwrap();
        let end = DESIGN.find("allow:").unwrap();
        let text = format!("{}  {stated}\n{}", &DESIGN[..start], &DESIGN[end..]);
        let found = Design::load("design.yaml", &text).unwrap_err();
        let errors = found.iter().filter(|found| found.is_error());
        let told: Vec<(&str, &str)> =
            errors.map(|found| (found.message.as_str(), found.help.as_deref().unwrap_or_default())).collect();
        assert_eq!(told.len(), 1, "{stated}: {told:?}");
        assert_eq!(told[0].0, message);
        assert!(help.is_empty() || told[0].1 == help, "{told:?}");
    }
}

#[tokio::test]
async fn operators_who_are_in_a_group_of_the_table_need_nothing_else() {
    let text = with_members()
        .replace("  operators: role operator\n", "  operators: group staff\n  groups: {from: Badge, of: personId, group: team}\n")
        .replace(
            "callers:\n",
            "  Badge:\n    scope: global\n    PK: PERSON#<personId>\n    SK: BADGE#<team>\n    attributes: {personId: string, team: string}\ncallers:\n",
        );
    let world = World::new(design(&text), Nothing).await;
    world.given("Badge", json!({"personId": "olga", "team": "staff"})).await;
    world.given("Badge", json!({"personId": "eve", "team": "guests"})).await;
    assert_eq!(admission(&world, Caller::member("none", "olga")).await, Ok(()));
    assert_eq!(admission(&world, Caller::member("none", "eve")).await, no_member("eve", "none"));
}

#[tokio::test]
async fn a_subject_that_no_key_can_hold_has_no_item() {
    let world = world(Nothing).await;
    let long = "x".repeat(1024);
    // The key of a robot is a sort key, which takes 1024 bytes with what precedes the id.
    world.given("Person", json!({"personId": long})).await;
    assert_eq!(admission(&world, Caller::member("acme", &long)).await, lacks(&long, "Clerk or Robot"));
    let longer = "x".repeat(3000);
    assert_eq!(admission(&world, Caller::member("acme", &longer)).await, lacks(&longer, "Person"));
}

fn no_member(who: &str, tenant: &str) -> Result<(), String> {
    Err(format!("`{who}` is not a member of `{tenant}`"))
}

#[tokio::test]
async fn whoever_is_not_a_member_learns_nothing_about_the_tenant() {
    let world = world_of(&with_members(), Nothing).await;
    world.given("Firm", json!({"firmId": "shut", "status": "closed"})).await;
    world.given("Clerk", json!({"clerkId": "eve", "firmId": "shut"})).await;
    world.given("Person", json!({"personId": "eve"})).await;
    assert_eq!(admission(&world, Caller::member("acme", "ann")).await, Ok(()));
    for tenant in ["bolt", "shut", "none"] {
        assert_eq!(admission(&world, Caller::member(tenant, "ann")).await, no_member("ann", tenant));
    }
    // A member is told what is wrong.
    assert_eq!(admission(&world, Caller::member("shut", "eve")).await, lacks("eve", "Firm"));
}

#[tokio::test]
async fn machines_need_an_item_of_their_tenant_like_everyone() {
    let world = world_of(&with_members(), Nothing).await;
    world.given("Person", json!({"personId": "machine:r3"})).await;
    world.given("Robot", json!({"robotId": "machine:r3", "firmId": "acme"})).await;
    // A robot is not a clerk, and a firm requires one or the other.
    assert_eq!(admission(&world, Caller::member("acme", "machine:r3")).await, Ok(()));
    assert_eq!(admission(&world, Caller::member("bolt", "machine:r3")).await, lacks("machine:r3", "Clerk or Robot"));
    // A person with the same item is not a member by it.
    assert_eq!(admission(&world, Caller::member("acme", "r2")).await, no_member("r2", "acme"));
    let (begin, _) = DESIGN.split_once("    - Clerk: status").unwrap();
    let (_, end) = DESIGN.split_once("exists\nallow:").unwrap();
    let text = format!("{begin}allow:{end}").replace("members: tenant", "members: Clerk by clerkId");
    let world = world_of(&text, Nothing).await;
    world.given("Person", json!({"personId": "machine:r3"})).await;
    assert_eq!(admission(&world, Caller::member("acme", "machine:r3")).await, no_member("machine:r3", "acme"));
    world.given("Clerk", json!({"clerkId": "machine:r3", "firmId": "acme"})).await;
    assert_eq!(admission(&world, Caller::member("acme", "machine:r3")).await, Ok(()));
}
