//! The shipped designs, with their sample data.

pub(crate) mod exported;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::model::Entity;
use keyfold_dynamo::operation::ScanInput;
use keyfold_dynamo::{Attributes, Backend};
use keyfold_engine::Engine;
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_policy::{Policies, PolicyDiagnostic};
use keyfold_runtime::scenario::{DataFile, load_data};
use keyfold_runtime::{Authorizer, Options, Runtime};

pub(crate) const DESIGNS: [&str; 5] = ["agencies", "albums", "archive", "catalogue", "platform"];

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(name)
}

/// A design with its text.
pub(crate) fn load(name: &str) -> (Arc<Design>, String) {
    let text = std::fs::read_to_string(folder(name).join("design.yaml")).unwrap();
    (design(&text), text)
}

pub(crate) fn design(text: &str) -> Arc<Design> {
    let (design, _) = Design::load("design.yaml", text).unwrap_or_else(|found| panic!("{found:#?}"));
    Arc::new(design)
}

pub(crate) fn compiled(name: &str) -> (Arc<Design>, Policies) {
    let (design, text) = load(name);
    let policies = Policies::compile(&design, &text, &[]).unwrap();
    (design, policies)
}

/// Compiles a design with one file beside it.
pub(crate) fn with_file(design: &Arc<Design>, file: &str, text: &str) -> Result<Policies, Vec<PolicyDiagnostic>> {
    Policies::compile(design, "", &[(file.to_owned(), text.to_owned())])
}

pub(crate) fn entity<'d>(design: &'d Design, name: &str) -> &'d Entity {
    design.entity_named(name).unwrap()
}

pub(crate) fn data(name: &str) -> DataFile {
    serde_saphyr::from_str(&std::fs::read_to_string(folder(name).join("data.yaml")).unwrap()).unwrap()
}

pub(crate) fn runtime(
    design: &Arc<Design>,
    authorizer: Arc<dyn Authorizer>,
    clock: &Arc<ManualClock>,
) -> (Runtime, Arc<Engine>) {
    let options = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
    let engine = Arc::new(Engine::in_memory(options).unwrap());
    let options = Options {
        authorizer,
        clock: Arc::clone(clock) as _,
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![7; 32],
        table_name: None,
    };
    (Runtime::new(Arc::clone(design), Arc::clone(&engine) as _, options), engine)
}

/// Every item of the sample data with its entity, derived items included.
pub(crate) async fn stored(name: &str) -> Vec<(String, Attributes)> {
    let (design, policies) = compiled(name);
    let (runtime, engine) = runtime(&design, Arc::new(policies), &Arc::new(ManualClock::default()));
    runtime.create_table().await.unwrap();
    load_data(&runtime, &data(name), &|_| ()).await.unwrap();
    let input = ScanInput { table_name: design.table.name.clone(), ..ScanInput::default() };
    let page = engine.scan(input).await.unwrap();
    let mut items = Vec::new();
    for item in page.items.unwrap() {
        let stored = item.attributes().unwrap().clone();
        let Some(entity) = design.recognize(&stored) else { continue };
        let entity = &design[entity];
        let mut attributes = entity.read_keys(&stored).unwrap();
        attributes.extend(stored.into_iter().filter(|(name, _)| entity.attribute(name).is_some()));
        items.push((entity.name.clone(), attributes));
    }
    items
}
