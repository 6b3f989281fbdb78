//! Request bodies: size, media type, JSON, and numbers that JSON parsers would silently round.

use std::error::Error;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use keyfold_connections::{TooSlow, UNCOUNTED_BYTES, within};
use keyfold_runtime::json_text;
use serde_json::{Map, Value};

use crate::api::Api;
use crate::limits::Limits;
use crate::response::problem::{Problem, ProblemKind};

pub(crate) const JSON: &str = "application/json";
pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";

/// Reads a body of one of the media types. A large one holds memory of the budget until it is dropped.
pub(crate) async fn read(api: &Api, headers: &HeaderMap, body: Body, types: &[&str]) -> Result<Bytes, Problem> {
    let limits = &api.limits;
    let given = media_type(headers);
    if !given.is_some_and(|given| types.iter().any(|known| known.eq_ignore_ascii_case(given))) {
        return Err(Problem::new(ProblemKind::MEDIA_TYPE, format!("the body must be {}", types.join(" or "))));
    }
    let announced = body.size_hint().exact().and_then(|length| usize::try_from(length).ok());
    let expected = announced.filter(|length| *length <= limits.body_bytes).unwrap_or(limits.body_bytes);
    let collected = async {
        let counted = if expected > UNCOUNTED_BYTES { expected } else { 0 };
        let memory = api.body_memory.reserve(counted).await;
        Limited::new(body, limits.body_bytes).collect().await.map(|collected| memory.attach(collected.to_bytes()))
    };
    match within(limits.body_read, collected).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if error.downcast_ref::<LengthLimitError>().is_some() => {
            Err(Problem::new(ProblemKind::TOO_LARGE, format!("the body has more than {} bytes", limits.body_bytes)))
        }
        Ok(Err(error)) if is_too_slow(error.as_ref()) => Err(Problem::new(ProblemKind::TOO_SLOW, TooSlow.to_string())),
        Ok(Err(_)) => Err(Problem::new(ProblemKind::BAD_BODY, "the body ended early")),
        Err(_) => Err(Problem::new(ProblemKind::TOO_SLOW, "the body did not arrive in time")),
    }
}

/// The error of the connection may be within errors of the layers between.
fn is_too_slow(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| (*error).source()).any(|error| error.is::<TooSlow>())
}

/// The media type without its parameters.
pub(crate) fn media_type(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split_once(';').map_or(value, |(media_type, _)| media_type).trim())
}

/// The JSON object of a body.
pub(crate) fn object(bytes: &[u8], limits: &Limits) -> Result<Map<String, Value>, Problem> {
    let bad = |detail: String| Problem::new(ProblemKind::BAD_BODY, detail);
    let text = std::str::from_utf8(bytes).map_err(|_| bad("the body is not UTF-8".to_owned()))?;
    json_text::check(text, limits.depth).map_err(|error| bad(error.to_string()))?;
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(bad("the body must be a JSON object".to_owned())),
        Err(error) => Err(bad(format!("the body is not valid JSON: line {}, column {}", error.line(), error.column()))),
    }
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::Number;

    use super::*;

    fn read(text: &str) -> Result<Map<String, Value>, String> {
        object(text.as_bytes(), &Limits { depth: 3, ..Limits::default() }).map_err(|problem| problem.detail)
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
        assert_eq!(object(b"{\"a\":\"\xff\"}", &Limits::default()).unwrap_err().detail, "the body is not UTF-8");
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
