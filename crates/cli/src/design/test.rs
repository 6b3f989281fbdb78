//! `keyfold test`: everything a design says about itself, tried out in memory.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use keyfold_engine::{Engine, Options as EngineOptions};
use keyfold_runtime::scenario::{SteppingClock, SteppingRandom, Verdict, run_scenario};
use keyfold_runtime::{DesignRules, Options, Runtime};

use super::place::Place;

const BROKEN: u8 = 1;

#[derive(clap::Args)]
pub struct Arguments {
    /// Designs: files, or folders with a design.yaml
    #[arg(required = true, value_name = "DESIGN")]
    designs: Vec<PathBuf>,
    /// Print every scenario, not only those that fail
    #[arg(long)]
    verbose: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (mut held, mut broken) = (0, 0);
    for path in &arguments.designs {
        let place = Place::open(path)?;
        let data = place.data()?;
        for (file, scenarios) in place.scenarios()? {
            for scenario in &scenarios.scenarios {
                let name = format!("{} / {file}: {}", place.design.name, scenario.name);
                let clock = Arc::new(SteppingClock::default());
                let runtime = fresh(&place, &clock)?;
                let verdict = executor.block_on(async {
                    runtime.create_table().await?;
                    run_scenario(&runtime, &clock, data.as_ref(), scenario).await
                });
                match verdict {
                    Ok(Verdict::Held) => {
                        held += 1;
                        if arguments.verbose {
                            println!("ok      {name}");
                        }
                    }
                    Ok(Verdict::Broken { step, difference }) => {
                        broken += 1;
                        println!("BROKEN  {name}\n        step {step}: {}", indented(&difference));
                    }
                    Err(error) => {
                        broken += 1;
                        println!("BROKEN  {name}\n        {}", indented(&error.to_string()));
                    }
                }
            }
        }
    }
    println!("{held} held, {broken} broken");
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(BROKEN) })
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n        ")
}

/// A runtime on an empty table, whose time and randomness are the same in every run.
fn fresh(place: &Place, clock: &Arc<SteppingClock>) -> anyhow::Result<Runtime> {
    let engine = Engine::in_memory(EngineOptions::default())?;
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(&place.design))),
        clock: Arc::clone(clock) as _,
        random: Arc::new(SteppingRandom::default()),
        cursor_secret: vec![0; 32],
        table_name: None,
    };
    Ok(Runtime::new(Arc::clone(&place.design), Arc::new(engine), options))
}
