//! Stored responses.

use std::borrow::Cow;
use std::io::{Read, Write};

use axum::body::Body;
use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::header::HeaderValue;
use http::{HeaderName, Response, StatusCode};
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use serde_json::Value;

use super::marks::remove_marks;
use crate::response::header::header_value;
use crate::response::problem::Problem;

/// Status, headers and body, so that a retry gets the same response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    pub status: StatusCode,
    /// As texts, which can be stored; they become values of headers when the response is sent.
    pub headers: Vec<(HeaderName, Cow<'static, str>)>,
    pub body: Bytes,
}

const STATUS: &str = "status";
const HEADERS: &str = "headers";
const BODY: &str = "body";
const PACKED: &str = "packed";

/// Smaller bodies gain nothing: a write unit is a kilobyte.
const WORTH_PACKING: usize = 700;
/// An item may have 400 KB in all.
const LARGEST_BODY: usize = 350 * 1024;
/// The largest body after decompression; larger ones are never stored.
const LARGEST_UNPACKED: u64 = 64 * 1024 * 1024;

impl StoredResponse {
    pub(super) fn write_to(&self, item: &mut Attributes) {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let header =
            |(name, value): &(HeaderName, Cow<'static, str>)| AttributeValue::L(vec![text(name.as_str()), text(value)]);
        let headers = self.headers.iter().map(header).collect();
        item.insert(STATUS.to_owned(), AttributeValue::N(Number::from(i64::from(self.status.as_u16()))));
        item.insert(HEADERS.to_owned(), AttributeValue::L(headers));
        let packed = (self.body.len() > WORTH_PACKING).then(|| pack(&self.body)).flatten();
        let is_packed = packed.is_some();
        let body = packed.unwrap_or_else(|| self.body.to_vec());
        if body.len() > LARGEST_BODY {
            return;
        }
        item.insert(BODY.to_owned(), AttributeValue::B(body));
        item.insert(PACKED.to_owned(), AttributeValue::Bool(is_packed));
    }

    /// The response that an item stores; without its body, where that was too large.
    pub(in crate::change_records) fn from_item(item: &Attributes) -> Option<Self> {
        let status = item.get(STATUS)?.as_number()?.to_i64()?;
        let status = StatusCode::from_u16(u16::try_from(status).ok()?).ok()?;
        let AttributeValue::L(headers) = item.get(HEADERS)? else { return None };
        let header = |pair: &AttributeValue| {
            let AttributeValue::L(pair) = pair else { return None };
            let [name, value] = pair.as_slice() else { return None };
            Some((name.as_str()?.parse().ok()?, value.as_str()?.to_owned().into()))
        };
        let headers = headers.iter().map(header).collect::<Option<_>>()?;
        let body = match (item.get(BODY), item.get(PACKED)) {
            (Some(AttributeValue::B(body)), Some(AttributeValue::Bool(true))) => unpack(body)?,
            (Some(AttributeValue::B(body)), _) => body.clone(),
            (None, _) => Vec::new(),
            (Some(_), _) => return None,
        };
        Some(Self { status, headers, body: body.into() })
    }

    /// The body; `null` if it is empty, and nothing if it cannot be decoded.
    pub(in crate::change_records) fn json(&self) -> Option<Value> {
        if self.body.is_empty() { Some(Value::Null) } else { serde_json::from_slice(&self.body).ok() }
    }
}

impl StoredResponse {
    /// Removes headers and body of a stored response, and whom it is about: a retry still gets its status.
    pub(in crate::change_records) fn remove_content(item: &mut Attributes) {
        item.remove(BODY);
        item.remove(PACKED);
        item.insert(HEADERS.to_owned(), AttributeValue::L(Vec::new()));
        remove_marks(item);
    }

    /// Whether a stored response has headers or a body.
    pub(in crate::change_records) fn has_content(item: &Attributes) -> bool {
        item.contains_key(BODY) || item.get(HEADERS) != Some(&AttributeValue::L(Vec::new()))
    }
}

impl TryFrom<StoredResponse> for Response<Body> {
    type Error = Problem;

    fn try_from(stored: StoredResponse) -> Result<Self, Problem> {
        let mut response = Self::new(Body::from(stored.body));
        *response.status_mut() = stored.status;
        let headers = response.headers_mut();
        // With room for the headers that every response gets.
        headers.reserve(stored.headers.len() + 4);
        for (name, text) in stored.headers {
            let value = match text {
                Cow::Borrowed(text) => HeaderValue::from_static(text),
                Cow::Owned(text) => header_value(&name, &text)?,
            };
            headers.append(name, value);
        }
        Ok(response)
    }
}

/// Smaller, or not at all.
fn pack(body: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok().filter(|packed| packed.len() < body.len())
}

fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    GzDecoder::new(packed).take(LARGEST_UNPACKED).read_to_end(&mut body).ok()?;
    Some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(body: &[u8]) -> StoredResponse {
        let headers = vec![(http::header::ETAG, "\"1\"".into())];
        let response = StoredResponse { status: StatusCode::CREATED, headers, body: Bytes::copy_from_slice(body) };
        let mut item = Attributes::new();
        response.write_to(&mut item);
        let again = StoredResponse::from_item(&item).unwrap();
        assert_eq!((again.status, &again.headers), (response.status, &response.headers));
        again
    }

    #[test]
    fn small_and_large_bodies_come_back() {
        for body in [Vec::new(), b"{}".to_vec(), b"keyfold ".repeat(200_000), (0..=255).collect()] {
            assert_eq!(stored(&body).body, body);
        }
    }

    #[test]
    fn an_empty_body_is_null_and_one_that_is_not_json_is_nothing() {
        assert_eq!(stored(b"").json(), Some(Value::Null));
        assert_eq!(stored(b"[1]").json(), Some(serde_json::json!([1])));
        assert_eq!(stored(b"{").json(), None);
    }

    #[test]
    fn a_body_that_no_item_could_hold_is_left_out() {
        let mut state = 1_u64;
        let random = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        assert!(stored(&(0..600_000).map(random).collect::<Vec<u8>>()).body.is_empty());
    }
}
