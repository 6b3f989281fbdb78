//! Probes: health, readiness, metrics.

use std::sync::Arc;

use axum::body::Body;
use http::Response;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use keyfold_connections::Readiness;

use super::HandlerResult;
use crate::api::Api;
use crate::response::problem::Problem;

#[derive(Debug, Clone, Copy)]
pub(super) enum Probe {
    Health,
    Ready,
    Metrics,
}

pub(super) async fn handle(api: Arc<Api>, probe: Probe, parts: Parts) -> HandlerResult {
    let readiness = api.readiness.as_ref().map(|source| source());
    let (text, media_type) = match probe {
        Probe::Health => {
            if let Some(broken) = readiness.filter(|readiness| !readiness.is_alive) {
                return Err(not_served(&api, &parts, &broken).await);
            }
            (r#"{"status":"ok"}"#.to_owned(), "application/json")
        }
        Probe::Ready => {
            if api.is_stopping() {
                return Err(Problem::unavailable("stopping"));
            }
            if let Some(limited) = readiness.filter(|readiness| !readiness.is_ready) {
                return Err(not_served(&api, &parts, &limited).await);
            }
            if let Some(fault) = api.authenticator.fault() {
                return Err(match api.admit_operator(&parts).await {
                    Ok(()) => Problem::unavailable(fault),
                    Err(_) => Problem::unavailable("credentials cannot be verified"),
                });
            }
            for served in &api.designs {
                if !served.is_ready().await {
                    return Err(Problem::unavailable(format!(
                        "the table of `{}` cannot be reached",
                        served.design().name
                    )));
                }
            }
            (r#"{"status":"ready"}"#.to_owned(), "application/json")
        }
        Probe::Metrics => {
            api.admit_operator(&parts).await?;
            let store = readiness.map(|readiness| readiness.metrics()).unwrap_or_default();
            (api.metrics.text() + &store, "text/plain; version=0.0.4")
        }
    };
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    Ok(response)
}

/// The cause is for operators alone.
async fn not_served(api: &Api, parts: &Parts, readiness: &Readiness) -> Problem {
    match api.admit_operator(parts).await {
        Ok(()) => Problem::unavailable(readiness.detail.clone()),
        Err(_) => Problem::unavailable(format!("the store is not serving all requests: {}", readiness.state)),
    }
}
