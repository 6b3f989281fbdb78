//! The one place where changes go to the runtime, each with what the journal keeps of it.

use std::borrow::Cow;

use axum::body::Body;
use http::Response;
use http::header::{HeaderName, HeaderValue};
use keyfold_design::model::EntityId;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{DeleteOptions, Error, Write};

use crate::exchange::Exchange;
use crate::journal::{Answer, Answering, Entry, JournalError, REPLAYED_HEADER};
use crate::problem::{Kind, Problem};

impl Exchange {
    /// Makes changes, all or none, and answers as `answering` makes of what they leave.
    pub async fn change(
        &self,
        entry: &Entry<'_>,
        writes: Vec<Write>,
        answering: &Answering<'_>,
    ) -> Result<Response<Body>, Problem> {
        let entities = self.entities_of(&writes);
        let beside = entry.beside(&self.with_tenants(&writes).await, answering);
        let outcome = self.served.runtime.transact_with(&self.caller, writes, &beside).await;
        self.changed(entry, &entities, outcome.map(|left| answering(&left))).await
    }

    /// Deletes an item, in several steps where much goes with it.
    pub async fn delete(
        &self,
        entry: &Entry<'_>,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
        answering: &Answering<'_>,
    ) -> Result<Response<Body>, Problem> {
        let write = [Write::Delete { entity: entity.to_owned(), identity: identity.clone(), options }];
        let entities = self.entities_of(&write);
        let beside = entry.beside(&self.with_tenants(&write).await, answering);
        let outcome = self.served.runtime.delete_with(&self.caller, entity, identity, options, &beside).await;
        self.changed(entry, &entities, outcome.map(|()| answering(&[None]))).await
    }

    /// The writes as the log needs them. An operator may delete by an id that does not tell whose the item is: then it is
    /// looked up, so that its tenant's log tells of it.
    async fn with_tenants<'w>(&self, writes: &'w [Write]) -> Cow<'w, [Write]> {
        let design = self.served.design();
        let Some(tenant) = design.tenant.as_ref().filter(|_| self.api.journal.keeps_log() && self.is_operator()) else {
            return Cow::Borrowed(writes);
        };
        let mut told = Cow::Borrowed(writes);
        for (place, write) in writes.iter().enumerate() {
            let Write::Delete { entity, identity, .. } = write else { continue };
            let is_of_tenants = design.entity_named(entity).is_some_and(|entity| entity.scope.has_tenant());
            if !is_of_tenants || identity.contains_key(&tenant.attribute) {
                continue;
            }
            let found = self.served.runtime.get(&self.caller, entity, identity.clone()).await.ok().flatten();
            let owner = found.and_then(|mut record| record.attributes.remove(&tenant.attribute));
            if let (Some(owner), Some(Write::Delete { identity, .. })) = (owner, told.to_mut().get_mut(place)) {
                identity.insert(tenant.attribute.clone(), owner);
            }
        }
        told
    }

    async fn changed(
        &self,
        entry: &Entry<'_>,
        entities: &[EntityId],
        outcome: Result<Answer, Error>,
    ) -> Result<Response<Body>, Problem> {
        self.served.known.changed(entities.iter().copied());
        match outcome {
            Ok(answer) => Ok(answer.into()),
            Err(error) => match entry.settle(error).await {
                Ok(answer) => Ok(replayed(answer)),
                Err(error) => Err(self.not_let_through(entities, error)),
            },
        }
    }

    /// What the journal did not let through, as this caller may hear it.
    pub fn not_let_through(&self, entities: &[EntityId], error: JournalError) -> Problem {
        let detail = error.to_string();
        match error {
            JournalError::Mismatch => Problem::new(Kind::IDEMPOTENCY_MISMATCH, detail),
            JournalError::InProgress => {
                Problem { retry_after: Some(1), ..Problem::new(Kind::IDEMPOTENCY_IN_PROGRESS, detail) }
            }
            JournalError::BadKey | JournalError::Anonymous | JournalError::SwitchedOff => {
                Problem::new(Kind::IDEMPOTENCY_KEY, detail)
            }
            JournalError::NoAudit => Problem::nothing_here(),
            JournalError::BadCursor => Problem::new(Kind::BAD_CURSOR, detail),
            JournalError::Runtime(error) => self.refused(entities, error),
        }
    }

    fn entities_of(&self, writes: &[Write]) -> Vec<EntityId> {
        let design = self.served.design();
        writes.iter().filter_map(|write| design.entity_named(entity_of(write))).map(|entity| entity.id).collect()
    }
}

fn entity_of(write: &Write) -> &str {
    match write {
        Write::Create { entity, .. }
        | Write::Put { entity, .. }
        | Write::Upsert { entity, .. }
        | Write::Patch { entity, .. }
        | Write::Delete { entity, .. } => entity,
    }
}

impl From<Answer> for Response<Body> {
    fn from(answer: Answer) -> Self {
        let mut response = Response::new(Body::from(answer.body));
        *response.status_mut() = answer.status;
        // With room for what every answer gets.
        response.headers_mut().reserve(answer.headers.len() + 4);
        response.headers_mut().extend(answer.headers);
        response
    }
}

/// An answer of before, which says so.
pub fn replayed(answer: Answer) -> Response<Body> {
    let mut response = Response::from(answer);
    let name = HeaderName::from_static(REPLAYED_HEADER);
    response.headers_mut().insert(name, HeaderValue::from_static("true"));
    response
}
