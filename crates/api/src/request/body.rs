//! Request bodies: size, media type, JSON, and numbers that JSON parsers would silently round.

use std::pin::pin;
use std::sync::Arc;

use axum::body::Body;
use futures_util::FutureExt as _;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::request::Parts;
use keyfold_connections::{ReceiveError, ReceivedBody, Reservation, TooManyValues, TooSlow, receive, within, work_on};
use keyfold_design::model::Entity;
use keyfold_dynamo::Attributes;
use keyfold_environment::find_in_chain;
use keyfold_runtime::Caller;
use keyfold_runtime::json_item::{self, JsonItemError};
use keyfold_runtime::json_text::{self, JsonSize};
use serde_json::{Map, Value};

use crate::api::Api;
use crate::limits::Limits;
use crate::limits::request_slots::RequestSlot;
use crate::response::problem::{Problem, ProblemKind};

pub(crate) const JSON: &str = "application/json";
pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";
/// Update operators and a condition.
pub(crate) const UPDATE: &str = "application/vnd.keyfold.update+json";

/// Bodies of anonymous requests have at most this size.
const ANONYMOUS_BYTES: usize = 64 * 1024;

/// Reads a body of one of the media types. It holds memory of the budget until it is dropped.
pub(crate) async fn read(
    api: &Api,
    parts: &Parts,
    caller: &Caller,
    mut body: Body,
    types: &[&str],
) -> Result<ReceivedBody, Problem> {
    let given = media_type(&parts.headers);
    if !given.is_some_and(|given| types.iter().any(|known| known.eq_ignore_ascii_case(given))) {
        return Err(Problem::new(ProblemKind::MEDIA_TYPE, format!("the body must be {}", types.join(" or "))));
    }
    require_identity_encoding(&parts.headers)?;
    let is_anonymous = caller.subject.is_none();
    let limit = if is_anonymous { api.limits.body_bytes.min(ANONYMOUS_BYTES) } else { api.limits.body_bytes };
    let mut receiving = pin!(within(api.limits.body_read, receive(&mut body, limit, &api.body_memory)));
    let slot = parts.extensions.get::<Arc<RequestSlot>>();
    let received = match receiving.as_mut().now_or_never() {
        Some(received) => received,
        None => {
            // Slow clients take no slots.
            slot.inspect(|slot| slot.pause());
            let received = receiving.await;
            slot.map_or(Ok(()), |slot| slot.resume())?;
            received
        }
    };
    match received {
        Ok(Ok(body)) => {
            if let Some(slot) = slot {
                slot.reserve(&api.response_memory.producing).await;
            }
            Ok(body)
        }
        Ok(Err(ReceiveError::TooLarge)) => {
            let hint = if limit < api.limits.body_bytes { ", the limit without a token" } else { "" };
            Err(Problem::new(ProblemKind::TOO_LARGE, format!("the body has more than {limit} bytes{hint}")))
        }
        // The error of the connection may be within errors of the layers between.
        Ok(Err(ReceiveError::Body(error))) if find_in_chain::<TooSlow>(&error).is_some() => {
            Err(Problem::new(ProblemKind::TOO_SLOW, TooSlow.to_string()))
        }
        Ok(Err(ReceiveError::Body(_))) => Err(Problem::new(ProblemKind::BAD_BODY, "the body ended early")),
        Err(_) => Err(Problem::new(ProblemKind::TOO_SLOW, "the body did not arrive in time")),
    }
}

/// Rejects compressed bodies: a few bytes could become megabytes.
fn require_identity_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    if encodings.all(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    let detail = "compressed bodies are not supported: send the body without Content-Encoding";
    Err(Problem::new(ProblemKind::MEDIA_TYPE, detail))
}

/// The media type without its parameters.
fn media_type(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split_once(';').map_or(value, |(media_type, _)| media_type).trim())
}

/// Whether the body has this media type.
pub(crate) fn is_of(headers: &HeaderMap, known: &str) -> bool {
    media_type(headers).is_some_and(|given| known.eq_ignore_ascii_case(given))
}

/// The JSON text of a body that may be parsed, and the memory that its values take.
pub(crate) struct JsonBody<'b> {
    text: &'b str,
    /// Held until the values are written.
    _memory: Reservation,
}

/// What becomes of a JSON text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Parsed {
    /// The attributes of an item.
    Item,
    /// A tree of values, from which attributes are made.
    Tree,
}

impl<'b> JsonBody<'b> {
    /// Checks a text, and waits for the memory that its values take.
    pub(crate) async fn check(api: &Api, bytes: &'b [u8], parsed: Parsed) -> Result<Self, Problem> {
        let (text, size) = work_on(bytes.len(), || checked_text(bytes, &api.limits))?;
        let values = match parsed {
            Parsed::Item => size.attributes_bytes(),
            Parsed::Tree => size.tree_bytes(),
        };
        match api.body_memory.reserve_parsed(size.bytes, values, size.fits_into_item()).await {
            Ok(_memory) => Ok(Self { text, _memory }),
            Err(TooManyValues) => {
                let detail = "the body holds more values than an item can have: send fewer at a time";
                Err(Problem::new(ProblemKind::TOO_LARGE, detail))
            }
        }
    }

    /// The attributes of an item of the entity.
    pub(crate) fn item(&self, entity: &Entity) -> Result<Attributes, Problem> {
        work_on(self.text.len(), || json_item::read(entity, self.text)).map_err(|error| match error {
            JsonItemError::Invalid(error) => error.into(),
            JsonItemError::NotAnObject => bad_body(NOT_AN_OBJECT),
            JsonItemError::Syntax { line, column } => bad_syntax(line, column),
        })
    }

    /// The members of an object.
    pub(crate) fn object(&self) -> Result<Map<String, Value>, Problem> {
        match work_on(self.text.len(), || serde_json::from_str(self.text)) {
            Ok(Value::Object(members)) => Ok(members),
            Ok(_) => Err(bad_body(NOT_AN_OBJECT)),
            Err(error) => Err(bad_syntax(error.line(), error.column())),
        }
    }
}

const NOT_AN_OBJECT: &str = "the body must be a JSON object";

fn bad_body(detail: impl Into<String>) -> Problem {
    Problem::new(ProblemKind::BAD_BODY, detail)
}

fn bad_syntax(line: usize, column: usize) -> Problem {
    bad_body(format!("the body is not valid JSON: line {line}, column {column}"))
}

/// The text of a body, if it may be parsed.
fn checked_text<'b>(bytes: &'b [u8], limits: &Limits) -> Result<(&'b str, JsonSize), Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| bad_body("the body is not UTF-8"))?;
    let size = json_text::check(text, limits.depth).map_err(|error| bad_body(error.to_string()))?;
    Ok((text, size))
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::Number;

    use super::*;

    fn parse(bytes: &[u8]) -> Result<Map<String, Value>, String> {
        let checked = checked_text(bytes, &Limits { depth: 3, ..Limits::default() });
        let object = checked.and_then(|(text, _)| JsonBody { text, _memory: Reservation::none() }.object());
        object.map_err(|problem| problem.detail)
    }

    fn read(text: &str) -> Result<Map<String, Value>, String> {
        parse(text.as_bytes())
    }

    #[test]
    fn objects_within_the_depth_are_read() {
        assert_eq!(read(r#"{"a":[{"b":"[[[[\"{"}]}"#).unwrap().len(), 1);
        assert_eq!(read(r#"{"a":[{"b":[]}]}"#).unwrap_err(), "the JSON is nested more than 3 levels deep");
    }

    #[test]
    fn bodies_that_are_not_objects_are_rejected() {
        assert_eq!(read("[]").unwrap_err(), "the body must be a JSON object");
        assert_eq!(read(r#"{"a":"#).unwrap_err(), "the body is not valid JSON: line 1, column 5");
        assert_eq!(read("").unwrap_err(), "the body is not valid JSON: line 1, column 0");
        assert_eq!(parse(b"{\"a\":\"\xff\"}").unwrap_err(), "the body is not UTF-8");
    }

    #[test]
    fn numbers_keep_all_digits() {
        for kept in ["9135.141165457897", "7.52e31", "1e-130", "18446744073709551615", "0.30000000000000004"] {
            let members = read(&format!(r#"{{"n":{kept}}}"#)).unwrap();
            assert_eq!(Number::parse(&members["n"].to_string()), Number::parse(kept), "{kept}");
        }
        assert_eq!(
            read(r#"{"n":0.12345678901234567}"#).unwrap_err(),
            "`0.12345678901234567` has more digits than JSON readers keep; write it as a string"
        );
    }
}
