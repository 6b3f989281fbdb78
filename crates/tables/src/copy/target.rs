//! The target of a copy: created with the source's settings, or checked for the source's keys.

use std::time::Duration;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    BillingMode, IndexDescription, IndexSpec, TableDescription, TableStatus, Tags, Throughput,
};
use keyfold_environment::Backoff;

use super::progress_file::{EarlierProgress, ProgressFile, TargetState};
use super::{CopyError, CopyEvent, Job, Source, identity};
use crate::live::{describe, is_empty, tags};
use crate::plan::{keys_text, same_keys};
use crate::retry::{brief, send};

/// Creates or checks the target, and waits until it can be written to.
pub(super) async fn prepare(
    job: &Job<'_>,
    source: &Source,
    progress_file: &ProgressFile,
    begun: &EarlierProgress,
) -> Result<TargetState, CopyError> {
    let found = find(job, brief(job.options.backoff)).await?;
    let location = job.to.location.clone();
    let progress_file_path = job.options.progress_file.clone();
    match (&begun.target, found) {
        (None | Some(TargetState::ToBeCreated), None) => {
            progress_file.target(&TargetState::ToBeCreated)?;
            create(job, source).await?;
            let found = active(job).await?;
            check(job, source, &found, false).await?;
            let created = TargetState::Created { identity: identity(&found) };
            progress_file.target(&created)?;
            (job.report)(CopyEvent::TargetCreated);
            Ok(created)
        }
        // An earlier run created it, and was interrupted before it could record that.
        (Some(TargetState::ToBeCreated), Some(found)) => {
            check(job, source, &found, false).await?;
            let created = TargetState::Created { identity: identity(&active(job).await?) };
            progress_file.target(&created)?;
            Ok(created)
        }
        (None, Some(found)) => {
            check(job, source, &found, job.options.merge).await?;
            let target = TargetState::Found { identity: identity(&active(job).await?) };
            progress_file.target(&target)?;
            Ok(target)
        }
        (Some(TargetState::Created { .. } | TargetState::Found { .. }), None) => {
            Err(CopyError::TargetGone { location, progress_file: progress_file_path })
        }
        (
            Some(state @ (TargetState::Created { identity: known } | TargetState::Found { identity: known })),
            Some(found),
        ) => {
            if *known != identity(&found) {
                return Err(CopyError::TargetReplaced { location, progress_file: progress_file_path });
            }
            active(job).await?;
            Ok(state.clone())
        }
    }
}

async fn find(job: &Job<'_>, backoff: Backoff) -> Result<Option<TableDescription>, CopyError> {
    describe(job.to.backend.as_ref(), &job.to.table, backoff).await.map_err(|error| CopyError::reading(job.to, error))
}

/// Waits until the target can be written to.
async fn active(job: &Job<'_>) -> Result<TableDescription, CopyError> {
    let mut pause = Duration::from_millis(20);
    loop {
        match find(job, job.options.backoff).await? {
            Some(found) if matches!(found.status, TableStatus::Active | TableStatus::Updating) => return Ok(found),
            Some(found) if found.status == TableStatus::Deleting => {
                return Err(CopyError::TargetDeleting { location: job.to.location.clone() });
            }
            // DescribeTable may not find a new table for a moment.
            Some(_) | None => tokio::time::sleep(pause).await,
        }
        pause = (pause * 2).min(Duration::from_secs(2));
    }
}

/// Checks a target for comparison only.
pub(super) async fn check_keys(job: &Job<'_>, source: &Source) -> Result<(), CopyError> {
    let found = find(job, brief(job.options.backoff)).await?;
    let found = found.ok_or_else(|| CopyError::NoTarget { location: job.to.location.clone() })?;
    check_same_keys(job, source, &found)
}

fn check_same_keys(job: &Job<'_>, source: &Source, found: &TableDescription) -> Result<(), CopyError> {
    let wanted = &source.description;
    if !same_keys(
        (&wanted.key_schema, &wanted.attribute_definitions),
        (&found.key_schema, &found.attribute_definitions),
    ) {
        return Err(CopyError::OtherKeys {
            location: job.to.location.clone(),
            found: keys_text(&found.key_schema, &found.attribute_definitions),
            wanted: keys_text(&wanted.key_schema, &wanted.attribute_definitions),
        });
    }
    Ok(())
}

async fn check(job: &Job<'_>, source: &Source, found: &TableDescription, merge: bool) -> Result<(), CopyError> {
    check_same_keys(job, source, found)?;
    if merge || found.status == TableStatus::Creating {
        return Ok(());
    }
    let empty = is_empty(job.to.backend.as_ref(), found, job.options.backoff)
        .await
        .map_err(|error| CopyError::reading(job.to, error))?;
    if empty { Ok(()) } else { Err(CopyError::NotEmpty { location: job.to.location.clone() }) }
}

/// Time to live and deletion protection are enabled after the copy has been verified.
async fn create(job: &Job<'_>, source: &Source) -> Result<(), CopyError> {
    let from = &source.description;
    let tags = tags(job.from.backend.as_ref(), from, job.options.backoff)
        .await
        .map_err(|error| CopyError::reading(job.from, error))?;
    if tags.is_none() {
        (job.report)(CopyEvent::TagsUnknown);
    }
    let input = like(from, &job.to.table, tags.unwrap_or_default());
    let created = send(job.options.backoff, || job.to.backend.create_table(input.clone())).await;
    match created {
        // A response was lost and the request resent, or another client created it; `check` verifies the keys.
        Ok(_) | Err(ServiceError::ResourceInUse(_)) => Ok(()),
        Err(error) => Err(CopyError::writing(job.to, error)),
    }
}

fn like(source: &TableDescription, name: &str, mut tags: Tags) -> CreateTableInput {
    // Reserved by AWS.
    tags.retain(|key, _| !key.starts_with("aws:"));
    let provisioned = source.billing_mode == BillingMode::Provisioned;
    let spec = |index: &IndexDescription, global: bool| IndexSpec {
        name: index.name.clone(),
        key_schema: index.key_schema.clone(),
        projection: index.projection.clone(),
        throughput: index
            .throughput
            .filter(|_| global && provisioned)
            .map(|throughput| Throughput { read: throughput.read, write: throughput.write }),
        on_demand: index.on_demand.filter(|_| global && !provisioned),
    };
    let specs = |indexes: &[IndexDescription], global: bool| {
        (!indexes.is_empty()).then(|| indexes.iter().map(|index| spec(index, global)).collect())
    };
    CreateTableInput {
        table_name: name.to_owned(),
        attribute_definitions: source.attribute_definitions.clone(),
        key_schema: source.key_schema.clone(),
        global_indexes: specs(&source.global_indexes, true),
        local_indexes: specs(&source.local_indexes, false),
        billing_mode: Some(source.billing_mode),
        throughput: provisioned.then_some(Throughput { read: source.throughput.read, write: source.throughput.write }),
        on_demand: source.on_demand.filter(|_| !provisioned),
        deletion_protection: false,
        table_class: source.table_class.clone(),
        tags,
    }
}
