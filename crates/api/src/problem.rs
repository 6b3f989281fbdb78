//! What went wrong, as RFC 9457 tells it: `application/problem+json`.

use http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, Response, StatusCode};
use keyfold_runtime::{Error, json};
use serde_json::{Map, Value};

/// A kind of problem: its code is stable, and the end of its `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    pub code: &'static str,
    pub status: StatusCode,
    pub title: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $code:literal, $status:ident, $title:literal;)*) => {
        impl Kind {
            $(pub const $name: Self = Self { code: $code, status: StatusCode::$status, title: $title };)*
            /// Every kind there is, for documents and tests.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

kinds! {
    INVALID = "invalid", BAD_REQUEST, "The request does not fit the design";
    BAD_BODY = "bad-body", BAD_REQUEST, "The body cannot be read";
    BAD_CURSOR = "bad-cursor", BAD_REQUEST, "The cursor is not one of this query";
    BAD_PARAMETER = "bad-parameter", BAD_REQUEST, "A parameter of the address does not fit";
    UNAUTHENTICATED = "unauthenticated", UNAUTHORIZED, "The request needs a token that counts";
    NOT_ALLOWED = "not-allowed", FORBIDDEN, "No rule allows it";
    NOT_FOUND = "not-found", NOT_FOUND, "There is no such thing";
    METHOD_NOT_ALLOWED = "method-not-allowed", METHOD_NOT_ALLOWED, "The address does not take this method";
    TOO_SLOW = "too-slow", REQUEST_TIMEOUT, "The request did not arrive in time";
    IDEMPOTENCY_KEY = "idempotency-key", BAD_REQUEST, "The Idempotency-Key cannot be used";
    IDEMPOTENCY_IN_PROGRESS = "idempotency-in-progress", CONFLICT, "A request with this Idempotency-Key is being answered";
    IDEMPOTENCY_MISMATCH = "idempotency-mismatch", UNPROCESSABLE_ENTITY, "The Idempotency-Key was used for another request";
    EXISTS = "exists", CONFLICT, "The item exists already";
    CONFLICT = "conflict", CONFLICT, "The item was changed by someone else";
    PRECONDITION_FAILED = "precondition-failed", PRECONDITION_FAILED, "The item is not as If-Match or If-None-Match says";
    TOO_LARGE = "too-large", PAYLOAD_TOO_LARGE, "The body is too large";
    MEDIA_TYPE = "media-type", UNSUPPORTED_MEDIA_TYPE, "The body is of a type that is not read here";
    CONSTRAINT = "constraint", UNPROCESSABLE_ENTITY, "A rule of the design does not hold";
    PRECONDITION_REQUIRED = "precondition-required", PRECONDITION_REQUIRED, "The change has to say which version it is for";
    ORIGIN_NOT_ALLOWED = "origin-not-allowed", FORBIDDEN, "Pages of this origin may not use the backend";
    RATE_LIMITED = "rate-limited", TOO_MANY_REQUESTS, "The caller made too many requests";
    THROTTLED = "throttled", TOO_MANY_REQUESTS, "Too much at once";
    INTERNAL = "internal", INTERNAL_SERVER_ERROR, "Something failed here";
    UNAVAILABLE = "unavailable", SERVICE_UNAVAILABLE, "Not available now";
}

/// One problem, before it is an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub kind: Kind,
    pub detail: String,
    /// The attribute or parameter concerned.
    pub field: Option<Box<str>>,
    /// The name of the rule that does not hold: an attribute, a unique, the message of a cross-field rule.
    pub rule: Option<Box<str>>,
    /// The item as it is now, as far as the caller may see it.
    pub current: Option<Box<Map<String, Value>>>,
    /// Seconds after which trying again makes sense.
    pub retry_after: Option<u32>,
    /// Whether a rule refused someone who said who they are: the log of changes notes that.
    pub denied: bool,
}

impl Problem {
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { kind, detail, field: None, rule: None, current: None, retry_after: None, denied: false }
    }

    pub fn of_field(kind: Kind, field: &str, detail: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(kind, detail) }
    }

    /// What is told of things that are not there, or not for this caller.
    pub fn nothing_here() -> Self {
        Self::new(Kind::NOT_FOUND, "there is nothing at this address")
    }

    pub fn unauthenticated(detail: impl Into<String>) -> Self {
        Self::new(Kind::UNAUTHENTICATED, detail)
    }

    pub fn unavailable(detail: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(Kind::UNAVAILABLE, detail) }
    }

    /// The answer. The request's id is what people quote when they ask about it.
    pub fn respond<B: From<Vec<u8>>>(&self, request_id: &str) -> Response<B> {
        let mut members = Map::new();
        members.insert("type".to_owned(), Value::String(format!("/problems/{}", self.kind.code)));
        members.insert("title".to_owned(), Value::from(self.kind.title));
        members.insert("status".to_owned(), Value::from(self.kind.status.as_u16()));
        members.insert("detail".to_owned(), Value::from(self.detail.clone()));
        members.insert("code".to_owned(), Value::from(self.kind.code));
        if let Some(field) = &self.field {
            members.insert("field".to_owned(), Value::from(field.as_ref()));
        }
        if let Some(rule) = &self.rule {
            members.insert("rule".to_owned(), Value::from(rule.as_ref()));
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
        if self.kind == Kind::UNAUTHENTICATED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"keyfold\""));
        }
    }
}

/// What every refusal of the runtime is over HTTP. Whether something that is not allowed is told as that, or as absent,
/// depends on the caller: see [`crate::refusal`].
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = error.to_string();
        match error {
            Error::NotFound { .. } => Self::new(Kind::NOT_FOUND, detail),
            Error::Exists { .. } => Self::new(Kind::EXISTS, detail),
            Error::Conflict { current, .. } => {
                let current = current.as_ref().map(json::object).map(Box::new);
                Self { current, ..Self::new(Kind::CONFLICT, detail) }
            }
            Error::Constraint(violation) => Self {
                field: violation.attribute.map(Into::into),
                rule: Some(violation.name.into()),
                ..Self::new(Kind::CONSTRAINT, detail)
            },
            Error::Cursor(_) => Self::new(Kind::BAD_CURSOR, detail),
            Error::Invalid(_) => Self::new(Kind::INVALID, detail),
            Error::NotAllowed(_) => Self::new(Kind::NOT_ALLOWED, detail),
            Error::Throttled => Self { retry_after: Some(1), ..Self::new(Kind::THROTTLED, detail) },
            // What the table says about itself, its name or its place is for the log.
            Error::Unavailable(cause) => {
                tracing::warn!(%cause, "the table is not available");
                Self::unavailable("the table is not available; try again")
            }
            Error::NoRandomness(cause) => {
                tracing::error!(%cause, "no id or cursor can be made");
                Self::new(Kind::INTERNAL, "an internal error")
            }
            Error::SideWriteFailed { .. } => {
                Self::unavailable("what is written beside the change was refused; try again")
            }
            Error::Undecodable { key, expected, cause } => {
                tracing::error!(%expected, %cause, key_length = key.len(), "a stored item is not what the design says");
                Self::new(Kind::INTERNAL, "a stored item is not what the design says")
            }
        }
    }
}
