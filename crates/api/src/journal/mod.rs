//! What is kept of changes in a table of its own: answers to requests that may be sent again, and who changed what. Both
//! are written in the transaction of the change: neither is there without it, nor it without them.

mod answer;
mod audit;
mod audit_query;
mod beside;
mod idempotency;
mod settings;
mod table;

use std::collections::HashSet;
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::operation::{GetItemInput, PutItemInput};
use keyfold_dynamo::{Attributes, Backend, Item, ServiceError};
use keyfold_environment::random_bytes;
use keyfold_runtime::{Caller, Clock, Error, Random};
use parking_lot::Mutex;

pub use self::answer::Answer;
pub use self::audit::Denial;
use self::audit::{Actor, Change, entry_item};
pub(crate) use self::audit::{identity_of, verb_of};
pub use self::audit_query::{About, AuditEntry, AuditPage, AuditQuery, Only};
pub use self::beside::{Alongside, Answering};
use self::idempotency::{Claim, Once, stored};
pub use self::idempotency::{Fingerprint, KEY_HEADER, REPLAYED_HEADER};
pub use self::settings::JournalSettings;
use crate::principal::Principal;

/// Why a journal did not let a request through.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum JournalError {
    #[error("the Idempotency-Key was used for another request")]
    Mismatch,
    #[error("a request with this Idempotency-Key is being answered")]
    InProgress,
    #[error("an Idempotency-Key has 1 to {} visible characters", idempotency::LONGEST_KEY)]
    BadKey,
    #[error("an Idempotency-Key is of those who say who they are")]
    Anonymous,
    #[error("this server keeps no answers: send the request without an Idempotency-Key")]
    SwitchedOff,
    #[error("this server keeps no log of changes")]
    NoAudit,
    #[error("the cursor is not one of this query")]
    BadCursor,
    #[error(transparent)]
    Runtime(#[from] Error),
}

impl From<ServiceError> for JournalError {
    fn from(error: ServiceError) -> Self {
        Self::Runtime(error.into())
    }
}

/// A request that may change something.
pub struct Asked<'a> {
    pub design: &'a Arc<Design>,
    pub principal: &'a Principal,
    /// The tenant that it is about, where it says so.
    pub tenant: Option<&'a str>,
    /// The value of the header `Idempotency-Key`, with what the request says.
    pub key: Option<(&'a str, Fingerprint)>,
    pub request_id: &'a str,
}

/// Whether a request is to be carried out.
pub enum Begun<'j> {
    Go(Entry<'j>),
    /// It was, and this was the answer.
    Replay(Answer),
}

/// The place in the journal of a request that is being carried out.
pub struct Entry<'j> {
    journal: &'j Journal,
    design: Arc<Design>,
    actor: Actor,
    once: Option<Once<'j>>,
    /// Keeps entries of the same millisecond apart.
    drawn: [u8; 8],
}

struct Open {
    backend: Arc<dyn Backend>,
    settings: JournalSettings,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    /// The requests that this process is at.
    in_flight: Mutex<HashSet<[u8; 32]>>,
}

pub struct Journal {
    open: Option<Open>,
}

impl Journal {
    /// Keeps nothing, and costs nothing.
    pub fn off() -> Self {
        Self { open: None }
    }

    /// Opens the journal's table, which is created where it is absent.
    pub async fn open(
        backend: Arc<dyn Backend>,
        settings: JournalSettings,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Self, Error> {
        if !settings.idempotency && !settings.audit {
            return Ok(Self::off());
        }
        table::create(backend.as_ref(), &settings.table, clock.as_ref()).await?;
        Ok(Self { open: Some(Open { backend, settings, clock, random, in_flight: Mutex::default() }) })
    }

    /// Whether a log of changes is kept.
    pub fn keeps_log(&self) -> bool {
        self.audits().is_some()
    }

    /// Whether answers are kept for requests that are sent again.
    pub fn keeps_answers(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.settings.idempotency)
    }

    fn audits(&self) -> Option<&Open> {
        self.open.as_ref().filter(|open| open.settings.audit)
    }

    /// Looks whether the request has been answered before.
    pub async fn begin<'j>(&'j self, asked: Asked<'_>) -> Result<Begun<'j>, JournalError> {
        let caller = &asked.principal.caller;
        let mut once = None;
        if let Some((key, fingerprint)) = asked.key {
            let open = self.open.as_ref().filter(|open| open.settings.idempotency);
            let open = open.ok_or(JournalError::SwitchedOff)?;
            let id = idempotency::id(&asked.design.name, caller, asked.tenant, key)?;
            let claim = Claim::of(&open.in_flight, id).ok_or(JournalError::InProgress)?;
            if let Some(answer) = open.answered(&id, &fingerprint).await? {
                return Ok(Begun::Replay(answer));
            }
            once = Some(Once { id, fingerprint, _claim: claim });
        }
        let drawn = match self.audits() {
            Some(open) => random_bytes(open.random.as_ref()).map_err(Error::from)?,
            None => [0; 8],
        };
        let actor = Actor::of(asked.design, asked.principal, asked.tenant, asked.request_id);
        Ok(Begun::Go(Entry { journal: self, design: Arc::clone(asked.design), actor, once, drawn }))
    }

    /// Notes what was refused. It is a request of its own: where it fails, that is logged, and the answer stays.
    pub async fn denied(&self, denial: Denial<'_>) {
        let Some(open) = self.audits().filter(|_| denial.principal.caller.subject.is_some()) else { return };
        let drawn = match random_bytes(open.random.as_ref()) {
            Ok(drawn) => drawn,
            Err(cause) => {
                tracing::warn!(%cause, "a refused request could not be noted");
                return;
            }
        };
        let actor = Actor::of(denial.design, denial.principal, denial.tenant, denial.request_id);
        let change = Change { verb: denial.verb, entity: denial.entity, identity: denial.identity.to_owned() };
        let item = entry_item(open, &denial.design.name, &actor, None, &change, audit::DENIED, (drawn, 0));
        let input = PutItemInput { table_name: open.settings.table.clone(), item, ..PutItemInput::default() };
        if let Err(cause) = open.backend.put_item(input).await {
            tracing::warn!(%cause, "a refused request could not be noted");
        }
    }

    /// Whether the log of changes may be read: by operators, and in their own tenant by those of a role for it.
    pub fn may_read(&self, design: &Design, caller: &Caller) -> bool {
        let Some(open) = self.audits() else { return false };
        let is_reader = open.settings.audit_readers.iter().any(|role| caller.roles.contains(role));
        caller.is_operator(design) || is_reader && (caller.tenant.is_some() || design.tenant.is_none())
    }
}

impl Open {
    /// What the same request was answered with.
    async fn answered(&self, id: &[u8; 32], fingerprint: &Fingerprint) -> Result<Option<Answer>, JournalError> {
        let input = GetItemInput {
            table_name: self.settings.table.clone(),
            key: idempotency::key(id),
            consistent_read: true,
            ..GetItemInput::default()
        };
        let item = self.backend.get_item(input).await?.item.map(Item::into_attributes).transpose();
        let item: Option<Attributes> = item.map_err(ServiceError::from)?;
        match item {
            Some(item) => stored(&item, fingerprint, self.clock.now_ms()),
            None => Ok(None),
        }
    }
}

impl Entry<'_> {
    /// What a failure means: where another copy of the same request was faster, its answer is this one's as well.
    pub async fn settle(&self, error: Error) -> Result<Answer, JournalError> {
        let (Some(once), Some(open)) = (&self.once, &self.journal.open) else { return Err(error.into()) };
        let found = match &error {
            Error::SideWriteFailed { item: Some(item), .. } => stored(item, &once.fingerprint, open.clock.now_ms())?,
            // The other one's change may be what stands in the way of this one.
            Error::SideWriteFailed { .. }
            | Error::Exists { .. }
            | Error::NotFound { .. }
            | Error::Conflict { .. }
            | Error::Constraint(_) => open.answered(&once.id, &once.fingerprint).await?,
            _ => None,
        };
        match (found, error) {
            (Some(answer), _) => Ok(answer),
            (None, Error::SideWriteFailed { .. }) => Err(JournalError::InProgress),
            (None, error) => Err(error.into()),
        }
    }
}
