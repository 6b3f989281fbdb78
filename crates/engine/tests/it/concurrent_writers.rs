//! Many threads at once lose nothing, see nothing twice, and do not wait for each other without need.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{
    action, aliases, condition, get, put, put_if, scan_once, transact, update, update_if, updating,
};
use crate::scene::tables::{all, keys_only, table};
use crate::scene::{assert_sound, item, memory, n, options, s, wait, whole};
use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_dynamo::operation::{TransactGet, TransactGetItemsInput, TransactWrite, TransactWriteKind};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend, ServiceError};
use keyfold_engine::Engine;

const THREADS: usize = 64;

/// The engine in memory and on disk.
fn on_each_store(test: impl Fn(&Engine)) {
    test(&memory());
    let folder = tempfile::tempdir().unwrap();
    test(&Engine::open(folder.path(), options()).unwrap());
}

fn key(name: impl ToString) -> Attributes {
    item([("pk", s(name.to_string()))])
}

fn simple_table(engine: &Engine) {
    table("t", ("pk", KeyType::S), None).create(engine);
}

/// Runs the work on all threads at once; it is given the number of its thread.
fn together(threads: usize, work: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for number in 0..threads {
            let work = &work;
            scope.spawn(move || work(number));
        }
    });
}

#[test]
fn added_numbers_add_up() {
    const COUNTERS: usize = 4;
    const ROUNDS: usize = 40;
    on_each_store(|engine| {
        simple_table(engine);
        together(THREADS, |number| {
            for round in 0..ROUNDS {
                let counter = key((number + round) % COUNTERS);
                update(engine, "t", counter, "ADD hits :one", aliases([(":one", n(1))])).unwrap();
            }
        });
        for counter in 0..COUNTERS {
            let stored = get(engine, "t", key(counter)).unwrap();
            assert_eq!(whole(&stored, "hits"), (THREADS * ROUNDS / COUNTERS) as i64);
        }
        assert_sound(engine);
    });
}

#[test]
fn reading_and_writing_under_a_version_loses_no_update() {
    const ROUNDS: i64 = 6;
    on_each_store(|engine| {
        simple_table(engine);
        put(engine, "t", item([("pk", s("shared")), ("total", n(0)), ("version", n(0))])).unwrap();
        let retries = AtomicUsize::new(0);
        together(THREADS, |_| {
            let mut done = 0;
            while done < ROUNDS {
                let read = get(engine, "t", key("shared")).unwrap();
                let (total, version) = (whole(&read, "total"), whole(&read, "version"));
                let new = item([("pk", s("shared")), ("total", n(total + 3)), ("version", n(version + 1))]);
                match put_if(engine, "t", new, "version = :v", aliases([(":v", n(version))])) {
                    Ok(_) => done += 1,
                    Err(ServiceError::ConditionalCheckFailed { .. }) => {
                        retries.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        });
        let stored = get(engine, "t", key("shared")).unwrap();
        assert_eq!(whole(&stored, "version"), THREADS as i64 * ROUNDS);
        assert_eq!(whole(&stored, "total"), THREADS as i64 * ROUNDS * 3);
        assert_sound(engine);
    });
}

#[test]
fn one_of_many_claims_wins() {
    on_each_store(|engine| {
        simple_table(engine);
        for round in 0..20 {
            let winners = parking_lot::Mutex::new(Vec::new());
            together(THREADS, |number| {
                let claim = item([("pk", s(format!("name-{round}"))), ("owner", n(number))]);
                match put_if(engine, "t", claim, "attribute_not_exists(pk)", aliases([])) {
                    Ok(_) => winners.lock().push(number as i64),
                    Err(ServiceError::ConditionalCheckFailed { .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            });
            let winners = winners.into_inner();
            assert_eq!(winners.len(), 1);
            let stored = get(engine, "t", key(format!("name-{round}"))).unwrap();
            assert_eq!(whole(&stored, "owner"), winners[0]);
        }
    });
}

#[test]
fn an_item_that_moves_between_index_partitions_is_seen_once_in_every_snapshot() {
    const ITEMS: usize = 60;
    const MOVERS: usize = 8;
    on_each_store(|engine| {
        table("t", ("pk", KeyType::S), None)
            .global("by_place", ("place", KeyType::S), Some(("moves", KeyType::N)), all())
            .global("places", ("place", KeyType::S), None, keys_only())
            .create(engine);
        for number in 0..ITEMS {
            put(engine, "t", item([("pk", s(format!("{number:03}"))), ("place", s("0")), ("moves", n(0))])).unwrap();
        }
        let moving = AtomicUsize::new(MOVERS);
        thread::scope(|scope| {
            for mover in 0..MOVERS {
                let moving = &moving;
                scope.spawn(move || {
                    for round in 0..150 {
                        // All movers walk over all items, so they also meet.
                        let target = key(format!("{:03}", (mover * 7 + round) % ITEMS));
                        let place = s(((mover + round) % 5).to_string());
                        let values = aliases([(":place", place), (":one", n(1))]);
                        update(engine, "t", target, "SET place = :place ADD moves :one", values).unwrap();
                    }
                    moving.fetch_sub(1, Ordering::SeqCst);
                });
            }
            for index in ["by_place", "places"] {
                let moving = &moving;
                scope.spawn(move || {
                    while moving.load(Ordering::SeqCst) > 0 {
                        let mut seen: Vec<String> = scan_once(engine, "t", Some(index))
                            .iter()
                            .map(|item| item["pk"].as_str().unwrap().to_owned())
                            .collect();
                        seen.sort();
                        let every: Vec<String> = (0..ITEMS).map(|number| format!("{number:03}")).collect();
                        assert_eq!(seen, every, "in one scan of {index}");
                    }
                });
            }
        });
        let moves: i64 = scan_once(engine, "t", None).iter().map(|item| whole(item, "moves")).sum();
        assert_eq!(moves, MOVERS as i64 * 150);
        assert_sound(engine);
    });
}

const ACCOUNTS: usize = 8;
const START: i64 = 100;

fn transfer(from: usize, to: usize, amount: i64) -> Vec<TransactWrite> {
    let move_money = |account: usize, expression: &str, condition: Option<&str>| {
        let values = aliases([(":amount", n(amount))]);
        let kind = TransactWriteKind::Update { key: key(account), update: values.update(expression).unwrap() };
        TransactWrite { condition: condition.map(|text| values.condition(text).unwrap()), ..action("t", kind) }
    };
    vec![
        move_money(from, "SET balance = balance - :amount", Some("balance >= :amount")),
        move_money(to, "SET balance = balance + :amount", None),
    ]
}

fn balances(engine: &Engine) -> Vec<i64> {
    let gets = (0..ACCOUNTS)
        .map(|account| TransactGet { table_name: "t".to_owned(), key: key(account), ..TransactGet::default() })
        .collect();
    let input = TransactGetItemsInput { gets, ..TransactGetItemsInput::default() };
    let items = wait(engine.transact_get_items(input)).unwrap().items;
    items.into_iter().map(|item| whole(item.unwrap().attributes().unwrap(), "balance")).collect()
}

#[test]
fn transfers_keep_the_sum_that_every_transactional_read_sees() {
    on_each_store(|engine| {
        simple_table(engine);
        for account in 0..ACCOUNTS {
            put(engine, "t", item([("pk", s(account.to_string())), ("balance", n(START))])).unwrap();
        }
        let transferring = AtomicUsize::new(16);
        let refused = AtomicUsize::new(0);
        thread::scope(|scope| {
            for number in 0..16 {
                let (transferring, refused) = (&transferring, &refused);
                scope.spawn(move || {
                    for round in 0..60 {
                        let from = (number + round) % ACCOUNTS;
                        let to = (from + 1 + number * round % (ACCOUNTS - 1)) % ACCOUNTS;
                        match transact(engine, transfer(from, to, 1 + (round % 70) as i64), None) {
                            Ok(_) => {}
                            Err(ServiceError::TransactionCanceled { reasons }) => {
                                assert_eq!(reasons[0].code, CancellationCode::ConditionalCheckFailed);
                                assert_eq!(reasons[1], CancellationReason::NONE);
                                refused.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(other) => panic!("{other}"),
                        }
                    }
                    transferring.fetch_sub(1, Ordering::SeqCst);
                });
            }
            for _ in 0..4 {
                let transferring = &transferring;
                scope.spawn(move || {
                    while transferring.load(Ordering::SeqCst) > 0 {
                        let seen = balances(engine);
                        assert_eq!(seen.iter().sum::<i64>(), ACCOUNTS as i64 * START, "{seen:?}");
                        assert!(seen.iter().all(|balance| *balance >= 0), "{seen:?}");
                    }
                });
            }
        });
        assert_eq!(balances(engine).iter().sum::<i64>(), ACCOUNTS as i64 * START);
        assert!(refused.load(Ordering::Relaxed) > 0, "some transfers must have asked for too much");
        assert_sound(engine);
    });
}

/// Two conditions that each hold alone: of two transactions that read what the other writes, one must give way.
#[test]
fn write_skew_does_not_happen() {
    on_each_store(|engine| {
        simple_table(engine);
        for round in 0..100 {
            let doctors = [format!("{round}-one"), format!("{round}-two")];
            for doctor in &doctors {
                put(engine, "t", item([("pk", s(doctor)), ("on_call", n(1))])).unwrap();
            }
            let left = AtomicUsize::new(0);
            together(2, |number| {
                let check = TransactWrite {
                    condition: Some(condition("on_call = :one", [(":one", n(1))])),
                    ..action("t", TransactWriteKind::ConditionCheck { key: key(&doctors[1 - number]) })
                };
                let update = updating("SET on_call = :zero", [(":zero", n(0))]);
                let leave = action("t", TransactWriteKind::Update { key: key(&doctors[number]), update });
                if transact(engine, vec![check, leave], None).is_ok() {
                    left.fetch_add(1, Ordering::SeqCst);
                }
            });
            assert_eq!(left.load(Ordering::SeqCst), 1);
        }
    });
}

#[test]
fn writers_of_different_items_do_not_wait_for_each_other() {
    let store = Arc::new(GatedStore::default());
    let engine = Arc::new(Engine::with_store(Arc::clone(&store) as Arc<_>, options()).unwrap());
    simple_table(&engine);
    put(&engine, "t", item([("pk", s("blocked")), ("hits", n(1))])).unwrap();
    *store.gated_read.lock() = Some(b"blocked".to_vec());
    store.reads.close();

    let finished = Arc::new(AtomicBool::new(false));
    let (slow_engine, slow_finished) = (Arc::clone(&engine), Arc::clone(&finished));
    let slow = thread::spawn(move || {
        let values = aliases([(":one", n(1))]);
        update_if(&slow_engine, "t", key("blocked"), "ADD hits :one", Some("hits = :one"), values).unwrap();
        slow_finished.store(true, Ordering::SeqCst);
    });
    store.reads.await_a_visitor();

    // More other items than there are shards of locks: one of them shares the blocked one's shard.
    let (done, all_done) = mpsc::channel();
    let quick_engine = Arc::clone(&engine);
    thread::spawn(move || {
        for number in 0..300 {
            let values = aliases([(":one", n(1))]);
            let condition = Some("attribute_not_exists(hits)");
            update_if(&quick_engine, "t", key(number), "ADD hits :one", condition, values).unwrap();
        }
        let written = (0..10).map(|number| item([("pk", s(format!("tx-{number}")))]));
        let writes = written.map(|item| action("t", TransactWriteKind::Put { item })).collect();
        transact(&quick_engine, writes, None).unwrap();
        done.send(()).unwrap();
    });
    all_done.recv_timeout(Duration::from_secs(20)).expect("other items were kept waiting");
    assert!(!finished.load(Ordering::SeqCst));
    store.reads.open();
    slow.join().unwrap();
    assert_eq!(whole(&get(&engine, "t", key("blocked")).unwrap(), "hits"), 2);
}
