//! CORS: the origins whose web pages may use the backend. They send tokens in a header. The cookies of sessions are for
//! pages of the backend's own origin: `Access-Control-Allow-Credentials` is never set.

use std::str::FromStr;

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderValue, ORIGIN, VARY,
};
use http::request::Parts;
use http::{HeaderMap, Method, Response, StatusCode, Uri};

use crate::response::problem::{Problem, ProblemKind};

const METHODS: &str = "GET, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS: &str =
    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Keyfold-Tenant, X-Api-Key";
const RESPONSE_HEADERS: &str = "ETag, Link, Location, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Idempotency-Replayed, WWW-Authenticate";
/// How long a browser may cache the response to a preflight request.
const MAX_AGE_SECONDS: &str = "600";

/// A scheme, a host and a port, as a browser writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(HeaderValue);

/// A text that is not an origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an origin; write it as https://app.example.com, without a path")]
pub struct BadOrigin(String);

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let refusal = || BadOrigin(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| refusal())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(refusal()) };
        // Browsers write an origin in one way only: another spelling would never match.
        let is_usual_port = matches!((scheme, uri.port_u16()), ("https", Some(443)) | ("http", Some(80)));
        if text != format!("{scheme}://{authority}").to_ascii_lowercase() || is_usual_port || text.contains('@') {
            return Err(refusal());
        }
        Ok(Self(HeaderValue::from_str(text).map_err(|_| refusal())?))
    }
}

/// The origins whose pages may read responses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Cors {
    /// Only pages of the backend's own origin.
    #[default]
    Off,
    Origins(Vec<Origin>),
    /// Every page; it still needs a token where the rules ask for one.
    Everyone,
}

impl Cors {
    /// The response to a browser's preflight request; `None` for any other request.
    pub fn preflight<B: Default>(&self, parts: &Parts) -> Option<Result<Response<B>, Problem>> {
        let is_preflight = parts.method == Method::OPTIONS && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        let origin = parts.headers.get(ORIGIN).filter(|_| is_preflight && *self != Self::Off)?;
        if self.allowed(origin).is_none() {
            let detail = "this origin is not in the server's list of allowed origins";
            return Some(Err(Problem::new(ProblemKind::ORIGIN_NOT_ALLOWED, detail)));
        }
        let mut response = Response::new(B::default());
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(REQUEST_HEADERS));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE_SECONDS));
        Some(Ok(response))
    }

    /// Adds the headers that let a page of an allowed origin read the response.
    pub fn mark(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        if *self == Self::Off {
            return;
        }
        if matches!(self, Self::Origins(_)) {
            // Also without an `Origin`: a cache could send this response to a page that has one.
            headers.append(VARY, HeaderValue::from_static("Origin"));
        }
        if let Some(allowed) = origin.and_then(|origin| self.allowed(origin)) {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(RESPONSE_HEADERS));
        }
    }

    fn allowed(&self, origin: &HeaderValue) -> Option<HeaderValue> {
        match self {
            Self::Off => None,
            Self::Origins(origins) => origins.iter().find(|allowed| allowed.0 == origin).map(|_| origin.clone()),
            Self::Everyone => Some(HeaderValue::from_static("*")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_written_as_browsers_write_them() {
        for text in ["https://app.example.com", "http://localhost:5173", "https://[2001:db8::1]:8443"] {
            assert!(text.parse::<Origin>().is_ok(), "{text}");
        }
        let wrong = [
            "",
            "*",
            "null",
            "app.example.com",
            "https://app.example.com/",
            "https://app.example.com/x",
            "https://App.example.com",
            "https://app.example.com:443",
            "https://user@app.example.com",
            "https://*.example.com?x",
        ];
        for text in wrong {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
