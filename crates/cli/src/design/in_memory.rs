//! A design on an empty table in memory.

use std::sync::Arc;

use keyfold_design::Design;
use keyfold_engine::{Engine, Options as EngineOptions};
use keyfold_environment::SeededRandom;
use keyfold_runtime::{Authorizer, Clock, Options, Runtime};

/// The runtime and its engine, with deterministic ids. The table is not created yet.
pub(crate) fn in_memory(
    design: &Arc<Design>,
    authorizer: Arc<dyn Authorizer>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<(Runtime, Arc<Engine>)> {
    // By the system clock, sample items may have expired long ago.
    let options = EngineOptions { sweep_interval: None, ..EngineOptions::default() };
    let engine = Arc::new(Engine::in_memory(options)?);
    let options = Options {
        authorizer,
        clock,
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![0; 32],
        table_name: None,
    };
    Ok((Runtime::new(Arc::clone(design), Arc::clone(&engine) as _, options), engine))
}
