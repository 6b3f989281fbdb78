//! One request about a design: its caller, and everything but its body.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use keyfold_design::model::{Entity, EntityId, Verb};
use keyfold_runtime::{Access, Authorizer, Caller, Decision, Error};

use crate::address::encoded_segment;
use crate::api::Api;
use crate::change_records::Denial;
use crate::identity::principal::Principal;
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
    /// The caller as authenticated, in this design.
    pub principal: Principal,
    /// The caller with the groups and permissions that the design's table gives them.
    pub caller: Arc<Caller>,
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
        let principal = api.principal_in(&parts, &served.design().name).await?;
        let captured = RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| Problem::no_resource())?;
        let segments: Vec<String> = captured.iter().map(|(_, text)| text.to_owned()).collect();
        let caller = match served.callers.resolve(&served.runtime, &principal.caller).await {
            Ok(caller) => caller,
            Err(error) => {
                let is_lock_out = matches!(error, Error::NotAllowed(_));
                let mut problem = Problem::from(error);
                if is_lock_out {
                    api.change_records
                        .record_denial(Denial {
                            design: served.design(),
                            principal: &principal,
                            tenant: None,
                            verb: attempt.verb,
                            entity: &attempt.resource,
                            identity: &encoded_segments(&segments),
                            request_id: &request_id.0,
                        })
                        .await;
                    problem.detail.extend(served.lock_out_hint.iter().map(String::as_str));
                }
                return Err(problem);
            }
        };
        let query = query_string::parse(parts.uri.query())?;
        Ok(Self {
            api: Arc::clone(api),
            served: Arc::clone(served),
            parts,
            principal,
            caller,
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

    /// The problem for an error of the runtime, as far as this caller may know it.
    pub(crate) fn problem(&self, entities: &[EntityId], error: Error) -> Problem {
        problem_for(&self.served, &self.caller, entities, error)
    }

    /// The variable segments of the path, as the audit log names an item.
    pub(crate) fn identity_in_path(&self) -> String {
        encoded_segments(&self.segments)
    }

    pub(crate) fn request_id(&self) -> &str {
        &self.request_id.0
    }

    /// Whether the caller acts on all tenants.
    pub(crate) fn is_operator(&self) -> bool {
        self.caller.is_operator(self.served.design())
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

fn encoded_segments(segments: &[String]) -> String {
    segments.iter().map(|text| encoded_segment(text)).collect::<Vec<String>>().join("/")
}
