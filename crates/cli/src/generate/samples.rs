//! The sample data as stored, and the measured budgets; deterministic.

use std::sync::Arc;

use anyhow::Context;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::backend::Backend;
use keyfold_dynamo::operation::ScanInput;
use keyfold_engine::Engine;
use keyfold_environment::ManualClock;
use keyfold_runtime::DesignRules;
use keyfold_runtime::scenario::check_budgets;

use crate::design::{Project, in_memory};
use crate::executor::executor;

#[derive(Default)]
pub(super) struct Samples {
    pub items: Vec<Attributes>,
    pub measured: Vec<Option<f64>>,
}

pub(super) fn read(project: &Project) -> anyhow::Result<Samples> {
    let Some(data) = project.files.data()? else { return Ok(Samples::default()) };
    let authorizer = Arc::new(DesignRules::new(Arc::clone(&project.design)));
    let (runtime, engine) = in_memory(&project.design, authorizer, Arc::new(ManualClock::default()))?;
    let executor = executor()?;
    executor.block_on(async {
        runtime.create_table().await?;
        data.load(&runtime, &|_| {}).await?;
        let items = stored(engine.as_ref(), runtime.table_name()).await?;
        let reports = check_budgets(&runtime, &data.data).await?;
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
