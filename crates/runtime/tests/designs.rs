//! Every scenario, example and budget of the shipped designs, on the embedded engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_engine::Engine;
use keyfold_runtime::scenario::{
    DataFile, Scenario, ScenarioFile, SteppingClock, SteppingRandom, Verdict, check_budgets, examples, load_data,
    run_scenario,
};
use keyfold_runtime::{Caller, DeleteOptions, DesignRules, Options, QueryOptions, Runtime};

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

fn data(folder: &Path) -> DataFile {
    serde_saphyr::from_str(&std::fs::read_to_string(folder.join("data.yaml")).unwrap()).unwrap()
}

/// The scenarios of all files, and the examples of the design itself.
fn scenarios(folder: &Path, design: &Design) -> Vec<Scenario> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("scenarios")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut scenarios = examples(design);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let found: ScenarioFile =
            serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        scenarios.extend(found.scenarios);
    }
    scenarios
}

async fn play(name: &str) {
    let folder = designs().join(name);
    let design = load(&folder);
    let data = data(&folder);
    let scenarios = scenarios(&folder, &design);
    let mut broken = Vec::new();
    for scenario in &scenarios {
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
    let count = scenarios.len();
    assert!(broken.is_empty(), "{} of {count} scenarios are broken:\n\n{}", broken.len(), broken.join("\n\n"));
}

/// What each budget of a design is measured at, in units.
async fn measured(name: &str) -> Vec<(String, f64, Option<f64>)> {
    let folder = designs().join(name);
    let design = load(&folder);
    let data = data(&folder);
    let runtime = runtime(&design, &Arc::new(SteppingClock::default()));
    runtime.create_table().await.unwrap();
    load_data(&runtime, &data, &|_| {}).await.unwrap();
    let reports = check_budgets(&runtime, &data).await.unwrap();
    for report in &reports {
        assert!(report.is_kept(), "{report:?}");
    }
    reports.into_iter().map(|report| (report.subject, report.budget, report.measured)).collect()
}

fn costs(rows: &[(&str, f64, f64)]) -> Vec<(String, f64, Option<f64>)> {
    rows.iter().map(|(subject, budget, measured)| ((*subject).to_owned(), *budget, Some(*measured))).collect()
}

#[tokio::test]
async fn agencies() {
    play("agencies").await;
}

#[tokio::test]
async fn platform() {
    play("platform").await;
}

#[tokio::test]
async fn budgets_of_agencies() {
    let expected = costs(&[
        ("members by agency", 2.0, 1.0),
        ("all agencies", 2.0, 1.0),
        ("create Agency", 6.0, 2.0),
        ("create Member", 12.0, 8.0),
    ]);
    assert_eq!(measured("agencies").await, expected);
}

#[tokio::test]
async fn budgets_of_platform() {
    let expected = costs(&[
        ("licenses by enterprise", 2.5, 1.0),
        ("expiring licenses", 2.5, 1.0),
        ("users by account", 2.5, 1.0),
        ("account with everything", 5.0, 2.0),
        ("create License", 24.0, 12.0),
    ]);
    assert_eq!(measured("platform").await, expected);
}

#[tokio::test]
async fn a_budget_that_is_too_small_is_told() {
    let folder = designs().join("platform");
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let text = text
        .replace("licenses by enterprise: at most 2.5 read", "licenses by enterprise: at most 0.5 read")
        .replace("create License: at most 24 write", "create License: at most 2 write");
    let (design, _) = Design::load("design.yaml", &text).unwrap();
    let runtime = runtime(&Arc::new(design), &Arc::new(SteppingClock::default()));
    runtime.create_table().await.unwrap();
    let data = data(&folder);
    load_data(&runtime, &data, &|_| {}).await.unwrap();
    let reports = check_budgets(&runtime, &data).await.unwrap();
    let over: Vec<&str> =
        reports.iter().filter(|report| !report.is_kept()).map(|report| report.subject.as_str()).collect();
    assert_eq!(over, ["licenses by enterprise", "create License"]);
}

/// An example that does not hold is found out.
#[tokio::test]
async fn a_wrong_example_is_broken() {
    let folder = designs().join("agencies");
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let text =
        text.replace("- Agency: {name: Northwind, status: active}", "- Agency: {name: Northwind, status: inactive}");
    let (design, _) = Design::load("design.yaml", &text).unwrap();
    let design = Arc::new(design);
    let example = examples(&design).remove(0);
    let clock = Arc::new(SteppingClock::default());
    let runtime = runtime(&design, &clock);
    runtime.create_table().await.unwrap();
    let Verdict::Broken { step, difference } = run_scenario(&runtime, &clock, None, &example).await.unwrap() else {
        panic!("the example holds");
    };
    assert_eq!(step, 1);
    assert!(difference.starts_with("expected Agency {\"name\":\"Northwind\",\"status\":\"inactive\"}"), "{difference}");
}

/// More users, assignments and workstreams than a transaction takes: all of them go, and those of others stay.
#[tokio::test]
async fn a_large_account_is_deleted_in_steps() {
    let mut text = String::from("items:\n");
    for account in ["large", "other"] {
        text += &format!("  - Account: {{accountId: {account}, name: {account}}}\n");
    }
    text += "  - Enterprise: {enterpriseId: globex, name: Globex}\n  - Role: {roleId: reader, name: Reader}\n";
    for account in ["large", "other"] {
        for number in 0..5 {
            text += &format!(
                "  - Workstream: {{accountId: {account}, workstreamId: {account}-{number}, enterpriseId: globex, name: W}}\n"
            );
        }
        for number in 0..if account == "large" { 70 } else { 1 } {
            let user = format!("{account}-user-{number:02}");
            text += &format!(
                "  - User: {{userId: {user}, accountId: {account}, roleId: reader, email: a@b.example, firstName: A, lastName: B}}\n"
            );
            for workstream in [number % 5, (number + 1) % 5] {
                text += &format!(
                    "  - UserWorkstream: {{accountId: {account}, userId: {user}, workstreamId: {account}-{workstream}}}\n"
                );
            }
        }
    }
    let design = load(&designs().join("platform"));
    let runtime = runtime(&design, &Arc::new(SteppingClock::default()));
    runtime.create_table().await.unwrap();
    let data: DataFile = serde_saphyr::from_str(&text).unwrap();
    load_data(&runtime, &data, &|_| {}).await.unwrap();

    let operator = Caller::operator("test");
    let large = Attributes::from([("accountId".to_owned(), AttributeValue::S("large".to_owned()))]);
    let options = DeleteOptions { cascade: true, ..DeleteOptions::default() };
    runtime.delete(&operator, "Account", large, options).await.unwrap();

    let all = QueryOptions { take: Some(1000), ..QueryOptions::default() };
    let mut left = Vec::new();
    for pattern in ["all accounts", "all users", "all workstreams"] {
        left.push(runtime.query(&operator, pattern, Attributes::new(), &all).await.unwrap().count);
    }
    assert_eq!(left, [1, 1, 5]);
    for user in ["large-user-00", "large-user-69"] {
        let of = Attributes::from([("userId".to_owned(), AttributeValue::S(user.to_owned()))]);
        assert_eq!(runtime.query(&operator, "user with workstreams", of, &all).await.unwrap().count, 0);
    }
    let counted = |entity: &'static str, id: &str, value: &str| {
        let identity = Attributes::from([(id.to_owned(), AttributeValue::S(value.to_owned()))]);
        runtime.get(&operator, entity, identity)
    };
    let role = counted("Role", "roleId", "reader").await.unwrap().unwrap();
    assert_eq!(keyfold_runtime::json::plain(&role.attributes["userCount"]), 1);
    let enterprise = counted("Enterprise", "enterpriseId", "globex").await.unwrap().unwrap();
    assert_eq!(keyfold_runtime::json::plain(&enterprise.attributes["workstreamCount"]), 5);
}
