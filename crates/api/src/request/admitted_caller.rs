//! The caller of a request whom the design admits: as its table knows them, in the tenant that the request chooses.

use http::request::Parts;
use keyfold_runtime::Error;

use crate::api::Api;
use crate::identity::principal::Principal;
use crate::request::chosen_tenant::choose_tenant;
use crate::request::first_sign_in::{new_person, sign_up};
use crate::response::problem::Problem;
use crate::served_design::ServedDesign;

/// The principal with the caller whom the design admits. The audit log records a refusal that is `denied`.
pub(crate) async fn admit(
    api: &Api,
    served: &ServedDesign,
    principal: &Principal,
    parts: &Parts,
    request_id: &str,
) -> Result<Principal, Problem> {
    let acting = choose_tenant(principal.clone(), parts, served).await?;
    let mut resolved = served.callers.resolve(&served.runtime, &acting.caller).await;
    if let (Err(Error::UnknownUser { .. }), Some(identity)) = (&resolved, new_person(served, &acting)) {
        api.gate.admit_sign_up(&identity.issuer, parts).await?;
        resolved = sign_up(api, served, &acting, identity, request_id).await;
    }
    let caller = resolved.map_err(|error| refusal(served, error))?;
    if let Some(tenant) = &caller.tenant {
        api.gate.admit_tenant(&served.design().name, tenant, parts).await?;
    }
    // Records of changes name the user, and the tenant that the request chose.
    Ok(Principal { caller, ..acting })
}

/// The problem of a caller who cannot be resolved.
fn refusal(served: &ServedDesign, error: Error) -> Problem {
    let is_lock_out = matches!(error, Error::NotAllowed(_));
    let denied = is_lock_out || matches!(error, Error::UnknownUser { .. });
    let mut problem = Problem { denied, ..error.into() };
    if is_lock_out {
        problem.detail.extend(served.lock_out_hint.iter().map(String::as_str));
    }
    problem
}
