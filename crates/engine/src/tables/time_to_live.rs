//! UpdateTimeToLive and DescribeTimeToLive.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{TimeToLiveDescription, UpdateTimeToLiveInput};
use keyfold_dynamo::table::TimeToLiveStatus;

use super::delete::purge;
use crate::catalog::TimeToLive;
use crate::shared::Shared;
use crate::write::Pending;

impl Shared {
    pub(crate) fn describe_time_to_live(&self, name: &str) -> Result<TimeToLiveDescription, ServiceError> {
        let definition = self.existing_table(name)?.definition();
        Ok(match &definition.time_to_live {
            Some(time_to_live) => TimeToLiveDescription {
                status: TimeToLiveStatus::Enabled,
                attribute_name: Some(time_to_live.attribute.clone()),
            },
            None => TimeToLiveDescription { status: TimeToLiveStatus::Disabled, attribute_name: None },
        })
    }

    pub(crate) fn update_time_to_live(
        &self,
        input: UpdateTimeToLiveInput,
    ) -> Result<Pending<UpdateTimeToLiveInput>, ServiceError> {
        let _one_at_a_time = self.definitions.lock();
        let table = self.existing_table(&input.table_name)?;
        let current = table.definition().time_to_live.clone();
        let (new, changes) = match (current, input.enabled) {
            (None, false) => return Err(ServiceError::validation("TimeToLive is already disabled")),
            (Some(current), true) if current.attribute == input.attribute_name => {
                return Err(ServiceError::validation("TimeToLive is already enabled"));
            }
            (Some(current), true) => {
                return Err(ServiceError::validation(format!(
                    "TimeToLive is active on a different AttributeName: current AttributeName is {}",
                    current.attribute
                )));
            }
            (Some(current), false) if current.attribute != input.attribute_name => {
                return Err(ServiceError::validation(format!(
                    "TimeToLive is active on a different AttributeName: current AttributeName is {}",
                    current.attribute
                )));
            }
            (Some(current), false) => (None, vec![purge(current.id)]),
            (None, true) => {
                let (id, ids) = self.catalog.allocate_ids(1);
                let attribute = input.attribute_name.clone();
                (Some(TimeToLive { id, attribute, backfilling: true }), vec![ids])
            }
        };
        let (_, handle) = self.redefine(&table, |definition| definition.time_to_live = new, changes)?;
        Ok(Pending::new(Ok(input), Some(handle)))
    }
}
