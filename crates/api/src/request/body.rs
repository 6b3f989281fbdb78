//! Request bodies: size, media type, JSON, and numbers that JSON parsers would silently round.

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use keyfold_connections::{UNCOUNTED_BYTES, within};
use keyfold_dynamo::Number;
use keyfold_dynamo::number::NumberError;
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
        return Err(Problem::new(ProblemKind::MEDIA_TYPE, format!("the body has to be {}", types.join(" or "))));
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
        Ok(Err(_)) => Err(Problem::new(ProblemKind::BAD_BODY, "the body ended early")),
        Err(_) => Err(Problem::new(ProblemKind::TOO_SLOW, "the body did not arrive in time")),
    }
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
    scan(text, limits.depth).map_err(bad)?;
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(bad("the body has to be a JSON object".to_owned())),
        Err(error) => Err(bad(format!("the body is not valid JSON: line {}, column {}", error.line(), error.column()))),
    }
}

/// Rejects nesting that is too deep, and numbers of which a JSON parser would keep only the first digits.
fn scan(text: &str, most: usize) -> Result<(), String> {
    let mut depth = 0usize;
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                while let Some((_, inner)) = bytes.next() {
                    match inner {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'[' | b'{' => {
                depth += 1;
                if depth > most {
                    return Err(format!("the body is nested more than {most} deep"));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'-' | b'0'..=b'9' => {
                let mut end = at + 1;
                while let Some((at, _)) =
                    bytes.next_if(|(_, byte)| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                {
                    end = at + 1;
                }
                if let Some(number) = text.get(at..end).filter(|number| !is_kept(number)) {
                    return Err(format!("`{number}` has more digits than JSON readers keep; write it as a text"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a JSON parser keeps all digits of a number. One that DynamoDB cannot hold is reported with the attribute, unless a
/// parser cannot hold it either.
fn is_kept(number: &str) -> bool {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return true;
    }
    match Number::parse(number) {
        Ok(exact) => exact.to_f64().is_some(),
        Err(NumberError::Overflow | NumberError::Underflow) => number.parse::<f64>().is_ok_and(f64::is_finite),
        Err(NumberError::Precision | NumberError::Syntax) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Map<String, Value>, String> {
        object(text.as_bytes(), &Limits { depth: 3, ..Limits::default() }).map_err(|problem| problem.detail)
    }

    #[test]
    fn objects_within_the_depth_are_read() {
        assert_eq!(read(r#"{"a":[{"b":"[[[[\"{"}]}"#).unwrap().len(), 1);
        assert_eq!(read(r#"{"a":[{"b":[]}]}"#).unwrap_err(), "the body is nested more than 3 deep");
    }

    #[test]
    fn bodies_that_are_not_objects_are_rejected() {
        assert_eq!(read("[]").unwrap_err(), "the body has to be a JSON object");
        assert_eq!(read(r#"{"a":"#).unwrap_err(), "the body is not valid JSON: line 1, column 5");
        assert_eq!(read("").unwrap_err(), "the body is not valid JSON: line 1, column 0");
        assert_eq!(object(b"{\"a\":\"\xff\"}", &Limits::default()).unwrap_err().detail, "the body is not UTF-8");
    }

    #[test]
    fn numbers_keep_all_digits() {
        for kept in [
            "1",
            "-9223372036854775808",
            "18446744073709551615",
            "0.1",
            "123456789.012345",
            "1e10",
            "-0.000001",
            "0.30000000000000004",
            "123456789012345.6",
            "1000000000000000.0",
            "-0.0",
        ] {
            assert!(read(&format!(r#"{{"n":{kept}}}"#)).is_ok(), "{kept}");
        }
        for lost in ["18446744073709551616", "0.12345678901234567", "0.30000000000000003", "1e999"] {
            let told = format!("`{lost}` has more digits than JSON readers keep; write it as a text");
            assert_eq!(read(&format!(r#"{{"n":{lost}}}"#)).unwrap_err(), told);
        }
    }
}
