//! Reads what there is of a table.

use keyfold_dynamo::operation::{ScanInput, TimeToLiveDescription};
use keyfold_dynamo::table::{TableDescription, TableStatus, Tags, TimeToLiveStatus};
use keyfold_dynamo::{Backend, ServiceError};

use crate::patience::{Patience, is_throttling};
use crate::plan::{DesiredTable, LiveTable};

/// The table of a name, as far as it matters to what it should be; `None` where there is none.
pub async fn read_live(
    backend: &dyn Backend,
    desired: &DesiredTable,
    patience: &Patience,
) -> Result<Option<LiveTable>, ServiceError> {
    let name = &desired.create.table_name;
    let Some(description) = describe(backend, name, patience).await? else { return Ok(None) };
    let transient = matches!(description.status, TableStatus::Creating | TableStatus::Deleting);
    // A table that is not there yet, or not any more, has no settings to ask for.
    let (time_to_live, tags, empty) = if transient {
        let nothing = TimeToLiveDescription { status: TimeToLiveStatus::Disabled, attribute_name: None };
        (nothing, Some(Tags::new()), true)
    } else {
        let time_to_live = patience.send(|| backend.describe_time_to_live(name.clone())).await?;
        // Only who asks for tags needs the right to read them.
        let tags = if desired.create.tags.is_empty() {
            Some(Tags::new())
        } else {
            tags(backend, &description.arn, patience).await
        };
        (time_to_live, tags, is_empty(backend, &description, patience).await?)
    };
    let point_in_time_recovery = if desired.point_in_time_recovery && !transient {
        let backups = backend.describe_continuous_backups(name.clone()).await;
        backups.ok().map(|backups| backups.point_in_time_recovery)
    } else {
        None
    };
    Ok(Some(LiveTable { description, time_to_live, tags, point_in_time_recovery, empty }))
}

pub(crate) async fn describe(
    backend: &dyn Backend,
    name: &str,
    patience: &Patience,
) -> Result<Option<TableDescription>, ServiceError> {
    match patience.send(|| backend.describe_table(name.to_owned())).await {
        Ok(description) => Ok(Some(description)),
        Err(ServiceError::ResourceNotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The count of a description may be hours old, so an empty table is one in which nothing is found.
pub(crate) async fn is_empty(
    backend: &dyn Backend,
    description: &TableDescription,
    patience: &Patience,
) -> Result<bool, ServiceError> {
    if description.item_count > 0 {
        return Ok(false);
    }
    let mut scan = ScanInput { table_name: description.name.clone(), ..ScanInput::default() };
    scan.page.limit = Some(1);
    scan.page.consistent_read = true;
    let page = patience.send(|| backend.scan(scan.clone())).await?;
    Ok(page.count == 0 && page.last_evaluated_key.is_none())
}

/// The tags of a table; `None` where the backend does not tell them. Not every service with DynamoDB's protocol has tags,
/// and not everyone may read them.
pub(crate) async fn tags(backend: &dyn Backend, arn: &str, patience: &Patience) -> Option<Tags> {
    let is_passing = |error: &ServiceError| is_throttling(error) || matches!(error, ServiceError::Unavailable(_));
    let mut tags = Tags::new();
    let mut next = None;
    loop {
        let request = || backend.list_tags_of_resource(arn.to_owned(), next.clone());
        let page = patience.send_while(is_passing, request).await.ok()?;
        tags.extend(page.tags);
        next = page.next_token;
        if next.is_none() {
            return Some(tags);
        }
    }
}
