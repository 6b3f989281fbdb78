//! Tables with a design, and what is in them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use keyfold_design::Design;
use keyfold_dynamo::operation::ScanInput;
use keyfold_dynamo::{Attributes, Backend, Item};
use keyfold_engine::Engine;
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_runtime::{Caller, DesignRules, Error, Options, Record, Runtime, json};
use serde_json::{Map, Value};

use super::watched::{Hook, Watched};

/// The text of a design of the repository.
pub(crate) fn design_text(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

pub(crate) fn design(text: &str) -> Arc<Design> {
    let (design, _) = Design::load("design.yaml", text).unwrap_or_else(|found| {
        let said = found.iter().map(|each| format!("{} {:?}: {}", each.code.id, each.severity, each.message));
        panic!("{}", said.collect::<Vec<_>>().join("\n"))
    });
    Arc::new(design)
}

pub(crate) fn shop() -> Arc<Design> {
    static SHOP: OnceLock<Arc<Design>> = OnceLock::new();
    Arc::clone(SHOP.get_or_init(shop_anew))
}

fn shop_anew() -> Arc<Design> {
    design(&design_text("tests/it/support/shop.yaml"))
}

pub(crate) fn engine() -> Arc<dyn Backend> {
    // An engine in 1970: by the machine's clock, the items that tests write may have expired long ago.
    let options = keyfold_engine::Options { clock: Arc::new(ManualClock::at_ms(0)), ..Default::default() };
    Arc::new(Engine::in_memory(options).unwrap())
}

/// A runtime with reproducible time and ids.
pub(crate) fn runtime_on(design: &Arc<Design>, backend: Arc<dyn Backend>) -> Runtime {
    runtime_with_clock(design, backend, &Arc::new(ManualClock::default()))
}

/// All runtimes of a process draw from one source: two that drew the same would send the same client tokens.
fn random() -> Arc<SeededRandom> {
    static RANDOM: OnceLock<Arc<SeededRandom>> = OnceLock::new();
    Arc::clone(RANDOM.get_or_init(Arc::default))
}

pub(crate) fn runtime_with_clock(design: &Arc<Design>, backend: Arc<dyn Backend>, clock: &Arc<ManualClock>) -> Runtime {
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(design))),
        clock: Arc::clone(clock) as _,
        random: random(),
        cursor_secret: vec![7; 32],
        table_name: None,
    };
    Runtime::new(Arc::clone(design), backend, options)
}

/// A table with a plain runtime for preparing it, and one whose requests are watched.
pub(crate) struct World<H> {
    pub design: Arc<Design>,
    pub engine: Arc<dyn Backend>,
    pub plain: Runtime,
    pub watched: Arc<Watched<H>>,
    pub runtime: Arc<Runtime>,
    pub clock: Arc<ManualClock>,
}

impl<H: Hook + 'static> World<H> {
    pub(crate) async fn new(design: Arc<Design>, hook: H) -> Self {
        let engine = engine();
        let clock = Arc::new(ManualClock::default());
        let plain = runtime_with_clock(&design, Arc::clone(&engine), &clock);
        plain.create_table().await.unwrap();
        let watched = Arc::new(Watched { inner: Arc::clone(&engine), hook });
        let runtime = Arc::new(runtime_with_clock(&design, Arc::clone(&watched) as _, &clock));
        Self { design, engine, plain, watched, runtime, clock }
    }

    pub(crate) fn hook(&self) -> &H {
        &self.watched.hook
    }

    pub(crate) fn attributes(&self, entity: &str, value: Value) -> Attributes {
        attributes(&self.design, entity, value)
    }

    /// Creates an item without the hook seeing it.
    pub(crate) async fn given(&self, entity: &str, value: Value) -> Record {
        let input = self.attributes(entity, value.clone());
        self.plain.create(&superuser(), entity, input).await.unwrap_or_else(|error| panic!("{entity} {value}: {error}"))
    }

    pub(crate) async fn get(&self, entity: &str, value: Value) -> Option<Value> {
        let identity = self.attributes(entity, value);
        let record = self.plain.get(&superuser(), entity, identity).await.unwrap();
        record.map(|record| Value::Object(json::object(&record.attributes)))
    }

    /// The whole table, by key.
    pub(crate) async fn table(&self) -> BTreeMap<String, Attributes> {
        table(self.engine.as_ref(), &self.design).await
    }
}

pub(crate) fn superuser() -> Caller {
    Caller::superuser("test")
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is not an object"),
    }
}

pub(crate) fn attributes(design: &Design, entity: &str, value: Value) -> Attributes {
    let entity = design.entity_named(entity).unwrap_or_else(|| panic!("there is no {entity}"));
    json::attributes(entity, object(value)).unwrap()
}

pub(crate) fn arguments(design: &Design, pattern: &str, value: Value) -> Attributes {
    let plan = design.access_plan(design.pattern_named(pattern).unwrap().id);
    json::arguments(plan, &object(value)).unwrap()
}

/// Every item of a table, by the text of its key.
pub(crate) async fn table(backend: &dyn Backend, design: &Design) -> BTreeMap<String, Attributes> {
    let mut items = BTreeMap::new();
    let mut start = None;
    loop {
        let mut input = ScanInput { table_name: design.table.name.clone(), ..ScanInput::default() };
        input.page.exclusive_start_key = start.take();
        input.page.consistent_read = true;
        let output = backend.scan(input).await.unwrap();
        for item in output.items.unwrap_or_default() {
            let item = Item::into_attributes(item).unwrap();
            let key: Vec<String> = item
                .iter()
                .filter(|(name, _)| design.is_table_key(name))
                .map(|(_, value)| value.as_str().unwrap_or_default().to_owned())
                .collect();
            items.insert(key.join(" | "), item);
        }
        match output.last_evaluated_key {
            Some(key) => start = Some(key),
            None => return items,
        }
    }
}

/// The constraint that an error names.
pub(crate) fn violated<T: std::fmt::Debug>(outcome: Result<T, Error>) -> String {
    match outcome {
        Err(Error::Constraint(violation)) => violation.name,
        other => panic!("expected a violated constraint, and got {other:?}"),
    }
}
