//! The table of a design.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::UpdateTimeToLiveInput;

use crate::error::Error;
use crate::runtime::Runtime;

impl Runtime {
    /// Creates the table where it is not there; whether it was created.
    pub async fn create_table(&self) -> Result<bool, Error> {
        let mut input = self.design.create_table();
        input.table_name.clone_from(&self.table);
        match self.backend.create_table(input).await {
            Ok(_) => {}
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
}
