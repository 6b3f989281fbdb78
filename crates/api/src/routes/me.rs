//! `GET /v1/{design}/me`: who the caller is, and in which tenants they may act.

use std::sync::Arc;

use axum::body::Body;
use http::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, VARY};
use keyfold_runtime::{Caller, Error, Membership};
use serde_json::{Map, Value, json};

use super::HandlerResult;
use crate::identity::principal::CALLER_HEADERS;
use crate::request::attempt::Attempt;
use crate::request::body;
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::problem::Problem;

/// The number of memberships of which one has to let a person in.
const MOST_EXAMINED: usize = 20;

/// A caller needs no tenant for this: it is how a person finds out which ones there are.
pub(super) async fn describe(exchange: Exchange) -> HandlerResult {
    query_string::only(&exchange.query, &[])?;
    let caller = &exchange.caller;
    let Some(subject) = &caller.subject else { return Err(Problem::token_required()) };
    let mut content = Map::new();
    content.insert("subject".to_owned(), json!(subject));
    content.insert("tenant".to_owned(), json!(caller.tenant));
    content.insert("roles".to_owned(), json!(caller.roles));
    content.insert("groups".to_owned(), json!(caller.groups));
    content.insert("permissions".to_owned(), json!(caller.permissions));
    if let Some(scope) = &caller.scope {
        content.insert("scopes".to_owned(), json!(scope.texts()));
    }
    content.insert("operator".to_owned(), json!(exchange.is_operator()));
    if exchange.served.design().callers.members.is_some() {
        let memberships = exchange.served.runtime.memberships(caller).await?;
        require_access(&exchange, &memberships).await?;
        let of_tenant = |own: &Membership| json!({"tenant": own.tenant, "role": own.role});
        content.insert("memberships".to_owned(), memberships.iter().map(of_tenant).collect());
    }
    let mut response = Response::new(Body::from(Value::Object(content).to_string()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(VARY, HeaderValue::from_static(CALLER_HEADERS));
    Ok(response)
}

/// Refuses whom the design locks out of their tenants, though they state none: at most so many of them are examined.
async fn require_access(exchange: &Exchange, memberships: &[Membership]) -> Result<(), Problem> {
    let Exchange { served, caller, .. } = exchange;
    if caller.tenant.is_some() || served.design().callers.requirements.is_empty() || exchange.is_operator() {
        return Ok(());
    }
    let mut refusal = None;
    for membership in memberships.iter().take(MOST_EXAMINED) {
        let acting = Arc::new(Caller { tenant: Some(membership.tenant.clone()), ..Caller::clone(caller) });
        match served.callers.resolve(&served.runtime, &acting).await {
            Ok(_) => return Ok(()),
            Err(error @ Error::NotAllowed(_)) => refusal = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    match refusal {
        None => Ok(()),
        Some(error) => {
            let attempt = Attempt::caller();
            exchange.record_denial(attempt.verb, &attempt.resource, "").await;
            Err(error.into())
        }
    }
}
