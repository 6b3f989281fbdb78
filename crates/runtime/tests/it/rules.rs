//! Callers who may not see or change an item do not, whichever verb they try, and learn nothing from the response.

use crate::support::*;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{Caller, DeleteOptions, Error, PatchOptions, Write};
use serde_json::{Value, json};

const DESIGN: &str = "
design: orders
table: orders
tenant: {attribute: shopId, entity: Shop}
entities:
  Shop:
    scope: tenant
    PK: SHOP#<shopId>
    SK: METADATA
    attributes: {shopId: string, name: string}
  Order:
    scope: global
    owner: buyer
    PK: ORDER#<orderId>
    SK: METADATA
    attributes:
      orderId: string
      buyer: string
      status: open | closed, default open
      note: string, optional
      margin: integer, optional, visible to role auditor
      version: version
  Letter:
    description: Only its owner sees it.
    scope: global
    owner: writer
    PK: LETTER#<letterId>
    SK: METADATA
    attributes:
      letterId: string
      writer: string
      text: string
      version: version
  Label:
    scope: tenant or global
    PK: LABEL#<labelId>
    SK: METADATA
    attributes:
      labelId: string
      shopId: string, optional, fixed
      text: string
patterns:
  shop: PK = SHOP#<shopId>
callers:
  operators: role operator
  members: tenant
allow:
  - operators: everything
  - signed in: get Order
  - signed in: create Order
  - the owner: update, delete Order when status == \"open\"
  - the owner: read, create, update, delete Letter
  - signed in: read, create, update, delete Label
";

fn person(name: &str) -> Caller {
    Caller { subject: Some(name.to_owned()), ..Caller::default() }
}

async fn orders() -> World<Nothing> {
    let world = World::new(design(DESIGN), Nothing).await;
    for shop in ["n", "c"] {
        world.given("Shop", json!({"shopId": shop, "name": shop})).await;
    }
    world.given("Order", json!({"orderId": "o", "buyer": "ada", "margin": 7})).await;
    world.given("Order", json!({"orderId": "done", "buyer": "ada", "status": "closed"})).await;
    world.given("Letter", json!({"letterId": "l", "writer": "ada", "text": "dear"})).await;
    world.given("Label", json!({"labelId": "mine", "shopId": "n", "text": "x"})).await;
    world.given("Label", json!({"labelId": "all", "text": "x"})).await;
    world
}

/// Every verb that could change an item.
async fn attempts(
    world: &World<Nothing>,
    caller: &Caller,
    entity: &str,
    identity: Value,
    whole: Value,
) -> Vec<Result<(), Error>> {
    let identity = world.attributes(entity, identity);
    let whole = world.attributes(entity, whole);
    let runtime = &world.runtime;
    let mut changed = identity.clone();
    changed.extend(whole.clone());
    let (options, deletes) = (PatchOptions::default(), DeleteOptions::default());
    let name = || entity.to_owned();
    vec![
        runtime.patch(caller, entity, changed.clone(), options.clone()).await.map(drop),
        runtime.put(caller, entity, changed.clone()).await.map(drop),
        runtime.upsert(caller, entity, changed.clone()).await.map(drop),
        runtime.delete(caller, entity, identity.clone(), deletes).await.map(drop),
        runtime
            .transact(
                caller,
                vec![Write::Patch { entity: name(), attributes: changed.clone(), options: options.clone() }],
            )
            .await
            .map(drop),
        runtime
            .explain_writes(caller, vec![Write::Patch { entity: name(), attributes: changed.clone(), options }])
            .await
            .map(drop),
        runtime.explain_writes(caller, vec![Write::Put { entity: name(), attributes: changed }]).await.map(drop),
    ]
}

fn kinds(outcomes: &[Result<(), Error>]) -> Vec<&'static str> {
    outcomes.iter().map(|outcome| outcome.as_ref().map_or_else(Error::kind, |()| "fine")).collect()
}

#[tokio::test]
async fn a_caller_cannot_take_over_an_item_of_another_owner() {
    let world = orders().await;
    let before = world.table().await;
    let (order, taken) = (json!({"orderId": "o"}), json!({"buyer": "mallory", "note": "mine now"}));
    let errors = attempts(&world, &person("mallory"), "Order", order.clone(), taken).await;
    assert_eq!(kinds(&errors), ["not allowed"; 7]);
    // The owner neither gives it away (the result is not theirs) nor changes what is closed.
    let errors = attempts(
        &world,
        &person("ada"),
        "Order",
        json!({"orderId": "done"}),
        json!({"buyer": "ada", "status": "open"}),
    )
    .await;
    assert_eq!(kinds(&errors), ["not allowed"; 7]);
    let given = world.attributes("Order", json!({"orderId": "o", "buyer": "bob"}));
    let given = world.runtime.patch(&person("ada"), "Order", given, PatchOptions::default()).await;
    assert!(matches!(given, Err(Error::NotAllowed(_))), "{given:?}");
    let closed = world.attributes("Order", json!({"orderId": "o", "status": "closed"}));
    let closed = world.runtime.patch(&person("ada"), "Order", closed, PatchOptions::default()).await;
    assert!(
        matches!(closed, Err(Error::NotAllowed(_))),
        "the result is closed, which is not to be changed: {closed:?}"
    );
    assert_eq!(world.table().await, before);
    let note = world.attributes("Order", json!({"orderId": "o", "note": "quick"}));
    world.runtime.patch(&person("ada"), "Order", note, PatchOptions::default()).await.unwrap();
}

#[tokio::test]
async fn an_invisible_item_is_not_found() {
    let world = orders().await;
    let before = world.table().await;
    let mallory = person("mallory");
    let whole = json!({"writer": "mallory", "text": "hm"});
    let there = attempts(&world, &mallory, "Letter", json!({"letterId": "l"}), whole).await;
    assert_eq!(kinds(&there), ["not found", "exists", "exists", "not found", "not found", "not found", "fine"]);
    let patch = |id: &str| world.attributes("Letter", json!({"letterId": id, "text": "hm"}));
    let missing = world.runtime.patch(&mallory, "Letter", patch("none"), PatchOptions::default()).await.unwrap_err();
    assert_eq!(there[0].as_ref().unwrap_err().to_string().replace("=l", "=none"), missing.to_string());
    let identity = world.attributes("Letter", json!({"letterId": "l"}));
    assert_eq!(world.runtime.get(&mallory, "Letter", identity).await, Ok(None));
    let stale = PatchOptions::expecting(Some(9));
    let hidden = world.runtime.patch(&mallory, "Letter", patch("l"), stale).await.unwrap_err();
    assert_eq!(hidden.kind(), "not found");
    assert_eq!(world.table().await, before);
}

#[tokio::test]
async fn responses_omit_attributes_that_the_caller_may_not_see() {
    let world = orders().await;
    let (ada, auditor) = (person("ada"), Caller { roles: vec!["auditor".to_owned()], ..person("ada") });
    let note = |text: &str| world.attributes("Order", json!({"orderId": "o", "note": text}));
    let has_margin = |attributes: &Attributes| attributes.contains_key("margin");
    for (caller, sees) in [(&ada, false), (&auditor, true)] {
        let identity = world.attributes("Order", json!({"orderId": "o"}));
        let read = world.runtime.get(caller, "Order", identity).await.unwrap().unwrap();
        assert_eq!(has_margin(&read.attributes), sees);
        let patched = world.runtime.patch(caller, "Order", note("a"), PatchOptions::default()).await.unwrap();
        assert_eq!(has_margin(&patched.attributes), sees);
        assert!(!format!("{patched:?}").contains("margin") || sees);
        let upserted = world.runtime.upsert(caller, "Order", note("b")).await.unwrap();
        assert_eq!(has_margin(&upserted.attributes), sees);
        let stale = PatchOptions::expecting(Some(1));
        let conflict = world.runtime.patch(caller, "Order", note("c"), stale).await;
        let Err(Error::Conflict { current: Some(current), .. }) = conflict else { panic!("{conflict:?}") };
        assert_eq!(has_margin(&current), sees);
    }
    // What is not seen is not lost.
    assert!(has_margin(&world.table().await["ORDER#o | METADATA"]));
}

#[tokio::test]
async fn a_caller_without_a_tenant_changes_nothing_of_tenants() {
    let world = orders().await;
    let before = world.table().await;
    for label in ["mine", "all"] {
        let errors =
            attempts(&world, &person("mallory"), "Label", json!({"labelId": label}), json!({"text": "hm"})).await;
        assert_eq!(kinds(&errors), ["not allowed"; 7]);
    }
    let member = Caller::member("c", "mallory");
    let errors = attempts(&world, &member, "Label", json!({"labelId": "mine"}), json!({"text": "hm"})).await;
    // The plans of a patch that reads nothing and of a replacement tell nothing.
    assert_eq!(kinds(&errors), ["not found", "exists", "exists", "not found", "not found", "fine", "fine"]);
    assert_eq!(world.table().await, before);
}
