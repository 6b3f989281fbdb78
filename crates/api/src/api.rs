//! Everything that is served: the designs, the authenticator, the records of changes and the limits.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keyfold_connections::{BodyMemory, ReadinessSource, ResponseMemory};
use keyfold_environment::SystemRandom;

use crate::change_records::ChangeRecords;
use crate::identity::authenticator::Authenticator;
use crate::limits::Limits;
use crate::limits::rate::Gate;
use crate::limits::request_slots::RequestSlots;
use crate::metrics::Metrics;
use crate::request_id::RequestIds;
use crate::served_design::{ServedDesign, Unservable};

/// The address of the machine keys, below `/v1`: a design of this name would have the same.
pub(crate) const MACHINE_KEYS_SEGMENT: &str = "machine-keys";

/// What an API is made of.
pub struct Options {
    pub designs: Vec<ServedDesign>,
    pub authenticator: Arc<dyn Authenticator>,
    pub limits: Limits,
    /// Whether a change of an item with a version must state the version with `If-Match`; otherwise it gets 428.
    pub require_versions: bool,
    /// Where responses by idempotency key and the audit log are stored.
    pub change_records: ChangeRecords,
    /// Whether documents and metrics are for everyone. Otherwise documents are for authenticated callers, and metrics
    /// for operators.
    pub public_docs: bool,
    /// The state of the backend, for probes and metrics; `None` if it has none of its own.
    pub readiness: Option<ReadinessSource>,
}

pub struct Api {
    pub(crate) designs: Vec<Arc<ServedDesign>>,
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(crate) limits: Limits,
    pub(crate) require_versions: bool,
    pub(crate) change_records: ChangeRecords,
    pub(crate) public_docs: bool,
    pub(crate) readiness: Option<ReadinessSource>,
    pub(crate) gate: Gate,
    pub(crate) request_ids: RequestIds,
    pub(crate) metrics: Metrics,
    pub(crate) request_slots: Arc<RequestSlots>,
    pub(crate) body_memory: BodyMemory,
    pub(crate) response_memory: ResponseMemory,
    stopping: AtomicBool,
}

impl Api {
    pub fn new(options: Options) -> Result<Arc<Self>, Unservable> {
        let mut names = BTreeSet::new();
        let authenticator = &options.authenticator;
        for served in &options.designs {
            if !names.insert(served.design().name.clone()) {
                return Err(Unservable::Twice { design: served.design().name.clone() });
            }
            if served.design().name == MACHINE_KEYS_SEGMENT && authenticator.machine_keys().is_some() {
                return Err(Unservable::ReservedName { design: served.design().name.clone() });
            }
            refuse_ambiguous_subjects(served, authenticator.as_ref())?;
        }
        Ok(Arc::new(Self {
            designs: options.designs.into_iter().map(Arc::new).collect(),
            authenticator: options.authenticator,
            request_slots: RequestSlots::new(options.limits.requests),
            body_memory: BodyMemory::new(options.limits.bodies_bytes, options.limits.body_bytes),
            response_memory: ResponseMemory::new(options.limits.responses_bytes),
            gate: Gate::new(&options.limits.rates),
            limits: options.limits,
            require_versions: options.require_versions,
            change_records: options.change_records,
            public_docs: options.public_docs,
            readiness: options.readiness,
            request_ids: RequestIds::new(&SystemRandom)?,
            metrics: Metrics::default(),
            stopping: AtomicBool::new(false),
        }))
    }

    pub fn designs(&self) -> &[Arc<ServedDesign>] {
        &self.designs
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// From now on, the readiness probe fails.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

/// Without the issuer, a subject of one issuer would act as whoever has it at another.
fn refuse_ambiguous_subjects(served: &ServedDesign, authenticator: &dyn Authenticator) -> Result<(), Unservable> {
    if served.finds_users_by_issuer() {
        return Ok(());
    }
    let design = served.design().name.clone();
    match authenticator.ambiguous_issuers(&design) {
        issuers if issuers.is_empty() => Ok(()),
        issuers => Err(Unservable::AmbiguousSubjects { design, issuers }),
    }
}
