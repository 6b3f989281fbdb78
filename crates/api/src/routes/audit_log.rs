//! Pages of the audit log.

use axum::body::Body;
use http::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LINK, VARY};
use serde::Serialize;

use super::HandlerResult;
use super::patterns::next_page;
use crate::change_records::audit_log::{DEFAULT_PAGE, OUTCOMES, PAGE_LIMIT, VERBS};
use crate::change_records::{AuditEntry, AuditFilter, AuditPage, AuditQuery, AuditScope};
use crate::identity::principal::CALLER_HEADERS;
use crate::request::body;
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::header::header_value;
use crate::response::item_json::page_bytes;
use crate::response::problem::{Problem, ProblemKind};

/// The parameters, in the order of the documents.
pub(super) const PARAMETERS: [&str; 11] =
    ["tenant", "entity", "id", "subject", "verb", "outcome", "from", "to", "order", "take", "cursor"];

#[derive(Serialize)]
struct AuditPageJson<'a> {
    items: &'a [AuditEntry],
    count: usize,
    next: Option<&'a str>,
}

/// `GET` of the log.
pub(super) async fn page(exchange: Exchange) -> HandlerResult {
    let change_records = &exchange.api.change_records;
    if exchange.caller.subject.is_none() {
        return Err(Problem::token_required());
    }
    if !change_records.may_read(exchange.served.design(), &exchange.caller) {
        exchange.record_denied_attempt().await;
        return Err(Problem::new(ProblemKind::NOT_ALLOWED, "the audit log is for operators and auditors"));
    }
    let query = query(&exchange)?;
    let page =
        change_records.read_audit_log(&query).await.map_err(|error| exchange.change_record_problem(&[], error))?;
    response(&exchange, &page)
}

fn query(exchange: &Exchange) -> Result<AuditQuery, Problem> {
    query_string::only(&exchange.query, &PARAMETERS)?;
    let text = |name: &str| Ok::<_, Problem>(query_string::once(&exchange.query, name)?.map(str::to_owned));
    let bad = |name: &str, detail: &str| Problem::for_field(ProblemKind::BAD_PARAMETER, name, detail);
    let one_of = |name: &str, words: &[&str]| match text(name)? {
        Some(word) if !words.contains(&word.as_str()) => {
            Err(bad(name, &format!("`{name}` is one of {}", words.join(", "))))
        }
        word => Ok(word),
    };
    let (mut filter, scope) = match (text("entity")?, text("id")?, text("subject")?) {
        (None, Some(_), _) => return Err(bad("id", "`id` identifies an item: state `entity` as well")),
        (Some(entity), Some(identity), subject) => {
            (AuditFilter { subject, ..AuditFilter::default() }, AuditScope::Item { entity, identity })
        }
        (entity, None, Some(subject)) => {
            (AuditFilter { entity, ..AuditFilter::default() }, AuditScope::Subject(subject))
        }
        (entity, None, None) => (AuditFilter { entity, ..AuditFilter::default() }, AuditScope::Everything),
    };
    filter.verb = one_of("verb", &VERBS)?;
    filter.outcome = one_of("outcome", &OUTCOMES)?;
    let limit = match text("take")? {
        None => DEFAULT_PAGE,
        Some(take) => take
            .parse()
            .ok()
            .filter(|take| (1..=PAGE_LIMIT).contains(take))
            .ok_or_else(|| bad("take", &format!("`take` is a whole number from 1 to {PAGE_LIMIT}")))?,
    };
    Ok(AuditQuery {
        design: exchange.served.design().name.clone(),
        tenant: tenant(exchange)?,
        scope,
        filter,
        from: text("from")?,
        to: text("to")?,
        limit,
        cursor: text("cursor")?,
        oldest_first: one_of("order", &["forward", "reverse"])?.is_some_and(|order| order == "forward"),
    })
}

/// The tenant whose log is read: members read their own, operators state one; what belongs to no tenant has a log of
/// its own.
fn tenant(exchange: &Exchange) -> Result<Option<String>, Problem> {
    if exchange.served.design().tenant.is_none() {
        return match query_string::once(&exchange.query, "tenant")? {
            None => Ok(None),
            Some(_) => Err(Problem::for_field(ProblemKind::BAD_PARAMETER, "tenant", "this design has no tenants")),
        };
    }
    let stated = exchange.stated_tenant()?;
    if exchange.is_operator() {
        return Ok(stated.map(str::to_owned));
    }
    let own = exchange.caller.tenant.as_deref();
    match stated {
        Some(stated) if Some(stated) != own => Err(Problem::for_field(
            ProblemKind::BAD_PARAMETER,
            "tenant",
            "members can read only the audit log of their own tenant",
        )),
        Some(_) | None => Ok(own.map(str::to_owned)),
    }
}

fn response(exchange: &Exchange, page: &AuditPage) -> HandlerResult {
    let content = AuditPageJson { items: &page.items, count: page.items.len(), next: page.next.as_deref() };
    let mut response = Response::new(Body::from(page_bytes(&content, page.items.len())?));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(VARY, HeaderValue::from_static(CALLER_HEADERS));
    if let Some(cursor) = &page.next {
        let link = format!("<{}>; rel=\"next\"", next_page(exchange, cursor));
        headers.insert(LINK, header_value(&LINK, &link)?);
    }
    Ok(response)
}
