//! `keyfold load`: creates a design's table with its sample data.

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use keyfold_design::counted;

use super::output;
use super::project::Project;
use super::sample_data::SampleData;
use super::session::{DesignArguments, Session};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: DesignArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    output::as_json_too(arguments.target.json, try_run(arguments))
}

fn try_run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let json = arguments.target.json;
    let project = Project::open(&arguments.target.design)?;
    let session = arguments.target.open_project(&project)?;
    let data = project.files.data()?;
    if let Some(data) = &data {
        session.wait(data.check(&project))?;
    }
    let table = session.runtime.table_name().to_owned();
    let created = session.wait(session.runtime.create_table()).map_err(|error| anyhow!(session.describe(&error)))?;
    if !json {
        say!("table `{table}` {}", if created { "created" } else { "already exists" });
    }
    let loaded = match &data {
        None => 0,
        Some(_) if !created => bail!(
            "sample data is loaded only into a new table; use another --data folder, or write items with `keyfold create`"
        ),
        Some(data) => load_items(&session, data)?,
    };
    match &data {
        _ if json => say!("{:#}", serde_json::json!({"table": table, "created": created, "loaded": loaded})),
        None => say!("the design has no data.yaml; nothing to load"),
        Some(_) => say!("{} loaded", counted(loaded, "item")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates the items, with a progress bar on a terminal.
fn load_items(session: &Session, data: &SampleData) -> anyhow::Result<usize> {
    let bar = ProgressBar::new(data.data.items.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} items")?);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    let loaded = session.wait(data.load(&session.runtime, &|count| bar.set_position(count as u64)));
    bar.finish_and_clear();
    loaded
}
