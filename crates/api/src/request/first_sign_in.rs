//! The first sign-in of a person: where the design says so, their user is created.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use keyfold_runtime::{Caller, Error, Record, TokenIdentity};

use crate::api::Api;
use crate::change_records::{Admission, ChangeRecordError, ChangeRequest, StoredResponse};
use crate::identity::principal::Principal;
use crate::served_design::ServedDesign;

/// What the token says of a person who becomes a user by signing in; `None` where the design does not say so.
pub(crate) fn new_person<'p>(served: &ServedDesign, principal: &'p Principal) -> Option<&'p TokenIdentity> {
    served.design().callers.users.as_ref()?.created_with.as_ref()?;
    principal.caller.identity.as_deref()
}

/// Adds the person to the design's table. Returns the caller as the table knows them then.
pub(crate) async fn sign_up(
    api: &Api,
    served: &ServedDesign,
    principal: &Principal,
    identity: &TokenIdentity,
    request_id: &str,
) -> Result<Arc<Caller>, Error> {
    create_user(api, served, principal, identity, request_id).await?;
    served.callers.resolve(&served.runtime, &principal.caller).await
}

/// Creates the user, with an entry in the audit log.
async fn create_user(
    api: &Api,
    served: &ServedDesign,
    principal: &Principal,
    identity: &TokenIdentity,
    request_id: &str,
) -> Result<(), Error> {
    // A new user is in no tenant, whichever one the request states: it has nothing to do with their entry.
    let caller = Caller { tenant: None, ..Caller::clone(&principal.caller) };
    let principal = Principal { caller: Arc::new(caller), ..principal.clone() };
    let request = ChangeRequest { design: served.design(), principal: &principal, tenant: None, key: None, request_id };
    let pending = match api.change_records.begin(request).await {
        Ok(Admission::Execute(pending)) => pending,
        // Only requests with an idempotency key are replayed.
        Ok(Admission::Replay(_)) => return Ok(()),
        Err(ChangeRecordError::Runtime(error)) => return Err(error),
        Err(error) => return Err(Error::Unavailable(error.to_string())),
    };
    // Nothing is stored of the response to a request without an idempotency key.
    let respond =
        |_: &[Option<Record>]| StoredResponse { status: StatusCode::CREATED, headers: Vec::new(), body: Bytes::new() };
    let writes = [served.runtime.new_user(identity)?];
    served.runtime.sign_up(identity, &pending.side_writes(&writes, &respond)).await
}
