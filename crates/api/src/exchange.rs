//! One request about a design: who makes it, and what it says besides its body.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use keyfold_design::model::{Entity, EntityId, Verb};
use keyfold_runtime::{Access, Authorizer, Caller, Decision, Error};

use crate::api::Api;
use crate::principal::Principal;
use crate::problem::{Kind, Problem};
use crate::query_string;
use crate::refusal;
use crate::request_id::RequestId;
use crate::served::ServedDesign;

pub struct Exchange {
    pub api: Arc<Api>,
    pub served: Arc<ServedDesign>,
    pub parts: Parts,
    /// Who makes it, by what they showed.
    pub principal: Principal,
    /// The same, with the groups and permissions that the design's table gives them.
    pub caller: Arc<Caller>,
    pub query: Vec<(String, String)>,
    /// The variable segments of the path.
    pub segments: Vec<String>,
}

impl Exchange {
    pub async fn open(api: &Arc<Api>, served: &Arc<ServedDesign>, mut parts: Parts) -> Result<Self, Problem> {
        let principal = api.principal(&parts).await?;
        let caller = served.known.known(&served.runtime, &principal.caller).await?;
        let query = query_string::parse(parts.uri.query())?;
        let captured = RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| Problem::nothing_here())?;
        let segments = captured.iter().map(|(_, text)| text.to_owned()).collect();
        Ok(Self { api: Arc::clone(api), served: Arc::clone(served), parts, principal, caller, query, segments })
    }

    /// Refuses what no rule allows before anything else is looked at.
    pub fn require(&self, entity: &Entity, verb: Verb) -> Result<(), Problem> {
        let access = Access { caller: &self.caller, verb, entity, pattern: None };
        match self.served.policies.decide(&access) {
            Decision::Allowed | Decision::ByItem => Ok(()),
            Decision::Denied => {
                let denied = Error::NotAllowed(format!("no rule lets the caller {} {}", verb.as_str(), entity.name));
                Err(self.refused(&[entity.id], denied))
            }
        }
    }

    /// An error of the runtime, as this caller may hear it.
    pub fn refused(&self, entities: &[EntityId], error: Error) -> Problem {
        refusal::of(&self.served, &self.caller, entities, error)
    }

    pub fn request_id(&self) -> &str {
        self.parts.extensions.get::<RequestId>().map_or("", |id| &id.0)
    }

    /// Whether the caller acts on all tenants.
    pub fn is_operator(&self) -> bool {
        self.caller.is_operator(self.served.design())
    }

    /// The tenant that an operator speaks of; members need not say it, and have their own.
    pub fn stated_tenant(&self) -> Result<Option<&str>, Problem> {
        let stated = query_string::once(&self.query, "tenant")?;
        if stated == Some("") {
            return Err(Problem::of_field(Kind::BAD_PARAMETER, "tenant", "`tenant` is empty"));
        }
        Ok(stated.or_else(|| self.caller.tenant.as_deref().filter(|_| self.is_operator())))
    }
}
