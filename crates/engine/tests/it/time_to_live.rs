//! Items whose time is over go away; all others stay.

use crate::scene;

use std::ops::Bound;
use std::sync::Arc;

use crate::scene::gated_store::GatedStore;
use crate::scene::requests::{aliases, condition, delete, get, put, scan_all, transact, update, updating};
use crate::scene::tables::{all, table};
use crate::scene::{assert_sound, item, n, options_at, s, validation_text, wait};
use keyfold_dynamo::operation::{UpdateTimeToLiveInput, WriteOptions};
use keyfold_dynamo::table::{KeyType, TimeToLiveStatus};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, ServiceError};
use keyfold_engine::Engine;
use keyfold_engine::store::{MemoryStore, Store};
use keyfold_environment::ManualClock;

const NOW: u64 = 1_700_000_000;
const YEAR: u64 = 365 * 24 * 60 * 60;

struct Scene {
    rows: Arc<MemoryStore>,
    clock: Arc<ManualClock>,
    engine: Engine,
}

impl Scene {
    fn new() -> Self {
        let (rows, clock) = (Arc::new(MemoryStore::default()), Arc::new(ManualClock::at_second(NOW)));
        let engine = Engine::with_store(Arc::clone(&rows) as Arc<_>, options_at(&clock)).unwrap();
        table("t", ("pk", KeyType::S), Some(("sk", KeyType::N)))
            .global("by_g", ("g", KeyType::S), None, all())
            .create(&engine);
        Self { rows, clock, engine }
    }

    fn with_time_to_live() -> Self {
        let scene = Self::new();
        scene.set(true, "expires").unwrap();
        scene.engine.run_maintenance().unwrap();
        scene
    }

    fn set(&self, enabled: bool, attribute: &str) -> Result<UpdateTimeToLiveInput, ServiceError> {
        wait(self.engine.update_time_to_live(UpdateTimeToLiveInput {
            table_name: "t".to_owned(),
            enabled,
            attribute_name: attribute.to_owned(),
        }))
    }

    fn put(&self, name: &str, expires: AttributeValue) {
        let new = item([("pk", s(name)), ("sk", n(1)), ("g", s("g")), ("expires", expires)]);
        put(&self.engine, "t", new).unwrap();
    }

    fn at(&self, seconds: u64) {
        self.clock.set_second(seconds);
        self.engine.run_maintenance().unwrap();
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            scan_all(&self.engine, "t", None).iter().map(|item| item["pk"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    }

    fn row_count(&self) -> usize {
        self.rows.snapshot().range((Bound::Unbounded, Bound::Unbounded), false).count()
    }
}

fn key(name: &str) -> Attributes {
    item([("pk", s(name)), ("sk", n(1))])
}

#[test]
fn an_item_goes_once_its_second_has_passed() {
    let scene = Scene::with_time_to_live();
    scene.put("soon", n(NOW + 10));
    scene.put("later", n(NOW + 20));
    scene.put("never", s("tomorrow"));
    scene.at(NOW + 10);
    assert_eq!(scene.names(), ["later", "never", "soon"]);
    scene.at(NOW + 11);
    assert_eq!(scene.names(), ["later", "never"]);
    scene.at(NOW + 21);
    assert_eq!(scene.names(), ["never"]);
    // The index and the counts follow.
    assert_eq!(scan_all(&scene.engine, "t", Some("by_g")).len(), 1);
    assert_eq!(wait(scene.engine.describe_table("t".to_owned())).unwrap().item_count, 1);
    assert_sound(&scene.engine);
}

#[test]
fn an_expired_item_can_be_read_and_written_until_it_is_swept_away() {
    let scene = Scene::with_time_to_live();
    scene.put("a", n(NOW + 10));
    scene.clock.set_second(NOW + 100);
    assert!(get(&scene.engine, "t", key("a")).is_some());
    let more = aliases([(":later", n(NOW + 200))]);
    update(&scene.engine, "t", key("a"), "SET expires = :later", more).unwrap();
    scene.at(NOW + 150);
    assert_eq!(scene.names(), ["a"]);
    scene.at(NOW + 201);
    assert_eq!(scene.names(), Vec::<String>::new());
}

#[test]
fn the_time_follows_every_kind_of_write() {
    let scene = Scene::with_time_to_live();
    for name in ["moved", "cleared", "texted", "deleted", "replaced", "transacted"] {
        scene.put(name, n(NOW + 10));
    }
    let engine = &scene.engine;
    let later = || aliases([(":v", n(NOW + 50))]);
    update(engine, "t", key("moved"), "SET expires = :v", later()).unwrap();
    update(engine, "t", key("cleared"), "REMOVE expires", aliases([])).unwrap();
    update(engine, "t", key("texted"), "SET expires = :v", aliases([(":v", s("x"))])).unwrap();
    delete(engine, "t", key("deleted")).unwrap();
    put(engine, "t", key("replaced")).unwrap();
    let kind = keyfold_dynamo::operation::TransactWriteKind::Update {
        key: key("transacted"),
        update: later().update("SET expires = :v").unwrap(),
    };
    transact(engine, vec![scene::requests::action("t", kind)], None).unwrap();
    scene.at(NOW + 11);
    assert_eq!(scene.names(), ["cleared", "moved", "replaced", "texted", "transacted"]);
    scene.at(NOW + 51);
    assert_eq!(scene.names(), ["cleared", "replaced", "texted"]);
    scene.at(NOW + YEAR);
    assert_eq!(scene.names(), ["cleared", "replaced", "texted"]);
    assert_sound(engine);
}

#[test]
fn nothing_is_left_of_expired_items() {
    let scene = Scene::with_time_to_live();
    let empty = scene.row_count();
    for number in 0..700 {
        scene.put(&format!("{number}"), n(NOW + number));
    }
    // Three rows an item: itself, its index row, its expiry; and one each for the counts of table and index.
    assert_eq!(scene.row_count(), empty + 3 * 700 + 2);
    scene.at(NOW + 800);
    assert_eq!(scene.names(), Vec::<String>::new());
    assert_eq!(scene.row_count(), empty + 2);
}

#[test]
fn enabling_it_takes_in_the_items_that_are_there() {
    let scene = Scene::new();
    for number in 0..600 {
        scene.put(&format!("old-{number:03}"), n(NOW + 5));
    }
    scene.put("stays", n(NOW + 100));
    scene.set(true, "expires").unwrap();
    // Written while the older ones are being taken in.
    update(&scene.engine, "t", key("old-000"), "REMOVE expires", aliases([])).unwrap();
    scene.put("new", n(NOW + 5));
    scene.at(NOW + 6);
    assert_eq!(scene.names(), ["old-000", "stays"]);
    scene.at(NOW + 101);
    assert_eq!(scene.names(), ["old-000"]);
    assert_sound(&scene.engine);
}

#[test]
fn disabled_again_it_deletes_nothing_and_forgets_its_list() {
    let scene = Scene::with_time_to_live();
    for number in 0..300 {
        scene.put(&format!("{number:03}"), n(NOW + 5));
    }
    let with_list = scene.row_count();
    scene.set(false, "expires").unwrap();
    scene.at(NOW + 50);
    assert_eq!(scene.names().len(), 300);
    assert_eq!(scene.row_count(), with_list - 300);
    // On another attribute it begins anew.
    let values = aliases([(":v", n(NOW + 60))]);
    update(&scene.engine, "t", key("000"), "SET gone_at = :v", values).unwrap();
    scene.set(true, "gone_at").unwrap();
    scene.at(NOW + 61);
    assert_eq!(scene.names().len(), 299);
}

#[test]
fn numbers_that_are_unlikely_times_are_left_alone() {
    let scene = Scene::with_time_to_live();
    scene.put("six-years-ago", n(NOW - 6 * YEAR));
    scene.put("four-years-ago", n(NOW - 4 * YEAR));
    scene.put("zero", n(0));
    scene.put("negative", n(-5));
    scene.put("huge", n("9E100"));
    scene.put("milliseconds", n(NOW * 1000));
    scene.at(NOW);
    assert_eq!(scene.names(), ["huge", "milliseconds", "negative", "six-years-ago", "zero"]);
}

#[test]
fn a_fraction_of_a_second_is_cut_off() {
    let scene = Scene::with_time_to_live();
    scene.put("a", n(format!("{}.5", NOW + 10)));
    scene.at(NOW + 10);
    assert_eq!(scene.names(), ["a"]);
    scene.at(NOW + 11);
    assert_eq!(scene.names(), Vec::<String>::new());
}

#[test]
fn the_setting_is_described_and_survives_a_restart() {
    let scene = Scene::new();
    let described = |engine: &Engine| {
        let description = wait(engine.describe_time_to_live("t".to_owned())).unwrap();
        (description.status, description.attribute_name)
    };
    assert_eq!(described(&scene.engine), (TimeToLiveStatus::Disabled, None));
    assert_eq!(validation_text(scene.set(false, "expires")), "TimeToLive is already disabled");
    scene.set(true, "expires").unwrap();
    assert_eq!(validation_text(scene.set(true, "expires")), "TimeToLive is already enabled");
    assert_eq!(
        validation_text(scene.set(true, "other")),
        "TimeToLive is active on a different AttributeName: current AttributeName is expires"
    );
    scene.put("a", n(NOW + 5));
    let Scene { rows, clock, engine } = scene;
    drop(engine);
    clock.set_second(NOW + 6);
    let engine = Engine::with_store(rows as Arc<_>, options_at(&clock)).unwrap();
    assert_eq!(described(&engine), (TimeToLiveStatus::Enabled, Some("expires".to_owned())));
    engine.run_maintenance().unwrap();
    assert_eq!(get(&engine, "t", key("a")), None);
}

/// The sweep has found the item in its list when the item is given a time that is rather no time.
#[test]
fn an_item_that_is_given_another_time_during_a_sweep_is_judged_by_that() {
    let (store, clock) = (Arc::new(GatedStore::default()), Arc::new(ManualClock::at_second(NOW)));
    let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, options_at(&clock)).unwrap();
    table("t", ("pk", KeyType::S), None).create(&engine);
    let input =
        UpdateTimeToLiveInput { table_name: "t".to_owned(), enabled: true, attribute_name: "expires".to_owned() };
    wait(engine.update_time_to_live(input)).unwrap();
    engine.run_maintenance().unwrap();
    let named = |name: &str, expires: u64| item([("pk", s(name)), ("expires", n(expires))]);
    put(&engine, "t", named("gated", NOW + 1)).unwrap();
    put(&engine, "t", named("ancient", NOW + 2)).unwrap();
    put(&engine, "t", named("later", NOW + 3)).unwrap();
    put(&engine, "t", named("sooner", NOW + 5)).unwrap();
    *store.gated_read.lock() = Some(b"gated".to_vec());
    store.reads.close();
    clock.set_second(NOW + 10);
    std::thread::scope(|scope| {
        let sweep = scope.spawn(|| engine.run_maintenance().unwrap());
        store.reads.await_a_visitor();
        put(&engine, "t", named("ancient", NOW - 6 * YEAR)).unwrap();
        put(&engine, "t", named("later", NOW + 100)).unwrap();
        put(&engine, "t", named("sooner", NOW + 4)).unwrap();
        store.reads.open();
        sweep.join().unwrap();
    });
    let names = || {
        let items = scan_all(&engine, "t", None).into_iter();
        items.map(|item| item["pk"].as_str().unwrap().to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(names().contains("ancient") && names().contains("later"), "{:?}", names());
    engine.run_maintenance().unwrap();
    assert_eq!(names(), ["ancient".to_owned(), "later".to_owned()].into());
    clock.set_second(NOW + 101);
    engine.run_maintenance().unwrap();
    assert_eq!(names(), ["ancient".to_owned()].into());
    assert_sound(&engine);
}

/// The background does what `run_maintenance` does, without being asked.
#[test]
fn expired_items_are_deleted_in_the_background() {
    let clock = Arc::new(ManualClock::at_second(NOW));
    let options =
        keyfold_engine::Options { sweep_interval: Some(std::time::Duration::from_millis(5)), ..options_at(&clock) };
    let engine = Engine::in_memory(options).unwrap();
    table("t", ("pk", KeyType::S), None).create(&engine);
    let input =
        UpdateTimeToLiveInput { table_name: "t".to_owned(), enabled: true, attribute_name: "expires".to_owned() };
    wait(engine.update_time_to_live(input)).unwrap();
    put(&engine, "t", item([("pk", s("a")), ("expires", n(NOW + 1))])).unwrap();
    clock.set_second(NOW + 2);
    let started = std::time::Instant::now();
    while get(&engine, "t", item([("pk", s("a"))])).is_some() {
        assert!(started.elapsed() < std::time::Duration::from_secs(10), "the item did not go");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// A conditional write of an item that is being swept away sees it either there or gone.
#[test]
fn a_sweep_and_writers_of_the_same_items_lose_nothing() {
    let scene = Scene::with_time_to_live();
    for number in 0..500 {
        scene.put(&format!("{number:03}"), n(NOW + 1));
    }
    scene.clock.set_second(NOW + 2);
    let engine = &scene.engine;
    let kept: usize = std::thread::scope(|scope| {
        let sweeper = scope.spawn(move || engine.run_maintenance().unwrap());
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                scope.spawn(move || {
                    let mine = (0..500).filter(move |number| number % 4 == writer);
                    let kept = mine.filter(|number| {
                        let options = WriteOptions {
                            condition: Some(condition("attribute_exists(pk)", [])),
                            ..WriteOptions::default()
                        };
                        let input = keyfold_dynamo::operation::UpdateItemInput {
                            table_name: "t".to_owned(),
                            key: key(&format!("{number:03}")),
                            update: Some(updating("SET expires = :later", [(":later", n(NOW + 1000))])),
                            options,
                        };
                        match wait(engine.update_item(input)) {
                            Ok(_) => true,
                            Err(ServiceError::ConditionalCheckFailed { .. }) => false,
                            Err(other) => panic!("{other}"),
                        }
                    });
                    kept.count()
                })
            })
            .collect();
        sweeper.join().unwrap();
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    });
    assert_eq!(scene.names().len(), kept);
    scene.at(NOW + 500);
    assert_eq!(scene.names().len(), kept);
    scene.at(NOW + 1001);
    assert_eq!(scene.names().len(), 0);
    assert_sound(engine);
}

#[test]
fn a_clock_that_was_set_forward_expires_nothing_until_it_is_confirmed() {
    let scene = Scene::with_time_to_live();
    scene.put("soon", n(NOW + 10));
    scene.put("later", n(NOW + 4000));
    scene.clock.step_to_second(NOW + 3600);
    scene.engine.run_maintenance().unwrap();
    assert_eq!(scene.names(), ["later", "soon"]);
    scene.engine.confirm_clock();
    scene.engine.run_maintenance().unwrap();
    assert_eq!(scene.names(), ["later"]);
}

#[test]
fn a_clock_that_was_set_forward_and_back_expires_nothing_early() {
    let scene = Scene::with_time_to_live();
    scene.put("soon", n(NOW + 10));
    scene.put("later", n(NOW + 4000));
    scene.clock.step_to_second(NOW + YEAR);
    scene.engine.run_maintenance().unwrap();
    scene.clock.step_to_second(NOW + 11);
    scene.engine.run_maintenance().unwrap();
    assert_eq!(scene.names(), ["later"]);
}

#[test]
fn a_start_with_a_clock_far_ahead_expires_nothing_for_ten_minutes() {
    let scene = Scene::with_time_to_live();
    scene.put("a", n(NOW + 10));
    let Scene { rows, clock, engine } = scene;
    drop(engine);
    clock.step_to_second(NOW + YEAR);
    let engine = Engine::with_store(rows as Arc<_>, options_at(&clock)).unwrap();
    engine.run_maintenance().unwrap();
    assert!(get(&engine, "t", key("a")).is_some());
    clock.advance(600_000);
    engine.run_maintenance().unwrap();
    assert_eq!(get(&engine, "t", key("a")), None);
}
