//! `keyfold person export|erase|reapply`: the personal data of one subject of a design.

mod erase;
mod export;
mod items;
mod placeholder;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use keyfold_api::change_records::AuditTable;
use keyfold_design::Design;
use keyfold_dynamo::Backend;
use keyfold_runtime::{Options, Runtime};

use crate::audit::AuditTableArguments;
use crate::design::{Project, refuse_unfit};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print what the tables hold of a subject, as JSON lines: items, entries of the audit log, stored responses
    Export(export::Arguments),
    /// Erase the personal attributes of a subject, and replace them by a pseudonym in the audit log
    Erase(erase::Arguments),
    /// Erase again, after the restore of a backup, whoever was erased
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
    backend: Arc<dyn Backend>,
    runtime: Runtime,
    /// Absent if the server keeps neither an audit log nor responses.
    audit: Option<AuditTable>,
}

impl Tables {
    async fn open(&self) -> anyhow::Result<Opened> {
        let design = Project::open(&self.design)?.design;
        items::require_persons(&design)?;
        let (audit, open) = self.audit.find().await?;
        refuse_unfit(&design, &open.place)?;
        let options = Options::standard(&design)?;
        let runtime = Runtime::new(Arc::clone(&design), Arc::clone(&open.backend), options);
        Ok(Opened { design, backend: open.backend, runtime, audit })
    }
}

fn executor() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
}
