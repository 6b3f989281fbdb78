//! What every request gets: an id, a place among those being answered, an end in time, a line in the log.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use futures_util::FutureExt;
use http::header::{HeaderName, HeaderValue, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use http::request::Parts;
use http::{Request, Response};
use keyfold_connections::within;

use super::Answer;
use crate::api::Api;
use crate::problem::{Kind, Problem};
use crate::rate::Standing;
use crate::request_id::RequestId;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub async fn answer<H, F>(api: Arc<Api>, route: Arc<str>, request: Request<Body>, handle: H) -> Response<Body>
where
    H: Fn(Arc<Api>, Parts, Body) -> F,
    F: Future<Output = Answer> + Send,
{
    let begun = Instant::now();
    let _in_flight = api.metrics.begin();
    let id = api.request_ids.next();
    let (mut parts, body) = request.into_parts();
    parts.extensions.insert(RequestId(id.as_str().into()));
    let method = parts.method.clone();
    let origin = parts.headers.get(ORIGIN).cloned();
    let standing = (!api.gate.is_open()).then(Standing::default);
    if let Some(standing) = &standing {
        parts.extensions.insert(standing.clone());
    }
    let outcome = match api.limits.cors.preflight(&parts) {
        Some(answer) => answer,
        None => in_bounds(&api, parts, body, handle).await,
    };
    let code = outcome.as_ref().err().map(|problem| problem.kind.code);
    let mut response = outcome.unwrap_or_else(|problem| problem.respond(&id));
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    api.limits.cors.mark(origin.as_ref(), response.headers_mut());
    if let Some(standing) = &standing {
        standing.tell(response.headers_mut());
    }
    let (status, time) = (response.status(), begun.elapsed());
    api.metrics.end(&route, &method, status, time);
    tracing::info!(
        target: "keyfold_api::access",
        request = %id, method = %method, route = %route, design = design_of(&route), status = status.as_u16(),
        problem = code,
        microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
        "answered"
    );
    response
}

/// The design that a route is of.
fn design_of(route: &str) -> Option<&str> {
    route.strip_prefix("/v1/")?.split('/').next()
}

/// Runs a handler with a place, within the time, and survives what it may do.
async fn in_bounds<H, F>(api: &Arc<Api>, parts: Parts, body: Body, handle: H) -> Answer
where
    H: Fn(Arc<Api>, Parts, Body) -> F,
    F: Future<Output = Answer> + Send,
{
    let Ok(_place) = api.room.try_acquire() else {
        return Err(Problem::unavailable("too many requests are being answered; try again"));
    };
    // In a box: what follows moves it several times, and it is large.
    let handling = AssertUnwindSafe(Box::pin(handle(Arc::clone(api), parts, body))).catch_unwind();
    match within(api.limits.body_read + api.limits.request, handling).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            tracing::error!("a handler panicked");
            Err(Problem::new(Kind::INTERNAL, "something failed here; the log says more"))
        }
        Err(_) => Err(Problem::unavailable("it took too long; a change may have been made or not")),
    }
}
