//! The documents of a design: OpenAPI for programs, a page for people. Both are made once.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::routing::MethodFilter;
use bytes::Bytes;
use http::Response;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, VARY};
use http::request::Parts;
use serde_json::{Value, json};

use super::response_size::ResponseSize;
use super::{HandlerResult, mount};
use crate::api::Api;
use crate::documents::openapi::openapi_server;
use crate::documents::page::page;
use crate::identity::principal::CALLER_HEADERS;
use crate::response::problem::{Problem, ProblemKind};
use crate::served_design::ServedDesign;

pub(super) fn mount_all(mut router: Router, api: &Arc<Api>, served: &Arc<ServedDesign>, base: &str) -> Router {
    let server = openapi_server(
        &api.limits,
        api.change_records.accepts_idempotency_keys(),
        api.change_records.keeps_audit_log(),
    );
    let document = keyfold_generate::openapi::document(served.design(), &server);
    let page = Bytes::from(page(served, &document));
    let document = Bytes::from(document.to_string());
    for (name, bytes, media_type) in
        [("openapi.json", document, "application/json"), ("docs", page, "text/html; charset=utf-8")]
    {
        let design = served.design().name.clone();
        let handle = move |api: Arc<Api>, parts: Parts, _: Body| {
            let (bytes, design) = (bytes.clone(), design.clone());
            async move {
                api.admit_reader(&parts, &design).await?;
                Ok(respond(bytes, media_type))
            }
        };
        router = mount(router, api, &format!("{base}/{name}"), MethodFilter::GET, ResponseSize::Small, handle);
    }
    router
}

/// The served designs that the caller may know of.
pub(super) async fn index(api: Arc<Api>, parts: Parts) -> HandlerResult {
    let known = api.known_designs(&parts).await?;
    let designs: Vec<Value> = known
        .into_iter()
        .map(|served| {
            let name = &served.design().name;
            json!({"design": name, "docs": format!("/v1/{name}/docs"), "openapi": format!("/v1/{name}/openapi.json")})
        })
        .collect();
    Ok(respond(json!({ "designs": designs }).to_string().into(), "application/json"))
}

/// The description that the `type` of a problem refers to.
pub(super) async fn problem(_: Arc<Api>, mut parts: Parts, _: Body) -> HandlerResult {
    let captured = RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| Problem::no_resource())?;
    let code = captured.iter().next().map(|(_, code)| code).ok_or_else(Problem::no_resource)?;
    let kind = ProblemKind::ALL.iter().find(|kind| kind.code == code).ok_or_else(Problem::no_resource)?;
    let description =
        json!({"type": format!("/problems/{}", kind.code), "title": kind.title, "status": kind.status.as_u16()});
    Ok(respond(description.to_string().into(), "application/json"))
}

fn respond(bytes: Bytes, media_type: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(VARY, HeaderValue::from_static(CALLER_HEADERS));
    headers.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    );
    response
}
