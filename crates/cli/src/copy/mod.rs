//! `keyfold copy`: copies a table between backends.

mod location;
mod screen;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::Args;
use keyfold_design::counted;
use keyfold_tables::copy::{CopyError, CopyEvent, CopyOptions, Outcome, Progress, Verdict, compare, copy};

use location::{Location, open_both};
use screen::CopyScreen;

/// The verification found differences.
const DIFFERENT: u8 = 2;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Source: PLACE/TABLE, where PLACE is a data folder of the embedded engine, `aws`, or the URL of a service
    /// (`alternator:` followed by a URL for a ScyllaDB cluster)
    #[arg(long, value_name = "PLACE/TABLE")]
    from: Location,
    /// Target: PLACE/TABLE as in --from; created like the source if missing
    #[arg(long, value_name = "PLACE/TABLE")]
    to: Location,
    /// Number of segments to copy in parallel
    #[arg(long, value_name = "NUMBER", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    segments: u32,
    /// File that records progress, so that the same command can resume after an interruption
    /// [default: ./keyfold-copy-SOURCE-to-TARGET.progress]
    #[arg(long, value_name = "FILE")]
    progress_file: Option<PathBuf>,
    /// Copy into a table that has items: items with the same keys are replaced, others are kept
    #[arg(long)]
    merge: bool,
    /// Skip the verification after the copy
    #[arg(long)]
    no_verify: bool,
    /// Only compare the tables; copy nothing
    #[arg(long, conflicts_with_all = ["no_verify", "progress_file"])]
    verify_only: bool,
    /// Fix differences: write missing or different items, delete items the source does not have
    #[arg(long, conflicts_with = "no_verify")]
    repair: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let executor = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (from, to) = executor.block_on(open_both(&arguments.from, &arguments.to))?;
    let progress_file = arguments
        .progress_file
        .clone()
        .unwrap_or_else(|| format!("keyfold-copy-{}-to-{}.progress", arguments.from.table, arguments.to.table).into());
    let options = CopyOptions {
        segments: arguments.segments,
        merge: arguments.merge,
        verify: !arguments.no_verify,
        repair: arguments.repair,
        ..CopyOptions::new(progress_file.clone())
    };
    let progress = Arc::new(Progress::default());
    let screen = CopyScreen::new(Arc::clone(&progress), options.segments, options.merge);
    let report = |event: CopyEvent| screen.show(event, &from.location, &to.location);
    let outcome = executor.block_on(async {
        let work = async {
            if arguments.verify_only {
                let verdict = compare(&from, &to, &options, &progress, &report).await?;
                return Ok(Outcome { items: 0, bytes: 0, verdict: Some(verdict) });
            }
            copy(&from, &to, &options, &progress, &report).await
        };
        tokio::select! {
            outcome = until_interrupted(work, &progress) => outcome,
            () = screen.keep_going() => Err(CopyError::Stopped),
        }
    });
    screen.clear();
    match outcome {
        Ok(outcome) => Ok(conclude(outcome.verdict)),
        Err(error) => Err(with_advice(error, arguments, &progress_file)),
    }
}

/// Ctrl-C completes the current pages and records their progress.
async fn until_interrupted<T>(work: impl Future<Output = T>, progress: &Progress) -> T {
    tokio::pin!(work);
    tokio::select! {
        outcome = &mut work => return outcome,
        _ = tokio::signal::ctrl_c() => progress.stop.store(true, Ordering::Relaxed),
    }
    work.await
}

/// Reports differences; success has been reported already.
fn conclude(verdict: Option<Verdict>) -> ExitCode {
    let Some(Verdict { differences, findings, repaired, .. }) = verdict.filter(|verdict| !verdict.is_equal()) else {
        return ExitCode::SUCCESS;
    };
    if repaired > 0 {
        say!("{} fixed, then others were found", counted(repaired, "difference"));
    }
    for finding in &findings {
        say!("{finding}");
    }
    let unlisted = differences.saturating_sub(findings.len() as u64);
    if unlisted > 0 {
        say!("and {} more", counted(unlisted, "difference"));
    }
    say!("the tables differ: {}; run the same command with --repair to fix", counted(differences, "difference"));
    ExitCode::from(DIFFERENT)
}

fn with_advice(error: CopyError, arguments: &Arguments, progress_file: &Path) -> anyhow::Error {
    let advice = match &error {
        CopyError::NotEmpty { .. } => Some("use --merge to copy into it".to_owned()),
        _ if progress_file.exists() && !arguments.verify_only && !matches!(error, CopyError::ProgressFile(_)) => {
            Some(format!("run the same command again to resume from `{}`", progress_file.display()))
        }
        _ => None,
    };
    // The causes follow the error; advice comes last.
    match advice {
        Some(advice) => anyhow::anyhow!("{:#}\n{advice}", anyhow::Error::new(error)),
        None => error.into(),
    }
}
