//! `keyfold table plan|apply`: the live table of a design.

mod apply;
mod plan;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use keyfold_design::Design;
use keyfold_tables::{DesiredTable, Loss};

use crate::backend::{BackendArguments, BackendPlace};
use crate::design::{Place, refuse_unfit};

/// The table is there, and cannot become what the design says; or something would be lost.
const REFUSED: u8 = 3;

#[derive(Subcommand)]
pub enum Command {
    /// Show what it takes to make the live table what the design says
    Plan(plan::Arguments),
    /// Create the table, or change it, one index at a time, waiting for each to be filled
    Apply(apply::Arguments),
}

impl Command {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Plan(arguments) => plan::run(&arguments),
            Self::Apply(arguments) => apply::run(&arguments),
        }
    }
}

/// Which table is meant.
#[derive(Args)]
struct Subject {
    /// The design: a file, or a folder with a design.yaml
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    #[command(flatten)]
    backend: BackendArguments,
    /// Another name for the table than the design's
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
}

/// A table as the design says it, and where it should be so.
struct Opened {
    design: Arc<Design>,
    desired: DesiredTable,
    place: BackendPlace,
    executor: tokio::runtime::Runtime,
}

impl Subject {
    fn open(&self) -> anyhow::Result<Opened> {
        let design = Place::open(&self.design)?.design;
        let place = self.backend.place()?;
        refuse_unfit(&design, &place)?;
        let mut create = design.create_table();
        if let Some(name) = &self.table {
            create.table_name.clone_from(name);
        }
        let desired = DesiredTable {
            create,
            time_to_live: design.table.ttl.clone(),
            point_in_time_recovery: design.table.point_in_time_recovery,
            stream: design.table.stream.map(|view| view.as_str().to_owned()),
        };
        let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Opened { design, desired, place, executor })
    }
}

fn say_obstacles(table: &str, obstacles: &[String]) {
    say!("table `{table}` cannot become what the design says:");
    for obstacle in obstacles {
        say!("  {obstacle}");
    }
    say!(
        "a new table can: give it another name with --table; `keyfold copy` moves items to a table with the same keys"
    );
}

fn loss_line(loss: &Loss) -> String {
    format!("{}; agree with --allow-loss {}", loss.text, loss.name)
}
