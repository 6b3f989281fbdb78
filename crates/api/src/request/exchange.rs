//! One request about a design: its caller, and everything but its body.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use keyfold_design::model::{Entity, EntityId, Verb};
use keyfold_runtime::{Access, Authorizer, Caller, Decision, Error};

use crate::address::encode_segment;
use crate::api::Api;
use crate::change_records::Act;
use crate::identity::principal::Principal;
use crate::request::admitted_caller::admit;
use crate::request::attempt::Attempt;
use crate::request::denial::problem_for;
use crate::request::query_string;
use crate::request_id::RequestId;
use crate::response::problem::{Problem, ProblemKind};
use crate::served_design::ServedDesign;

pub(crate) struct Exchange {
    pub api: Arc<Api>,
    pub served: Arc<ServedDesign>,
    pub parts: Parts,
    /// The caller, with the kind of their credential.
    pub principal: Principal,
    /// The caller as the design's table knows them, with their groups and permissions.
    pub caller: Arc<Caller>,
    /// What the request attempts, for the audit log.
    attempt: Attempt,
    request_id: RequestId,
    pub query: Vec<(String, String)>,
    /// The variable segments of the path.
    pub segments: Vec<String>,
}

impl Exchange {
    /// Opens a request about a design. A caller whom the design locks out is refused, which the audit log records.
    pub(crate) async fn open(
        api: &Arc<Api>,
        served: &Arc<ServedDesign>,
        mut parts: Parts,
        attempt: Attempt,
    ) -> Result<Self, Problem> {
        // Every route is mounted below the envelope, which gives the request its id.
        let id = parts.extensions.get::<RequestId>().cloned();
        let request_id = id.ok_or_else(|| Problem::new(ProblemKind::INTERNAL, "an internal error"))?;
        let credential = api.principal_in(&parts, &served.design().name).await?;
        let captured = RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| Problem::no_resource())?;
        let segments: Vec<String> = captured.iter().map(|(_, text)| text.to_owned()).collect();
        let principal = match admit(api, served, &credential, &parts, &request_id.0).await {
            Ok(principal) => principal,
            Err(problem) if problem.denied => {
                // A tenant that the request chooses is not the caller's: its log is not theirs to write to.
                let denial = Act {
                    design: served.design(),
                    principal: &credential,
                    tenant: None,
                    verb: attempt.verb,
                    entity: &attempt.resource,
                    identity: &encode_segments(&segments),
                    request_id: &request_id.0,
                };
                api.change_records.record_denial(denial).await;
                return Err(problem);
            }
            Err(problem) => return Err(problem),
        };
        let caller = Arc::clone(&principal.caller);
        let query = query_string::parse(parts.uri.query())?;
        Ok(Self {
            api: Arc::clone(api),
            served: Arc::clone(served),
            parts,
            principal,
            caller,
            attempt,
            request_id,
            query,
            segments,
        })
    }

    /// Rejects what no rule allows, before anything else is examined.
    pub(crate) fn require(&self, entity: &Entity, verb: Verb) -> Result<(), Problem> {
        let access = Access { caller: &self.caller, verb, entity, pattern: None };
        match self.served.policies.decide(&access) {
            Decision::Allowed | Decision::ByItem => Ok(()),
            Decision::Denied => {
                let denied = Error::NotAllowed(format!("no rule lets the caller {} {}", verb.as_str(), entity.name));
                Err(self.problem(&[entity.id], denied))
            }
        }
    }

    /// Rejects a transaction of a caller whom no rule lets write anything.
    pub(crate) fn require_any_write(&self) -> Result<(), Problem> {
        if self.may_any(&[Verb::Create, Verb::Update, Verb::Delete]) {
            return Ok(());
        }
        let entities: Vec<EntityId> = self.served.design().entities.iter().map(|entity| entity.id).collect();
        Err(self.problem(&entities, Error::NotAllowed("no rule lets the caller write any item".to_owned())))
    }

    /// Rejects a question of an anonymous caller to a design without rules for `anyone`.
    pub(crate) fn require_caller_or_public_rule(&self) -> Result<(), Problem> {
        match self.caller.subject.is_some() || self.may_any(&Verb::ALL) {
            true => Ok(()),
            false => Err(Problem::token_required()),
        }
    }

    /// Whether a rule might allow the caller one of the verbs, on an item of any entity.
    fn may_any(&self, verbs: &[Verb]) -> bool {
        let access = |entity, verb| Access { caller: &self.caller, verb, entity, pattern: None };
        let may = |entity, verb| self.served.policies.decide(&access(entity, verb)) != Decision::Denied;
        self.served.design().entities.iter().any(|entity| verbs.iter().any(|verb| may(entity, *verb)))
    }

    /// The problem for an error of the runtime, as far as this caller may know it.
    pub(crate) fn problem(&self, entities: &[EntityId], error: Error) -> Problem {
        problem_for(&self.served, &self.caller, entities, error)
    }

    /// Records in the audit log that a rule denied what the request attempts.
    pub(crate) async fn record_denied_attempt(&self) {
        self.record_denial(self.attempt.verb, &self.attempt.resource, &encode_segments(&self.segments)).await;
    }

    /// Records in the audit log that a rule denied a part of what the request attempts.
    pub(crate) async fn record_denial(&self, verb: &str, entity: &str, identity: &str) {
        let denial = Act {
            design: self.served.design(),
            principal: &self.principal,
            // The request is denied before its parameters are checked, and an invalid `tenant` names none.
            tenant: self.operator_tenant().ok().flatten(),
            verb,
            entity,
            identity,
            request_id: self.request_id(),
        };
        self.api.change_records.record_denial(denial).await;
    }

    pub(crate) fn request_id(&self) -> &str {
        &self.request_id.0
    }

    /// Whether the caller acts on all tenants.
    pub(crate) fn is_operator(&self) -> bool {
        self.caller.is_operator(self.served.design())
    }

    /// Whether the caller may know the rules of the design: operators, and everyone in development mode.
    pub(crate) fn may_see_rules(&self) -> bool {
        self.is_operator() || self.served.is_in_development
    }

    /// The tenant that an operator acts on.
    pub(crate) fn operator_tenant(&self) -> Result<Option<&str>, Problem> {
        if self.is_operator() { self.stated_tenant() } else { Ok(None) }
    }

    /// The tenant in an operator's request; members always act in their own tenant.
    pub(crate) fn stated_tenant(&self) -> Result<Option<&str>, Problem> {
        let stated = query_string::once(&self.query, "tenant")?;
        if stated == Some("") {
            return Err(Problem::for_field(ProblemKind::BAD_PARAMETER, "tenant", "`tenant` is empty"));
        }
        Ok(stated.or_else(|| self.caller.tenant.as_deref().filter(|_| self.is_operator())))
    }
}

fn encode_segments(segments: &[String]) -> String {
    segments.iter().map(|text| encode_segment(text)).collect::<Vec<String>>().join("/")
}
