//! The creation of tables.

use std::time::Duration;

use keyfold_dynamo::operation::{CreateTableInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::{TableStatus, TimeToLiveStatus};
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_environment::Clock;

use crate::error::Error;
use crate::runtime::Runtime;

/// How often the state of a new table is read: DynamoDB takes some seconds to create one.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
const POLLS: u32 = 1200;

impl Runtime {
    /// Creates the table if it does not exist, waits until it can be used, and enables the design's time to live.
    /// Returns whether it was created.
    pub async fn create_table(&self) -> Result<bool, Error> {
        let mut input = self.design.create_table();
        input.table_name.clone_from(&self.table);
        let ttl = self.design.table.ttl.as_deref();
        ensure_table(self.backend.as_ref(), input, ttl, self.clock.as_ref()).await
    }
}

/// Creates a table if it does not exist, waits until it can be used, and enables time to live by the attribute `ttl`,
/// if there is one. Returns whether the table was created. A call that was interrupted can be repeated: it does what is
/// left.
pub async fn ensure_table(
    backend: &dyn Backend,
    input: CreateTableInput,
    ttl: Option<&str>,
    clock: &dyn Clock,
) -> Result<bool, Error> {
    let name = input.table_name.clone();
    let (created, active) = match backend.create_table(input).await {
        Ok(table) => (true, table.status == TableStatus::Active),
        // It exists, or another process is creating it.
        Err(ServiceError::ResourceInUse(_)) => (false, false),
        Err(error) => return Err(error.into()),
    };
    if !active {
        until_active(backend, &name, clock).await?;
    }
    if let Some(attribute) = ttl {
        ensure_expiry(backend, &name, attribute).await?;
    }
    Ok(created)
}

async fn until_active(backend: &dyn Backend, name: &str, clock: &dyn Clock) -> Result<(), Error> {
    for _ in 0..POLLS {
        match backend.describe_table(name.to_owned()).await {
            // A table that is being updated can be used.
            Ok(table) if matches!(table.status, TableStatus::Active | TableStatus::Updating) => return Ok(()),
            // A table may be unknown for a moment after it was created.
            Ok(_) | Err(ServiceError::ResourceNotFound(_)) => clock.sleep(POLL_INTERVAL).await,
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Unavailable(format!("the table `{name}` is still being created")))
}

/// Enables time to live, unless it is enabled already: DynamoDB rejects a second request.
async fn ensure_expiry(backend: &dyn Backend, name: &str, attribute: &str) -> Result<(), Error> {
    if is_expiring(backend, name, attribute).await? {
        return Ok(());
    }
    let input =
        UpdateTimeToLiveInput { table_name: name.to_owned(), attribute_name: attribute.to_owned(), enabled: true };
    match backend.update_time_to_live(input).await {
        Ok(_) => Ok(()),
        // Another process was faster.
        Err(ServiceError::Validation(_)) if is_expiring(backend, name, attribute).await? => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether the table removes items that have expired by this attribute.
async fn is_expiring(backend: &dyn Backend, name: &str, attribute: &str) -> Result<bool, Error> {
    let expiry = backend.describe_time_to_live(name.to_owned()).await?;
    let is_on = matches!(expiry.status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling);
    Ok(is_on && expiry.attribute_name.as_deref() == Some(attribute))
}
