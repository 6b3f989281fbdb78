//! Authenticates requests, before they are about any design, and admits readers of documents and metrics.

use http::request::Parts;

use crate::api::Api;
use crate::identity::principal::Principal;
use crate::response::problem::Problem;

impl Api {
    /// The caller of a request: authenticated, and within the rate limits.
    pub(crate) async fn principal(&self, parts: &Parts) -> Result<Principal, Problem> {
        let principal = match self.authenticator.authenticate(parts).await {
            Ok(principal) => principal,
            Err(refused) if refused.temporary => return Err(Problem::unavailable(refused.reason)),
            Err(refused) => {
                self.gate.admit_address(parts)?;
                return Err(Problem::unauthenticated(refused.reason));
            }
        };
        self.gate.admit(&principal, parts)?;
        Ok(principal)
    }

    /// Where documents are not open, they are for authenticated callers.
    pub(crate) async fn admit_reader(&self, parts: &Parts) -> Result<(), Problem> {
        if self.public_docs || self.principal(parts).await?.caller.subject.is_some() {
            return Ok(());
        }
        Err(Problem::token_required())
    }

    /// Where metrics are not open, they are for operators of any of the designs.
    pub(crate) async fn admit_operator(&self, parts: &Parts) -> Result<(), Problem> {
        if self.public_docs {
            return Ok(());
        }
        let principal = self.principal(parts).await?;
        if principal.caller.subject.is_none() {
            return Err(Problem::token_required());
        }
        for served in &self.designs {
            let caller = served.callers.resolve(&served.runtime, &principal.caller).await?;
            if caller.is_operator(served.design()) {
                return Ok(());
            }
        }
        Err(Problem::no_resource())
    }
}
