//! `keyfold person export|erase|reapply`: the personal data of one subject of a design.

mod erase;
mod export;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use keyfold_api::change_records::RecordTable;
use keyfold_design::{Design, counted};
use keyfold_runtime::{Caller, Options, Runtime, require_persons};

use crate::audit::AuditTableArguments;
use crate::design::{Project, refuse_unfit};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print what the tables hold of a subject, as JSON lines: items, entries of the audit log, stored responses
    Export(PersonArguments),
    /// Erase the personal attributes of a subject, and replace them by a pseudonym in the audit log
    Erase(erase::Arguments),
    /// Reapply recorded erasures after restoring a backup
    Reapply(erase::ReapplyArguments),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Export(arguments) => export::run(&arguments),
            Self::Erase(arguments) => erase::run(&arguments),
            Self::Reapply(arguments) => erase::reapply(&arguments),
        }
    }
}

/// A subject, and the tables with their data.
#[derive(Args)]
pub(crate) struct PersonArguments {
    #[command(flatten)]
    tables: Tables,
    /// Subject, as in tokens
    #[arg(long)]
    subject: String,
}

/// The tables with personal data.
#[derive(Args)]
struct Tables {
    /// Design file, or folder with a design.yaml
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    #[command(flatten)]
    audit: AuditTableArguments,
}

/// A design with its table and the audit log.
struct Opened {
    design: Arc<Design>,
    runtime: Runtime,
    /// Absent if the server keeps neither an audit log nor responses.
    records: Option<RecordTable>,
}

impl Tables {
    async fn open(&self) -> anyhow::Result<Opened> {
        let design = Project::open(&self.design)?.design;
        require_persons(&design)?;
        let (records, open) = self.audit.find().await?;
        refuse_unfit(&design, &open.place)?;
        let options = Options::standard(&design)?;
        let runtime = Runtime::new(Arc::clone(&design), open.backend, options);
        Ok(Opened { design, runtime, records })
    }
}

/// Reads and changes the items of all tenants.
fn caller() -> Caller {
    Caller::superuser("keyfold:erasure")
}

/// The failure that stored responses may be those of the person, and do not say so.
fn unmarked_failure(count: u64) -> Option<String> {
    let responses = counted(count, "stored response");
    (count > 0).then(|| {
        format!(
            "{responses} of an earlier version may be theirs: repeat the command when they have expired, in 24 hours"
        )
    })
}

/// Prints what remains to be done.
fn print_failures(failures: &[String]) -> ExitCode {
    for failure in failures {
        report!("error: {failure}");
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
