//! Names that mean something else in Rust, or are the same once they are spelt as Rust spells names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::AttributeValue;
use keyfold_engine::Engine;
use keyfold_generated_rust::awkward::{
    Awkward, Create, NewNewOption, NewOptionEntity, NewPromise, NewResultEntity, OptionEntityKind, OptionEntityPatch,
    PromiseIdentity, ResultEntityKind,
};
use keyfold_runtime::{Caller, Options, Runtime};
use keyfold_typed::Any;
use serde_json::json;

const DESIGN: &str = include_str!("../../generated/awkward/design.yaml");

async fn runtime() -> Runtime {
    let design = Arc::new(Design::load("design.yaml", DESIGN).unwrap().0);
    let engine = Arc::new(Engine::in_memory(keyfold_engine::Options::default()).unwrap());
    let options = Options::standard(&design).unwrap();
    let runtime = Runtime::new(design, engine, options);
    runtime.create_table().await.unwrap();
    runtime
}

#[tokio::test]
async fn every_name_keeps_its_meaning() {
    let runtime = runtime().await;
    let awkward = Awkward::new(&runtime, Caller::superuser("tester"));
    let created = awkward.create(&NewOptionEntity::new("t", "upper", "lower")).await.unwrap();
    assert_eq!((created.foo_bar.as_str(), created.foo_bar_.as_str()), ("upper", "lower"));
    assert_eq!((created.kind, created.default, created.other), (OptionEntityKind::Fn, true, None));
    let wanted = json!({
        "type": "t",
        "self": "none \\\"at all\\\"",
        "fooBar": "upper",
        "foo_bar": "lower",
        "kind": "fn",
        "default": true
    });
    assert_eq!(serde_json::to_value(&created).unwrap(), wanted);

    let patch = OptionEntityPatch { kind: Some(OptionEntityKind::SelfValue2), ..Default::default() };
    awkward.patch(&created.identity(), &patch).await.unwrap();
    let found = awkward.new_pattern(OptionEntityKind::SelfValue2, &Default::default()).await.unwrap();
    assert_eq!(serde_json::to_value(&found.items[0]).unwrap()["kind"], "self");
    assert_eq!(awkward.count_pattern(OptionEntityKind::SelfValue2).await.unwrap(), 1);
    assert_eq!(awkward.count_pattern(OptionEntityKind::SelfValue).await.unwrap(), 0);
}

#[tokio::test]
async fn an_open_entity_keeps_what_it_does_not_declare() {
    let runtime = runtime().await;
    let awkward = Awkward::new(&runtime, Caller::superuser("tester"));
    awkward.create(&NewOptionEntity::new("t", "x", "y")).await.unwrap();
    let result = NewResultEntity {
        other_: Some("declared".to_owned()),
        kind: Some(ResultEntityKind::B),
        other: [("undeclared".to_owned(), Any(AttributeValue::Bool(true)))].into(),
        ..NewResultEntity::new("t", 7, vec!["one".to_owned()])
    };
    let created = awkward.create(&result).await.unwrap();
    assert_eq!(created.other_.as_deref(), Some("declared"));
    assert_eq!(created.other, [("undeclared".to_owned(), Any(AttributeValue::Bool(true)))].into());
    let found = awkward.get_pattern("t", &Default::default()).await.unwrap();
    assert_eq!(found.items, std::slice::from_ref(&created));
    let wanted = json!({
        "type": "t", "options": 7, "item": ["one"], "other": "declared", "kind": "b", "undeclared": true
    });
    assert_eq!(serde_json::to_value(&created).unwrap(), wanted);
    assert_eq!(serde_json::from_value::<keyfold_generated_rust::awkward::ResultEntity>(wanted).unwrap(), created);

    let both = awkward.create_pattern("t", &Default::default()).await.unwrap().items;
    assert!(matches!(&both[..], [Create::OptionEntity(_), Create::ResultEntity(_)]), "{both:?}");
    assert_eq!(serde_json::to_value(&both[1]).unwrap()["entity"], "Result");
}

#[tokio::test]
async fn an_entity_with_one_item_is_found_without_anything() {
    let runtime = runtime().await;
    let awkward = Awkward::new(&runtime, Caller::superuser("tester"));
    assert_eq!(awkward.get(&PromiseIdentity).await.unwrap(), None);
    awkward.put(&NewPromise::new("patience")).await.unwrap();
    assert_eq!(awkward.get(&PromiseIdentity).await.unwrap().unwrap().r#await, "patience");
    awkward.create(&NewNewOption::new("c", "long")).await.unwrap();
    let found = awkward.option("c", &Default::default()).await.unwrap();
    assert_eq!(found.items[0].the_longest_name_in_all_of_this_design, "long");
}
