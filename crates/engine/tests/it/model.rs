//! Random sequences of operations against a naive reference: answers, errors, pages and counts must be the same, and
//! the engine's own check must find nothing.
//!
//! A failure prints the shortest sequence that still fails, and its seed. `KEYFOLD_MODEL_SEED` runs one seed alone;
//! `KEYFOLD_MODEL_SEQUENCES` runs more or fewer.

mod condition;
mod expected;
mod generate;
mod generate_condition;
mod generate_update;
mod operation;
mod path;
pub(crate) mod random;
mod reference;
mod render;
use crate::scene;
mod schema;
mod subject;
mod tally;
mod update;

use std::sync::Arc;

use keyfold_engine::Engine;
use keyfold_engine::store::MemoryStore;

use operation::Operation;
use random::Random;
use reference::Reference;
use subject::{Open, Subject};
use tally::Tally;

const LENGTH: usize = 60;

/// Opens an engine on data of its own; what it needs lives as long as the function.
type Place = fn() -> Open;

fn in_memory() -> Open {
    let rows = Arc::new(MemoryStore::default());
    Box::new(move || Engine::with_store(Arc::clone(&rows) as Arc<_>, scene::options()).unwrap())
}

fn on_disk() -> Open {
    let folder = tempfile::tempdir().unwrap();
    Box::new(move || Engine::open(folder.path(), scene::options()).unwrap())
}

fn play(place: Place, operations: &[Operation], tally: &mut Tally) -> Result<(), String> {
    let mut subject = Subject::new(place());
    let mut reference = Reference::default();
    for (number, operation) in operations.iter().enumerate() {
        let expected = reference.run(operation);
        let answered = subject.run(operation);
        tally.add(&answered);
        expected.compare(&answered).map_err(|difference| format!("operation {number}: {difference}"))?;
    }
    let described = Operation::Describe;
    reference
        .run(&described)
        .compare(&subject.run(&described))
        .map_err(|difference| format!("at the end: {difference}"))?;
    subject.assert_sound();
    Ok(())
}

/// Leaves out operations for as long as the rest still fails.
fn shortest(place: Place, mut operations: Vec<Operation>) -> Vec<Operation> {
    let mut position = operations.len();
    while position > 0 {
        position -= 1;
        let mut fewer = operations.clone();
        fewer.remove(position);
        if play(place, &fewer, &mut Tally::default()).is_err() {
            operations = fewer;
        }
    }
    operations
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

fn play_many(place: Place, sequences: u64) -> Tally {
    let mut tally = Tally::default();
    let seeds = match setting("KEYFOLD_MODEL_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..setting("KEYFOLD_MODEL_SEQUENCES").unwrap_or(sequences),
    };
    for seed in seeds {
        let operations = generate::sequence(&mut Random::new(seed), LENGTH);
        if play(place, &operations, &mut tally).is_err() {
            let operations = shortest(place, operations);
            let difference =
                play(place, &operations, &mut Tally::default()).expect_err("the shortest sequence fails as well");
            let listed: String = operations.iter().map(|operation| format!("{operation:?}\n")).collect();
            panic!("seed {seed}: {difference}\nafter\n{listed}");
        }
    }
    tally
}

#[test]
fn answers_as_the_reference_does_in_memory() {
    let tally = play_many(in_memory, 4000);
    // Fewer sequences than usual need not come to every kind.
    if setting("KEYFOLD_MODEL_SEED").is_none() && setting("KEYFOLD_MODEL_SEQUENCES").is_none() {
        tally.assert_each(200);
    }
}

#[test]
fn answers_as_the_reference_does_on_disk_and_after_reopening() {
    play_many(on_disk, 40);
}
