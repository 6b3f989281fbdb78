//! Sign-in with a browser. The routes exist only where it is configured.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::routing::MethodFilter;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION, REFERRER_POLICY};
use http::request::Parts;
use http::{Response, StatusCode};

use super::response_size::ResponseSize;
use super::{HandlerResult, mount};
use crate::api::Api;
use crate::identity::browser_sign_in::{SignInError, SignInOutcome, SignInStep};
use crate::request::query_string;
use crate::response::problem::{Problem, ProblemKind};

pub(super) fn mount_all(mut router: Router, api: &Arc<Api>) -> Router {
    if api.authenticator.sign_in().is_none() {
        return router;
    }
    for (path, method, step) in [
        ("/auth/sign-in", MethodFilter::GET, SignInStep::Begin),
        ("/auth/callback", MethodFilter::GET, SignInStep::Complete),
        ("/auth/session", MethodFilter::GET, SignInStep::Describe),
        ("/auth/refresh", MethodFilter::POST, SignInStep::Renew),
        ("/auth/sign-out", MethodFilter::POST, SignInStep::End),
    ] {
        let handle = move |api, parts, _: Body| perform(api, step, parts);
        router = mount(router, api, path, method, ResponseSize::Small, handle);
    }
    router
}

async fn perform(api: Arc<Api>, step: SignInStep, parts: Parts) -> HandlerResult {
    // Whoever asks may be anyone, and the server asks the provider in turn.
    api.gate.admit_address(&parts).await?;
    let sign_in = api.authenticator.sign_in().ok_or_else(Problem::no_resource)?;
    let query = query_string::parse(parts.uri.query())?;
    let mut response = match sign_in.perform(step, &parts, &query).await.map_err(problem)? {
        SignInOutcome::Redirect(location) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::FOUND;
            response.headers_mut().insert(LOCATION, location);
            response
        }
        SignInOutcome::Document(document) => {
            let mut response = Response::new(Body::from(document.to_string()));
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The address of the callback holds the code.
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

fn problem(error: SignInError) -> Problem {
    match error {
        SignInError::Parameter(name, detail) => Problem::for_field(ProblemKind::BAD_PARAMETER, name, detail),
        SignInError::Refused(detail) => Problem::unauthenticated(detail),
        SignInError::Unavailable(detail) => Problem::unavailable(detail),
    }
}
