//! Values of headers.

use http::header::{HeaderMap, HeaderName, HeaderValue};

use super::problem::{Problem, ProblemKind};

/// The value of a header. All that the server puts into headers is visible ASCII. Anything else is a defect, and fails:
/// clients could not tell a response that lacks its `ETag` or `Location` from one that has none.
pub(crate) fn header_value(name: &HeaderName, text: &str) -> Result<HeaderValue, Problem> {
    HeaderValue::from_str(text).map_err(|error| {
        tracing::error!(%name, %error, "a header cannot be written");
        Problem::new(ProblemKind::INTERNAL, "an internal error")
    })
}

/// Adds a header that clients can do without. A defect in it is logged, and fails no request that has been carried out
/// already.
pub(crate) fn insert_header(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    if let Ok(value) = header_value(&name, text) {
        headers.insert(name, value);
    }
}
