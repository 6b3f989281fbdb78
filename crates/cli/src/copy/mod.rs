//! `keyfold copy`: a table from one backend to another.

mod location;
mod screen;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::Args;
use keyfold_tables::copy::{CopyError, CopyOptions, Event, Outcome, Progress, Verdict, compare, copy};

use location::{Location, open_both};
use screen::Screen;

/// The verification found differences.
const DIFFERENT: u8 = 2;

#[derive(Args)]
pub struct Arguments {
    /// The table to copy: PLACE/TABLE, where PLACE is a folder of the embedded engine, `aws`, or the URL of a service
    /// (`alternator:` and a URL for a ScyllaDB cluster)
    #[arg(long, value_name = "PLACE/TABLE")]
    from: Location,
    /// Where to: PLACE/TABLE as in --from; created like the source if it is not there
    #[arg(long, value_name = "PLACE/TABLE")]
    to: Location,
    /// How many parts of the table are copied side by side
    #[arg(long, value_name = "NUMBER", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    segments: u32,
    /// Where the copy notes how far it is, so that the same command goes on after an interruption
    /// [default: ./keyfold-copy-SOURCE-to-TARGET.journal]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Copy into a table that has items: those with the same keys are replaced, the others stay
    #[arg(long)]
    merge: bool,
    /// Do not compare the tables after the copy
    #[arg(long)]
    no_verify: bool,
    /// Compare the tables only; nothing is copied
    #[arg(long, conflicts_with_all = ["no_verify", "journal"])]
    verify_only: bool,
    /// Put right what the comparison finds: write what is missing or different, delete what the source does not have
    #[arg(long, conflicts_with = "no_verify")]
    repair: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let executor = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (from, to) = executor.block_on(open_both(&arguments.from, &arguments.to))?;
    let journal = arguments
        .journal
        .clone()
        .unwrap_or_else(|| format!("keyfold-copy-{}-to-{}.journal", arguments.from.table, arguments.to.table).into());
    let options = CopyOptions {
        segments: arguments.segments,
        merge: arguments.merge,
        verify: !arguments.no_verify,
        repair: arguments.repair,
        ..CopyOptions::new(journal.clone())
    };
    let progress = Arc::new(Progress::default());
    let screen = Screen::new(Arc::clone(&progress), options.segments, options.merge);
    let report = |event: Event| screen.show(event, &from.place, &to.place);
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
        Err(error) => Err(with_advice(error, arguments, &journal)),
    }
}

/// Ctrl-C lets the pages at hand come to their end, and what they brought is noted.
async fn until_interrupted<T>(work: impl Future<Output = T>, progress: &Progress) -> T {
    tokio::pin!(work);
    tokio::select! {
        outcome = &mut work => return outcome,
        _ = tokio::signal::ctrl_c() => progress.stop.store(true, Ordering::Relaxed),
    }
    work.await
}

/// Tells of differences; that there are none has been told.
fn conclude(verdict: Option<Verdict>) -> ExitCode {
    let Some(Verdict { differences, findings, repaired, .. }) = verdict.filter(|verdict| !verdict.is_equal()) else {
        return ExitCode::SUCCESS;
    };
    if repaired > 0 {
        say!("{} put right, and then there were others", counted(repaired, "difference"));
    }
    for finding in &findings {
        say!("{finding}");
    }
    let untold = differences.saturating_sub(findings.len() as u64);
    if untold > 0 {
        say!("and {} more", counted(untold, "difference"));
    }
    say!("the tables differ: {}; the same command with --repair puts that right", counted(differences, "difference"));
    ExitCode::from(DIFFERENT)
}

fn with_advice(error: CopyError, arguments: &Arguments, journal: &Path) -> anyhow::Error {
    let advice = match &error {
        CopyError::NotEmpty { .. } => Some("--merge copies into it".to_owned()),
        _ if journal.exists() && !arguments.verify_only && !matches!(error, CopyError::Journal(_)) => {
            Some(format!("the same command goes on where this one ended, by `{}`", journal.display()))
        }
        _ => None,
    };
    // The causes of an error are told behind it; advice comes last.
    match advice {
        Some(advice) => anyhow::anyhow!("{:#}\n{advice}", anyhow::Error::new(error)),
        None => error.into(),
    }
}

/// A number with its noun.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
