//! Reads the current state of a table.

use keyfold_dynamo::operation::{ScanInput, TimeToLiveDescription};
use keyfold_dynamo::table::{TableDescription, TableStatus, Tags, TimeToLiveStatus};
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_environment::Backoff;

use crate::plan::{DesiredTable, LiveTable};
use crate::retry::{send, send_while};

/// Reads the state that a plan compares; `None` if the table does not exist.
pub async fn read_live(
    backend: &dyn Backend,
    desired: &DesiredTable,
    backoff: Backoff,
) -> Result<Option<LiveTable>, ServiceError> {
    let name = &desired.create.table_name;
    let Some(description) = describe(backend, name, backoff).await? else { return Ok(None) };
    let transient = matches!(description.status, TableStatus::Creating | TableStatus::Deleting);
    // A table that is being created or deleted has no settings to read.
    let (time_to_live, tags, empty) = if transient {
        let nothing = TimeToLiveDescription { status: TimeToLiveStatus::Disabled, attribute_name: None };
        (nothing, Some(Tags::new()), true)
    } else {
        let time_to_live = send(backoff, || backend.describe_time_to_live(name.clone())).await?;
        // Reading tags needs a permission of its own, so they are read only if the desired table has some.
        let tags = if desired.create.tags.is_empty() {
            Some(Tags::new())
        } else {
            tags(backend, &description, backoff).await?
        };
        (time_to_live, tags, is_empty(backend, &description, backoff).await?)
    };
    let point_in_time_recovery = if desired.point_in_time_recovery && !transient {
        let backups = send_while(backoff, is_passing, || backend.describe_continuous_backups(name.clone())).await;
        known(backups)?.map(|backups| backups.point_in_time_recovery)
    } else {
        None
    };
    Ok(Some(LiveTable { description, time_to_live, tags, point_in_time_recovery, empty }))
}

pub(crate) async fn describe(
    backend: &dyn Backend,
    name: &str,
    backoff: Backoff,
) -> Result<Option<TableDescription>, ServiceError> {
    match send(backoff, || backend.describe_table(name.to_owned())).await {
        Ok(description) => Ok(Some(description)),
        Err(ServiceError::ResourceNotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The item count of a description may be hours old, so a count of zero is checked with a scan.
pub(crate) async fn is_empty(
    backend: &dyn Backend,
    description: &TableDescription,
    backoff: Backoff,
) -> Result<bool, ServiceError> {
    if description.item_count > 0 {
        return Ok(false);
    }
    let mut scan = ScanInput { table_name: description.name.clone(), ..ScanInput::default() };
    scan.page.limit = Some(1);
    scan.page.consistent_read = true;
    let page = send(backoff, || backend.scan(scan.clone())).await?;
    Ok(page.count == 0 && page.last_evaluated_key.is_none())
}

/// The tags of a table; `None` where the backend has no tags or refuses to list them.
pub(crate) async fn tags(
    backend: &dyn Backend,
    table: &TableDescription,
    backoff: Backoff,
) -> Result<Option<Tags>, ServiceError> {
    let Some(arn) = &table.arn else { return Ok(None) };
    let mut tags = Tags::new();
    let mut next = None;
    loop {
        let request = || backend.list_tags_of_resource(arn.clone(), next.clone());
        let Some(page) = known(send_while(backoff, is_passing, request).await)? else { return Ok(None) };
        tags.extend(page.tags);
        next = page.next_token;
        if next.is_none() {
            return Ok(Some(tags));
        }
    }
}

/// Whether the backend may respond later. An internal error is not among these: it is also what a backend without the
/// operation responds.
fn is_passing(error: &ServiceError) -> bool {
    error.is_throttling() || matches!(error, ServiceError::Unavailable(_))
}

/// An optional setting; `None` where the backend does not have it, or does not let this caller read it.
fn known<T>(response: Result<T, ServiceError>) -> Result<Option<T>, ServiceError> {
    match response {
        Ok(setting) => Ok(Some(setting)),
        Err(ServiceError::AccessDenied(_) | ServiceError::Validation(_) | ServiceError::Internal(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
