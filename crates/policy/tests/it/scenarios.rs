//! Every scenario and example of the shipped designs, decided by Cedar.

use std::path::PathBuf;
use std::sync::Arc;

use crate::support::*;
use keyfold_environment::ManualClock;
use keyfold_runtime::scenario::{Scenario, ScenarioFile, Verdict, examples, run_scenario};

async fn play(name: &str) {
    let (design, policies) = compiled(name);
    let (policies, data) = (Arc::new(policies), data(name));
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder(name).join("scenarios")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut scenarios: Vec<Scenario> = examples(&design).unwrap();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        scenarios.extend(serde_saphyr::from_str::<ScenarioFile>(&text).unwrap().scenarios);
    }
    assert!(!scenarios.is_empty());
    for scenario in &scenarios {
        let clock = Arc::new(ManualClock::default());
        let (runtime, _engine) = runtime(&design, Arc::clone(&policies) as _, &clock);
        runtime.create_table().await.unwrap();
        match run_scenario(&runtime, &clock, Some(&data), scenario).await {
            Ok(Verdict::Held) => {}
            Ok(Verdict::Broken { step, difference }) => panic!("{name}: {}, step {step}: {difference}", scenario.name),
            Err(error) => panic!("{name}: {}: {error}", scenario.name),
        }
    }
}

#[tokio::test]
async fn agencies() {
    play("agencies").await;
}

#[tokio::test]
async fn albums() {
    play("albums").await;
}

#[tokio::test]
async fn archive() {
    play("archive").await;
}

#[tokio::test]
async fn catalogue() {
    play("catalogue").await;
}

#[tokio::test]
async fn platform() {
    play("platform").await;
}
