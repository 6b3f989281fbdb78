//! Tables that were a design's once: some items are lost, some lack attributes, some keys were written by hand. The
//! draft checks and is true of what is left.

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_import::{ImportedTable, Sample, draft_from_items};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::designs::world::world;
use crate::sound::assert_sound;

/// What happens to an item.
#[derive(Debug, Clone)]
enum Damage {
    None,
    Lost,
    /// An attribute is taken away, by its position; never a key of the table.
    Without(usize),
    /// A text is put in the place of another, by its position; also of index keys.
    Overwritten(usize, String),
}

fn damage() -> impl Strategy<Value = Damage> {
    let text = prop_oneof!["[A-Z]{1,5}#[a-z0-9]{1,4}", "[a-z#<>: ]{1,8}", Just("9999-12-31".to_owned())];
    prop_oneof![
        6 => Just(Damage::None),
        3 => Just(Damage::Lost),
        1 => (0usize..12).prop_map(Damage::Without),
        1 => (0usize..12, text).prop_map(|(at, text)| Damage::Overwritten(at, text)),
    ]
}

fn damaged(facts: &ImportedTable, items: &[Attributes], damages: &[Damage]) -> Vec<Attributes> {
    let mut left = Vec::new();
    for (item, damage) in items.iter().zip(damages.iter().cycle()) {
        let mut item = item.clone();
        let name = |at: usize| item.keys().filter(|name| !facts.is_base_key(name)).nth(at).cloned();
        match damage {
            Damage::None => {}
            Damage::Lost => continue,
            Damage::Without(at) => {
                if let Some(name) = name(*at) {
                    item.remove(&name);
                }
            }
            Damage::Overwritten(at, text) => {
                let name = name(*at).filter(|name| matches!(item.get(name), Some(AttributeValue::S(_))));
                if let Some(name) = name {
                    item.insert(name, AttributeValue::S(text.clone()));
                }
            }
        }
        left.push(item);
    }
    left
}

async fn survives(name: &str) {
    let world = world(name).await;
    let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let damages = proptest::collection::vec(damage(), 20..100);
    let outcome = runner.run(&damages, |damages| {
        let items = damaged(&world.facts, &world.items, &damages);
        let sample = Sample { items: items.clone(), is_whole: false };
        let draft = draft_from_items(&world.facts, &sample, "a table").unwrap();
        let recognized = assert_sound(&world.facts, &draft.design, &items);
        // The base keys are untouched, so that entities are still there.
        prop_assert!(recognized * 10 >= items.len() * 9, "{recognized} of {}\n{}", items.len(), draft.text);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn agencies() {
    survives("agencies").await;
}

#[tokio::test]
async fn platform() {
    survives("platform").await;
}

#[tokio::test]
async fn albums() {
    survives("albums").await;
}

#[tokio::test]
async fn archive() {
    survives("archive").await;
}

#[tokio::test]
async fn catalogue() {
    survives("catalogue").await;
}
