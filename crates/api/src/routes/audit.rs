//! Pages of the log of changes.

use axum::body::Body;
use http::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LINK, VARY};
use keyfold_runtime::Error;
use serde::Serialize;

use super::Answer;
use super::patterns::next_page;
use crate::body;
use crate::exchange::Exchange;
use crate::journal::{About, AuditEntry, AuditPage, AuditQuery, JournalError, Only};
use crate::principal::CALLER_HEADERS;
use crate::problem::{Kind, Problem};
use crate::query_string;

/// The parameters, in the order of the documents.
pub const PARAMETERS: [&str; 11] =
    ["tenant", "entity", "id", "subject", "verb", "outcome", "from", "to", "order", "take", "cursor"];
/// What was done, in the words of the log.
pub const VERBS: [&str; 7] = ["create", "put", "upsert", "patch", "delete", "get", "list"];
pub const OUTCOMES: [&str; 2] = ["allowed", "denied"];
/// The number of entries on a page where `take` is absent.
pub const DEFAULT_PAGE: usize = 50;
/// The maximum number of entries on a page.
pub const PAGE_LIMIT: usize = 100;

#[derive(Serialize)]
struct Shown<'a> {
    items: &'a [AuditEntry],
    count: usize,
    next: Option<&'a str>,
}

/// `GET` of the log.
pub async fn page(exchange: Exchange) -> Answer {
    let journal = &exchange.api.journal;
    if exchange.caller.subject.is_none() {
        return Err(Problem::unauthenticated("this needs a token"));
    }
    if !journal.may_read(exchange.served.design(), &exchange.caller) {
        exchange.note_denial("list", "audit", "").await;
        return Err(Problem::new(Kind::NOT_ALLOWED, "the log of changes is for operators and auditors"));
    }
    let query = query(&exchange)?;
    let page = journal.audit(&query).await.map_err(|error| match error {
        JournalError::BadCursor => Problem::of_field(Kind::BAD_CURSOR, "cursor", error.to_string()),
        JournalError::Runtime(Error::Invalid(detail)) => Problem::new(Kind::BAD_PARAMETER, detail),
        error => exchange.not_let_through(&[], error),
    })?;
    Ok(shown(&exchange, &page))
}

fn query(exchange: &Exchange) -> Result<AuditQuery, Problem> {
    query_string::only(&exchange.query, &PARAMETERS)?;
    let text = |name: &str| Ok::<_, Problem>(query_string::once(&exchange.query, name)?.map(str::to_owned));
    let bad = |name: &str, detail: &str| Problem::of_field(Kind::BAD_PARAMETER, name, detail);
    let one_of = |name: &str, words: &[&str]| match text(name)? {
        Some(word) if !words.contains(&word.as_str()) => {
            Err(bad(name, &format!("`{name}` is one of {}", words.join(", "))))
        }
        word => Ok(word),
    };
    let (mut only, about) = match (text("entity")?, text("id")?, text("subject")?) {
        (None, Some(_), _) => return Err(bad("id", "`id` is that of an item: say `entity` as well")),
        (Some(entity), Some(identity), subject) => {
            (Only { subject, ..Only::default() }, About::Item { entity, identity })
        }
        (entity, None, Some(subject)) => (Only { entity, ..Only::default() }, About::Subject(subject)),
        (entity, None, None) => (Only { entity, ..Only::default() }, About::Everything),
    };
    only.verb = one_of("verb", &VERBS)?;
    only.outcome = one_of("outcome", &OUTCOMES)?;
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
        about,
        only,
        from: text("from")?,
        to: text("to")?,
        limit,
        cursor: text("cursor")?,
        oldest_first: one_of("order", &["forward", "reverse"])?.is_some_and(|order| order == "forward"),
    })
}

/// Whose log is read: members have their own, operators say which; what belongs to no tenant is in one of its own.
fn tenant(exchange: &Exchange) -> Result<Option<String>, Problem> {
    if exchange.served.design().tenant.is_none() {
        return match query_string::once(&exchange.query, "tenant")? {
            None => Ok(None),
            Some(_) => Err(Problem::of_field(Kind::BAD_PARAMETER, "tenant", "this design has no tenants")),
        };
    }
    let stated = exchange.stated_tenant()?;
    if exchange.is_operator() {
        return Ok(stated.map(str::to_owned));
    }
    let own = exchange.caller.tenant.as_deref();
    match stated {
        Some(stated) if Some(stated) != own => {
            Err(Problem::of_field(Kind::BAD_PARAMETER, "tenant", "the log of changes is that of your own tenant"))
        }
        _ => Ok(own.map(str::to_owned)),
    }
}

fn shown(exchange: &Exchange, page: &AuditPage) -> Response<Body> {
    let shown = Shown { items: &page.items, count: page.items.len(), next: page.next.as_deref() };
    let bytes = serde_json::to_vec(&shown).unwrap_or_default();
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(VARY, HeaderValue::from_static(CALLER_HEADERS));
    if let Some(cursor) = &page.next
        && let Ok(link) = HeaderValue::from_str(&format!("<{}>; rel=\"next\"", next_page(exchange, cursor)))
    {
        headers.insert(LINK, link);
    }
    response
}
