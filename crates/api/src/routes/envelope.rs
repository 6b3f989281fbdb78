//! What every request gets: an id, a slot among the concurrent requests, a timeout, a line in the log.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use futures_util::FutureExt;
use http::header::{
    CONNECTION, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, ORIGIN, STRICT_TRANSPORT_SECURITY, TRANSFER_ENCODING,
    X_CONTENT_TYPE_OPTIONS,
};
use http::request::Parts;
use http::{Method, Request, Response, Version};
use keyfold_connections::{HostError, only_host, within};

use super::HandlerResult;
use super::awaited_body::AwaitedBody;
use super::response_size::{ResponseSize, within_memory};
use crate::api::Api;
use crate::identity::browser_sign_in::ResponseCookies;
use crate::limits::rate::RateLimitStatus;
use crate::request_id::RequestId;
use crate::response::header::insert_header;
use crate::response::problem::{Problem, ProblemKind};
use crate::server::Encrypted;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// For how long browsers use TLS only, once they have.
const ONE_YEAR: &str = "max-age=31536000";

/// No browser loads anything for a response, or shows it within another page.
const NO_CONTENT: &str = "default-src 'none'; frame-ancestors 'none'";

/// A route: its template, and how large its responses can be.
#[derive(Debug, Clone)]
pub(super) struct Route {
    pub(super) template: Arc<str>,
    pub(super) response_size: ResponseSize,
    /// Health checks have slots of their own.
    pub(super) is_health_check: bool,
}

pub(super) async fn serve<H, F>(api: Arc<Api>, route: Route, request: Request<Body>, handle: H) -> Response<Body>
where
    H: Fn(Arc<Api>, Parts, Body) -> F,
    F: Future<Output = HandlerResult> + Send,
{
    let begun = Instant::now();
    let _in_flight = api.metrics.begin();
    let id = api.request_ids.next();
    let (mut parts, body) = request.into_parts();
    parts.extensions.insert(RequestId(id.as_str().into()));
    let method = parts.method.clone();
    let origin = parts.headers.get(ORIGIN).cloned();
    let rate_limits = (!api.gate.is_open()).then(RateLimitStatus::default);
    if let Some(status) = &rate_limits {
        parts.extensions.insert(status.clone());
    }
    let cookies = api.authenticator.sign_in().map(|_| ResponseCookies::default());
    if let Some(cookies) = &cookies {
        parts.extensions.insert(cookies.clone());
    }
    let is_encrypted = parts.extensions.get::<Encrypted>().is_some();
    let (awaited, body) = AwaitedBody::watch(&parts, body);
    let framing = require_host(&parts).and_then(|()| require_plain_chunks(&parts));
    let is_framed = framing.is_ok();
    let outcome = match framing.map(|()| api.limits.cors.preflight(&parts)) {
        Err(problem) => Err(problem),
        Ok(Some(response)) => response,
        Ok(None) => in_bounds(&api, &route, parts, body, handle).await,
    };
    let code = outcome.as_ref().err().map(|problem| problem.kind.code);
    let mut response = outcome.unwrap_or_else(|problem| problem.respond(&id));
    insert_header(response.headers_mut(), REQUEST_ID, &id);
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Pages have a policy of their own.
    response.headers_mut().entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NO_CONTENT));
    if is_encrypted {
        response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(ONE_YEAR));
    }
    // What follows is not known to be the next request.
    if !is_framed || awaited.may_follow() {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    if let Some(cookies) = &cookies {
        cookies.write_headers(response.headers_mut());
    }
    api.limits.cors.mark(origin.as_ref(), response.headers_mut());
    if let Some(status) = &rate_limits {
        status.write_headers(response.headers_mut());
    }
    let (status, time) = (response.status(), begun.elapsed());
    let route = &route.template;
    api.metrics.end(route, &method, status, time);
    tracing::info!(
        target: "keyfold_api::access",
        request = %id, method = %method, route = %route, design = design_of(route), status = status.as_u16(),
        problem = code,
        microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
        "request completed"
    );
    response
}

/// Before HTTP/1.1, requests need not name their host.
fn require_host(parts: &Parts) -> Result<(), Problem> {
    match only_host(&parts.headers) {
        Err(HostError::Missing) if parts.version < Version::HTTP_11 => Ok(()),
        Err(error) => Err(Problem::new(ProblemKind::BAD_HOST, error.to_string())),
        Ok(_) => Ok(()),
    }
}

/// hyper takes a body for chunks if its last coding is `chunked`, and decodes no other.
fn require_plain_chunks(parts: &Parts) -> Result<(), Problem> {
    let mut codings = parts.headers.get_all(TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => Ok(()),
        (Some(only), None) if only.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked") => Ok(()),
        _ => Err(Problem::new(ProblemKind::BAD_BODY, "the only `Transfer-Encoding` that is accepted is `chunked`")),
    }
}

/// The design of a route.
fn design_of(route: &str) -> Option<&str> {
    route.strip_prefix("/v1/")?.split('/').next()
}

/// Runs a handler within the limits of concurrency and time, and turns a panic into a problem.
async fn in_bounds<H, F>(api: &Arc<Api>, route: &Route, mut parts: Parts, body: Body, handle: H) -> HandlerResult
where
    H: Fn(Arc<Api>, Parts, Body) -> F,
    F: Future<Output = HandlerResult> + Send,
{
    let _probe_slot = if route.is_health_check { Some(api.request_slots.enter_probe()?) } else { None };
    if !route.is_health_check {
        // It goes with the request, and is free again when the handler has finished.
        let address = api.gate.address_key(&parts);
        parts.extensions.insert(api.request_slots.enter(address, route.response_size.bytes())?);
    }
    // In a box: what follows moves it several times, and it is large.
    let handling = AssertUnwindSafe(Box::pin(async {
        let is_read = parts.method == Method::GET;
        let has_body = matches!(parts.method, Method::POST | Method::PUT | Method::PATCH);
        // For a response to a body, memory is reserved when the body has arrived: a slow client holds none.
        let bytes = if has_body { 0 } else { route.response_size.bytes() };
        let _producing = api.response_memory.producing.reserve(bytes).await;
        within_memory(api, is_read, handle(Arc::clone(api), parts, body).await?).await
    }))
    .catch_unwind();
    match within(api.limits.body_read + api.limits.request, handling).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => {
            tracing::error!("a handler panicked");
            Err(Problem::new(ProblemKind::INTERNAL, "an internal error occurred; details are in the server log"))
        }
        Err(_) => Err(Problem::unavailable("the request timed out; a change may or may not have been made")),
    }
}
