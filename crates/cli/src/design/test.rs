//! `keyfold test`: scenarios, examples and budgets of a design, in memory.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use keyfold_design::model::Capacity;
use keyfold_design::{Design, counted};
use keyfold_environment::ManualClock;
use keyfold_policy::Policies;
use keyfold_runtime::Runtime;
use keyfold_runtime::scenario::{BudgetReport, DataFile, Scenario, Verdict, check_budgets, examples, run_scenario};

use super::in_memory::in_memory;
use super::project::Project;
use super::sample_data::SampleData;
use crate::executor::executor;

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
    let executor = executor()?;
    let mut tally = TestCount { verbose: arguments.verbose, held: 0, broken: 0 };
    for path in &arguments.designs {
        let project = Project::open(path)?;
        let bench = Bench { design: Arc::clone(&project.design), policies: Arc::new(project.policies()?) };
        let data = project.files.data()?;
        // First: scenarios on sample data that cannot be loaded would all fail.
        let loaded = match &data {
            Some(data) => Some((executor.block_on(loaded(&bench, data))?, &data.data)),
            None => None,
        };
        let design = &project.design.name;
        let mut sources = vec![("examples".to_owned(), examples(&project.design)?)];
        sources.extend(project.files.scenarios()?.into_iter().map(|(file, found)| (file, found.scenarios)));
        for (source, scenarios) in sources {
            for scenario in &scenarios {
                let outcome = executor.block_on(play(&bench, data.as_ref().map(|data| &data.data), scenario))?;
                tally.add(&format!("{design} / {source}: {}", scenario.name), outcome);
            }
        }
        match &loaded {
            Some((runtime, data)) => {
                for report in executor.block_on(check_budgets(runtime, data))? {
                    tally.add(&format!("{design} / budgets: {}", report.subject), over_budget(&report));
                }
            }
            None => say_unmeasured(&project.design),
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

/// A table with the sample data.
async fn loaded(bench: &Bench, data: &SampleData) -> anyhow::Result<Runtime> {
    let runtime = bench.fresh(&Arc::new(ManualClock::default()))?;
    runtime.create_table().await?;
    data.load(&runtime, &|_| {}).await?;
    Ok(runtime)
}

fn say_unmeasured(design: &Design) {
    if !design.budgets.is_empty() {
        let budgets = counted(design.budgets.len(), "budget");
        say!("{}: {budgets} not measured: the design has no data.yaml", design.name);
    }
}

fn over_budget(report: &BudgetReport) -> Option<String> {
    if report.is_kept() {
        return None;
    }
    let unit = match report.capacity {
        Capacity::Read => "read unit",
        Capacity::Write => "write unit",
    };
    Some(match report.measured {
        Some(measured) => {
            format!("budget exceeded: at most {} allowed, {measured} used", counted(report.budget, unit))
        }
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
        Ok(in_memory(&self.design, Arc::clone(&self.policies) as _, Arc::clone(clock) as _)?.0)
    }
}
