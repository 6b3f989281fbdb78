//! `keyfold engine stat`

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use keyfold_design::counted;
use keyfold_engine::{RangeStat, Stat};
use serde_json::json;

use super::ExistingData;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: ExistingData,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum OutputFormat {
    Text,
    Json,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let stat = arguments.data.inspect()?.stat()?;
    match arguments.format {
        OutputFormat::Text => print_text(&stat),
        OutputFormat::Json => say!("{}", as_json(&stat)),
    }
    Ok(ExitCode::SUCCESS)
}

fn print_text(stat: &Stat) {
    say!("{} on disk, {}", bytes(stat.disk_bytes), counted(stat.tables.len(), "table"));
    for table in &stat.tables {
        say!("{}", line("", &table.table));
        for index in &table.indexes {
            say!("{}", line("  index ", index));
        }
    }
}

fn line(indent: &str, range: &RangeStat) -> String {
    format!("{:<40} {:>12} items {:>12}", format!("{indent}{}", range.name), range.items, bytes(range.bytes))
}

fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64;
    let mut unit = "bytes";
    for next in UNITS {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "bytes" { format!("{count} bytes") } else { format!("{value:.1} {unit}") }
}

fn as_json(stat: &Stat) -> serde_json::Value {
    let range = |range: &RangeStat| json!({"name": range.name, "items": range.items, "bytes": range.bytes});
    let tables: Vec<_> = stat
        .tables
        .iter()
        .map(|table| {
            let mut value = range(&table.table);
            if let Some(object) = value.as_object_mut() {
                object.insert("indexes".to_owned(), table.indexes.iter().map(range).collect());
            }
            value
        })
        .collect();
    json!({"diskBytes": stat.disk_bytes, "tables": tables})
}
