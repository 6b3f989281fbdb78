//! The five designs under random calls: whatever happens, the table is what a table would be to which its entities were
//! written anew. No stale key, no orphan, no missing item, no wrong counter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::support::disturbed::{Failing, Yielding};
use crate::support::*;
use keyfold_design::Design;
use keyfold_design::model::{AttributeType, DeleteRule, Entity, OnDelete};
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::scenario::DataFile;
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Runtime, Write, json};
use proptest::prelude::*;

type Table = BTreeMap<String, Attributes>;

/// A design with the values that calls are made of: those of its sample data, and a few new ids.
struct Ground {
    design: Arc<Design>,
    data: DataFile,
    /// By entity and attribute.
    values: BTreeMap<(String, String), Vec<AttributeValue>>,
}

impl Ground {
    fn of(name: &str) -> Self {
        let design = design(&design_text(&format!("../../designs/{name}/design.yaml")));
        let data: DataFile = serde_saphyr::from_str(&design_text(&format!("../../designs/{name}/data.yaml"))).unwrap();
        let mut ground = Self { design, data, values: BTreeMap::new() };
        for (entity, attributes) in ground.sample() {
            for (name, value) in attributes {
                ground.values.entry((entity.clone(), name)).or_default().push(value);
            }
        }
        ground
    }

    fn sample(&self) -> Vec<(String, Attributes)> {
        let named = self.data.items.iter().flatten();
        named
            .map(|(entity, object)| {
                (entity.clone(), json::attributes(self.design.entity_named(entity).unwrap(), object.clone()).unwrap())
            })
            .collect()
    }

    /// The table with the sample data, and the ids that were made for it.
    async fn furnish<H: Hook + 'static>(&mut self, hook: H) -> World<H> {
        let world = World::new(Arc::clone(&self.design), hook).await;
        for (entity, attributes) in self.sample() {
            world.clock.advance(1000);
            let record = world.plain.create(&superuser(), &entity, attributes).await.unwrap();
            for (name, value) in record.attributes {
                let values = self.values.entry((entity.clone(), name)).or_default();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        world
    }

    fn entities(&self) -> Vec<&Entity> {
        let written = |entity: &&Entity| entity.is_written_directly() && !entity.keeps_sequences;
        self.design.entities.iter().filter(written).collect()
    }

    /// A value of the attribute: one that some item has, its own or another's that it could refer to.
    fn value(&self, entity: &Entity, attribute: &str, dice: &mut Dice<'_>) -> Option<AttributeValue> {
        let reference = entity.references.iter().find_map(|reference| {
            let theirs = reference.mapping.iter().find(|(_, own)| own == attribute)?;
            Some((self.design[reference.target].name.clone(), theirs.0.clone()))
        });
        let own = (entity.name.clone(), attribute.to_owned());
        let values = reference.and_then(|theirs| self.values.get(&theirs)).or_else(|| self.values.get(&own))?;
        Some(values[dice.next() % values.len()].clone())
    }

    fn input(&self, entity: &Entity, is_patch: bool, dice: &mut Dice<'_>) -> Attributes {
        let mut input = Attributes::new();
        for attribute in &entity.attributes {
            let is_identity = entity.identity.contains(&attribute.name);
            let kept = matches!(attribute.value_type, AttributeType::Stamp(_) | AttributeType::Expiry(Some(_)))
                || attribute.same_as.is_some()
                || is_counter(&self.design, entity, &attribute.name);
            let may_change = !attribute.optional && attribute.default.is_none();
            let given = match (is_identity, is_patch) {
                _ if kept => false,
                // New ids are made, now and then.
                (true, false) => attribute.generator.is_none() || !dice.next().is_multiple_of(4),
                (true, true) => true,
                (false, true) => dice.next().is_multiple_of(4),
                (false, false) => may_change || dice.next().is_multiple_of(2),
            };
            if !given {
                continue;
            }
            if is_patch && !is_identity && attribute.optional && dice.next().is_multiple_of(4) {
                input.insert(attribute.name.clone(), AttributeValue::Null);
            } else if let Some(value) = self.value(entity, &attribute.name, dice) {
                input.insert(attribute.name.clone(), value);
            }
        }
        input
    }

    fn write(&self, dice: &mut Dice<'_>) -> Write {
        let entities = self.entities();
        let entity = entities[dice.next() % entities.len()];
        let verb = dice.next() % 6;
        let attributes = self.input(entity, verb >= 3, dice);
        let entity = entity.name.clone();
        match verb {
            0 => Write::Create { entity, attributes },
            1 => Write::Put { entity, attributes },
            2 => Write::Upsert { entity, attributes },
            _ => Write::Patch { entity, attributes, options: PatchOptions::default() },
        }
    }

    fn step(&self, bytes: &[u8]) -> Step {
        let mut dice = Dice { bytes: bytes.iter() };
        match dice.next() % 6 {
            0 => {
                let entities = self.entities();
                let entity = entities[dice.next() % entities.len()];
                let mut identity = self.input(entity, true, &mut dice);
                identity.retain(|name, _| entity.identity.contains(name));
                let cascade = dice.next().is_multiple_of(2) && entity.delete == DeleteRule::CascadeWhenAsked;
                Step::Delete { entity: entity.name.clone(), identity, cascade }
            }
            1 => Step::Write(vec![self.write(&mut dice), self.write(&mut dice)]),
            _ => Step::Write(vec![self.write(&mut dice)]),
        }
    }

    /// Asserts that the table is what its entities, written anew, would make.
    async fn assert_in_step(&self, runtime: &Runtime, table: Table, story: &dyn Fn() -> String) {
        let anew = World::new(Arc::clone(&self.design), Nothing).await;
        let mut waiting = Vec::new();
        for item in table.values() {
            let entity = self.design.recognize(item).map(|id| &self.design[id]);
            let Some(entity) = entity.filter(|entity| entity.is_written_directly() && !entity.keeps_sequences) else {
                continue;
            };
            let mut identity = entity.read_key(item).unwrap();
            identity.retain(|name, _| entity.identity.contains(name));
            let record = runtime.get(&superuser(), &entity.name, identity).await.unwrap();
            let mut attributes =
                record.unwrap_or_else(|| panic!("no {} at {item:?}\n{}", entity.name, story())).attributes;
            attributes.retain(|name, _| is_given(&self.design, entity, name));
            waiting.push((entity, attributes));
        }
        // What is referred to comes first.
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut left = Vec::new();
            let mut refusals = Vec::new();
            for (entity, attributes) in waiting {
                if let Err(error) = anew.plain.create(&superuser(), &entity.name, attributes.clone()).await {
                    refusals.push(format!("{} {attributes:?}: {error}", entity.name));
                    left.push((entity, attributes));
                }
            }
            if left.len() == before {
                // What may refer to something that is gone cannot be written anew: it stays as it was found.
                let (stray, rest) = left.into_iter().partition(|(entity, _)| may_stray(entity));
                self.keep(&anew, &table, stray).await;
                left = rest;
            }
            assert!(left.len() < before, "cannot be written anew:\n{}\n{}", refusals.join("\n"), story());
            waiting = left;
        }
        let (stored, rebuilt) = (self.timeless(table), self.timeless(anew.table().await));
        for (key, item) in &stored {
            match rebuilt.get(key) {
                None => panic!("a stale item at {key}: {item:?}\n{}", story()),
                Some(wanted) => assert_eq!(item, wanted, "at {key}\n{}", story()),
            }
        }
        for key in rebuilt.keys() {
            assert!(stored.contains_key(key), "no item at {key}\n{}", story());
        }
    }

    async fn keep(&self, anew: &World<Nothing>, table: &Table, stray: Vec<(&Entity, Attributes)>) {
        for (entity, attributes) in stray {
            let key = entity.layout.key(|name| attributes.get(name)).unwrap().unwrap();
            let item = table.values().find(|item| key.iter().all(|(name, value)| item.get(name) == Some(value)));
            let table_name = self.design.table.name.clone();
            let input = PutItemInput { table_name, item: item.unwrap().clone(), ..PutItemInput::default() };
            anew.engine.put_item(input).await.unwrap();
        }
    }

    /// A table without what depends on when and by whom it was written: stamps, keys made of them, sequences.
    fn timeless(&self, mut table: Table) -> Table {
        let mut dropped: BTreeSet<&str> = BTreeSet::from(["kf_delete"]);
        for entity in &self.design.entities {
            let stamps = entity.attributes.iter().filter(|each| matches!(each.value_type, AttributeType::Stamp(_)));
            dropped.extend(stamps.map(|attribute| attribute.name.as_str()));
        }
        let from_stamps: Vec<&str> = (self.design.entities.iter().flat_map(|entity| &entity.layout.computed))
            .filter(|computed| computed.template.attributes().iter().any(|name| dropped.contains(name)))
            .map(|computed| computed.name.as_str())
            .collect();
        dropped.extend(from_stamps);
        let is_sequence = |item: &Attributes| {
            let entity = self.design.recognize(item).map(|id| &self.design[id]);
            entity.is_some_and(|entity| entity.keeps_sequences)
        };
        table.retain(|_, item| !is_sequence(item));
        for item in table.values_mut() {
            item.retain(|name, _| !dropped.contains(name.as_str()));
        }
        table
    }
}

fn is_counter(design: &Design, entity: &Entity, name: &str) -> bool {
    design.references_to(entity).any(|(_, reference)| reference.counted_as.as_deref() == Some(name))
}

/// Whether items may refer to something that is gone.
fn may_stray(entity: &Entity) -> bool {
    entity.derived.is_empty() && entity.references.iter().any(|reference| reference.on_delete == OnDelete::Ignore)
}

/// Whether callers say it, rather than Keyfold.
fn is_given(design: &Design, entity: &Entity, name: &str) -> bool {
    let Some(attribute) = entity.attribute(name) else { return entity.open };
    let kept = matches!(attribute.value_type, AttributeType::Stamp(_) | AttributeType::Expiry(Some(_)));
    !kept && attribute.same_as.is_none() && !is_counter(design, entity, name)
}

#[derive(Debug, Clone)]
enum Step {
    Write(Vec<Write>),
    Delete { entity: String, identity: Attributes, cascade: bool },
}

impl Step {
    async fn play(&self, runtime: &Runtime) -> Result<(), Error> {
        match self.clone() {
            Self::Write(writes) => runtime.transact(&superuser(), writes).await.map(|_| ()),
            Self::Delete { entity, identity, cascade } => {
                let options = DeleteOptions { cascade, ..DeleteOptions::default() };
                runtime.delete(&superuser(), &entity, identity, options).await
            }
        }
    }
}

struct Dice<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl Dice<'_> {
    fn next(&mut self) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0))
    }
}

fn steps() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 60), 1..30)
}

fn in_one_thread<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// What a call with arbitrary values may answer.
fn is_expected(error: &Error) -> bool {
    match error {
        Error::Exists { .. } | Error::NotFound { .. } | Error::Constraint(_) => true,
        Error::Invalid(message) => {
            message.contains("two writes of one call")
                || message.contains("delete it in a separate call")
                || message.contains("is identified by")
        }
        _ => false,
    }
}

fn sequential_writes_keep_dependent_items_consistent(name: &str, bytes: &[Vec<u8>]) {
    in_one_thread(async {
        let mut ground = Ground::of(name);
        let world = ground.furnish(Nothing).await;
        let mut story = Vec::new();
        for bytes in bytes {
            world.clock.advance(1000);
            let step = ground.step(bytes);
            let outcome = step.play(&world.runtime).await;
            story.push(format!("{step:?} -> {outcome:?}"));
            assert!(outcome.as_ref().map_or_else(is_expected, |()| true), "{}", story.join("\n"));
        }
        ground.assert_in_step(&world.plain, world.table().await, &|| story.join("\n")).await;
    });
}

fn concurrent_writes_keep_dependent_items_consistent(name: &str, tasks: Vec<Vec<Vec<u8>>>) {
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    threads.block_on(async {
        let mut ground = Ground::of(name);
        let world = ground.furnish(Yielding::default()).await;
        let mut running = Vec::new();
        for bytes in tasks {
            let runtime = Arc::clone(&world.runtime);
            let steps: Vec<Step> = bytes.iter().map(|bytes| ground.step(bytes)).collect();
            running.push(tokio::spawn(async move {
                let mut story = Vec::new();
                for step in steps {
                    let outcome = step.play(&runtime).await;
                    story.push(format!("{step:?} -> {outcome:?}"));
                    let fine = |error: &Error| {
                        is_expected(error) || matches!(error, Error::Conflict { .. } | Error::Throttled)
                    };
                    assert!(outcome.as_ref().map_or_else(fine, |()| true), "{}", story.join("\n"));
                }
                story.join("\n")
            }));
        }
        let mut stories = Vec::new();
        for task in running {
            stories.push(task.await.unwrap());
        }
        ground.assert_in_step(&world.plain, world.table().await, &|| stories.join("\n\nbeside that\n")).await;
    });
}

fn backend_failures_keep_dependent_items_consistent(name: &str, bytes: &[Vec<u8>], seed: u64) {
    in_one_thread(async {
        let mut ground = Ground::of(name);
        let world = ground.furnish(Failing { drawn: AtomicU64::new(seed), one_in: 4 }).await;
        let mut story = Vec::new();
        for bytes in bytes {
            let step = ground.step(bytes);
            let outcome = step.play(&world.runtime).await;
            story.push(format!("{step:?} -> {outcome:?}"));
            let fine = |error: &Error| is_expected(error) || matches!(error, Error::Conflict { .. } | Error::Throttled);
            assert!(outcome.as_ref().map_or_else(fine, |()| true), "{}", story.join("\n"));
            // A mark that could not be taken away again is forgotten after a while.
            world.clock.advance(31_000);
        }
        ground.assert_in_step(&world.plain, world.table().await, &|| story.join("\n")).await;
    });
}

macro_rules! designs {
    ($($name:ident),*) => {$(
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, max_shrink_iters: 400, ..ProptestConfig::default() })]

                #[test]
                fn sequential_writes_keep_dependent_items_consistent(bytes in steps()) {
                    super::sequential_writes_keep_dependent_items_consistent(stringify!($name), &bytes);
                }

                #[test]
                fn concurrent_writes_keep_dependent_items_consistent(tasks in prop::collection::vec(steps(), 2..4)) {
                    super::concurrent_writes_keep_dependent_items_consistent(stringify!($name), tasks);
                }

                #[test]
                fn backend_failures_keep_dependent_items_consistent(bytes in steps(), seed in any::<u64>()) {
                    super::backend_failures_keep_dependent_items_consistent(stringify!($name), &bytes, seed);
                }
            }
        }
    )*};
}

designs!(agencies, platform, albums, archive, catalogue);
