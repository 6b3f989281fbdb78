//! Problems, as defined by RFC 9457: `application/problem+json`.

use std::time::{Duration, Instant};

use http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, Response, StatusCode};
use keyfold_runtime::{Error, json};
use parking_lot::Mutex;
use serde_json::{Map, Value};

/// The same cause is logged again after this time.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// A kind of problem: its code is stable, and the end of its `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemKind {
    pub code: &'static str,
    pub status: StatusCode,
    pub title: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $code:literal, $status:ident, $title:literal;)*) => {
        impl ProblemKind {
            $(pub const $name: Self = Self { code: $code, status: StatusCode::$status, title: $title };)*
            /// Every kind there is, for documents and tests.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

kinds! {
    INVALID = "invalid", BAD_REQUEST, "The request does not match the design";
    BAD_BODY = "bad-body", BAD_REQUEST, "The body cannot be read";
    BAD_HOST = "bad-host", BAD_REQUEST, "The request must name its host once";
    BAD_CURSOR = "bad-cursor", BAD_REQUEST, "The cursor does not belong to this query";
    BAD_PARAMETER = "bad-parameter", BAD_REQUEST, "A query parameter is invalid";
    UNAUTHENTICATED = "unauthenticated", UNAUTHORIZED, "A valid token is required";
    NOT_ALLOWED = "not-allowed", FORBIDDEN, "No rule allows the request";
    NOT_SETTABLE = "not-settable", FORBIDDEN, "The caller may not set an attribute";
    UNKNOWN_USER = "unknown-user", FORBIDDEN, "The token is valid, but its person is not a user of the design";
    NOT_FOUND = "not-found", NOT_FOUND, "Not found";
    METHOD_NOT_ALLOWED = "method-not-allowed", METHOD_NOT_ALLOWED, "The resource does not support this method";
    TOO_SLOW = "too-slow", REQUEST_TIMEOUT, "The request did not arrive in time";
    IDEMPOTENCY_KEY = "idempotency-key", BAD_REQUEST, "The Idempotency-Key cannot be used";
    IDEMPOTENCY_IN_PROGRESS = "idempotency-in-progress", CONFLICT, "A request with this Idempotency-Key is in progress";
    IDEMPOTENCY_MISMATCH = "idempotency-mismatch", UNPROCESSABLE_ENTITY, "The Idempotency-Key was used for another request";
    EXISTS = "exists", CONFLICT, "The item already exists";
    CONFLICT = "conflict", CONFLICT, "The item was changed by someone else";
    CONDITION_NOT_MET = "condition-not-met", CONFLICT, "The item does not meet the condition of the change";
    PRECONDITION_FAILED = "precondition-failed", PRECONDITION_FAILED, "The precondition of If-Match or If-None-Match failed";
    TOO_LARGE = "too-large", PAYLOAD_TOO_LARGE, "The body is too large";
    MEDIA_TYPE = "media-type", UNSUPPORTED_MEDIA_TYPE, "The media type of the body is not supported";
    UNDECODABLE = "undecodable", UNPROCESSABLE_ENTITY, "The stored item does not fit the design";
    CONSTRAINT = "constraint", UNPROCESSABLE_ENTITY, "A rule of the design is violated";
    PRECONDITION_REQUIRED = "precondition-required", PRECONDITION_REQUIRED, "The change must state a version with If-Match";
    ORIGIN_NOT_ALLOWED = "origin-not-allowed", FORBIDDEN, "The origin is not allowed";
    RATE_LIMITED = "rate-limited", TOO_MANY_REQUESTS, "The rate limit is exceeded";
    THROTTLED = "throttled", TOO_MANY_REQUESTS, "The table is throttled";
    INTERNAL = "internal", INTERNAL_SERVER_ERROR, "Internal error";
    UNAVAILABLE = "unavailable", SERVICE_UNAVAILABLE, "Temporarily unavailable";
}

/// The beginning of a text, since problems quote the request, which may have megabytes.
fn beginning(text: &str) -> String {
    const CHARACTERS: usize = 1000;
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A problem, before it becomes a response.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub detail: String,
    /// The attribute or parameter concerned.
    pub field: Option<Box<str>>,
    /// The name of the violated rule: an attribute, a unique, the message of a cross-field rule.
    pub rule: Option<Box<str>>,
    /// The item as it is now, as far as the caller may see it.
    pub current: Option<Box<Map<String, Value>>>,
    /// Seconds after which a retry makes sense.
    pub retry_after: Option<u32>,
    /// Whether a rule denied the request of an authenticated caller: the audit log records it.
    pub denied: bool,
}

impl Problem {
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { kind, detail, field: None, rule: None, current: None, retry_after: None, denied: false }
    }

    pub fn for_field(kind: ProblemKind, field: &str, detail: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(kind, detail) }
    }

    /// The problem of an address without a resource, or without one that this caller may know of.
    pub fn no_resource() -> Self {
        Self::new(ProblemKind::NOT_FOUND, "no resource at this address")
    }

    pub fn unauthenticated(detail: impl Into<String>) -> Self {
        Self::new(ProblemKind::UNAUTHENTICATED, detail)
    }

    /// The problem of an anonymous request for what needs a caller.
    pub fn token_required() -> Self {
        Self::unauthenticated("a valid token is required")
    }

    pub fn unavailable(detail: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(ProblemKind::UNAVAILABLE, detail) }
    }

    /// The response. It carries the id of the request, which people quote in support.
    pub fn respond<B: From<Vec<u8>>>(&self, request_id: &str) -> Response<B> {
        let mut members = Map::new();
        members.insert("type".to_owned(), Value::String(format!("/problems/{}", self.kind.code)));
        members.insert("title".to_owned(), Value::from(self.kind.title));
        members.insert("status".to_owned(), Value::from(self.kind.status.as_u16()));
        members.insert("detail".to_owned(), Value::from(beginning(&self.detail)));
        members.insert("code".to_owned(), Value::from(self.kind.code));
        if let Some(field) = &self.field {
            members.insert("field".to_owned(), Value::from(beginning(field)));
        }
        if let Some(rule) = &self.rule {
            members.insert("rule".to_owned(), Value::from(beginning(rule)));
        }
        if let Some(current) = &self.current {
            members.insert("current".to_owned(), Value::Object(current.as_ref().clone()));
        }
        members.insert("requestId".to_owned(), Value::from(request_id));
        let mut response = Response::new(B::from(Value::Object(members).to_string().into_bytes()));
        *response.status_mut() = self.kind.status;
        self.headers(response.headers_mut());
        response
    }

    fn headers(&self, headers: &mut HeaderMap) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.kind == ProblemKind::UNAUTHENTICATED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"keyfold\""));
        }
    }
}

/// The attribute of a violated rule, with its write where the call has several: `writes[1].title`.
fn field_of(attribute: Option<String>, write: Option<usize>) -> Option<Box<str>> {
    let field = match (attribute, write) {
        (attribute, None) => attribute?,
        (None, Some(position)) => format!("writes[{position}]"),
        (Some(attribute), Some(position)) => format!("writes[{position}].{attribute}"),
    };
    Some(field.into())
}

/// The problem of every error of the runtime. Whether what is not allowed becomes 403 or 404 depends on the caller: see
/// `request::denial`.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = error.to_string();
        match error {
            Error::NotFound { .. } => Self::new(ProblemKind::NOT_FOUND, detail),
            Error::Exists { .. } => Self::new(ProblemKind::EXISTS, detail),
            Error::Conflict { current, .. } => {
                let current = current.as_ref().map(json::object).map(Box::new);
                Self { current, ..Self::new(ProblemKind::CONFLICT, detail) }
            }
            Error::ConditionNotMet { condition, write, .. } => Self {
                field: field_of(Some("if".to_owned()), write),
                rule: Some(condition.into()),
                ..Self::new(ProblemKind::CONDITION_NOT_MET, detail)
            },
            Error::Constraint(violation) | Error::ImpossibleIdentity(violation) => Self {
                field: field_of(violation.attribute, violation.write),
                rule: Some(violation.name.into()),
                ..Self::new(ProblemKind::CONSTRAINT, detail)
            },
            Error::NotSettable(violation) => Self {
                field: field_of(violation.attribute, violation.write),
                rule: Some(violation.name.into()),
                ..Self::new(ProblemKind::NOT_SETTABLE, detail)
            },
            Error::Cursor(_) => Self::new(ProblemKind::BAD_CURSOR, detail),
            Error::Invalid(_) => Self::new(ProblemKind::INVALID, detail),
            Error::InvalidArgument { name, .. } => Self::for_field(ProblemKind::INVALID, &name, detail),
            Error::NotAllowed(_) => Self::new(ProblemKind::NOT_ALLOWED, detail),
            Error::UnknownUser { .. } => Self::new(ProblemKind::UNKNOWN_USER, detail),
            Error::Throttled => Self { retry_after: Some(1), ..Self::new(ProblemKind::THROTTLED, detail) },
            // The cause may name the table or its host: it belongs in the log only.
            Error::Unavailable(cause) => {
                log_unavailable(&cause);
                Self::unavailable("the table is not available; try again")
            }
            Error::LimitExceeded(cause) => {
                log_unavailable(&cause);
                Self::unavailable("the table is not available; try again")
            }
            Error::TableNotFound => {
                tracing::warn!("the table does not exist");
                Self::unavailable("the table is not available; try again")
            }
            Error::NoRandomness(cause) => {
                tracing::error!(%cause, "no id or cursor can be made");
                Self::new(ProblemKind::INTERNAL, "an internal error")
            }
            Error::WrittenUnreadable { .. } => {
                tracing::error!("a written item was read as if its caller might read it");
                Self::new(ProblemKind::INTERNAL, "an internal error")
            }
            Error::SideWriteFailed { .. } => {
                Self::unavailable("a record of the change could not be written; try again")
            }
            Error::Undecodable { key, expected, cause } => {
                tracing::error!(%expected, %cause, key_length = key.len(), "a stored item does not match the design");
                Self::new(ProblemKind::INTERNAL, "a stored item does not match the design")
            }
        }
    }
}

/// Many requests fail for the same cause: it is logged once, and again after a minute.
fn log_unavailable(cause: &str) {
    static LAST: Mutex<Option<(String, Instant)>> = Mutex::new(None);
    let mut last = LAST.lock();
    if last.as_ref().is_none_or(|(logged, at)| logged != cause || at.elapsed() >= LOG_INTERVAL) {
        tracing::warn!(%cause, "the table is not available");
        *last = Some((cause.to_owned(), Instant::now()));
    }
}
