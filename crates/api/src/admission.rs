//! Who makes a request, before it is about any design; and what only some of them may read.

use http::request::Parts;

use crate::api::Api;
use crate::principal::Principal;
use crate::problem::Problem;

impl Api {
    /// Who makes a request, if that counts and they have not made too many.
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

    /// Documents tell what there is: where they are not open, they are for those who say who they are.
    pub(crate) async fn admit_reader(&self, parts: &Parts) -> Result<(), Problem> {
        if self.open_documents || self.principal(parts).await?.caller.subject.is_some() {
            return Ok(());
        }
        Err(Problem::unauthenticated("this needs a token"))
    }

    /// Metrics tell what everyone does: where they are not open, they are for operators of any of the designs.
    pub(crate) async fn admit_operator(&self, parts: &Parts) -> Result<(), Problem> {
        if self.open_documents {
            return Ok(());
        }
        let principal = self.principal(parts).await?;
        if principal.caller.subject.is_none() {
            return Err(Problem::unauthenticated("this needs a token"));
        }
        for served in &self.designs {
            let caller = served.known.known(&served.runtime, &principal.caller).await?;
            if caller.is_operator(served.design()) {
                return Ok(());
            }
        }
        Err(Problem::nothing_here())
    }
}
