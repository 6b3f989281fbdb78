//! Admission of a request that changes something: authorization, its body, and whether it is a retry.

use axum::body::Body;
use http::Response;
use http::uri::PathAndQuery;
use keyfold_connections::ReceivedBody;

use super::replay::ResponseContent;
use crate::change_records::{Admission, ChangeRecordError, ChangeRequest, Fingerprint, KEY_HEADER, PendingChange};
use crate::request::body;
use crate::request::exchange::Exchange;
use crate::response::problem::Problem;

pub(crate) enum AdmittedChange<'x> {
    /// To be executed: the change with its idempotency key, and its body.
    Execute(PendingChange<'x>, ReceivedBody),
    /// Executed before: the stored response.
    Replay(Response<Body>),
}

impl Exchange {
    /// Admits a request whose body has one of the media types; none for requests without a body.
    pub(crate) async fn admit(
        &self,
        authorized: Result<(), Problem>,
        body: Body,
        types: &[&str],
        content: ResponseContent<'_>,
    ) -> Result<AdmittedChange<'_>, Problem> {
        let Err(denied) = authorized else { return self.begin(body, types, content).await };
        // A caller who has lost the permission to write since then still gets the stored response, and nothing else. A
        // body is read only if there is one.
        if !self.has_stored_response().await {
            return Err(denied);
        }
        match self.begin(body, types, content).await {
            Ok(AdmittedChange::Replay(response)) => Ok(AdmittedChange::Replay(response)),
            _ => Err(denied),
        }
    }

    /// Whether a response is stored for the idempotency key of the request. An invalid key has none.
    async fn has_stored_response(&self) -> bool {
        let (Ok(Some(key)), Ok(tenant)) = (self.idempotency_key(), self.operator_tenant()) else { return false };
        let design = self.served.design();
        let stored = self.api.change_records.has_response(design, &self.caller, tenant, key).await;
        stored.unwrap_or_else(|error| {
            tracing::warn!(%error, "stored responses cannot be read");
            false
        })
    }

    async fn begin(
        &self,
        body: Body,
        types: &[&str],
        content: ResponseContent<'_>,
    ) -> Result<AdmittedChange<'_>, Problem> {
        let Self { parts, .. } = self;
        let body = match types {
            [] => ReceivedBody::empty(),
            types => body::read(&self.api, &self.parts, &self.caller, body, types).await?,
        };
        let problem = |error| self.change_record_problem(&[], error);
        let address = parts.uri.path_and_query().map_or(parts.uri.path(), PathAndQuery::as_str);
        let key = self.idempotency_key().map_err(problem)?;
        let key = key.map(|key| (key, Fingerprint::new(&parts.method, address, &parts.headers, &body.bytes)));
        let request = ChangeRequest {
            design: self.served.design(),
            principal: &self.principal,
            tenant: self.operator_tenant()?,
            key,
            request_id: self.request_id(),
        };
        match self.api.change_records.begin(request).await.map_err(problem)? {
            Admission::Execute(pending) => Ok(AdmittedChange::Execute(pending, body)),
            Admission::Replay(response) => Ok(AdmittedChange::Replay(self.replay(response, content).await?)),
        }
    }

    fn idempotency_key(&self) -> Result<Option<&str>, ChangeRecordError> {
        let mut keys = self.parts.headers.get_all(KEY_HEADER).iter();
        match (keys.next(), keys.next()) {
            (None, _) => Ok(None),
            (Some(key), None) => key.to_str().map(Some).map_err(|_| ChangeRecordError::BadKey),
            _ => Err(ChangeRecordError::BadKey),
        }
    }
}
