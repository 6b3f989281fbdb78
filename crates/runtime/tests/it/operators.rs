//! Update operators: what they send, what they leave, and what they reject.

use std::sync::Arc;

use crate::support::disturbed::Yielding;
use crate::support::*;
use keyfold_dynamo::operation::UpdateItemInput;
use keyfold_dynamo::{AttributeValue, Number};
use keyfold_runtime::{Caller, Error, PatchOptions, Record, Write, json, json_operators};
use serde_json::{Value, json};

async fn stockroom() -> World<Recorder> {
    let world = World::new(design(&design_text("tests/it/support/stock.yaml")), Recorder::default()).await;
    let product = json!({
        "productId": "p", "stock": 5, "weight": "1.5", "tags": ["a", "b"], "codes": [1, 2], "labels": ["x", "y"],
        "log": [{"at": 1, "by": {"name": "ada"}}, "two"], "extra": {"color": "red", "size": {"width": 3}, "a.b": 1}
    });
    world.given("Product", product).await;
    world
}

fn options(world: &World<Recorder>, entity: &str, operators: Value) -> Result<PatchOptions, Error> {
    let mut members = object(operators);
    let options = json_operators::take(world.design.entity_named(entity).unwrap(), &mut members)?;
    assert!(members.is_empty(), "{members:?}");
    Ok(options)
}

async fn try_as(world: &World<Recorder>, caller: &Caller, operators: Value) -> Result<Record, Error> {
    let options = options(world, "Product", operators)?;
    let identity = world.attributes("Product", json!({"productId": "p"}));
    world.runtime.patch(caller, "Product", identity, options).await
}

async fn attempt(world: &World<Recorder>, operators: Value) -> Result<Record, Error> {
    try_as(world, &superuser(), operators).await
}

/// The attribute after an update, and the requests of it.
async fn after(world: &World<Recorder>, operators: Value, attribute: &str) -> (Value, Vec<&'static str>) {
    world.hook().take();
    let record = attempt(world, operators.clone()).await.unwrap_or_else(|error| panic!("{operators}: {error}"));
    let calls = world.hook().names();
    let stored = world.get("Product", json!({"productId": "p"})).await.unwrap();
    let returned = Value::Object(json::object(&record.attributes));
    assert_eq!(returned[attribute], stored[attribute], "{operators}");
    (stored[attribute].clone(), calls)
}

const BLIND: [&str; 1] = ["UpdateItem"];

#[tokio::test]
async fn operators_without_consequences_are_one_request() {
    let world = stockroom().await;
    for (operators, attribute, expected) in [
        (json!({"add": {"stock": 3}}), "stock", json!(8)),
        (json!({"subtract": {"stock": 8}}), "stock", json!(0)),
        (json!({"add": {"weight": "0.1"}}), "weight", json!(1.6)),
        (json!({"subtract": {"weight": 2}}), "weight", json!(-0.4)),
        (json!({"append": {"labels": ["z"]}}), "labels", json!(["x", "y", "z"])),
        (json!({"prepend": {"labels": ["w"]}}), "labels", json!(["w", "x", "y", "z"])),
        (json!({"append": {"log": [3, null]}}), "log", json!([{"at": 1, "by": {"name": "ada"}}, "two", 3, null])),
        (json!({"remove": ["log[1]", "log[3]"]}), "log", json!([{"at": 1, "by": {"name": "ada"}}, 3])),
        (json!({"set": {"log[0].by.name": "bob", "log[1]": 4}}), "log", json!([{"at": 1, "by": {"name": "bob"}}, 4])),
        (
            json!({"set": {"extra.size.height": 4}, "add": {"extra.size.width": 2}, "remove": ["extra.color"]}),
            "extra",
            json!({"size": {"width": 5, "height": 4}, "a.b": 1}),
        ),
        (
            json!({"set": {"extra[\"a.b\"]": {"add": 1}}}),
            "extra",
            json!({"size": {"width": 5, "height": 4}, "a.b": {"add": 1}}),
        ),
        (json!({"set": {"extra": {"add": {"stock": 1}}}}), "extra", json!({"add": {"stock": 1}})),
        (json!({"set": {"extra.none": null}}), "extra", json!({"add": {"stock": 1}, "none": null})),
        (json!({"add": {"any": 2}}), "any", json!(2)),
        (json!({"set": {"name": "n"}, "add": {"any": -2}}), "any", json!(0)),
        (json!({"remove": ["any"]}), "any", Value::Null),
        (json!({"subtract": {"codes": [1, 9]}}), "codes", json!([2])),
        (json!({"subtract": {"codes": [2]}}), "codes", Value::Null),
    ] {
        assert_eq!(after(&world, operators.clone(), attribute).await, (expected, BLIND.to_vec()), "{operators}");
    }
}

#[tokio::test]
async fn operators_with_consequences_read_the_item() {
    let world = stockroom().await;
    for (operators, attribute, expected) in [
        // Keys, a unique, a rule and derived items follow.
        (json!({"add": {"rank": 7}}), "rank", json!(7)),
        (json!({"add": {"barcode": 42}}), "barcode", json!(42)),
        (json!({"add": {"held": 2, "reserved": 1}}), "reserved", json!(1)),
        (json!({"add": {"tags": ["c", "b"]}}), "tags", json!(["a", "b", "c"])),
        (json!({"subtract": {"tags": ["a", "zzz"]}}), "tags", json!(["b", "c"])),
        // A set within bounds.
        (json!({"add": {"codes": [2, 3]}}), "codes", json!([1, 2, 3])),
    ] {
        let (value, calls) = after(&world, operators.clone(), attribute).await;
        assert_eq!((value, calls[0]), (expected, "GetItem"), "{operators}");
    }
    let table = world.table().await;
    let item = &table["PRODUCT#p | METADATA"];
    assert_eq!(item["GSI1SK"].as_str(), Some("000007#p"));
    assert!(table.keys().any(|key| key.contains("42")), "{:?}", table.keys());
    let marks: Vec<&String> = table.keys().filter(|key| key.starts_with("MARK")).collect();
    assert_eq!(marks, ["MARK#b | PRODUCT#p", "MARK#c | PRODUCT#p"]);
    attempt(&world, json!({"subtract": {"tags": ["b", "c"]}, "add": {"barcode": 1}})).await.unwrap();
    let table = world.table().await;
    assert!(!table.keys().any(|key| key.starts_with("MARK") || key.contains("42")), "{:?}", table.keys());
    assert!(!table["PRODUCT#p | METADATA"].contains_key("tags"));
}

#[tokio::test]
async fn results_beyond_the_bounds_are_rejected() {
    let world = stockroom().await;
    let before = world.table().await;
    for (operators, message) in [
        (json!({"subtract": {"stock": 6}}), "`stock` must be at least 0 but is `-1`"),
        (json!({"add": {"stock": 96}}), "`stock` must be at most 100 but is `101`"),
        (json!({"add": {"codes": [3, 4]}}), "`codes` must be at most 3 items but is a set of 4 items"),
        (json!({"append": {"labels": ["a", "b", "c"]}}), "`labels` must be at most 4 items but is a list of 5 items"),
        (
            json!({"prepend": {"labels": ["a", "b", "c", "d", "e"]}}),
            "`labels` must be at most 4 items but is a list of 7 items",
        ),
        (json!({"add": {"rank": -1}}), "`rank` must be at least 0 but is `-1`"),
        (json!({"add": {"reserved": 1}}), "Product violates \"what is reserved is in stock\" (reserved=1, held=0)"),
        (json!({"add": {"made": 1}}), "`made` of Product cannot change once it is set"),
    ] {
        match attempt(&world, operators.clone()).await {
            Err(Error::Constraint(violation)) => assert_eq!(violation.message, message),
            other => panic!("{operators}: {other:?}"),
        }
    }
    assert_eq!(world.table().await, before);
}

#[tokio::test]
async fn operators_that_do_not_fit_are_rejected_before_anything_is_sent() {
    let world = stockroom().await;
    world.hook().take();
    for (operators, message) in [
        (json!({"add": {"name": 1}}), "`add` takes a number or a set, but `name` is a string"),
        (json!({"append": {"stock": [1]}}), "`append` takes a list, but `stock` is an integer"),
        (json!({"append": {"labels": "z"}}), "the operator of `labels` takes a list of elements, not \"z\""),
        (json!({"append": {"labels": [1]}}), "`labels` must be a string but is 1"),
        (json!({"add": {"stock": 1.5}}), "`add` needs a whole number for `stock`, not `1.5`"),
        (
            json!({"add": {"stock": [1]}}),
            "the operator of `stock` takes a number, or a list of members of a set, not a list",
        ),
        (json!({"add": {"tags": 1}}), "`add` needs a list of members for `tags`"),
        (json!({"add": {"tags": []}}), "`add` needs a set of strings with at least one member for `tags`"),
        (
            json!({"add": {"any": "5"}}),
            "the operator of `any` takes a number, or a list of members of a set, not \"5\"",
        ),
        (json!({"add": {"nothing": 1}}), "`nothing` is not an attribute of Product"),
        (json!({"add": {"GSI1SK": 1}}), "`GSI1SK` is not an attribute of Product"),
        (json!({"add": {"productId": 1}}), "`productId` identifies the Product: operators cannot change it"),
        (json!({"add": {"orders": 1}}), "`orders` counts the items that refer to it and cannot be set"),
        (json!({"set": {"stock.x": 1}}), "`stock` has no members: it is an integer"),
        (json!({"set": {"labels.x": 1}}), "`labels` has no members: it is a list in which each item is a string"),
        (json!({"set": {"labels[0]": 1}}), "`labels[0]` must be a string but is 1"),
        (
            json!({"remove": ["extra..x"]}),
            "`extra..x` is not a path such as `address.city`, `lines[2].quantity` or `labels[\"a.b\"]`",
        ),
        (json!({"remove": ["stock"]}), "`stock` of Product is required"),
        (json!({"add": {"stock": 1}, "subtract": {"stock": 1}}), "the patch changes `stock` twice"),
        (json!({"set": {"stock": 1}, "add": {"stock": 1}}), "the patch changes `stock` twice"),
        (json!({"set": {"extra": {}}, "remove": ["extra.color"]}), "the patch changes `extra.color` twice"),
        (json!({"set": {"log[0].at": 1}, "remove": ["log[0]"]}), "the patch changes `log[0]` twice"),
        (json!({"set": {"productId": "q"}}), "the patch changes `productId` twice"),
        (json!({"add": [1]}), "`add` must be an object of values by their paths"),
        (json!({"remove": {"a": 1}}), "`remove` must be a list of paths"),
        (json!({"if": "stok >= 1"}), "`Product` has no attribute `stok`: did you mean `stock`?"),
        (json!({"if": "stock >= <least>"}), "the condition needs an argument for `<least>`"),
        (json!({"if": "stock >= 1", "with": {"least": 1}}), "the condition has no parameter `<least>`"),
        (json!({"if": "stock >= <least>", "with": {"least": "x"}}), "`least` must be an integer but is \"x\""),
        (json!({"with": {"least": 1}}), "`with` needs a condition: `if`"),
    ] {
        match attempt(&world, operators.clone()).await {
            Err(error) => assert_eq!(error.to_string(), message, "{operators}"),
            Ok(_) => panic!("{operators} was accepted"),
        }
        let writes = world.hook().take().iter().filter(|call| call.is_write()).count();
        assert_eq!(writes, 0, "{operators}");
    }
}

#[tokio::test]
async fn places_that_are_not_there_are_named() {
    let world = stockroom().await;
    for (operators, message) in [
        (json!({"set": {"log[2]": 1}}), "there is no `log[2]`"),
        (json!({"set": {"log[5].at": 1}}), "`log[5].at` cannot be changed: there is no `log[5]`"),
        (json!({"set": {"extra.size.a.b": 1}}), "`extra.size.a.b` cannot be changed: there is no `extra.size.a`"),
        (json!({"set": {"log[1].at": 1}}), "`log[1].at` cannot be changed: `log[1]` is stored as another type"),
        (json!({"add": {"extra.color": 1}}), "`extra.color` is stored as something else than a number"),
        (json!({"append": {"extra.color": [1]}}), "`extra.color` is stored as something else than a list"),
        (json!({"add": {"any.x": 1}}), "`any.x` cannot be changed: there is no `any`"),
    ] {
        match attempt(&world, operators.clone()).await {
            Err(Error::Constraint(violation)) => assert_eq!(violation.message, message),
            other => panic!("{operators}: {other:?}"),
        }
    }
    // Removing what is not there changes nothing.
    for operators in [
        json!({"remove": ["log[7]", "extra.nothing", "extra.none.deeper"]}),
        json!({"remove": ["any.x"], "subtract": {"tags": ["zzz"]}}),
    ] {
        attempt(&world, operators.clone()).await.unwrap_or_else(|error| panic!("{operators}: {error}"));
    }
}

#[tokio::test]
async fn values_of_other_programs_are_not_taken_for_numbers() {
    let world = stockroom().await;
    let mut item = world.table().await.remove("PRODUCT#p | METADATA").unwrap();
    item.insert("stock".to_owned(), AttributeValue::S("many".to_owned()));
    item.insert("weight".to_owned(), AttributeValue::S("heavy".to_owned()));
    item.insert("labels".to_owned(), AttributeValue::S("none".to_owned()));
    item.remove("secret");
    let input = keyfold_dynamo::operation::PutItemInput { table_name: "stock".to_owned(), item, ..Default::default() };
    world.engine.put_item(input).await.unwrap();
    for operators in [json!({"add": {"stock": 1}}), json!({"add": {"weight": 1}}), json!({"append": {"labels": ["a"]}})]
    {
        assert_eq!(attempt(&world, operators).await.unwrap_err().kind(), "constraint");
    }
    // An absent number is 0.
    attempt(&world, json!({"set": {"stock": 1, "labels": [], "weight": 1}, "add": {"secret": 4}})).await.unwrap();
    let item = world.table().await.remove("PRODUCT#p | METADATA").unwrap();
    assert_eq!(item["secret"], AttributeValue::N(Number::from(4_i64)));
}

#[tokio::test]
async fn conditions_are_checked_with_the_write() {
    let world = stockroom().await;
    world.hook().take();
    let operators =
        json!({"subtract": {"stock": 2}, "if": "stock >= <least> and attribute_exists(tags)", "with": {"least": 2}});
    attempt(&world, operators.clone()).await.unwrap();
    assert_eq!(world.hook().names(), BLIND);
    attempt(&world, operators.clone()).await.unwrap();
    world.hook().take();
    let unmet = |error: Error| match error {
        Error::ConditionNotMet { entity, condition, item, write } => {
            assert_eq!((entity.as_str(), item["productId"].as_str(), write), ("Product", Some("p"), None));
            condition
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(unmet(attempt(&world, operators).await.unwrap_err()), "stock >= <least>");
    assert_eq!(world.hook().names(), BLIND);
    let both = json!({"add": {"stock": 1}, "if": "(stock = 1 or stock = 7) and not attribute_exists(tags)"});
    assert_eq!(unmet(attempt(&world, both).await.unwrap_err()), "not (attribute_exists(tags))");
    // On the path that reads the item, the condition comes before what the change would break.
    world.hook().take();
    let read = json!({"add": {"rank": -9}, "if": "stock > 1"});
    assert_eq!(unmet(attempt(&world, read).await.unwrap_err()), "stock > 1");
    assert_eq!(world.hook().names(), ["GetItem"]);
    // A condition alone.
    attempt(&world, json!({"if": "stock = 1"})).await.unwrap();
    assert_eq!(unmet(attempt(&world, json!({"if": "stock = 2"})).await.unwrap_err()), "stock = 2");
    assert_eq!(world.get("Product", json!({"productId": "p"})).await.unwrap()["stock"], 1);
    // Neither creates an item that does not exist.
    let identity = world.attributes("Product", json!({"productId": "q"}));
    for operators in [json!({"add": {"stock": 1}}), json!({"add": {"rank": 1}}), json!({"if": "stock = 1"})] {
        let options = options(&world, "Product", operators).unwrap();
        let error = world.runtime.patch(&superuser(), "Product", identity.clone(), options).await.unwrap_err();
        assert_eq!(error.kind(), "not found");
    }
}

#[tokio::test]
async fn transactions_check_conditions_and_sum_with_counters() {
    let world = stockroom().await;
    let patch = |operators: Value| Write::Patch {
        entity: "Product".to_owned(),
        attributes: world.attributes("Product", json!({"productId": "p"})),
        options: options(&world, "Product", operators).unwrap(),
    };
    let order = |id: &str| Write::Create {
        entity: "Order".to_owned(),
        attributes: world.attributes("Order", json!({"productId": "p", "orderId": id, "amount": 2})),
    };
    let left = world
        .runtime
        .transact(&superuser(), vec![order("1"), patch(json!({"subtract": {"stock": 2}, "if": "stock >= 2"}))])
        .await
        .unwrap();
    let product = &left[1].as_ref().unwrap().attributes;
    let number = |name: &str| product[name].as_number().unwrap().to_i64();
    assert_eq!((number("stock"), number("orders")), (Some(3), Some(1)));
    let stored = world.get("Product", json!({"productId": "p"})).await.unwrap();
    assert_eq!((&stored["stock"], &stored["orders"]), (&json!(3), &json!(1)));
    let failing = vec![order("2"), patch(json!({"subtract": {"stock": 2}, "if": "stock >= 9"}))];
    match world.runtime.transact(&superuser(), failing).await.unwrap_err() {
        Error::ConditionNotMet { write, condition, .. } => {
            assert_eq!((write, condition.as_str()), (Some(1), "stock >= 9"))
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.get("Order", json!({"productId": "p", "orderId": "2"})).await, None);
    let twice = vec![patch(json!({"add": {"stock": 1}})), patch(json!({"add": {"stock": 1}}))];
    assert_eq!(world.runtime.transact(&superuser(), twice).await.unwrap_err().kind(), "invalid");
    // The counter of a new item and operators on it do not mix: the item is planned as it is stored.
    let new = Write::Create {
        entity: "Product".to_owned(),
        attributes: world.attributes("Product", json!({"productId": "p"})),
    };
    let both = vec![new, patch(json!({"add": {"stock": 1}}))];
    assert!(world.runtime.transact(&superuser(), both).await.is_err());
}

#[tokio::test]
async fn versions_hold_with_operators() {
    let world = stockroom().await;
    world.given("Order", json!({"productId": "p", "orderId": "1", "amount": 2})).await;
    let identity = || world.attributes("Order", json!({"productId": "p", "orderId": "1"}));
    let expecting = |version, operators| PatchOptions {
        expected_version: Some(version),
        ..options(&world, "Order", operators).unwrap()
    };
    let add = json!({"add": {"total": 5}});
    let record = world.runtime.patch(&superuser(), "Order", identity(), expecting(1, add.clone())).await.unwrap();
    assert_eq!(record.attributes["version"], AttributeValue::N(Number::from(2_i64)));
    let stale = world.runtime.patch(&superuser(), "Order", identity(), expecting(1, add)).await.unwrap_err();
    assert!(matches!(stale, Error::Conflict { current: Some(_), .. }), "{stale:?}");
    assert_eq!(world.get("Order", json!({"productId": "p", "orderId": "1"})).await.unwrap()["total"], 5);
}

fn member(role: &str) -> Caller {
    Caller { subject: Some("someone".to_owned()), roles: vec![role.to_owned()], ..Caller::default() }
}

#[tokio::test]
async fn what_callers_may_not_set_takes_no_operator() {
    let world = stockroom().await;
    for operators in [json!({"add": {"priced": 1}}), json!({"add": {"priced": 1, "rank": 1}})] {
        let error = try_as(&world, &member("clerk"), operators.clone()).await.unwrap_err();
        assert!(matches!(error, Error::NotSettable(_)), "{error:?}");
        try_as(&world, &member("manager"), operators).await.unwrap();
    }
    // Nothing tells a caller the value: also an operator that changes nothing is rejected only if it may not be used.
    try_as(&world, &member("clerk"), json!({"add": {"priced": 0}})).await.unwrap();
    assert_eq!(world.get("Product", json!({"productId": "p"})).await.unwrap()["priced"], 2);
}

#[tokio::test]
async fn neither_conditions_nor_errors_tell_what_is_hidden() {
    let world = stockroom().await;
    attempt(&world, json!({"set": {"secret": 3}})).await.unwrap();
    // A condition on what the caller does not see, or on items that they may not read.
    for (role, condition) in [("clerk", "secret = 3"), ("clerk", "stock = 5 or secret = 4"), ("writer", "stock = 5")] {
        for right in [condition.to_owned(), condition.replace('3', "4")] {
            let error = try_as(&world, &member(role), json!({"add": {"held": 1}, "if": right})).await.unwrap_err();
            assert!(matches!(error, Error::NotAllowed(_)), "{role} {condition}: {error:?}");
        }
    }
    try_as(&world, &member("auditor"), json!({"add": {"held": 1}, "if": "secret = 3"})).await.unwrap();
    // The sum would tell the stored value.
    let error = try_as(&world, &member("clerk"), json!({"subtract": {"secret": 4}})).await.unwrap_err();
    assert_eq!(error.to_string(), "the stored `secret` of Product violates the design");
    let seen = try_as(&world, &member("auditor"), json!({"subtract": {"secret": 4}})).await.unwrap_err();
    assert_eq!(seen.to_string(), "`secret` must be at least 0 but is `-1`");
    for operators in [json!({"subtract": {"stock": 6}}), json!({"set": {"log[2]": 1}}), json!({"add": {"reserved": 9}})]
    {
        let error = try_as(&world, &member("writer"), operators.clone()).await.unwrap_err().to_string();
        for told in ["-1", "there is no", "held=", "reserved="] {
            assert!(!error.contains(told), "{operators}: {error}");
        }
    }
    // Nor where reads are audited: an error has no entry.
    world.given("Watched", json!({"watchedId": "w", "count": 2})).await;
    let identity = world.attributes("Watched", json!({"watchedId": "w"}));
    let down = options(&world, "Watched", json!({"subtract": {"count": 3}})).unwrap();
    let error = world.runtime.patch(&member("auditor"), "Watched", identity, down).await.unwrap_err();
    assert_eq!(error.to_string(), "the stored `count` of Watched violates the design");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_adds_sum_exactly() {
    let world = World::new(design(&design_text("tests/it/support/stock.yaml")), Yielding::default()).await;
    world.given("Product", json!({"productId": "p", "stock": 0})).await;
    world.given("Order", json!({"productId": "p", "orderId": "1", "amount": 1})).await;
    let world = Arc::new(world);
    let mut callers = tokio::task::JoinSet::new();
    for caller in 0..32_i64 {
        let world = Arc::clone(&world);
        callers.spawn(async move {
            let entity = |name: &str| world.design.entity_named(name).unwrap().clone();
            let mut sums = [0_i64; 3];
            for round in 0..10_i64 {
                let amount = (caller * 10 + round) % 7 + 1;
                // Without a read, with a rule and a key, and below a bound.
                let calls = [
                    ("Order", json!({"productId": "p", "orderId": "1"}), json!({"add": {"total": amount}})),
                    ("Product", json!({"productId": "p"}), json!({"add": {"held": amount, "rank": 1}})),
                    ("Product", json!({"productId": "p"}), json!({"add": {"stock": 1}, "if": "stock < 50"})),
                ];
                for (sum, (name, identity, operators)) in sums.iter_mut().zip(calls) {
                    let options = json_operators::take(&entity(name), &mut object(operators)).unwrap();
                    let identity = world.attributes(name, identity);
                    match world.runtime.patch(&superuser(), name, identity, options).await {
                        Ok(_) => *sum += amount,
                        Err(Error::Conflict { .. } | Error::ConditionNotMet { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            }
            sums
        });
    }
    let mut totals = [0_i64; 3];
    while let Some(sums) = callers.join_next().await {
        totals.iter_mut().zip(sums.unwrap()).for_each(|(total, sum)| *total += sum);
    }
    let order = world.get("Order", json!({"productId": "p", "orderId": "1"})).await.unwrap();
    assert_eq!(order["total"], totals[0]);
    let product = world.get("Product", json!({"productId": "p"})).await.unwrap();
    assert_eq!(product["held"], totals[1]);
    assert_eq!(product["stock"], 50);
    let table = world.table().await;
    let rank = product["rank"].as_i64().unwrap();
    assert_eq!(table["PRODUCT#p | METADATA"]["GSI1SK"].as_str().unwrap(), format!("{rank:06}#p"));
}

/// Carries out updates, and loses the responses.
struct Losing;

impl Hook for Losing {
    fn before(&self, _: Call) -> keyfold_dynamo::BackendFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn after(&self, call: Call) -> keyfold_dynamo::BackendFuture<'_, ()> {
        Box::pin(async move {
            match call {
                Call::Update(UpdateItemInput { .. }) => {
                    Err(keyfold_dynamo::ServiceError::OutcomeUnknown("the connection was closed".to_owned()))
                }
                _ => Ok(()),
            }
        })
    }
}

#[tokio::test]
async fn an_operator_is_not_repeated_when_its_response_is_lost() {
    let world = World::new(design(&design_text("tests/it/support/stock.yaml")), Losing).await;
    world.given("Product", json!({"productId": "p", "stock": 5})).await;
    for (operators, name, expected) in
        [(json!({"add": {"stock": 1}}), "stock", 6), (json!({"add": {"rank": 1}, "set": {"name": "n"}}), "rank", 1)]
    {
        let options =
            json_operators::take(world.design.entity_named("Product").unwrap(), &mut object(operators)).unwrap();
        let identity = world.attributes("Product", json!({"productId": "p"}));
        let error = world.runtime.patch(&superuser(), "Product", identity, options).await.unwrap_err();
        assert_eq!(error.kind(), "unavailable", "{error}");
        assert_eq!(world.get("Product", json!({"productId": "p"})).await.unwrap()[name], expected);
    }
}
