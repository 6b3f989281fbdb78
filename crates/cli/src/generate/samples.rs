//! The sample data as stored, and the measured budgets; deterministic.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::backend::Backend;
use keyfold_dynamo::operation::ScanInput;
use keyfold_engine::{Engine, Options as EngineOptions};
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_runtime::scenario::{check_budgets, load_data};
use keyfold_runtime::{DesignRules, Options, Runtime};

use crate::design::Project;

#[derive(Default)]
pub(super) struct Samples {
    pub items: Vec<Attributes>,
    pub measured: Vec<Option<f64>>,
}

pub(super) fn read(project: &Project) -> anyhow::Result<Samples> {
    let Some(data) = project.files.data()? else { return Ok(Samples::default()) };
    // By the system clock, sample items may have expired long ago.
    let options = EngineOptions { sweep_interval: Duration::from_secs(86_400), ..EngineOptions::default() };
    let engine = Arc::new(Engine::in_memory(options)?);
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(&project.design))),
        clock: Arc::new(ManualClock::default()),
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![0; 32],
        table_name: None,
    };
    let runtime = Runtime::new(Arc::clone(&project.design), Arc::clone(&engine) as _, options);
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    executor.block_on(async {
        runtime.create_table().await?;
        load_data(&runtime, &data, &|_| {}).await?;
        let items = stored(engine.as_ref(), runtime.table_name()).await?;
        let reports = check_budgets(&runtime, &data).await?;
        Ok(Samples { items, measured: reports.into_iter().map(|report| report.measured).collect() })
    })
}

async fn stored(engine: &Engine, table: &str) -> anyhow::Result<Vec<Attributes>> {
    let mut items = Vec::new();
    let mut input = ScanInput { table_name: table.to_owned(), ..ScanInput::default() };
    loop {
        let output = engine.scan(input.clone()).await?;
        for item in output.items.context("a scan returned no items")? {
            items.push(item.into_attributes()?);
        }
        match output.last_evaluated_key {
            Some(key) => input.page.exclusive_start_key = Some(key),
            None => return Ok(items),
        }
    }
}
