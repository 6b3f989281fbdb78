//! The check of a data folder: it changes nothing, calls no sound folder broken, and finds each kind of fault.

mod planted;
mod sound;

use std::path::Path;
use std::sync::Arc;

use keyfold_dynamo::operation::{IndexUpdate, UpdateTableInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_engine::check::Finding;
use keyfold_engine::store::StoreSettings;
use keyfold_engine::{CheckReport, DataFolder, Engine, Options};
use keyfold_environment::ManualClock;

use crate::scene::tables::{all, definition, table};
use crate::scene::{options_at, wait};

const PK: (&str, KeyType) = ("pk", KeyType::S);
const SK: (&str, KeyType) = ("sk", KeyType::N);
const G: (&str, KeyType) = ("g", KeyType::S);
const NOW: u64 = 1_700_000_000;

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at_second(NOW))
}

/// A small write buffer, so that tables are written.
fn open(folder: &Path, clock: &Arc<ManualClock>) -> Engine {
    let store = StoreSettings { write_buffer_bytes: 64 << 10, ..StoreSettings::default() };
    Engine::open(folder, Options { store, ..options_at(clock) }).unwrap()
}

fn check(folder: &Path) -> CheckReport {
    DataFolder::open(folder).unwrap().check(&mut |_| {}).unwrap()
}

fn findings(folder: &Path) -> Vec<Finding> {
    check(folder).findings
}

fn create_table(engine: &Engine, name: &str) {
    table(name, PK, Some(SK)).global("by_g", G, Some(SK), all()).create(engine);
    expire(engine, name, true).unwrap();
}

fn expire(engine: &Engine, name: &str, enabled: bool) -> Result<(), ServiceError> {
    let input = UpdateTimeToLiveInput { table_name: name.to_owned(), enabled, attribute_name: "expires".to_owned() };
    wait(engine.update_time_to_live(input)).map(drop)
}

fn change_index(engine: &Engine, name: &str, change: IndexUpdate) -> Result<(), ServiceError> {
    let input = UpdateTableInput {
        table_name: name.to_owned(),
        attribute_definitions: [PK, SK, G].map(definition).to_vec(),
        index_updates: Some(vec![change]),
        ..UpdateTableInput::default()
    };
    wait(engine.update_table(input)).map(drop)
}
