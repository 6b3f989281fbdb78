//! The shipped designs' tables, as the runtime writes them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::backend::Backend;
use keyfold_dynamo::operation::ScanInput;
use keyfold_engine::Engine;
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_import::ImportedTable;
use keyfold_runtime::scenario::{DataFile, load_data};
use keyfold_runtime::{DesignRules, Options, Runtime};

pub(super) fn designs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs")
}

/// A design, its table and the items of its sample data.
pub(super) struct World {
    pub design: Arc<Design>,
    pub facts: ImportedTable,
    pub items: Vec<Attributes>,
    pub engine: Arc<Engine>,
}

impl World {
    /// The items as they are now.
    pub(super) async fn scan(&self) -> Vec<Attributes> {
        scan(&self.engine, &self.facts.table.name).await
    }

    /// Another design on the same table, for callers of any kind.
    pub(super) fn runtime(&self, design: Arc<Design>) -> Runtime {
        runtime(design, &self.engine)
    }
}

fn runtime(design: Arc<Design>, engine: &Arc<Engine>) -> Runtime {
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(&design))),
        clock: Arc::new(ManualClock::default()),
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![7; 32],
        table_name: None,
    };
    Runtime::new(design, Arc::clone(engine) as _, options)
}

pub(super) async fn world(name: &str) -> World {
    let folder = designs().join(name);
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let (design, _) = Design::load("design.yaml", &text).unwrap();
    let design = Arc::new(design);
    // By the machine's clock, what the sample data writes may have expired long ago.
    let options = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
    let engine = Arc::new(Engine::in_memory(options).unwrap());
    let runtime = runtime(Arc::clone(&design), &engine);
    runtime.create_table().await.unwrap();
    let data: DataFile = serde_saphyr::from_str(&std::fs::read_to_string(folder.join("data.yaml")).unwrap()).unwrap();
    load_data(&runtime, &data, &|_| {}).await.unwrap();
    let description = engine.describe_table(runtime.table_name().to_owned()).await.unwrap();
    let facts = ImportedTable::from_description(&description).unwrap();
    let items = scan(engine.as_ref(), runtime.table_name()).await;
    World { design, facts, items, engine }
}

async fn scan(engine: &Engine, table: &str) -> Vec<Attributes> {
    let mut items = Vec::new();
    let mut input = ScanInput { table_name: table.to_owned(), ..ScanInput::default() };
    loop {
        let output = engine.scan(input.clone()).await.unwrap();
        items.extend(output.items.unwrap_or_default().into_iter().map(|item| item.into_attributes().unwrap()));
        match output.last_evaluated_key {
            Some(key) => input.page.exclusive_start_key = Some(key),
            None => return items,
        }
    }
}
