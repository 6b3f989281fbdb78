//! `keyfold audit verify`

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use keyfold_api::change_records::{ChainHead, ChainReport};
use keyfold_design::counted;
use serde_json::json;

use super::AuditTableArguments;
use crate::erasures;
use crate::executor::executor;
use crate::exit_code::FAULTS_FOUND;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    table: AuditTableArguments,
    /// Segment that was printed by an earlier run and kept elsewhere, NUMBER:HASH: the chain must still have it
    #[arg(long, value_name = "HEAD", value_parser = head)]
    head: Option<ChainHead>,
    /// File of erasures, as in `keyfold person erase`: every erased entry must be recorded in it
    #[arg(long, value_name = "FILE")]
    erasures: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn head(text: &str) -> anyhow::Result<ChainHead> {
    let Some((number, hash)) = text.split_once(':') else {
        bail!("expected NUMBER:HASH, as `keyfold audit verify` prints it")
    };
    let number = number.parse().with_context(|| format!("`{number}` is not the number of a segment"))?;
    Ok(ChainHead { number, hash: hash.to_owned() })
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let executor = executor()?;
    let erasures: Option<HashSet<String>> = match &arguments.erasures {
        Some(file) => Some(erasures::read(file)?.into_iter().map(|erasure| erasure.pseudonym).collect()),
        None => None,
    };
    let report = executor.block_on(async {
        let (audit, _open) = arguments.table.open().await?;
        anyhow::Ok(audit.verify(arguments.head.as_ref(), erasures.as_ref()).await?)
    })?;
    if arguments.json {
        print_json(&report)
    } else {
        print_text(&report)
    }
    Ok(if report.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FAULTS_FOUND) })
}

fn print_text(report: &ChainReport) {
    for finding in &report.findings {
        say!("{finding}");
    }
    let (sealed, segments) = (counted(report.sealed, "entry"), counted(report.segments, "segment"));
    let unsealed = report.unsealed;
    match report.findings.len() {
        0 => say!("no problems: {sealed} in {segments} as they were sealed, {unsealed} not sealed yet"),
        count => {
            say!("{}: {sealed} in {segments} as they were sealed, {unsealed} not sealed", counted(count, "problem"))
        }
    }
    if report.erased > 0 {
        say!("{} from which a person was erased", counted(report.erased, "entry"));
    }
    if let Some(ChainHead { number, hash }) = &report.head {
        say!("head {number}:{hash}");
    }
}

fn print_json(report: &ChainReport) {
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let head = report.head.as_ref().map(|head| format!("{}:{}", head.number, head.hash));
    let ChainReport { segments, sealed, unsealed, erased, .. } = report;
    say!(
        "{}",
        json!({"findings": findings, "segments": segments, "sealed": sealed, "unsealed": unsealed, "erased": erased, "head": head})
    );
}
