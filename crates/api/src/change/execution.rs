//! Executes changes: the one place where they go to the runtime, each with its records.

use std::borrow::Cow;

use axum::body::Body;
use http::Response;
use keyfold_design::model::EntityId;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{DeleteOptions, Error, Record, Write};

use super::replay::ResponseContent;
use crate::change_records::{ChangeRecordError, PendingChange, ResponseBuilder, ShownItem, StoredResponse};
use crate::request::exchange::Exchange;
use crate::response::problem::{Problem, ProblemKind};

impl Exchange {
    /// Executes writes, all or none. `respond` builds the response from the items after the change.
    pub(crate) async fn change(
        &self,
        pending: &PendingChange<'_>,
        writes: Vec<Write>,
        respond: &ResponseBuilder<'_>,
        content: ResponseContent<'_>,
    ) -> Result<Response<Body>, Problem> {
        let entities = self.entities_of(&writes);
        let side_writes = pending.side_writes(&self.with_tenants(&writes).await?, respond);
        let outcome = self.served.runtime.transact_with(&self.caller, writes, &side_writes).await;
        if let Ok(left) = &outcome
            && side_writes.changes_nothing()
        {
            // Nothing was written, no entry either.
            let shown: Vec<&Record> = left.iter().flatten().filter(|record| record.is_readable).collect();
            self.record_records(&shown).await?;
        }
        self.conclude(pending, &entities, outcome.map(|left| respond(&left)), content).await
    }

    /// Deletes an item, in several steps where many others go with it.
    pub(crate) async fn delete(
        &self,
        pending: &PendingChange<'_>,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
        respond: &ResponseBuilder<'_>,
    ) -> Result<Response<Body>, Problem> {
        let write = [Write::Delete { entity: entity.to_owned(), identity: identity.clone(), options }];
        let entities = self.entities_of(&write);
        let side_writes = pending.side_writes(&self.with_tenants(&write).await?, respond);
        let outcome = self.served.runtime.delete_with(&self.caller, entity, identity, options, &side_writes).await;
        self.conclude(pending, &entities, outcome.map(|()| respond(&[None])), ResponseContent::Nothing).await
    }

    /// The writes as the audit log needs them. An operator may delete by an identity without the tenant: then the item
    /// is looked up, so that the entry goes to its tenant's log.
    async fn with_tenants<'w>(&self, writes: &'w [Write]) -> Result<Cow<'w, [Write]>, Problem> {
        let design = self.served.design();
        let Some(tenant) =
            design.tenant.as_ref().filter(|_| self.api.change_records.keeps_audit_log() && self.is_operator())
        else {
            return Ok(Cow::Borrowed(writes));
        };
        let mut complete = Cow::Borrowed(writes);
        for (position, write) in writes.iter().enumerate() {
            let Write::Delete { entity, identity, .. } = write else { continue };
            let is_of_tenants = design.entity_named(entity).is_some_and(|entity| entity.scope.has_tenant());
            if !is_of_tenants || identity.contains_key(&tenant.attribute) {
                continue;
            }
            let found = match self.served.runtime.get_as_stored(&self.caller, entity, identity.clone()).await {
                Ok(found) => found,
                // The delete itself reports what is wrong with the identity or the item.
                Err(
                    Error::Invalid(_) | Error::ImpossibleIdentity(_) | Error::NotAllowed(_) | Error::Undecodable { .. },
                ) => None,
                Err(error) => return Err(self.problem(&self.entities_of(writes), error)),
            };
            let owner = found.and_then(|mut record| record.attributes.remove(&tenant.attribute));
            let owner = owner.filter(|owner| owner.as_str().is_some());
            if let (Some(owner), Some(Write::Delete { identity, .. })) = (owner, complete.to_mut().get_mut(position)) {
                identity.insert(tenant.attribute.clone(), owner);
            }
        }
        Ok(complete)
    }

    /// The response to a change, or to the request that it turns out to be a retry of.
    async fn conclude(
        &self,
        pending: &PendingChange<'_>,
        entities: &[EntityId],
        outcome: Result<StoredResponse, Error>,
        content: ResponseContent<'_>,
    ) -> Result<Response<Body>, Problem> {
        self.served.callers.invalidate(entities.iter().copied());
        self.api.change_records.store_new_partitions().await;
        match outcome {
            Ok(response) => response.try_into(),
            Err(error) => match pending.resolve_failure(error).await {
                Ok(response) => self.replay(response, content).await,
                Err(error) => {
                    self.record_current(&error).await?;
                    Err(self.change_record_problem(entities, error))
                }
            },
        }
    }

    /// Records that the problem of a conflict shows the current item, or that of a condition something about it.
    async fn record_current(&self, error: &ChangeRecordError) -> Result<(), Problem> {
        let ChangeRecordError::Runtime(error) = error else { return Ok(()) };
        let (entity, attributes) = match error {
            Error::Conflict { item: Some(item), current: Some(attributes) } => (&item.entity, attributes),
            Error::ConditionNotMet { entity, item, .. } => (entity, item),
            _ => return Ok(()),
        };
        match self.served.design().entity_named(entity) {
            Some(entity) => self.record_read(&[ShownItem { entity: entity.id, attributes }]).await,
            None => Ok(()),
        }
    }

    /// The problem for an error of the records of a change, as far as this caller may know it.
    pub(crate) fn change_record_problem(&self, entities: &[EntityId], error: ChangeRecordError) -> Problem {
        let detail = error.to_string();
        match error {
            ChangeRecordError::Mismatch => Problem::new(ProblemKind::IDEMPOTENCY_MISMATCH, detail),
            ChangeRecordError::InProgress => {
                Problem { retry_after: Some(1), ..Problem::new(ProblemKind::IDEMPOTENCY_IN_PROGRESS, detail) }
            }
            ChangeRecordError::BadKey | ChangeRecordError::Anonymous | ChangeRecordError::IdempotencyOff => {
                Problem::new(ProblemKind::IDEMPOTENCY_KEY, detail)
            }
            ChangeRecordError::NoAuditLog => Problem::no_resource(),
            ChangeRecordError::InvalidCursor => Problem::for_field(ProblemKind::BAD_CURSOR, "cursor", detail),
            ChangeRecordError::InvalidQuery(_) => Problem::new(ProblemKind::BAD_PARAMETER, detail),
            ChangeRecordError::Runtime(error) => self.problem(entities, error),
        }
    }

    fn entities_of(&self, writes: &[Write]) -> Vec<EntityId> {
        let design = self.served.design();
        writes.iter().filter_map(|write| design.entity_named(write.entity())).map(|entity| entity.id).collect()
    }
}
