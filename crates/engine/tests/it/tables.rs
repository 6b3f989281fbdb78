//! Tables come and go, and nothing of a deleted one is left.

use crate::scene;

use std::ops::Bound;
use std::sync::Arc;

use crate::scene::requests::{get, put, scan_all};
use crate::scene::tables::{all, include, keys_only, table};
use crate::scene::{assert_sound, item, n, options, options_at, s, validation_text, wait};
use keyfold_dynamo::operation::{CreateTableInput, ListTablesInput, UpdateTableInput};
use keyfold_dynamo::table::{BillingMode, KeyType, TableDescription, TableStatus, Throughput};
use keyfold_dynamo::{Attributes, Backend, ServiceError};
use keyfold_engine::Engine;
use keyfold_engine::store::{MemoryStore, Store};
use keyfold_environment::ManualClock;

fn describe(engine: &Engine, name: &str) -> Result<TableDescription, ServiceError> {
    wait(engine.describe_table(name.to_owned()))
}

fn simple(name: &str) -> CreateTableInput {
    table(name, ("pk", KeyType::S), None).input()
}

fn key(name: &str) -> Attributes {
    item([("pk", s(name))])
}

#[test]
fn a_table_is_described_as_it_was_created() {
    let clock = Arc::new(ManualClock::at_second(1_700_000_000));
    let engine = Engine::in_memory(options_at(&clock)).unwrap();
    let input = table("orders", ("pk", KeyType::S), Some(("sk", KeyType::N)))
        .local("by_label", ("pk", KeyType::S), ("label", KeyType::B), keys_only())
        .global("by_state", ("state", KeyType::S), Some(("sk", KeyType::N)), include(&["note"]))
        .global("by_owner", ("owner", KeyType::S), None, all())
        .input();
    wait(engine.create_table(input.clone())).unwrap();
    let described = describe(&engine, "orders").unwrap();
    assert_eq!(described.name, "orders");
    assert_eq!(described.arn.unwrap(), "arn:aws:dynamodb:local:000000000000:table/orders");
    assert_eq!(described.status, TableStatus::Active);
    assert!((described.created_at.unwrap() - 1_700_000_000.0).abs() < 1e-9);
    assert_eq!(described.attribute_definitions, input.attribute_definitions);
    assert_eq!(described.key_schema, input.key_schema);
    assert_eq!(described.billing_mode, BillingMode::PayPerRequest);
    assert_eq!((described.item_count, described.size_bytes), (0, 0));
    assert_eq!(described.id.as_ref().unwrap().len(), 36);
    let local: Vec<_> = described.local_indexes.iter().map(|index| (&*index.name, &index.projection)).collect();
    assert_eq!(local, [("by_label", &keys_only())]);
    let global: Vec<_> = described.global_indexes.iter().map(|index| (&*index.name, &index.projection)).collect();
    assert_eq!(global, [("by_state", &include(&["note"])), ("by_owner", &all())]);
    assert!(described.global_indexes.iter().all(|index| index.status == Some(TableStatus::Active)));
}

#[test]
fn a_name_is_taken_until_the_table_is_deleted() {
    let engine = scene::memory();
    wait(engine.create_table(simple("t"))).unwrap();
    assert_eq!(wait(engine.create_table(simple("t"))).unwrap_err().code(), "ResourceInUseException");
    let gone = wait(engine.delete_table("t".to_owned())).unwrap();
    assert_eq!(gone.status, TableStatus::Deleting);
    for answer in [describe(&engine, "t").map(|_| ()), put(&engine, "t", key("a")).map(|_| ())] {
        assert_eq!(answer.unwrap_err().code(), "ResourceNotFoundException");
    }
    assert_eq!(wait(engine.delete_table("t".to_owned())).unwrap_err().code(), "ResourceNotFoundException");
    wait(engine.create_table(simple("t"))).unwrap();
}

#[test]
fn a_table_created_anew_has_no_old_items() {
    let engine = scene::memory();
    let create = || {
        table("t", ("pk", KeyType::S), None).global("by_g", ("g", KeyType::S), None, all()).create(&engine);
    };
    create();
    let first = describe(&engine, "t").unwrap();
    for number in 0..600 {
        put(&engine, "t", item([("pk", s(number.to_string())), ("g", s("g"))])).unwrap();
    }
    wait(engine.delete_table("t".to_owned())).unwrap();
    create();
    let assert_empty = || {
        let described = describe(&engine, "t").unwrap();
        assert_ne!(described.id, first.id);
        assert_eq!((described.item_count, described.size_bytes), (0, 0));
        assert_eq!(described.global_indexes[0].item_count, 0);
        assert_eq!(scan_all(&engine, "t", None), Vec::<Attributes>::new());
        assert_eq!(scan_all(&engine, "t", Some("by_g")), Vec::<Attributes>::new());
        assert_sound(&engine);
    };
    // Before the old rows are deleted in the background, and after.
    assert_empty();
    engine.run_maintenance().unwrap();
    assert_empty();
    put(&engine, "t", key("1")).unwrap();
    assert_eq!(get(&engine, "t", key("1")), Some(key("1")));
}

#[test]
fn nothing_of_a_deleted_table_stays_in_the_store() {
    let rows = Arc::new(MemoryStore::default());
    let engine = Engine::with_store(Arc::clone(&rows) as Arc<_>, options()).unwrap();
    let count = || rows.snapshot().range((Bound::Unbounded, Bound::Unbounded), false).count();
    wait(engine.create_table(simple("other"))).unwrap();
    put(&engine, "other", key("a")).unwrap();
    let before = count();
    for _ in 0..3 {
        table("t", ("pk", KeyType::S), None).global("by_g", ("g", KeyType::S), None, all()).create(&engine);
        for number in 0..700 {
            put(&engine, "t", item([("pk", s(number.to_string())), ("g", s("g"))])).unwrap();
        }
        wait(engine.delete_table("t".to_owned())).unwrap();
    }
    engine.run_maintenance().unwrap();
    assert_eq!(count(), before);
    assert_eq!(get(&engine, "other", key("a")), Some(key("a")));
}

#[test]
fn a_protected_table_is_not_deleted() {
    let engine = scene::memory();
    wait(engine.create_table(CreateTableInput { deletion_protection: true, ..simple("t") })).unwrap();
    put(&engine, "t", key("a")).unwrap();
    let refused = validation_text(wait(engine.delete_table("t".to_owned())));
    assert!(refused.contains("protected against deletion"), "{refused}");
    assert_eq!(get(&engine, "t", key("a")), Some(key("a")));
    let protect = |protected| UpdateTableInput {
        table_name: "t".to_owned(),
        deletion_protection: Some(protected),
        ..UpdateTableInput::default()
    };
    wait(engine.update_table(protect(false))).unwrap();
    assert!(!describe(&engine, "t").unwrap().deletion_protection);
    wait(engine.update_table(protect(true))).unwrap();
    assert!(wait(engine.delete_table("t".to_owned())).is_err());
    wait(engine.update_table(protect(false))).unwrap();
    wait(engine.delete_table("t".to_owned())).unwrap();
}

#[test]
fn many_tables_are_listed_in_pages_in_the_order_of_their_names() {
    let engine = scene::memory();
    let mut names: Vec<String> = (0..250).map(|number| format!("table-{number}")).collect();
    for name in &names {
        wait(engine.create_table(simple(name))).unwrap();
        put(&engine, name, item([("pk", s("a")), ("name", s(name))])).unwrap();
    }
    names.sort();
    let list = |limit: Option<i64>| {
        let (mut found, mut pages) = (Vec::new(), 0);
        let mut input = ListTablesInput { limit, ..ListTablesInput::default() };
        loop {
            let page = wait(engine.list_tables(input.clone())).unwrap();
            found.extend(page.table_names);
            pages += 1;
            match page.last_evaluated {
                None => return (found, pages),
                last => input.exclusive_start = last,
            }
        }
    };
    assert_eq!(list(None), (names.clone(), 3));
    assert_eq!(list(Some(7)), (names.clone(), 36));
    for name in &names {
        assert_eq!(get(&engine, name, key("a")).unwrap()["name"], s(name));
    }
    let after = ListTablesInput { exclusive_start: Some("table-97z".to_owned()), limit: Some(2) };
    assert_eq!(wait(engine.list_tables(after)).unwrap().table_names, ["table-98", "table-99"]);
}

#[test]
fn tables_are_created_and_deleted_beside_writers() {
    let engine = scene::memory();
    wait(engine.create_table(simple("steady"))).unwrap();
    std::thread::scope(|scope| {
        let engine = &engine;
        for worker in 0..4 {
            scope.spawn(move || {
                for round in 0..20 {
                    let name = format!("t-{worker}");
                    wait(engine.create_table(simple(&name))).unwrap();
                    for number in 0..5 {
                        put(engine, &name, key(&format!("{round}-{number}"))).unwrap();
                        let steady = format!("{worker}-{round}-{number}");
                        put(engine, "steady", key(&steady)).unwrap();
                    }
                    assert_eq!(describe(engine, &name).unwrap().item_count, 5);
                    wait(engine.delete_table(name)).unwrap();
                }
            });
        }
    });
    assert_eq!(describe(&engine, "steady").unwrap().item_count, 400);
    engine.run_maintenance().unwrap();
    assert_sound(&engine);
}

/// Writers that have the table in hand when it is deleted either come before or are told that it is gone.
#[test]
fn writers_of_a_deleted_table_get_an_error() {
    for _ in 0..20 {
        let engine = scene::memory();
        wait(engine.create_table(simple("t"))).unwrap();
        std::thread::scope(|scope| {
            let engine = &engine;
            for worker in 0..8 {
                scope.spawn(move || {
                    for number in 0.. {
                        match put(engine, "t", key(&format!("{worker}-{number}"))) {
                            Ok(_) => {}
                            Err(ServiceError::ResourceNotFound(_)) => return,
                            Err(other) => panic!("{other}"),
                        }
                    }
                });
            }
            std::thread::sleep(std::time::Duration::from_millis(3));
            wait(engine.delete_table("t".to_owned())).unwrap();
        });
        wait(engine.create_table(simple("t"))).unwrap();
        assert_eq!(scan_all(&engine, "t", None), Vec::<Attributes>::new());
        assert_sound(&engine);
    }
}

#[test]
fn billing_changes_and_is_described() {
    let clock = Arc::new(ManualClock::at_second(1000));
    let engine = Engine::in_memory(options_at(&clock)).unwrap();
    let provisioned =
        CreateTableInput { billing_mode: None, throughput: Some(Throughput { read: 5, write: 6 }), ..simple("t") };
    wait(engine.create_table(provisioned)).unwrap();
    let throughput = || describe(&engine, "t").unwrap().throughput;
    assert_eq!((throughput().read, throughput().write), (5, 6));
    let change = |billing_mode, throughput| UpdateTableInput {
        table_name: "t".to_owned(),
        billing_mode,
        throughput,
        ..UpdateTableInput::default()
    };
    clock.set_second(2000);
    wait(engine.update_table(change(None, Some(Throughput { read: 7, write: 3 })))).unwrap();
    assert_eq!((throughput().read, throughput().write, throughput().decreases_today), (7, 3, 1));
    assert_eq!((throughput().last_increase, throughput().last_decrease), (Some(2000.0), Some(2000.0)));
    wait(engine.update_table(change(Some(BillingMode::PayPerRequest), None))).unwrap();
    let described = describe(&engine, "t").unwrap();
    assert_eq!((described.billing_mode, described.on_demand_since), (BillingMode::PayPerRequest, Some(2000.0)));
    put(&engine, "t", item([("pk", s("a")), ("v", n(1))])).unwrap();
}
