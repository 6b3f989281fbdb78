//! `keyfold engine backup`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use keyfold_design::counted;

use super::ExistingData;
use super::progress::ProgressLine;
use crate::private_files;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: ExistingData,
    /// New folder for the copy; must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    private_files::create_privately();
    let folder = arguments.data.inspect()?;
    let mut line = ProgressLine::new();
    let report = folder.back_up(&arguments.to, &mut |progress| line.show(progress));
    line.clear();
    let report = report.with_context(|| format!("cannot back up `{}`", arguments.data.data.display()))?;
    for note in &report.notes {
        say!("note: {note}");
    }
    let (tables, to) = (counted(report.tables, "table"), arguments.to.display());
    say!("{tables} copied to `{to}`; the copy was verified");
    Ok(ExitCode::SUCCESS)
}
