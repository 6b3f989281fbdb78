//! Every kind of caller tries every verb and every pattern on every item: what comes of it agrees with a second reading
//! of the design's rules, and what a caller may not read is as absent as what was never there. The answers are those of
//! a table that holds nothing but what the caller may read.

mod reads;
mod rules;
mod table;
mod writes;

use crate::support::*;
use keyfold_runtime::{Error, PatchOptions, QueryOptions};
use reads::{read_items, read_patterns, read_with_cursors};
use rules::{albums, archive, catalogue, signed_in};
use serde_json::json;
use table::{Case, Side, Sides};
use writes::write_items;

async fn read_everything(case: &Case) {
    for caller in &case.callers {
        let sides = Sides::of(case, caller).await;
        read_items(&sides).await;
        read_patterns(&sides).await;
    }
}

#[tokio::test]
async fn reads_of_catalogue() {
    read_everything(&catalogue().await).await;
}

#[tokio::test]
async fn reads_of_archive() {
    read_everything(&archive().await).await;
}

#[tokio::test]
async fn reads_of_albums() {
    read_everything(&albums().await).await;
}

#[tokio::test]
async fn cursors_of_other_callers_are_rejected() {
    for case in [catalogue().await, archive().await, albums().await] {
        assert!(read_with_cursors(&case).await > 100);
    }
}

/// Callers can name any id: one that is made up of several parts of a key leads to no item of another kind.
#[tokio::test]
async fn ids_cannot_forge_the_keys_of_other_items() {
    let case = catalogue().await;
    let side = Side::with(&case.design, &case.items).await;
    let (ada, site) = ("ada00000-0000-4000-8000-000000000001", "01KDVS00000000000000000A01");
    let comment = format!("{site}#COMMENT#01KDVT00000000000000000C01");
    let eve = signed_in("eve", &[], &[], &[]);
    for (entity, identity) in [
        ("Rating", json!({"user": ada, "site": comment})),
        ("Profile", json!({"userId": format!("{ada}#PROFILE")})),
        ("Site", json!({"site": format!("{site}#TAG#css")})),
        ("SiteTag", json!({"site": format!("{site}#TAG"), "tag": "css"})),
    ] {
        let got = side.runtime.get(&eve, entity, attributes(&case.design, entity, identity.clone())).await;
        assert!(matches!(got, Ok(None) | Err(Error::ImpossibleIdentity(_))), "{entity} {identity}: {got:?}");
    }
    let mine = arguments(&case.design, "my comments on a site", json!({"user": "eve", "site": comment}));
    let page = side.runtime.query(&eve, "my comments on a site", mine, &QueryOptions::default()).await;
    assert!(page.as_ref().is_ok_and(|page| page.count == 0) || page.is_err(), "{page:?}");
    // An own item whose key would be another's.
    for (entity, forged) in [
        ("Rating", json!({"user": "eve", "site": comment, "stars": 1})),
        ("Comment", json!({"user": "eve", "site": format!("{site}#COMMENT#x"), "commentId": "y", "body": "x"})),
        ("Comment", json!({"user": "eve", "site": site, "commentId": "x#y", "body": "x"})),
    ] {
        let made = side.runtime.create(&eve, entity, attributes(&case.design, entity, forged.clone())).await;
        assert!(matches!(made, Err(Error::Constraint(_))), "{entity} {forged}: {made:?}");
    }
}

const ORDERS: &str = "
design: orders
table: orders
entities:
  Order:
    PK: ORDER#<orderId>
    SK: METADATA
    must hold:
      a bargain is not noted: note != \"bargain\" || margin > 10
      a margin is not negative: margin == null || margin >= 0
    attributes:
      orderId: string
      note: string, optional
      margin: integer, optional, visible to role auditor
  Invoice:
    PK: ORDER#<orderId>
    SK: INVOICE#<invoiceId>
    attributes: {orderId: string, invoiceId: string}
patterns:
  order: PK = ORDER#<orderId> -> Order
  order with invoices: PK = ORDER#<orderId> -> Order, Invoice
allow:
  - signed in: everything Order
  - role auditor: everything Invoice
";

/// A caller who may change an item need not see all of it: neither a rule that does not hold nor a put gives it away,
/// and what a caller does not see they do not lose.
#[tokio::test]
async fn errors_and_puts_respect_attributes_hidden_from_the_caller() {
    let world = World::new(design(ORDERS), Nothing).await;
    world.given("Order", json!({"orderId": "o", "note": "x", "margin": 7})).await;
    let (eve, auditor) = (signed_in("eve", &[], &[], &[]), signed_in("ann", &["auditor"], &[], &[]));
    let order = |note: &str| world.attributes("Order", json!({"orderId": "o", "note": note}));
    let refused = world.runtime.patch(&eve, "Order", order("bargain"), PatchOptions::default()).await.unwrap_err();
    assert_eq!(refused.to_string(), "Order violates \"a bargain is not noted\" (note=bargain)");
    let negative = world.attributes("Order", json!({"orderId": "o", "margin": -1}));
    let refused = world.runtime.patch(&eve, "Order", negative, PatchOptions::default()).await.unwrap_err();
    assert_eq!(refused.to_string(), "Order violates \"a margin is not negative\"");
    let put = world.runtime.put(&eve, "Order", order("y")).await.unwrap();
    assert_eq!(put.attributes, order("y"));
    assert_eq!(world.get("Order", json!({"orderId": "o"})).await, Some(json!({"orderId": "o", "note": "y"})));
    let seen = world.runtime.get(&auditor, "Order", world.attributes("Order", json!({"orderId": "o"}))).await.unwrap();
    assert_eq!(seen.unwrap().attributes, world.attributes("Order", json!({"orderId": "o", "note": "y", "margin": 7})));
    // Who sees it replaces it.
    world.runtime.put(&auditor, "Order", order("z")).await.unwrap();
    assert!(!world.table().await["ORDER#o | METADATA"].contains_key("margin"));
}

/// A collection returns what the caller may list of it. What else lies there is not told, also not by what the call
/// cost or where a page ended.
#[tokio::test]
async fn pages_do_not_reveal_items_that_the_caller_may_not_list() {
    let eve = signed_in("eve", &[], &[], &[]);
    let auditor = signed_in("ann", &["auditor"], &[], &[]);
    let mut told = Vec::new();
    for invoices in [0, 90] {
        let world = World::new(design(ORDERS), Nothing).await;
        world.given("Order", json!({"orderId": "o", "note": "x"})).await;
        for number in 0..invoices {
            let invoice = json!({"orderId": "o", "invoiceId": format!("{number:0>200}")});
            world.given("Invoice", invoice).await;
        }
        for pattern in ["order", "order with invoices"] {
            for (take, limit, reverse) in
                [(None, None, false), (Some(1), None, true), (Some(2), None, true), (None, Some(1), true)]
            {
                let options = QueryOptions { take, limit, reverse, ..QueryOptions::default() };
                let with = || arguments(&world.design, pattern, json!({"orderId": "o"}));
                let page = world.runtime.query(&eve, pattern, with(), &options).await.unwrap();
                assert_eq!((page.count, page.evaluated, page.read_units), (1, 1, 0.5), "{pattern} {options:?}");
                told.push((page.cursor.is_some(), page.stop_reason));
                if take.is_none() && limit.is_none() {
                    let whole = world.runtime.query(&auditor, pattern, with(), &options).await.unwrap();
                    assert_eq!(whole.evaluated, 1 + invoices, "{pattern}");
                }
            }
        }
    }
    let (without, with) = told.split_at(told.len() / 2);
    assert_eq!(without, with);
}

#[tokio::test]
async fn writes_of_catalogue() {
    let verdicts = write_items(&catalogue().await).await;
    assert_eq!(verdicts.get("taken"), None, "callers who may create an item may read it");
    assert!(verdicts["denied"] > 2000 && verdicts["missing"] > 500 && verdicts["done"] > 500, "{verdicts:?}");
}

#[tokio::test]
async fn writes_of_archive() {
    let verdicts = write_items(&archive().await).await;
    assert_eq!(verdicts.get("taken"), None, "callers who may create an item may read it");
    assert!(verdicts["denied"] > 1000 && verdicts["missing"] > 100 && verdicts["done"] > 150, "{verdicts:?}");
}

#[tokio::test]
async fn writes_of_albums() {
    let verdicts = write_items(&albums().await).await;
    assert!(verdicts["denied"] > 1500 && verdicts["missing"] > 500 && verdicts["done"] > 200, "{verdicts:?}");
}
