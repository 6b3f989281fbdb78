//! Admission of a request that changes something: authorization, its body, and whether it is a retry.

use axum::body::Body;
use bytes::Bytes;
use http::Response;
use http::uri::PathAndQuery;

use super::replay::ResponseContent;
use crate::change_records::{
    Admission, ChangeRecordError, ChangeRequest, Denial, Fingerprint, KEY_HEADER, PendingChange,
};
use crate::request::body;
use crate::request::exchange::Exchange;
use crate::response::problem::Problem;

pub(crate) enum AdmittedChange<'x> {
    /// To be executed: the change with its idempotency key, and its body.
    Execute(PendingChange<'x>, Bytes),
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
        let may_be_retry = self.parts.headers.contains_key(KEY_HEADER) && self.caller.subject.is_some();
        if !may_be_retry {
            authorized?;
            return self.begin(body, types, content).await;
        }
        // A caller who has lost the permission to write since then still gets the stored response, and nothing else.
        match (self.begin(body, types, content).await, authorized) {
            (Ok(AdmittedChange::Replay(response)), _) => Ok(AdmittedChange::Replay(response)),
            (_, Err(denied)) => Err(denied),
            (begun, Ok(())) => begun,
        }
    }

    async fn begin(
        &self,
        body: Body,
        types: &[&str],
        content: ResponseContent<'_>,
    ) -> Result<AdmittedChange<'_>, Problem> {
        let Self { parts, .. } = self;
        let body = match types {
            [] => Bytes::new(),
            types => body::read(&self.api, &parts.headers, body, types).await?,
        };
        let problem = |error| self.change_record_problem(&[], error);
        let address = parts.uri.path_and_query().map_or(parts.uri.path(), PathAndQuery::as_str);
        let key = self.idempotency_key().map_err(problem)?;
        let key = key.map(|key| (key, Fingerprint::new(&parts.method, address, &parts.headers, &body)));
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

    /// The tenant that an operator acts on.
    fn operator_tenant(&self) -> Result<Option<&str>, Problem> {
        if self.is_operator() { self.stated_tenant() } else { Ok(None) }
    }

    /// Records in the audit log what a rule denied.
    pub(crate) async fn record_denial(&self, verb: &str, entity: &str, identity: &str) {
        // The request is denied before its parameters are checked, and an invalid `tenant` names none.
        let tenant = self.operator_tenant().ok().flatten();
        let denial = Denial {
            design: self.served.design(),
            principal: &self.principal,
            tenant,
            verb,
            entity,
            identity,
            request_id: self.request_id(),
        };
        self.api.change_records.record_denial(denial).await;
    }
}
