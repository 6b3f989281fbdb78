//! Every scenario and every example of the shipped designs, on the embedded engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_engine::Engine;
use keyfold_runtime::scenario::{DataFile, ScenarioFile, SteppingClock, SteppingRandom, Verdict, run_scenario};
use keyfold_runtime::{DesignRules, Options, Runtime};

fn designs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs")
}

fn load(folder: &Path) -> Arc<Design> {
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let (design, _) = Design::load("design.yaml", &text).unwrap_or_else(|found| panic!("{found:#?}"));
    Arc::new(design)
}

fn runtime(design: &Arc<Design>, clock: &Arc<SteppingClock>) -> Runtime {
    let engine = Engine::in_memory(keyfold_engine::Options::default()).unwrap();
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(design))),
        clock: Arc::clone(clock) as _,
        random: Arc::new(SteppingRandom::default()),
        cursor_secret: vec![7; 32],
        table_name: None,
    };
    Runtime::new(Arc::clone(design), Arc::new(engine), options)
}

async fn play(design: &str) {
    let folder = designs().join(design);
    let design = load(&folder);
    let data: DataFile = serde_saphyr::from_str(&std::fs::read_to_string(folder.join("data.yaml")).unwrap()).unwrap();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("scenarios")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut broken = Vec::new();
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let scenarios: ScenarioFile =
            serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for scenario in &scenarios.scenarios {
            count += 1;
            let clock = Arc::new(SteppingClock::default());
            let runtime = runtime(&design, &clock);
            runtime.create_table().await.unwrap();
            match run_scenario(&runtime, &clock, Some(&data), scenario).await {
                Ok(Verdict::Held) => {}
                Ok(Verdict::Broken { step, difference }) => {
                    broken.push(format!("{}, step {step}: {difference}", scenario.name));
                }
                Err(error) => broken.push(format!("{}: {error}", scenario.name)),
            }
        }
    }
    assert!(broken.is_empty(), "{} of {count} scenarios are broken:\n\n{}", broken.len(), broken.join("\n\n"));
}

#[tokio::test]
async fn agencies() {
    play("agencies").await;
}

#[tokio::test]
async fn platform() {
    play("platform").await;
}
