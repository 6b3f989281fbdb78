//! `keyfold engine check`

use std::process::ExitCode;

use clap::Args;
use keyfold_design::counted;
use keyfold_engine::{CheckReport, Engine};
use serde_json::json;

use super::ExistingData;
use super::progress::ProgressLine;
use super::stat::OutputFormat;
use crate::exit_code::FAULTS_FOUND;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: ExistingData,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Confirm what was cut off the journals after a power failure: later checks no longer mention it
    #[arg(long)]
    confirm: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = arguments.data.inspect()?;
    let mut line = ProgressLine::new();
    let report = folder.check(&mut |progress| line.show(progress));
    line.clear();
    let report = report?;
    match arguments.format {
        OutputFormat::Text => print_text(&report),
        OutputFormat::Json => say!("{}", as_json(&report)),
    }
    if arguments.confirm {
        Engine::confirm_cuts(&arguments.data.data)?;
    }
    Ok(if report.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FAULTS_FOUND) })
}

fn print_text(report: &CheckReport) {
    for finding in &report.findings {
        say!("{finding}");
    }
    for note in &report.notes {
        say!("note: {note}");
    }
    let tables = counted(report.tables, "table");
    if report.findings.is_empty() {
        say!("no problems: {tables}, all files are as written, and all indexes, expiries and counts match the items");
    } else {
        say!("{} in {tables}; nothing was changed", counted(report.findings.len(), "problem"));
    }
}

fn as_json(report: &CheckReport) -> serde_json::Value {
    let findings: Vec<_> =
        report.findings.iter().map(|finding| json!({"kind": finding.kind(), "text": finding.to_string()})).collect();
    json!({"findings": findings, "notes": report.notes, "tables": report.tables})
}
