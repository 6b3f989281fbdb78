//! A design with an attribute of every type, run on an engine that keeps its table in memory.

use std::sync::Arc;

use keyfold_design::Design;
use keyfold_engine::store::MemoryStore;
use keyfold_runtime::{Caller, Options, Runtime};

use crate::engine_on;

pub fn notes_design() -> Arc<Design> {
    let (design, _) = keyfold_design::load("notes.yaml", include_str!("notes.yaml")).expect("the design is valid");
    Arc::new(design)
}

/// A runtime on an empty table. Its cursors are sealed with a fixed secret.
pub fn notes_runtime(design: &Arc<Design>) -> Runtime {
    let options = Options { cursor_secret: vec![7; 32], ..Options::standard(design).expect("there is randomness") };
    let engine = engine_on(Arc::new(MemoryStore::default()));
    let runtime = Runtime::new(Arc::clone(design), Arc::new(engine), options);
    block_on(runtime.create_table()).expect("the table is valid");
    runtime
}

pub fn member() -> Caller {
    Caller::member("t", "ada")
}

/// Drives a future that may wait between two attempts.
pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime starts").block_on(future)
}
