//! A request that changes something, as it is taken in: whether it may, what it says, whether it was answered before.

use axum::body::Body;
use bytes::Bytes;
use http::Response;

use crate::body;
use crate::change::replayed;
use crate::exchange::Exchange;
use crate::journal::{Asked, Begun, Denial, Entry, Fingerprint, JournalError, KEY_HEADER};
use crate::problem::Problem;

pub enum Taken<'x> {
    /// To be carried out: its place in the journal, and its body.
    Go(Entry<'x>, Bytes),
    /// It was carried out before, and this was the answer.
    Replay(Response<Body>),
}

impl Exchange {
    /// Takes a request in whose body is of one of the media types; none for requests without one.
    pub async fn take(&self, allowed: Result<(), Problem>, body: Body, types: &[&str]) -> Result<Taken<'_>, Problem> {
        let may_be_again = self.parts.headers.contains_key(KEY_HEADER) && self.caller.subject.is_some();
        if !may_be_again {
            allowed?;
            return self.begin(body, types).await;
        }
        // Whoever may not do it any more may have done it before: that answer is theirs, and nothing else is.
        match (self.begin(body, types).await, allowed) {
            (Ok(Taken::Replay(answer)), _) => Ok(Taken::Replay(answer)),
            (_, Err(refused)) => Err(refused),
            (begun, Ok(())) => begun,
        }
    }

    async fn begin(&self, body: Body, types: &[&str]) -> Result<Taken<'_>, Problem> {
        let Self { parts, .. } = self;
        let body = match types {
            [] => Bytes::new(),
            types => body::read(&parts.headers, body, types, &self.api.limits).await?,
        };
        let refused = |error| self.not_let_through(&[], error);
        let address = parts.uri.path_and_query().map_or("", |address| address.as_str());
        let key = self.idempotency_key().map_err(refused)?;
        let key = key.map(|key| (key, Fingerprint::of(&parts.method, address, &parts.headers, &body)));
        let asked = Asked {
            design: self.served.design(),
            principal: &self.principal,
            tenant: self.tenant_spoken_of()?,
            key,
            request_id: self.request_id(),
        };
        match self.api.journal.begin(asked).await.map_err(refused)? {
            Begun::Go(entry) => Ok(Taken::Go(entry, body)),
            Begun::Replay(answer) => Ok(Taken::Replay(replayed(answer))),
        }
    }

    fn idempotency_key(&self) -> Result<Option<&str>, JournalError> {
        let mut keys = self.parts.headers.get_all(KEY_HEADER).iter();
        match (keys.next(), keys.next()) {
            (None, _) => Ok(None),
            (Some(key), None) => key.to_str().map(Some).map_err(|_| JournalError::BadKey),
            _ => Err(JournalError::BadKey),
        }
    }

    /// The tenant that an operator speaks of.
    fn tenant_spoken_of(&self) -> Result<Option<&str>, Problem> {
        if self.is_operator() { self.stated_tenant() } else { Ok(None) }
    }

    /// Notes in the log of changes what a rule refused.
    pub async fn note_denial(&self, verb: &str, entity: &str, identity: &str) {
        let denial = Denial {
            design: self.served.design(),
            principal: &self.principal,
            tenant: self.tenant_spoken_of().unwrap_or_default(),
            verb,
            entity,
            identity,
            request_id: self.request_id(),
        };
        self.api.journal.denied(denial).await;
    }
}
