//! `keyfold load`: creates a design's table with its sample data.

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use keyfold_runtime::scenario::load_data;

use super::project::Project;
use super::session::DesignArguments;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: DesignArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let project = Project::open(&arguments.target.design)?;
    let session = arguments.target.open_project(&project)?;
    let table = session.runtime.table_name().to_owned();
    let created = session.wait(session.runtime.create_table())?;
    say!("table `{table}` {}", if created { "created" } else { "already exists" });
    let Some(data) = project.files.data()? else {
        say!("the design has no data.yaml; nothing to load");
        return Ok(ExitCode::SUCCESS);
    };
    if !created {
        bail!(
            "sample data is loaded only into a new table; use another --data folder, or write items with `keyfold create`"
        );
    }
    let bar = ProgressBar::new(data.items.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} items")?);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    let loaded = session.wait(load_data(&session.runtime, &data, &|count| bar.set_position(count as u64)));
    bar.finish_and_clear();
    let count = loaded.context("the sample data does not match the design")?;
    say!("{count} items loaded");
    Ok(ExitCode::SUCCESS)
}
