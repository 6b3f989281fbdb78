//! Background work costs the same for each row, however many there are, and survives a crash in the middle.

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::scene::requests::{action, aliases, partition, put, query_all, scan_all, transact, update};
use crate::scene::tables::{all, keys_only, table};
use crate::scene::tombstone_store::TombstoneStore;
use crate::scene::{assert_sound, b, item, n, options_at, s, wait};
use keyfold_dynamo::operation::{BatchWriteItemInput, BatchWriteRequest, TransactWriteKind, UpdateTimeToLiveInput};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Attributes, Backend};
use keyfold_engine::Engine;
use keyfold_engine::store::Store;
use keyfold_environment::ManualClock;

const NOW: u64 = 1_700_000_000;

struct Scene {
    store: Arc<TombstoneStore>,
    clock: Arc<ManualClock>,
    engine: Engine,
}

impl Scene {
    fn new() -> Self {
        let (store, clock) = (Arc::new(TombstoneStore::default()), Arc::new(ManualClock::at_second(NOW)));
        let engine = open(&store, &clock);
        Self { store, clock, engine }
    }

    /// Tables with an index on `g`, and an expiry in `expires`.
    fn create(&self, name: &str) {
        table(name, ("pk", KeyType::S), None).global("by_g", ("g", KeyType::S), None, keys_only()).create(&self.engine);
        let input =
            UpdateTimeToLiveInput { table_name: name.to_owned(), enabled: true, attribute_name: "expires".to_owned() };
        wait(self.engine.update_time_to_live(input)).unwrap();
        self.engine.run_maintenance().unwrap();
    }

    fn fill(&self, table: &str, count: usize, expires: u64) {
        for chunk in (0..count).collect::<Vec<_>>().chunks(25) {
            let puts = chunk.iter().map(|number| BatchWriteRequest::Put { item: numbered(*number, expires) }).collect();
            let requests = vec![(table.to_owned(), puts)];
            let input = BatchWriteItemInput { requests, ..BatchWriteItemInput::default() };
            wait(self.engine.batch_write_item(input)).unwrap();
        }
        self.store.take_visited();
    }

    fn delete(&self, table: &str) {
        wait(self.engine.delete_table(table.to_owned())).unwrap();
    }

    /// Runs all background work, and returns how many rows it passed.
    fn maintain(&self) -> usize {
        self.store.take_visited();
        self.engine.run_maintenance().unwrap();
        self.store.take_visited()
    }

    fn live_rows(&self) -> usize {
        self.store.snapshot().range((Bound::Unbounded, Bound::Unbounded), false).count()
    }

    fn restart(self) -> Self {
        let Self { store, clock, engine } = self;
        drop(engine);
        store.fails_after.store(0, Ordering::SeqCst);
        let engine = open(&store, &clock);
        Self { store, clock, engine }
    }
}

fn open(store: &Arc<TombstoneStore>, clock: &Arc<ManualClock>) -> Engine {
    Engine::with_store(Arc::clone(store) as Arc<_>, options_at(clock)).unwrap()
}

fn numbered(number: usize, expires: u64) -> Attributes {
    item([("pk", s(number.to_string())), ("g", s(format!("g{}", number % 7))), ("expires", n(expires))])
}

#[test]
fn deleting_a_table_passes_each_row_a_fixed_number_of_times() {
    for count in [3_000, 12_000] {
        let scene = Scene::new();
        scene.create("t");
        let before = scene.live_rows();
        scene.fill("t", count, NOW + 50);
        scene.delete("t");
        let visited = scene.maintain();
        // Items, index rows, expiry rows; and a few tickets for each slice.
        assert!(visited < 3 * count + 3 * count / 50 + 100, "{visited} rows visited for {count} items");
        assert!(scene.live_rows() < before, "{} rows are left of {before}", scene.live_rows());
    }
}

#[test]
fn many_deleted_tables_cost_the_same_each() {
    let visited = |count: usize| {
        let scene = Scene::new();
        for number in 0..count {
            scene.create(&format!("t{number}"));
        }
        for number in 0..count {
            scene.delete(&format!("t{number}"));
        }
        scene.maintain()
    };
    let (few, many) = (visited(100), visited(400));
    assert!(many < 5 * few, "{few} rows visited for 100 tables, {many} for 400");
}

#[test]
fn expiry_passes_each_row_a_fixed_number_of_times() {
    for count in [3_000, 12_000] {
        let scene = Scene::new();
        scene.create("t");
        scene.fill("t", count, NOW + 5);
        scene.clock.set_second(NOW + 6);
        let visited = scene.maintain();
        assert!(visited < 2 * count, "{visited} rows visited for {count} items");
        assert_eq!(scan_all(&scene.engine, "t", None), []);
        // Nothing is due: the tombstones of the sweep before are not walked over again.
        assert!(scene.maintain() < 10);
        scene.clock.set_second(NOW + 60);
        assert!(scene.maintain() < 10);
        assert_sound(&scene.engine);
    }
}

#[test]
fn an_item_written_behind_the_sweep_expires() {
    let scene = Scene::new();
    scene.create("t");
    scene.fill("t", 3_000, NOW + 50);
    scene.clock.set_second(NOW + 100);
    scene.maintain();
    put(&scene.engine, "t", numbered(1, NOW + 20)).unwrap();
    put(&scene.engine, "t", numbered(2, NOW + 30)).unwrap();
    put(&scene.engine, "t", numbered(3, NOW + 500)).unwrap();
    scene.maintain();
    assert_eq!(scan_all(&scene.engine, "t", None), [numbered(3, NOW + 500)]);
    // The same through an update, and after the clock was set back.
    scene.clock.set_second(NOW + 40);
    scene.maintain();
    let earlier = aliases([(":time", n(NOW + 45))]);
    update(&scene.engine, "t", item([("pk", s("3"))]), "SET expires = :time", earlier).unwrap();
    scene.maintain();
    assert_eq!(scan_all(&scene.engine, "t", None).len(), 1);
    scene.clock.set_second(NOW + 46);
    scene.maintain();
    assert_eq!(scan_all(&scene.engine, "t", None), []);
}

#[test]
fn tokens_are_passed_a_fixed_number_of_times() {
    let scene = Scene::new();
    table("t", ("pk", KeyType::S), None).create(&scene.engine);
    for number in 0..3_000 {
        let write = action("t", TransactWriteKind::Put { item: item([("pk", s("same")), ("number", n(number))]) });
        transact(&scene.engine, vec![write], Some(&format!("token-{number}"))).unwrap();
    }
    scene.clock.set_second(NOW + 601);
    let visited = scene.maintain();
    assert!(visited < 3_500, "{visited} rows visited for 3000 tokens");
    assert!(scene.maintain() < 10);
    assert!(scene.live_rows() < 20);
}

#[test]
fn a_deletion_that_was_interrupted_continues_where_it_was() {
    let count = 10_000;
    let scene = Scene::new();
    scene.create("t");
    let before = scene.live_rows();
    scene.fill("t", count, NOW + 50);
    scene.delete("t");
    scene.store.fails_after.store(scene.store.commits() + 6, Ordering::SeqCst);
    scene.engine.run_maintenance().unwrap_err();
    let removed = before + 3 * count - scene.live_rows();
    assert!(removed > count / 2 && removed < 3 * count, "{removed} rows were removed");
    let scene = scene.restart();
    let visited = scene.maintain();
    assert!(visited < 3 * count - removed / 2, "{visited} rows visited after {removed} had been removed");
    assert!(scene.live_rows() < before);
}

#[test]
fn an_expiry_that_was_interrupted_continues() {
    let count = 5_000;
    let scene = Scene::new();
    scene.create("t");
    scene.fill("t", count, NOW + 5);
    scene.clock.set_second(NOW + 6);
    scene.store.fails_after.store(scene.store.commits() + 2, Ordering::SeqCst);
    scene.engine.run_maintenance().unwrap_err();
    // Nothing is due when the engine is opened, so that its own thread leaves the items alone.
    scene.clock.set_second(NOW);
    let scene = scene.restart();
    let left = scan_all(&scene.engine, "t", None).len();
    assert!(left > 0 && left < count, "{left} items were left");
    assert_sound(&scene.engine);
    scene.clock.set_second(NOW + 6);
    let visited = scene.maintain();
    assert!(visited < 2 * count, "{visited} rows visited for {count} items");
    assert_eq!(scan_all(&scene.engine, "t", None), []);
    assert_sound(&scene.engine);
}

#[test]
fn a_table_made_anew_under_the_name_of_a_deleted_one_is_not_touched() {
    let scene = Scene::new();
    scene.create("t");
    scene.fill("t", 3_000, NOW + 50);
    scene.delete("t");
    scene.create("t");
    scene.fill("t", 500, NOW + 500);
    scene.clock.set_second(NOW + 100);
    scene.maintain();
    assert_eq!(scan_all(&scene.engine, "t", None).len(), 500);
    let in_index =
        (0..7).map(|group| query_all(&scene.engine, partition("t", Some("by_g"), "g", s(format!("g{group}")))));
    assert_eq!(in_index.map(|items| items.len()).sum::<usize>(), 500);
    assert_sound(&scene.engine);
}

fn large(table: &str, engine: &Engine) {
    for number in 0..110 {
        let new = item([("pk", s(number.to_string())), ("g", s("g")), ("data", b(&[7; 350_000]))]);
        put(engine, table, new).unwrap();
    }
}

fn large_table(name: &str, engine: &Engine) {
    table(name, ("pk", KeyType::S), None).global("by_g", ("g", KeyType::S), None, all()).create(engine);
    large(name, engine);
}

/// The store drops only some of the rows; the others are removed.
#[test]
fn a_large_table_is_dropped_as_a_whole_and_its_neighbours_stay() {
    let scene = Scene::new();
    large_table("before", &scene.engine);
    large_table("t", &scene.engine);
    large_table("after", &scene.engine);
    let before = scene.live_rows();
    scene.delete("t");
    scene.maintain();
    // Items, index rows, definition and two counts; one row is new.
    assert_eq!(scene.live_rows(), before - 2 * 110 - 3 + 1);
    for name in ["before", "after"] {
        assert_eq!(scan_all(&scene.engine, name, None).len(), 110);
        assert_eq!(query_all(&scene.engine, partition(name, Some("by_g"), "g", s("g"))).len(), 110);
    }
    assert_sound(&scene.engine);
    // The rows and the expiries of the table and of its index, at once.
    let dropped = scene.store.dropped.lock().clone();
    let expected =
        [0x10, 0x11].map(|kind| (Bound::Included(vec![kind, 0, 0, 0, 3]), Bound::Excluded(vec![kind, 0, 0, 0, 5])));
    assert_eq!(dropped, expected);
    assert_eq!(scene.store.reclaimed.lock().len(), 2);
}

#[test]
fn a_small_table_is_removed_without_a_flush() {
    let scene = Scene::new();
    scene.create("t");
    scene.fill("t", 100, NOW + 50);
    scene.delete("t");
    scene.maintain();
    assert!(scene.store.dropped.lock().is_empty());
    assert!(scene.store.reclaimed.lock().is_empty());
}
