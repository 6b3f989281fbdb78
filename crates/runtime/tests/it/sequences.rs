//! Numbers from a sequence: never twice, also when many are drawn at once; gaps are allowed.

use std::collections::BTreeSet;
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_engine::Engine;
use keyfold_runtime::{Caller, Options, Runtime};

const DESIGN: &str = "
design: places
table: places
entities:
  Sequence:
    keeps: sequences
    PK: sequence
    SK: sequence
    attributes: {place: 'integer, optional'}
  Place:
    PK: PLACE#<id>
    SK: METADATA
    attributes:
      id: sequence place
      name: string, at least 2 characters
patterns: {}
allow: [{signed in: everything}]
";

fn named(name: &str) -> Attributes {
    Attributes::from([("name".to_owned(), AttributeValue::S(name.to_owned()))])
}

async fn runtime() -> Arc<Runtime> {
    let (design, _) = Design::load("design.yaml", DESIGN).unwrap_or_else(|found| panic!("{found:#?}"));
    let design = Arc::new(design);
    let engine = Engine::in_memory(keyfold_engine::Options::default()).unwrap();
    let runtime = Runtime::new(Arc::clone(&design), Arc::new(engine), Options::standard(&design).unwrap());
    runtime.create_table().await.unwrap();
    Arc::new(runtime)
}

#[tokio::test]
async fn numbers_count_up_and_a_failed_create_leaves_a_gap() {
    let runtime = runtime().await;
    let caller = Caller::superuser("test");
    let id = async |name: &str| {
        let record = runtime.create(&caller, "Place", named(name)).await?;
        Ok::<i64, keyfold_runtime::Error>(record.attributes["id"].as_number().unwrap().to_i64().unwrap())
    };
    assert_eq!(id("Aarau").await, Ok(1));
    assert!(id("B").await.is_err());
    let next = id("Bern").await.unwrap();
    assert!(next == 2 || next == 3, "{next}");
    let place = runtime.get(&caller, "Place", Attributes::from([("id".to_owned(), AttributeValue::N(1u64.into()))]));
    assert_eq!(place.await.unwrap().unwrap().attributes["name"], AttributeValue::S("Aarau".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_get_different_numbers() {
    let runtime = runtime().await;
    let tasks: Vec<_> = (0..64)
        .map(|number| {
            let runtime = Arc::clone(&runtime);
            tokio::spawn(async move {
                let name = named(&format!("place {number}"));
                runtime.create(&Caller::superuser("test"), "Place", name).await.unwrap().attributes["id"].clone()
            })
        })
        .collect();
    let mut ids = BTreeSet::new();
    for task in tasks {
        ids.insert(task.await.unwrap().as_number().copied().unwrap());
    }
    assert_eq!(ids.len(), 64);
    assert_eq!(ids.last().unwrap().to_i64(), Some(64));
}
