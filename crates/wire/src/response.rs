//! The HTTP response around a body.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, SERVER};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::Full;
use keyfold_connections::Reservation;

pub(crate) type HttpResponse = Response<Full<Bytes>>;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
const CRC32: HeaderName = HeaderName::from_static("x-amz-crc32");
const JSON: HeaderValue = HeaderValue::from_static("application/x-amz-json-1.0");
const SERVER_NAME: HeaderValue = HeaderValue::from_static("Server");
/// Below this, compression costs more than it saves.
const MIN_COMPRESSED_BYTES: usize = 1024;

/// What the handling of a request means for sending its response.
pub(crate) struct Delivery {
    /// False if a part of the request was not read: it would be parsed as the next request.
    pub(crate) keep_open: bool,
    /// The memory reserved for the response, until it is sent.
    pub(crate) memory: Reservation,
}

/// A JSON response, compressed if the client accepts that and the body is large enough.
pub(crate) fn json(
    status: StatusCode,
    body: Vec<u8>,
    id: &[u8],
    request_headers: &HeaderMap,
    delivery: Delivery,
) -> HttpResponse {
    let compressed =
        if body.len() >= MIN_COMPRESSED_BYTES && accepts_gzip(request_headers) { gzip(&body) } else { None };
    let is_compressed = compressed.is_some();
    let mut bytes = compressed.unwrap_or(body);
    // It may wait for its client.
    bytes.shrink_to_fit();
    let mut response = with_headers(status, delivery.memory.attach(bytes.into()), id);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    if is_compressed {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if !delivery.keep_open {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// The response to a request outside the protocol.
pub(crate) fn text(status: StatusCode, body: Bytes, id: &[u8]) -> HttpResponse {
    with_headers(status, body, id)
}

/// Adds the headers that every response has. The checksum is that of the bytes as they are sent, compressed or not:
/// SDKs compare it with those.
fn with_headers(status: StatusCode, body: Bytes, id: &[u8]) -> HttpResponse {
    let checksum = crc32fast::hash(&body);
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.reserve(8);
    headers.insert(SERVER, SERVER_NAME);
    match HeaderValue::from_bytes(id) {
        Ok(id) => {
            headers.insert(REQUEST_ID, id);
        }
        // Ids consist of letters and digits.
        Err(error) => tracing::error!(%error, "a response has no request id"),
    }
    headers.insert(CRC32, HeaderValue::from(checksum));
    response
}

/// Whether the client accepts gzip: it is among the encodings, and its weight is not zero.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    encodings.any(|value| {
        value.split(',').any(|encoding| {
            let (name, weight) = encoding.split_once(';').unwrap_or((encoding, ""));
            let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
            name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight| weight > 0.0)
        })
    })
}

fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 2), Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}
