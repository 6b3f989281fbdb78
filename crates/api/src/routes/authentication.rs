//! Authenticates requests, before they are about any design, and admits readers of documents and metrics.

use http::request::Parts;

use crate::api::Api;
use crate::identity::principal::Principal;
use crate::response::problem::Problem;

/// The role `server:operator` reads metrics and the causes of failed probes.
const SERVER_OPERATOR: &str = "operator";

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

    /// The caller of a request about a design.
    pub(crate) async fn principal_in(&self, parts: &Parts, design: &str) -> Result<Principal, Problem> {
        let principal = self.principal(parts).await?;
        principal.in_design(design).map_err(|refused| Problem::unauthenticated(refused.reason))
    }

    /// Where documents are not open, they are for authenticated callers: of the design, if they are about one.
    pub(crate) async fn admit_reader(&self, parts: &Parts, design: Option<&str>) -> Result<(), Problem> {
        if self.public_docs {
            return Ok(());
        }
        let principal = match design {
            Some(design) => self.principal_in(parts, design).await?,
            None => self.principal(parts).await?,
        };
        if principal.caller.subject.is_some() { Ok(()) } else { Err(Problem::token_required()) }
    }

    /// Where metrics are not open, they are for operators of the server; where it serves one design, also for those of the
    /// design.
    pub(crate) async fn admit_operator(&self, parts: &Parts) -> Result<(), Problem> {
        if self.public_docs {
            return Ok(());
        }
        let principal = self.principal(parts).await?;
        if principal.caller.subject.is_none() {
            return Err(Problem::token_required());
        }
        if principal.has_server_role(SERVER_OPERATOR) {
            return Ok(());
        }
        if let [served] = self.designs.as_slice()
            && let Ok(principal) = principal.in_design(&served.design().name)
            && served.callers.resolve(&served.runtime, &principal.caller).await?.is_operator(served.design())
        {
            return Ok(());
        }
        Err(Problem::no_resource())
    }
}
