//! The records of changes: responses by idempotency key, and the audit log. They have a table of their own, and are
//! written in the transaction of the change: neither exists without it, nor it without them.

pub(crate) mod audit_log;
mod claim;
mod hash_part;
mod idempotency;
mod maintenance;
mod person_records;
mod record_item;
mod record_table;
mod settings;
mod side_writes;
mod table;

use std::collections::HashSet;
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::operation::GetItemInput;
use keyfold_dynamo::{Attributes, Backend, Item, ServiceError};
use keyfold_environment::random_bytes;
use keyfold_runtime::{Caller, Clock, Error, Random, ScopeArea};
use parking_lot::Mutex;

pub(crate) use self::audit_log::identity_of;
pub use self::audit_log::{
    Act, AuditEntry, AuditExport, AuditFilter, AuditPage, AuditQuery, AuditScope, ChainFinding, ChainHead, ChainReport,
    ExportedEntry, ItemRead, ShownItem,
};
use self::audit_log::{Actor, EntryCounts, KnownPartitions, SealSchedule};
use self::idempotency::{Claim, KeyedRequest, stored_response};
pub use self::idempotency::{Fingerprint, KEY_HEADER, REPLAYED_HEADER, StoredResponse};
pub use self::person_records::{ErasedRecords, PersonRecords, RecordedPerson, pseudonym};
pub use self::record_table::RecordTable;
pub use self::settings::ChangeRecordSettings;
pub use self::side_writes::{PendingRecords, ResponseBuilder};
use crate::identity::principal::Principal;

/// Why a request was rejected before its change, or why its records cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ChangeRecordError {
    #[error("the Idempotency-Key was used for another request")]
    Mismatch,
    #[error("a request with this Idempotency-Key is in progress")]
    InProgress,
    #[error("an Idempotency-Key has 1 to {} visible characters", idempotency::LONGEST_KEY)]
    BadKey,
    #[error("an Idempotency-Key requires an authenticated caller")]
    Anonymous,
    #[error("idempotency is off on this server: send the request without an Idempotency-Key")]
    IdempotencyOff,
    #[error("this server keeps no audit log")]
    NoAuditLog,
    #[error("the cursor does not belong to this query")]
    InvalidCursor,
    /// A parameter of a query of the audit log is invalid.
    #[error("{0}")]
    InvalidQuery(String),
    #[error(transparent)]
    Runtime(#[from] Error),
}

impl From<ServiceError> for ChangeRecordError {
    fn from(error: ServiceError) -> Self {
        Self::Runtime(error.into())
    }
}

/// A request that may change something.
pub struct ChangeRequest<'a> {
    pub design: &'a Arc<Design>,
    pub principal: &'a Principal,
    /// The tenant that it is about, where it states one.
    pub tenant: Option<&'a str>,
    /// The value of the header `Idempotency-Key`, with the fingerprint of the request.
    pub key: Option<(&'a str, Fingerprint)>,
    pub request_id: &'a str,
}

/// Whether to execute a request.
pub enum Admission<'j> {
    Execute(PendingChange<'j>),
    /// It was executed before: the stored response.
    Replay(StoredResponse),
}

/// A request that is being executed.
pub struct PendingChange<'j> {
    change_records: &'j ChangeRecords,
    design: Arc<Design>,
    actor: Actor,
    keyed: Option<KeyedRequest<'j>>,
    /// Distinguishes entries of the same millisecond.
    random: [u8; 8],
}

struct Open {
    table: RecordTable,
    settings: ChangeRecordSettings,
    random: Arc<dyn Random>,
    /// The requests that this process is executing.
    in_flight: Mutex<HashSet<[u8; 32]>>,
    counts: Mutex<EntryCounts>,
    partitions: Mutex<KnownPartitions>,
    seal_schedule: Mutex<SealSchedule>,
}

pub struct ChangeRecords {
    open: Option<Open>,
}

impl ChangeRecords {
    /// Stores nothing: idempotency and the audit log are off.
    pub fn off() -> Self {
        Self { open: None }
    }

    /// Opens the table of the records, and creates it if it is missing.
    pub async fn open(
        backend: Arc<dyn Backend>,
        settings: ChangeRecordSettings,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Self, Error> {
        if !settings.idempotency && !settings.audit {
            return Ok(Self::off());
        }
        table::create(backend.as_ref(), &settings.table, clock.as_ref()).await?;
        Ok(Self {
            open: Some(Open {
                table: RecordTable { backend, name: settings.table.clone(), clock },
                settings,
                random,
                in_flight: Mutex::default(),
                counts: Mutex::default(),
                partitions: Mutex::default(),
                seal_schedule: Mutex::default(),
            }),
        })
    }

    /// Whether there is an audit log.
    pub fn keeps_audit_log(&self) -> bool {
        self.audit_log().is_some()
    }

    /// Whether responses are stored by idempotency key.
    pub fn accepts_idempotency_keys(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.settings.idempotency)
    }

    fn audit_log(&self) -> Option<&Open> {
        self.open.as_ref().filter(|open| open.settings.audit)
    }

    /// Whether a response is stored for an idempotency key of the caller.
    pub(crate) async fn has_response(
        &self,
        design: &Design,
        caller: &Caller,
        tenant: Option<&str>,
        key: &str,
    ) -> Result<bool, ChangeRecordError> {
        let Some(open) = self.open.as_ref().filter(|open| open.settings.idempotency) else { return Ok(false) };
        let Ok(id) = idempotency::id(&design.name, caller, tenant, key) else { return Ok(false) };
        Ok(open.stored(&id).await?.is_some())
    }

    /// Looks for the response of an earlier copy of the request.
    pub async fn begin<'j>(&'j self, request: ChangeRequest<'_>) -> Result<Admission<'j>, ChangeRecordError> {
        let caller = &request.principal.caller;
        let mut keyed = None;
        if let Some((key, fingerprint)) = request.key {
            let open = self.open.as_ref().filter(|open| open.settings.idempotency);
            let open = open.ok_or(ChangeRecordError::IdempotencyOff)?;
            let id = idempotency::id(&request.design.name, caller, request.tenant, key)?;
            let claim = Claim::acquire(&open.in_flight, id).ok_or(ChangeRecordError::InProgress)?;
            if let Some(response) = open.response(&id, &fingerprint).await? {
                return Ok(Admission::Replay(response));
            }
            keyed = Some(KeyedRequest { id, fingerprint, _claim: claim });
        }
        let actor = Actor::new(request.design, request.principal, request.tenant, request.request_id);
        let random = match self.audit_log() {
            Some(open) => {
                open.note_partition(&actor.partition(&request.design.name));
                open.store_partitions().await?;
                random_bytes(open.random.as_ref()).map_err(Error::from)?
            }
            None => [0; 8],
        };
        Ok(Admission::Execute(PendingChange {
            change_records: self,
            design: Arc::clone(request.design),
            actor,
            keyed,
            random,
        }))
    }

    /// Notes where the entries of a change are, where that was not known before it. A failure is logged; the next round
    /// of maintenance tries again.
    pub(crate) async fn store_new_partitions(&self) {
        let Some(open) = self.audit_log() else { return };
        if let Err(cause) = open.store_partitions().await {
            tracing::warn!(%cause, "a new partition of the audit log could not be noted");
        }
    }

    /// Whether the caller may read the audit log: operators may, and in their own tenant the roles that the settings
    /// name.
    pub fn may_read(&self, design: &Design, caller: &Caller) -> bool {
        let Some(open) = self.audit_log() else { return false };
        let is_reader = open.settings.audit_readers.iter().any(|role| caller.roles.contains(role));
        let is_allowed =
            caller.is_operator(design) || is_reader && (caller.tenant.is_some() || design.tenant.is_none());
        is_allowed && caller.is_in_scope(ScopeArea::AuditLog)
    }
}

impl Open {
    /// The stored response of the same request.
    async fn response(
        &self,
        id: &[u8; 32],
        fingerprint: &Fingerprint,
    ) -> Result<Option<StoredResponse>, ChangeRecordError> {
        match self.stored(id).await? {
            Some(item) => stored_response(&item, fingerprint, self.table.clock.now_ms()),
            None => Ok(None),
        }
    }

    /// The item of an idempotency key.
    async fn stored(&self, id: &[u8; 32]) -> Result<Option<Attributes>, ServiceError> {
        let input = GetItemInput {
            table_name: self.table.name.clone(),
            key: idempotency::key(id),
            consistent_read: true,
            ..GetItemInput::default()
        };
        let item = self.table.backend.get_item(input).await?.item.map(Item::into_attributes).transpose();
        item.map_err(ServiceError::from)
    }
}

impl PendingChange<'_> {
    /// Explains a failure: where another copy of the same request was faster, its response is this one's as well.
    pub async fn resolve_failure(&self, error: Error) -> Result<StoredResponse, ChangeRecordError> {
        let (Some(keyed), Some(open)) = (&self.keyed, &self.change_records.open) else { return Err(error.into()) };
        let found = match &error {
            Error::SideWriteFailed { item: Some(item), .. } => {
                stored_response(item, &keyed.fingerprint, open.table.clock.now_ms())?
            }
            // The change of the other copy may be the reason of this failure.
            Error::SideWriteFailed { .. }
            | Error::Exists { .. }
            | Error::NotFound { .. }
            | Error::Conflict { .. }
            | Error::Constraint(_) => open.response(&keyed.id, &keyed.fingerprint).await?,
            _ => None,
        };
        match (found, error) {
            (Some(response), _) => Ok(response),
            (None, Error::SideWriteFailed { .. }) => Err(ChangeRecordError::InProgress),
            (None, error) => Err(error.into()),
        }
    }
}
