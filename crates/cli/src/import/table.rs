//! `keyfold import table`

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use keyfold_dynamo::table::{TableDescription, TimeToLiveStatus};
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_import::{ImportedTable, draft_from_items};

use super::sampling::sample;
use super::{Output, no_draft};
use crate::backend::BackendArguments;
use crate::executor::executor;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Table name
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    backend: BackendArguments,
    /// Maximum number of items to read
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sample: u32,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    arguments.output.refuse_existing()?;
    let executor = executor()?;
    let name = &arguments.name;
    let (facts, sample) = executor.block_on(async {
        let open = arguments.backend.open().await?;
        let facts = describe(open.backend.as_ref(), name).await.with_context(|| open.place.to_string())?;
        let items = sample(open.backend.as_ref(), name, arguments.sample as usize).await;
        anyhow::Ok((facts, items.with_context(|| open.place.to_string())?))
    })?;
    let draft = draft_from_items(&facts, &sample, &format!("the table `{name}`"))
        .map_err(|found| no_draft(&format!("the table `{name}`"), &found))?;
    arguments.output.write(&draft)?;
    Ok(ExitCode::SUCCESS)
}

/// Describes the table. Missing permissions for further settings become notes in the draft.
async fn describe(backend: &dyn Backend, name: &str) -> anyhow::Result<ImportedTable> {
    let description = backend.describe_table(name.to_owned()).await?;
    let mut facts = ImportedTable::from_description(&description)?;
    if let Some(key) =
        facts.table.keys().chain(facts.index_only_keys()).find(|key| key.name.contains(char::is_whitespace))
    {
        bail!("the key `{}` has a space in its name, which a design does not support", key.name);
    }
    match backend.describe_time_to_live(name.to_owned()).await {
        Ok(ttl) if matches!(ttl.status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling) => {
            facts.table.ttl = ttl.attribute_name;
        }
        Ok(_) => {}
        Err(error) => facts.notes.push(format!("the time to live could not be read: {error}")),
    }
    match backend.describe_continuous_backups(name.to_owned()).await {
        Ok(backups) => facts.table.point_in_time_recovery = backups.point_in_time_recovery,
        Err(error) => facts.notes.push(format!("the backup settings could not be read: {error}")),
    }
    if let Err(error) = read_tags(backend, &description, &mut facts).await {
        facts.notes.push(format!("the tags could not be read: {error}"));
    }
    facts.notes.push("the stream and encryption of the table are not read: declare them under `table:`".to_owned());
    Ok(facts)
}

/// Adds the tags of a table, except those that begin with `aws:`, which only AWS can set.
async fn read_tags(
    backend: &dyn Backend,
    table: &TableDescription,
    facts: &mut ImportedTable,
) -> Result<(), ServiceError> {
    let arn = table.arn.as_ref();
    let arn = arn.ok_or_else(|| ServiceError::Internal("the service reports no ARN of the table".to_owned()))?;
    let mut next = None;
    loop {
        let page = backend.list_tags_of_resource(arn.clone(), next).await?;
        facts.table.tags.extend(page.tags.into_iter().filter(|(key, _)| !key.starts_with("aws:")));
        next = page.next_token;
        if next.is_none() {
            return Ok(());
        }
    }
}
