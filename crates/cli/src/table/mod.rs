//! `keyfold table plan|apply`: migrates the live table of a design.

mod apply;
mod plan;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use keyfold_design::Design;
use keyfold_tables::{DesiredTable, Loss};

use crate::backend::{BackendArguments, BackendPlace};
use crate::design::{Project, refuse_unfit};
use crate::executor::executor;
use crate::table_name::table_name;

/// The exit code if the table cannot match the design, or if data would be lost.
const REFUSED: u8 = 3;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show the changes needed to make the live table match the design
    Plan(plan::Arguments),
    /// Create or change the table, one index at a time, waiting for each to be filled
    Apply(apply::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Plan(arguments) => plan::run(&arguments),
            Self::Apply(arguments) => apply::run(&arguments),
        }
    }
}

/// The table to plan for.
#[derive(Args)]
struct Subject {
    /// Design file, or folder with a design.yaml
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    #[command(flatten)]
    backend: BackendArguments,
    /// Table name, instead of the design's
    #[arg(long, value_name = "NAME", value_parser = table_name)]
    table: Option<String>,
}

/// The desired table and its backend.
struct TableTarget {
    design: Arc<Design>,
    desired: DesiredTable,
    place: BackendPlace,
    executor: tokio::runtime::Runtime,
}

impl Subject {
    fn open(&self) -> anyhow::Result<TableTarget> {
        let design = Project::open(&self.design)?.design;
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
        let executor = executor()?;
        Ok(TableTarget { design, desired, place, executor })
    }
}

fn say_obstacles(table: &str, obstacles: &[String]) {
    say!("table `{table}` cannot be changed to match the design:");
    for obstacle in obstacles {
        say!("  {obstacle}");
    }
    say!(
        "create a new table under another name with --table; `keyfold copy` copies items to a table with the same keys"
    );
}

fn loss_line(loss: &Loss) -> String {
    format!("{}; confirm with --allow-loss {}", loss.text, loss.name)
}
