//! Random update operators, against a naive model: what a patch leaves is what the model computes, with every key,
//! lookup and derived item; what the model rejects changes nothing.

use std::collections::BTreeSet;

use crate::support::*;
use keyfold_runtime::{Error, json_operators};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// An operator of a request: its word, its path and its operand.
type Requested = (&'static str, String, Value);

fn operator() -> impl Strategy<Value = Requested> {
    let names =
        || prop::collection::btree_set(prop::sample::select(vec!["a", "b", "c"]), 1..3).prop_map(|set| json!(set));
    let codes = || prop::collection::btree_set(1..6_i64, 1..3).prop_map(|set| json!(set));
    let signed = |word: &'static str, path: &'static str, most: i64| {
        (-most..=most).prop_map(move |by| (word, path.to_owned(), json!(by)))
    };
    let element = || prop_oneof![(0..9_i64).prop_map(|n| json!(n)), (0..9_i64).prop_map(|n| json!({"n": n}))];
    let indexed =
        |root: &'static str, rest: &'static str| (0..4_usize).prop_map(move |at| format!("{root}[{at}]{rest}"));
    prop_oneof![
        signed("add", "stock", 60),
        signed("subtract", "stock", 60),
        signed("set", "stock", 105),
        signed("add", "rank", 4),
        signed("add", "held", 3),
        signed("add", "reserved", 2),
        signed("add", "barcode", 9),
        signed("subtract", "weight", 5),
        signed("add", "extra.n", 5),
        signed("set", "extra.a", 5),
        signed("set", "extra.b.c", 5),
        prop::sample::select(vec!["reserved", "barcode", "tags", "extra.a", "extra.b", "extra.n", "labels", "log"])
            .prop_map(|path| ("remove", path.to_owned(), Value::Null)),
        names().prop_map(|set| ("add", "tags".to_owned(), set)),
        names().prop_map(|set| ("subtract", "tags".to_owned(), set)),
        codes().prop_map(|set| ("add", "codes".to_owned(), set)),
        codes().prop_map(|set| ("subtract", "codes".to_owned(), set)),
        names().prop_map(|list| ("append", "labels".to_owned(), list)),
        names().prop_map(|list| ("prepend", "labels".to_owned(), list)),
        indexed("labels", "").prop_map(|path| ("set", path, json!("z"))),
        indexed("labels", "").prop_map(|path| ("remove", path, Value::Null)),
        element().prop_map(|value| ("append", "log".to_owned(), json!([value]))),
        element().prop_map(|value| ("prepend", "log".to_owned(), json!([value, value]))),
        (indexed("log", ""), element()).prop_map(|(path, value)| ("set", path, value)),
        indexed("log", "").prop_map(|path| ("remove", path, Value::Null)),
        (indexed("log", ".n"), 0..9_i64).prop_map(|(path, n)| ("set", path, json!(n))),
        (indexed("log", ".n"), 0..9_i64).prop_map(|(path, n)| ("add", path, json!(n))),
        element().prop_map(|value| ("append", "extra.l".to_owned(), json!([value]))),
        Just(("set", "extra".to_owned(), json!({"b": {}, "add": {"stock": 1}}))),
    ]
}

fn root(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap()
}

/// Up to three operators on different attributes, and perhaps a condition on the stock.
fn request() -> impl Strategy<Value = (Vec<Requested>, Option<i64>)> {
    let operators = prop::collection::vec(operator(), 1..4).prop_map(|operators| {
        let mut roots = BTreeSet::new();
        operators.into_iter().filter(|(_, path, _)| roots.insert(root(path).to_owned())).collect::<Vec<_>>()
    });
    (operators, prop::option::weighted(0.2, 0..100_i64))
}

/// The place of a path: what is around it, and its last step.
fn place<'v>(item: &'v mut Value, path: &str) -> Option<(&'v mut Value, String)> {
    let text = path.replace('[', ".").replace(']', "");
    let mut steps: Vec<&str> = text.split('.').collect();
    let last = steps.pop()?;
    let mut around = item;
    for step in steps {
        around = match around {
            Value::Object(map) => map.get_mut(step)?,
            Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    let fits = match around {
        Value::Object(_) => true,
        Value::Array(list) => last.parse::<usize>().is_ok_and(|at| at < list.len()),
        _ => false,
    };
    fits.then(|| (around, last.to_owned()))
}

fn find(item: &mut Value, path: &str) -> Option<Value> {
    let (around, last) = place(item, path)?;
    match around {
        Value::Object(map) => map.get(&last).cloned(),
        Value::Array(list) => list.get(last.parse::<usize>().ok()?).cloned(),
        _ => None,
    }
}

fn put(item: &mut Value, path: &str, value: Option<Value>) -> Option<()> {
    let (around, last) = place(item, path)?;
    match (around, value) {
        (Value::Object(map), Some(value)) => drop(map.insert(last, value)),
        (Value::Object(map), None) => drop(map.remove(&last)),
        (Value::Array(list), Some(value)) => list[last.parse::<usize>().ok()?] = value,
        (Value::Array(list), None) => drop(list.remove(last.parse::<usize>().ok()?)),
        _ => return None,
    }
    Some(())
}

/// The naive model: `None` if the operator cannot be applied.
fn apply(item: &mut Value, (word, path, operand): &Requested) -> Option<()> {
    let stored = find(item, path);
    let is_set = matches!(path.as_str(), "tags" | "codes");
    let elements = |value: Option<&Value>| value.map_or(Some(Vec::new()), |value| value.as_array().cloned());
    let new = match (*word, is_set) {
        ("set", _) => Some(operand.clone()),
        ("remove", _) if stored.is_none() => return Some(()),
        ("remove", _) => None,
        ("add", false) => Some(json!(stored.map_or(Some(0), |stored| stored.as_i64())? + operand.as_i64()?)),
        ("subtract", false) => Some(json!(stored.map_or(Some(0), |stored| stored.as_i64())? - operand.as_i64()?)),
        ("add" | "subtract", true) => {
            let mut members = elements(stored.as_ref())?;
            let given = operand.as_array()?;
            members.retain(|member| !given.contains(member));
            if *word == "add" {
                members.extend(given.iter().cloned());
            }
            members.sort_by_key(|member| {
                member.as_i64().map_or_else(|| member.to_string(), |number| format!("{number:09}"))
            });
            (!members.is_empty()).then(|| Value::Array(members))
        }
        ("append", _) => {
            let mut list = elements(stored.as_ref())?;
            list.extend(operand.as_array()?.iter().cloned());
            Some(Value::Array(list))
        }
        _ => {
            let mut list = operand.as_array()?.clone();
            list.extend(elements(stored.as_ref())?);
            Some(Value::Array(list))
        }
    };
    match new {
        // There is nothing to be removed from.
        None if find(item, path).is_none() => Some(()),
        new => put(item, path, new),
    }
}

/// Whether the design admits the item.
fn is_valid(item: &Value) -> bool {
    let number = |name: &str| item.get(name).and_then(Value::as_i64);
    let length = |name: &str| item.get(name).and_then(Value::as_array).map_or(0, Vec::len);
    number("stock").is_some_and(|stock| (0..=100).contains(&stock))
        && number("rank").is_some_and(|rank| (0..=999_999).contains(&rank))
        && number("reserved").is_none_or(|reserved| reserved <= number("held").unwrap_or(0))
        && length("codes") <= 3
        && length("labels") <= 4
}

fn expected(item: &Value, (operators, least): &(Vec<Requested>, Option<i64>)) -> Option<Value> {
    if least.is_some_and(|least| item["stock"].as_i64().unwrap() < least) {
        return None;
    }
    let mut new = item.clone();
    for operator in operators {
        apply(&mut new, operator)?;
    }
    is_valid(&new).then_some(new)
}

fn body((operators, least): &(Vec<Requested>, Option<i64>)) -> Map<String, Value> {
    let mut body = Map::new();
    for (word, path, operand) in operators {
        if *word == "remove" {
            let removed = body.entry(*word).or_insert_with(|| json!([]));
            removed.as_array_mut().unwrap().push(json!(path));
        } else {
            let values = body.entry(*word).or_insert_with(|| json!({}));
            values.as_object_mut().unwrap().insert(path.clone(), operand.clone());
        }
    }
    if let Some(least) = least {
        body.insert("if".to_owned(), json!("stock >= <least>"));
        body.insert("with".to_owned(), json!({"least": least}));
    }
    body
}

async fn assert_keys(world: &World<Recorder>, item: &Value) {
    let table = world.table().await;
    let stored = &table["PRODUCT#p | METADATA"];
    assert_eq!(stored["GSI1SK"].as_str().unwrap(), format!("{:06}#p", item["rank"].as_i64().unwrap()));
    let mut expected: BTreeSet<String> = BTreeSet::from(["PRODUCT#p | METADATA".to_owned()]);
    for tag in item.get("tags").and_then(Value::as_array).into_iter().flatten() {
        expected.insert(format!("MARK#{} | PRODUCT#p", tag.as_str().unwrap()));
    }
    let (lookups, others): (BTreeSet<String>, BTreeSet<String>) =
        table.keys().cloned().partition(|key| key.to_lowercase().contains("barcode"));
    assert_eq!(others, expected);
    match item.get("barcode") {
        Some(barcode) => {
            assert_eq!(lookups.len(), 1, "{lookups:?}");
            assert!(lookups.iter().all(|key| key.contains(&barcode.to_string())), "{lookups:?}");
        }
        None => assert_eq!(lookups, BTreeSet::new()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]
    #[test]
    fn operators_do_what_the_model_does(requests in prop::collection::vec(request(), 1..25)) {
        let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        tokio.block_on(async {
            let world = World::new(design(&design_text("tests/it/support/stock.yaml")), Recorder::default()).await;
            let given = json!({"productId": "p", "stock": 50, "labels": ["x"], "log": [{"n": 1}], "extra": {"a": 1, "b": {}}});
            world.given("Product", given).await;
            let product = world.design.entity_named("Product").unwrap();
            let mut item = world.get("Product", json!({"productId": "p"})).await.unwrap();
            for request in &requests {
                let options = json_operators::take(product, &mut body(request)).unwrap();
                let identity = world.attributes("Product", json!({"productId": "p"}));
                let outcome = world.runtime.patch(&superuser(), "Product", identity, options).await;
                match (expected(&item, request), outcome) {
                    (Some(new), Ok(_)) => item = new,
                    (None, Err(Error::Constraint(_) | Error::ConditionNotMet { .. })) => {}
                    (expected, outcome) => panic!("{request:?} on {item}\nexpected {expected:?}\nfound {outcome:?}"),
                }
                assert_eq!(world.get("Product", json!({"productId": "p"})).await.unwrap(), item, "{request:?}");
            }
            assert_keys(&world, &item).await;
        });
    }
}
