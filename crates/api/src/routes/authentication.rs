//! Authenticates requests, before they are about any design, and admits readers of documents and metrics.

use std::sync::Arc;

use http::request::Parts;
use keyfold_runtime::{Error, ScopeArea};

use crate::api::Api;
use crate::identity::principal::Principal;
use crate::limits::request_slots::RequestSlot;
use crate::response::problem::Problem;
use crate::served_design::ServedDesign;

/// The role `server:operator` reads metrics and the causes of failed probes, and manages machine keys.
pub(super) const SERVER_OPERATOR: &str = "operator";

impl Api {
    /// The caller of a request: authenticated, and within the rate limits.
    pub(crate) async fn principal(&self, parts: &Parts) -> Result<Principal, Problem> {
        let principal = match self.authenticator.authenticate(parts).await {
            Ok(principal) => principal,
            Err(refusal) if refusal.temporary => return Err(Problem::unavailable(refusal.reason)),
            Err(refusal) => {
                self.gate.admit_address(parts).await?;
                return Err(Problem::unauthenticated(refusal.reason));
            }
        };
        self.gate.admit(&principal, parts).await?;
        if let Some(slot) = parts.extensions.get::<Arc<RequestSlot>>()
            && let Some(subject) = self.gate.subject_key(&principal)
        {
            slot.add_subject(subject)?;
        }
        Ok(principal)
    }

    /// The caller of a request about a design.
    pub(crate) async fn principal_in(&self, parts: &Parts, design: &str) -> Result<Principal, Problem> {
        let principal = self.principal(parts).await?;
        principal.in_design(design).map_err(|refusal| Problem::unauthenticated(refusal.reason))
    }

    /// Where the documents of a design are not open, they are for its authenticated callers.
    pub(crate) async fn admit_reader(&self, parts: &Parts, design: &str) -> Result<(), Problem> {
        if self.public_docs {
            return Ok(());
        }
        require_subject(&self.principal_in(parts, design).await?)
    }

    /// The designs that the caller may know of: where documents are not open, those that their credential is for.
    pub(crate) async fn known_designs(&self, parts: &Parts) -> Result<Vec<&ServedDesign>, Problem> {
        let designs = self.designs.iter().map(Arc::as_ref);
        if self.public_docs {
            return Ok(designs.collect());
        }
        let principal = self.principal(parts).await?;
        require_subject(&principal)?;
        Ok(designs.filter(|served| principal.is_for(&served.design().name)).collect())
    }

    /// Where metrics are not open, they are for operators of the server; where it serves one design, also for those of
    /// the design.
    pub(crate) async fn admit_operator(&self, parts: &Parts) -> Result<(), Problem> {
        if self.public_docs {
            return Ok(());
        }
        let principal = self.principal(parts).await?;
        if principal.caller.subject.is_none() {
            return Err(Problem::token_required());
        }
        if !principal.caller.is_in_scope(ScopeArea::Metrics) {
            return Err(Problem::no_resource());
        }
        if principal.has_server_role(SERVER_OPERATOR) {
            return Ok(());
        }
        let [served] = self.designs.as_slice() else { return Err(Problem::no_resource()) };
        let Ok(principal) = principal.in_design(&served.design().name) else { return Err(Problem::no_resource()) };
        match served.callers.resolve(&served.runtime, &principal.caller).await {
            Ok(caller) if caller.is_operator(served.design()) => Ok(()),
            // Whoever the design does not admit may not know of it either.
            Ok(_) | Err(Error::NotAllowed(_) | Error::UnknownUser { .. }) => Err(Problem::no_resource()),
            Err(error) => Err(error.into()),
        }
    }
}

fn require_subject(principal: &Principal) -> Result<(), Problem> {
    if principal.caller.subject.is_some() { Ok(()) } else { Err(Problem::token_required()) }
}
