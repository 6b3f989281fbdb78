//! `keyfold engine repair`

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use keyfold_design::counted;
use keyfold_engine::repair::{Loss, RepairReport};
use keyfold_wire::attributes_json;
use serde_json::{Value, json};

use super::ExistingData;
use super::progress::ProgressLine;
use super::stat::OutputFormat;
use crate::exit_code::FAULTS_FOUND;
use crate::private_files;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: ExistingData,
    /// New data folder; must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// New file for the items that may be older, one JSON object per line [default: the new folder's name with
    /// `.uncertain`]
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    private_files::create_privately();
    let folder = arguments.data.inspect()?;
    let list_path = arguments.list.clone().unwrap_or_else(|| with_suffix(&arguments.to, ".uncertain"));
    anyhow::ensure!(
        !list_path.exists(),
        "`{}` exists: it may be the list of an earlier repair; move it away, or name another file with --list",
        list_path.display()
    );
    folder.require_outside(&list_path)?;
    // What a repair that was killed has left is overwritten.
    let draft = with_suffix(&list_path, ".incomplete");
    let failed = |path: &Path| format!("cannot write `{}`", path.display());
    let mut list = BufWriter::new(File::create(&draft).with_context(|| failed(&draft))?);
    let mut line = ProgressLine::new();
    let report = folder.repair(
        &arguments.to,
        &mut |item| {
            let key: Value = serde_json::from_slice(&attributes_json(&item.key))?;
            writeln!(list, "{}", json!({"table": item.table, "key": key}))
        },
        &mut |progress| line.show(progress),
    );
    line.clear();
    let uncertain = |report: &RepairReport| report.tables.iter().map(|table| table.uncertain).sum::<u64>();
    if report.as_ref().map_or(0, uncertain) == 0 {
        // Nothing is in it, or nothing was repaired.
        let _ = std::fs::remove_file(&draft);
    } else {
        list.flush().and_then(|()| list.get_ref().sync_all()).with_context(|| failed(&draft))?;
        std::fs::rename(&draft, &list_path).with_context(|| failed(&list_path))?;
    }
    let report = report.with_context(|| format!("cannot repair `{}`", arguments.data.data.display()))?;
    match arguments.format {
        OutputFormat::Text => print_text(&report, &arguments.to, &list_path),
        OutputFormat::Json => say!("{}", as_json(&report)),
    }
    let is_whole = !report.losses.iter().any(Loss::loses_rows) && uncertain(&report) == 0;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(FAULTS_FOUND) })
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

fn print_text(report: &RepairReport, to: &Path, list: &Path) {
    for loss in &report.losses {
        say!("{loss}");
    }
    for table in &report.tables {
        say!("table `{}`: {} items", table.name, table.items);
        if table.uncertain > 0 {
            say!("  {} of them may be older than their last write, or deleted", table.uncertain);
        }
        if table.is_uncertain {
            say!("  the definition may be older, or the table deleted");
        }
    }
    if report.tables.iter().any(|table| table.uncertain > 0) {
        say!("`{}` lists the items that may be older", list.display());
    }
    say!("{} salvaged to `{}`", counted(report.tables.len(), "table"), to.display());
}

fn as_json(report: &RepairReport) -> serde_json::Value {
    let tables: Vec<_> = report
        .tables
        .iter()
        .map(|table| {
            json!({
                "name": table.name,
                "items": table.items,
                "uncertain": table.uncertain,
                "definitionUncertain": table.is_uncertain,
            })
        })
        .collect();
    let losses: Vec<_> = report.losses.iter().map(ToString::to_string).collect();
    json!({"losses": losses, "tables": tables})
}
