//! `keyfold test`: scenarios, examples and budgets of a design, in memory.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use keyfold_design::Design;
use keyfold_design::model::Capacity;
use keyfold_engine::{Engine, Options as EngineOptions};
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_policy::Policies;
use keyfold_runtime::scenario::{
    BudgetReport, DataFile, Scenario, Verdict, check_budgets, examples, load_data, run_scenario,
};
use keyfold_runtime::{Options, Runtime};

use super::project::Project;

const BROKEN: u8 = 1;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Design files, or folders with a design.yaml
    #[arg(required = true, value_name = "DESIGN")]
    designs: Vec<PathBuf>,
    /// Also print passed tests
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let mut tally = TestCount { verbose: arguments.verbose, held: 0, broken: 0 };
    for path in &arguments.designs {
        let project = Project::open(path)?;
        let bench = Bench { design: Arc::clone(&project.design), policies: Arc::new(project.policies()?) };
        let data = project.files.data()?;
        let design = &project.design.name;
        let mut sources = vec![("examples".to_owned(), examples(&project.design)?)];
        sources.extend(project.files.scenarios()?.into_iter().map(|(file, found)| (file, found.scenarios)));
        for (source, scenarios) in sources {
            for scenario in &scenarios {
                let outcome = executor.block_on(play(&bench, data.as_ref(), scenario))?;
                tally.add(&format!("{design} / {source}: {}", scenario.name), outcome);
            }
        }
        if let Some(data) = &data {
            for report in executor.block_on(budgets(&bench, data))? {
                tally.add(&format!("{design} / budgets: {}", report.subject), over_budget(&report));
            }
        }
    }
    say!("{} passed, {} failed", tally.held, tally.broken);
    Ok(if tally.broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(BROKEN) })
}

struct TestCount {
    verbose: bool,
    held: usize,
    broken: usize,
}

impl TestCount {
    fn add(&mut self, name: &str, broken: Option<String>) {
        match broken {
            None => {
                self.held += 1;
                if self.verbose {
                    say!("ok      {name}");
                }
            }
            Some(difference) => {
                self.broken += 1;
                say!("FAILED  {name}\n        {}", difference.replace('\n', "\n        "));
            }
        }
    }
}

/// Why a scenario failed, if it did.
async fn play(bench: &Bench, data: Option<&DataFile>, scenario: &Scenario) -> anyhow::Result<Option<String>> {
    let clock = Arc::new(ManualClock::default());
    let runtime = bench.fresh(&clock)?;
    runtime.create_table().await?;
    Ok(match run_scenario(&runtime, &clock, data, scenario).await {
        Ok(Verdict::Held) => None,
        Ok(Verdict::Broken { step, difference }) => Some(format!("step {step}: {difference}")),
        Err(error) => Some(error.to_string()),
    })
}

async fn budgets(bench: &Bench, data: &DataFile) -> anyhow::Result<Vec<BudgetReport>> {
    let runtime = bench.fresh(&Arc::new(ManualClock::default()))?;
    runtime.create_table().await?;
    load_data(&runtime, data, &|_| {}).await?;
    Ok(check_budgets(&runtime, data).await?)
}

fn over_budget(report: &BudgetReport) -> Option<String> {
    if report.is_kept() {
        return None;
    }
    let unit = match report.capacity {
        Capacity::Read => "read",
        Capacity::Write => "write",
    };
    Some(match report.measured {
        Some(measured) => format!("budget exceeded: at most {} {unit} units allowed, {measured} used", report.budget),
        None => "the sample data has no items to measure".to_owned(),
    })
}

/// A design with its policies.
struct Bench {
    design: Arc<Design>,
    policies: Arc<Policies>,
}

impl Bench {
    /// A runtime on an empty table, with deterministic time and randomness.
    fn fresh(&self, clock: &Arc<ManualClock>) -> anyhow::Result<Runtime> {
        // Scenarios have their own clock: by the system clock, their items may have expired long ago.
        let engine = EngineOptions { sweep_interval: Duration::from_secs(86_400), ..EngineOptions::default() };
        let engine = Engine::in_memory(engine)?;
        let options = Options {
            authorizer: Arc::clone(&self.policies) as _,
            clock: Arc::clone(clock) as _,
            random: Arc::new(SeededRandom::default()),
            cursor_secret: vec![0; 32],
            table_name: None,
        };
        Ok(Runtime::new(Arc::clone(&self.design), Arc::new(engine), options))
    }
}
