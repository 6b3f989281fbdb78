//! The table of a design.

use std::time::Duration;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::UpdateTimeToLiveInput;
use keyfold_dynamo::table::TableStatus;

use crate::error::Error;
use crate::runtime::Runtime;

/// How often the state of a new table is read: DynamoDB takes some seconds to create one.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
const POLLS: u32 = 1200;

impl Runtime {
    /// Creates the table if it does not exist, and waits until it can be used. Returns whether it was created.
    pub async fn create_table(&self) -> Result<bool, Error> {
        let mut input = self.design.create_table();
        input.table_name.clone_from(&self.table);
        match self.backend.create_table(input).await {
            Ok(table) if table.status == TableStatus::Active => {}
            Ok(_) => self.until_active().await?,
            Err(ServiceError::ResourceInUse(_)) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        if let Some(attribute) = &self.design.table.ttl {
            let input = UpdateTimeToLiveInput {
                table_name: self.table.clone(),
                attribute_name: attribute.clone(),
                enabled: true,
            };
            self.backend.update_time_to_live(input).await?;
        }
        Ok(true)
    }

    async fn until_active(&self) -> Result<(), Error> {
        for _ in 0..POLLS {
            match self.backend.describe_table(self.table.clone()).await {
                Ok(table) if table.status == TableStatus::Active => return Ok(()),
                // A table may be unknown for a moment after it was created.
                Ok(_) | Err(ServiceError::ResourceNotFound(_)) => self.clock.sleep(POLL_INTERVAL).await,
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::Unavailable(format!("the table `{}` is still being created", self.table)))
    }
}
