//! A served design: its runtime, its rules, and the addresses of its entities.

use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::model::{Entity, EntityId, Resource, Verb};
use keyfold_dynamo::Backend;
use keyfold_environment::RandomError;
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller, Decision, Options, Runtime};

use crate::identity::Person;
use crate::identity::caller_cache::CallerCache;
use crate::identity::lock_out_hint;
use crate::limits::Limits;

/// Why a design cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unservable {
    #[error("duplicate design `{design}`")]
    Twice { design: String },
    #[error("no design can be named `{design}` while machine keys are managed over REST: they have the same address")]
    ReservedName { design: String },
    #[error(
        "the design `{design}` does not tell the people of several issuers apart: `{}`. Whoever has a subject at one of them \
         would be whoever has it at another. Limit issuers to designs (`designs`), let the design find its users by issuer \
         (`callers: {{are: … by issuer and subject}}`), or state `shares-subjects: true` for each of these issuers if a subject \
         is the same person at all of them",
        issuers.join("`, `")
    )]
    AmbiguousSubjects { design: String, issuers: Vec<String> },
    #[error(transparent)]
    NoRandomness(#[from] RandomError),
}

pub struct ServedDesign {
    pub(crate) runtime: Runtime,
    backend: Arc<dyn Backend>,
    pub(crate) policies: Arc<Policies>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) callers: CallerCache,
    /// A hint for locked-out callers; `None` outside development mode.
    pub(crate) lock_out_hint: Option<String>,
    /// Whether callers may know the rules.
    pub(crate) is_in_development: bool,
}

impl ServedDesign {
    /// The policies decide, whatever the options say.
    pub fn new(
        design: Arc<Design>,
        backend: Arc<dyn Backend>,
        policies: Arc<Policies>,
        options: Options,
        limits: &Limits,
    ) -> Result<Self, Unservable> {
        let resources = design.entities.iter().map(|entity| Resource::new(&design, entity)).collect();
        let authorizer = Arc::clone(&policies) as Arc<dyn Authorizer>;
        let clock = Arc::clone(&options.clock);
        let runtime = Runtime::new(design, Arc::clone(&backend), Options { authorizer, ..options });
        let callers = CallerCache::new(&runtime, limits.membership, clock);
        Ok(Self { runtime, backend, policies, resources, callers, lock_out_hint: None, is_in_development: false })
    }

    /// Serves the design in development mode: callers whom it locks out are told how to get in, and callers may know
    /// the rules.
    pub fn develop(&mut self, people: &[Person]) {
        self.is_in_development = true;
        self.lock_out_hint = lock_out_hint(self.design(), people);
    }

    /// Whether the table can be reached.
    pub(crate) async fn is_ready(&self) -> bool {
        self.backend.describe_table(self.runtime.table_name().to_owned()).await.is_ok()
    }

    /// Whether the same subject of two issuers is two callers, because the table says who each of them is.
    pub(crate) fn finds_users_by_issuer(&self) -> bool {
        self.design().callers.users.as_ref().is_some_and(|users| users.issuer.is_some())
    }

    pub fn design(&self) -> &Arc<Design> {
        self.runtime.design()
    }

    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    pub(crate) fn resource(&self, entity: EntityId) -> Option<&Resource> {
        self.resources.get(entity.index())
    }

    /// Whether the caller may know of the entity at all: they may read some of its items, at least.
    pub(crate) fn is_visible(&self, caller: &Caller, entity: &Entity) -> bool {
        [Verb::Get, Verb::List].into_iter().any(|verb| {
            let access = Access { caller, verb, entity, pattern: None };
            self.policies.decide(&access) != Decision::Denied
        })
    }
}
