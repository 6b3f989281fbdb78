//! `keyfold audit export`

use std::process::ExitCode;

use keyfold_api::change_records::{AuditExport, ExportedEntry};
use keyfold_design::counted;

use super::AuditTableArguments;
use crate::executor::executor;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    table: AuditTableArguments,
    /// Design whose entries to print; all by default
    #[arg(long, value_name = "NAME")]
    design: Option<String>,
    /// Tenant whose entries to print; all by default
    #[arg(long, requires = "design")]
    tenant: Option<String>,
    /// Subject whose requests to print
    #[arg(long)]
    subject: Option<String>,
    /// Entity whose entries to print
    #[arg(long)]
    entity: Option<String>,
    /// Earliest time, inclusive, for example 2026-11-15T13:00:00Z
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Latest time, exclusive
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { table, design, tenant, subject, entity, from, to } = arguments;
    let export = AuditExport {
        design: design.clone(),
        tenant: tenant.clone(),
        subject: subject.clone(),
        entity: entity.clone(),
        from: from.clone(),
        to: to.clone(),
    };
    let executor = executor()?;
    let undecodable = executor.block_on(async {
        let (audit, _open) = table.open().await?;
        anyhow::Ok(audit.export(&export, &mut print).await?)
    })?;
    for key in &undecodable {
        report!("not an entry of the audit log: {key}");
    }
    if undecodable.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    report!("error: {} could not be decoded", counted(undecodable.len(), "entry"));
    Ok(ExitCode::FAILURE)
}

fn print(entry: ExportedEntry) {
    match serde_json::to_string(&entry) {
        Ok(line) => say!("{line}"),
        Err(error) => report!("error: an entry cannot be printed: {error}"),
    }
}
