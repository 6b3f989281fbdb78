//! `keyfold import cloudformation`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use keyfold_import::{cloudformation, draft_from_table};

use super::{Output, no_draft};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Template file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Logical id of the table, if the template has several
    #[arg(long, value_name = "LOGICAL_ID")]
    resource: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    arguments.output.refuse_existing()?;
    let file = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file).with_context(|| format!("cannot read `{file}`"))?;
    let facts = cloudformation::read(&text, arguments.resource.as_deref()).map_err(|error| match error.position {
        Some(position) => anyhow!("{file}:{}:{}: {error}", position.line, position.column),
        None => anyhow!("{file}: {error}"),
    })?;
    let name = arguments.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let draft = draft_from_table(&facts, &format!("the CloudFormation template {name}"))
        .map_err(|found| no_draft(&format!("the table `{}`", facts.table.name), &found))?;
    arguments.output.write(&draft)?;
    Ok(ExitCode::SUCCESS)
}
