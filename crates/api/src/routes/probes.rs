//! Probes: health, readiness, metrics.

use std::sync::Arc;

use axum::body::Body;
use http::Response;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;

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
    let (text, media_type) = match probe {
        Probe::Health => (r#"{"status":"ok"}"#.to_owned(), "application/json"),
        Probe::Ready => {
            if api.is_stopping() {
                return Err(Problem::unavailable("stopping"));
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
            (api.metrics.text(), "text/plain; version=0.0.4")
        }
    };
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    Ok(response)
}
