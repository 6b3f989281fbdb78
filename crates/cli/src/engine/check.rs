//! `keyfold engine check`

use std::process::ExitCode;

use clap::Args;

use super::ExistingData;
use super::stat::counted;

/// The exit code if problems were found; 1 means that the engine cannot be opened.
const UNSOUND: u8 = 2;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: ExistingData,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let engine = arguments.data.open()?;
    let findings = engine.check()?;
    for finding in &findings {
        say!("{finding}");
    }
    let tables = counted(engine.stat()?.tables.len(), "table");
    if findings.is_empty() {
        say!("no problems: {tables}, all indexes match their items");
        return Ok(ExitCode::SUCCESS);
    }
    say!("{} in {tables}", counted(findings.len(), "problem"));
    Ok(ExitCode::from(UNSOUND))
}
