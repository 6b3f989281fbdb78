//! Plans of one action, sent as one request.

use keyfold_dynamo::operation::ReturnValues;
use keyfold_dynamo::{Attributes, ServiceError};

use super::{Executor, Failure};
use crate::write::plan::{Action, Effect, Request};

impl Executor<'_> {
    pub(super) async fn send_single(
        &self,
        mut action: Action,
        returned: ReturnValues,
    ) -> Result<Option<Attributes>, Failure> {
        let backend = self.items.backend;
        let outcome = match action.request(self.items.table, returned)? {
            Request::Put(input) => backend.put_item(input).await,
            Request::Update(input) => backend.update_item(input).await,
            Request::Delete(input) => backend.delete_item(input).await,
        };
        match outcome {
            Ok(output) => Ok(output.attributes),
            Err(ServiceError::ConditionalCheckFailed { item }) if action.is_not_needed(item.as_ref()) => Ok(None),
            Err(ServiceError::ConditionalCheckFailed { item }) => Err(self.guard_failure(&action, item.as_ref())),
            Err(ServiceError::TransactionConflict(_)) => Err(self.conflict(&action.key)),
            Err(error @ ServiceError::OutcomeUnknown(_)) => self.resolve_unknown(&action, error).await,
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the item to find out whether an update was made whose response got lost: its stamps identify it. If it was
    /// not made, it is planned again.
    async fn resolve_unknown(&self, action: &Action, unknown: ServiceError) -> Result<Option<Attributes>, Failure> {
        let changes = match &action.effect {
            // What is there does not tell by whom a stored value was increased.
            Effect::Update(changes) if changes.is_relative => return Err(unknown.into()),
            Effect::Update(changes) if !changes.set.is_empty() || !changes.remove.is_empty() => changes,
            Effect::Update(_) | Effect::Put(_) | Effect::Delete | Effect::Check => return Err(unknown.into()),
        };
        match self.items.attributes_at_key(action.key.clone()).await? {
            Some(stored) if changes.are_applied_to(&stored) => Ok(Some(stored)),
            _ => Err(self.conflict(&action.key)),
        }
    }
}
