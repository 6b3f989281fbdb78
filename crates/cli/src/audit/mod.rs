//! `keyfold audit export|verify`: the audit log, without a server.

mod export;
mod verify;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use keyfold_api::change_records::{ChangeRecordError, RecordTable};
use keyfold_engine::Engine;
use keyfold_runtime::{Error, SystemClock};

use crate::backend::{BackendArguments, BackendPlace, OpenBackend};
use crate::table_name::table_name;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print entries as JSON lines, tenant by tenant, the oldest of each first
    Export(export::Arguments),
    /// Compare the log with its hash chain: removed, changed and added entries show. Exit code 2 if there are any
    Verify(verify::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Export(arguments) => export::run(&arguments),
            Self::Verify(arguments) => verify::run(&arguments),
        }
    }
}

/// The table of the audit log.
#[derive(Args)]
pub(crate) struct AuditTableArguments {
    #[command(flatten)]
    backend: BackendArguments,
    /// Table of the audit log, as in `keyfold serve --audit-table`
    #[arg(long, value_name = "NAME", env = "KEYFOLD_AUDIT_TABLE", default_value = "keyfold_audit", value_parser = table_name)]
    audit_table: String,
}

impl AuditTableArguments {
    /// Opens the table; it must exist.
    pub(crate) async fn open(&self) -> anyhow::Result<(RecordTable, OpenBackend)> {
        match self.find().await? {
            (Some(table), open) => Ok((table, open)),
            (None, open) => {
                let (name, place) = (&self.audit_table, &open.place);
                bail!("table `{name}` not found on {place}: name the table of the audit log with --audit-table")
            }
        }
    }

    /// Opens the backend, and the table if it exists.
    pub(crate) async fn find(&self) -> anyhow::Result<(Option<RecordTable>, OpenBackend)> {
        let place = self.backend.place()?;
        // Opening a folder without data would create them.
        if let BackendPlace::Folder(folder) = &place
            && !Engine::exists_in(folder)
        {
            bail!("`{}` is not a Keyfold data folder: name the one of the server with --data", folder.display());
        }
        let open = place.open().await?;
        let name = &self.audit_table;
        match RecordTable::open(Arc::clone(&open.backend), name, Arc::new(SystemClock)).await {
            Ok(table) => Ok((Some(table), open)),
            Err(ChangeRecordError::Runtime(Error::TableNotFound)) => Ok((None, open)),
            Err(error) => Err(error).with_context(|| format!("cannot open the table `{name}` on {}", open.place)),
        }
    }
}
