//! The tenant that a request chooses. Whether the caller is a member of it is decided when they are resolved: nothing
//! here depends on whether there is such a tenant.

use std::sync::Arc;

use http::request::Parts;
use keyfold_runtime::{Caller, Error};

use crate::identity::principal::{CredentialKind, Principal};
use crate::response::problem::{Problem, ProblemKind};
use crate::served_design::ServedDesign;

/// The header with the tenant in which the caller acts.
const TENANT_HEADER: &str = "keyfold-tenant";
/// The header as people write it.
const TENANT_HEADER_NAME: &str = "Keyfold-Tenant";
/// A longer one fits into no key.
const MAX_BYTES: usize = 1024;

/// The principal in the tenant that the request states. A credential that states a tenant is for no other.
pub(crate) async fn choose_tenant(
    principal: Principal,
    parts: &Parts,
    served: &ServedDesign,
) -> Result<Principal, Problem> {
    let Some(tenant) = stated_tenant(parts, served)? else { return Ok(principal) };
    if principal.caller.subject.is_none() {
        return Err(Problem::token_required());
    }
    match &principal.caller.tenant {
        Some(own) if own == tenant => return Ok(principal),
        Some(own) => return Err(refusal(format!("the credential is for the tenant `{own}` only"))),
        None => {}
    }
    let has_members = served.design().callers.members.is_some();
    if principal.kind == CredentialKind::Key || !has_members {
        require_operator(&principal, served).await?;
    }
    let caller = Caller { tenant: Some(tenant.to_owned()), ..Caller::clone(&principal.caller) };
    Ok(Principal { caller: Arc::new(caller), ..principal })
}

/// The tenant in the header of a request.
fn stated_tenant<'p>(parts: &'p Parts, served: &ServedDesign) -> Result<Option<&'p str>, Problem> {
    let mut stated = parts.headers.get_all(TENANT_HEADER).iter();
    let Some(value) = stated.next() else { return Ok(None) };
    let invalid = |detail: String| Problem::for_field(ProblemKind::BAD_PARAMETER, TENANT_HEADER_NAME, detail);
    if stated.next().is_some() {
        return Err(invalid(format!("`{TENANT_HEADER_NAME}` appears twice")));
    }
    let text = value.to_str().ok().filter(|text| !text.is_empty() && text.len() <= MAX_BYTES);
    let tenant = text.ok_or_else(|| invalid(format!("`{TENANT_HEADER_NAME}` is not the id of a tenant")))?;
    if served.design().tenant.is_none() {
        return Err(invalid(format!("the design `{}` has no tenants", served.design().name)));
    }
    Ok(Some(tenant))
}

/// Refuses whom no membership would lead to the tenant, unless they are operators. A group of the table can make them
/// one, which is looked up without the tenant: what it requires of callers would tell whether it exists.
async fn require_operator(principal: &Principal, served: &ServedDesign) -> Result<(), Problem> {
    let design = served.design();
    if principal.caller.is_operator(design) {
        return Ok(());
    }
    let resolved = served.callers.resolve(&served.runtime, &principal.caller).await;
    match resolved {
        Ok(caller) if caller.is_operator(design) => Ok(()),
        Ok(_) | Err(Error::NotAllowed(_) | Error::UnknownUser { .. }) if principal.kind == CredentialKind::Key => {
            Err(refusal("a machine key acts in the tenant of its entry, and this one has none".to_owned()))
        }
        Ok(_) | Err(Error::NotAllowed(_) | Error::UnknownUser { .. }) => Err(refusal(
            "the design does not say who is a member of a tenant: the tenant has to be in the token".to_owned(),
        )),
        Err(error) => Err(error.into()),
    }
}

fn refusal(detail: String) -> Problem {
    Problem { denied: true, ..Problem::new(ProblemKind::NOT_ALLOWED, detail) }
}
