//! The routes: made from the designs, once.

mod audit_log;
mod authentication;
mod authorize;
mod awaited_body;
mod collection_item;
mod documents;
mod envelope;
mod item_request;
mod items;
mod machine_keys;
mod me;
mod patterns;
mod probes;
mod replacement;
mod response_size;
mod sign_in;
#[cfg(test)]
mod tests;
mod transactions;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::routing::{MethodFilter, on};
use http::request::Parts;
use http::{Method, Request, Response};
use keyfold_design::model::Verb;

use self::envelope::Route;
use self::probes::Probe;
use self::response_size::ResponseSize;
use crate::address::ascii_path;
use crate::api::Api;
use crate::request::attempt::Attempt;
use crate::request::exchange::Exchange;
use crate::response::problem::{Problem, ProblemKind};
use crate::served_design::ServedDesign;

/// The outcome of a handler.
type HandlerResult = Result<Response<Body>, Problem>;

impl Api {
    /// The routes of all designs, and those of the server itself.
    pub(crate) fn router(self: &Arc<Self>) -> Router {
        let mut router = Router::new();
        for served in &self.designs {
            router = design_routes(router, self, served);
        }
        for (path, probe) in [("/healthz", Probe::Health), ("/readyz", Probe::Ready), ("/metrics", Probe::Metrics)] {
            let handle = move |api, parts, _| probes::handle(api, probe, parts);
            router = mount(router, self, path, MethodFilter::GET, ResponseSize::Small, handle);
        }
        router = mount(router, self, "/", MethodFilter::GET, ResponseSize::Small, |api, parts, _| {
            documents::index(api, parts)
        });
        router = mount(router, self, "/problems/{code}", MethodFilter::GET, ResponseSize::Small, documents::problem);
        router = machine_keys::mount_all(router, self);
        with_fallbacks(sign_in::mount_all(router, self), self)
    }
}

/// Addresses and methods without a route get a problem as well, with an id and a line in the log.
fn with_fallbacks(router: Router, api: &Arc<Api>) -> Router {
    let (none, refuse) = (Arc::clone(api), Arc::clone(api));
    router
        .fallback(move |request: Request<Body>| {
            let api = Arc::clone(&none);
            envelope::serve(api, no_route(), request, |_, _, _| async { Err(Problem::no_resource()) })
        })
        .method_not_allowed_fallback(move |request: Request<Body>| {
            let api = Arc::clone(&refuse);
            envelope::serve(api, no_route(), request, |_, parts, _| async move {
                let lists = match parts.method {
                    Method::GET => "; lists are access patterns, at `/v1/{design}/patterns/{pattern}`",
                    _ => "",
                };
                let detail = format!("this resource does not support this method{lists}");
                Err(Problem::new(ProblemKind::METHOD_NOT_ALLOWED, detail))
            })
        })
}

fn design_routes(router: Router, api: &Arc<Api>, served: &Arc<ServedDesign>) -> Router {
    let base = format!("/v1/{}", served.design().name);
    let router = item_routes(router, api, served, &base);
    let router = pattern_routes(router, api, served, &base);
    let router = caller_routes(router, api, served, &base);
    documents::mount_all(router, api, served, &base)
}

fn item_routes(mut router: Router, api: &Arc<Api>, served: &Arc<ServedDesign>, base: &str) -> Router {
    for (position, resource) in served.resources.iter().enumerate() {
        let collection = format!("{base}/{}", resource.segment);
        let item = format!("{base}{}", resource.template());
        let mut methods = MethodFilter::GET;
        if resource.accepts(Verb::Update) {
            methods = methods.or(MethodFilter::PUT).or(MethodFilter::PATCH);
        }
        if resource.accepts(Verb::Delete) {
            methods = methods.or(MethodFilter::DELETE);
        }
        let of_item = Arc::clone(served);
        let handle = move |api: Arc<Api>, parts: Parts, body: Body| {
            let served = Arc::clone(&of_item);
            async move { serve_item(&api, &served, position, parts, body).await }
        };
        router = mount(router, api, &item, methods, ResponseSize::Item, handle);
        if resource.accepts(Verb::Create) {
            let of_collection = Arc::clone(served);
            let handle = move |api: Arc<Api>, parts: Parts, body: Body| {
                let served = Arc::clone(&of_collection);
                async move { serve_item(&api, &served, position, parts, body).await }
            };
            router = mount(router, api, &collection, MethodFilter::POST, ResponseSize::Item, handle);
        }
        let entity = &served.design()[resource.entity];
        if let Some(plan) = served.design().listing_of(entity).filter(|_| !resource.is_single()) {
            let (of_list, pattern) = (Arc::clone(served), plan.pattern.index());
            let handle = move |api: Arc<Api>, parts: Parts, _| {
                let served = Arc::clone(&of_list);
                async move {
                    let listed = served.design().patterns.get(pattern).ok_or_else(Problem::no_resource)?;
                    let attempt = Attempt::on_pattern(served.design(), listed);
                    patterns::list(Exchange::open(&api, &served, parts, attempt).await?, pattern).await
                }
            };
            router = mount(router, api, &collection, MethodFilter::GET, ResponseSize::Page, handle);
        }
    }
    router
}

fn pattern_routes(mut router: Router, api: &Arc<Api>, served: &Arc<ServedDesign>, base: &str) -> Router {
    for (position, pattern) in served.design().patterns.iter().enumerate() {
        let of_pattern = Arc::clone(served);
        let handle = move |api: Arc<Api>, parts: Parts, _| {
            let served = Arc::clone(&of_pattern);
            async move {
                let pattern = served.design().patterns.get(position).ok_or_else(Problem::no_resource)?;
                let attempt = Attempt::on_pattern(served.design(), pattern);
                patterns::handle(Exchange::open(&api, &served, parts, attempt).await?, position).await
            }
        };
        let path = format!("{base}/patterns/{}", pattern.slug);
        router = mount(router, api, &path, MethodFilter::GET, ResponseSize::Page, handle);
    }
    router
}

/// Transactions, the audit log, and what the caller is and may do.
fn caller_routes(mut router: Router, api: &Arc<Api>, served: &Arc<ServedDesign>, base: &str) -> Router {
    let (writes, questions) = (Arc::clone(served), Arc::clone(served));
    let path = format!("{base}/transactions");
    router = mount(router, api, &path, MethodFilter::POST, ResponseSize::Transaction, move |api, parts, body| {
        let served = Arc::clone(&writes);
        async move {
            transactions::transact(Exchange::open(&api, &served, parts, Attempt::transaction()).await?, body).await
        }
    });
    let path = format!("{base}/authorize");
    router = mount(router, api, &path, MethodFilter::POST, ResponseSize::Small, move |api, parts, body| {
        let served = Arc::clone(&questions);
        async move {
            authorize::explain(Exchange::open(&api, &served, parts, Attempt::authorization_query()).await?, body).await
        }
    });
    let own = Arc::clone(served);
    router = mount(router, api, &format!("{base}/me"), MethodFilter::GET, ResponseSize::Page, move |api, parts, _| {
        let served = Arc::clone(&own);
        async move { me::describe(Exchange::open(&api, &served, parts, Attempt::caller()).await?).await }
    });
    if api.change_records.keeps_audit_log() {
        let log = Arc::clone(served);
        let path = format!("{base}/audit");
        router = mount(router, api, &path, MethodFilter::GET, ResponseSize::Page, move |api, parts, _| {
            let served = Arc::clone(&log);
            async move { audit_log::page(Exchange::open(&api, &served, parts, Attempt::audit_log()).await?).await }
        });
    }
    router
}

/// A request about the items of a resource.
async fn serve_item(
    api: &Arc<Api>,
    served: &Arc<ServedDesign>,
    position: usize,
    parts: Parts,
    body: Body,
) -> HandlerResult {
    let resource = served.resources.get(position).ok_or_else(Problem::no_resource)?;
    let attempt = Attempt::on_item(&served.design()[resource.entity], &parts.method);
    items::handle(Exchange::open(api, served, parts, attempt).await?, position, body).await
}

/// The route of addresses and methods without one.
fn no_route() -> Route {
    Route { template: "(none)".into(), response_size: ResponseSize::Small, is_health_check: false }
}

/// Adds a route; logs and metrics name it by its template.
fn mount<H, F>(
    router: Router,
    api: &Arc<Api>,
    path: &str,
    methods: MethodFilter,
    response_size: ResponseSize,
    handle: H,
) -> Router
where
    H: Fn(Arc<Api>, Parts, Body) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = HandlerResult> + Send + 'static,
{
    let api = Arc::clone(api);
    let is_health_check = matches!(path, "/healthz" | "/readyz");
    let route = Route { template: path.into(), response_size, is_health_check };
    let handler =
        move |request: Request<Body>| envelope::serve(Arc::clone(&api), route.clone(), request, handle.clone());
    let encoded = ascii_path(path).to_string();
    match encoded == path {
        true => router.route(path, on(methods, handler)),
        // Most clients encode what is not ASCII; those that do not are served as well.
        false => router.route(&encoded, on(methods, handler.clone())).route(path, on(methods, handler)),
    }
}
