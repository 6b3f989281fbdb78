//! The body of a request: read within its limits, and unpacked where it is packed.

use std::io::Read as _;

use bytes::{Bytes, BytesMut};
use flate2::read::MultiGzDecoder;
use http::header::{CONTENT_ENCODING, EXPECT};
use http::request::Parts;
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};

use crate::failure::Failure;
use crate::limits::Limits;

/// Reads the body to its end.
pub(crate) async fn read(head: &Parts, incoming: Incoming, limits: &Limits) -> Result<Bytes, Failure> {
    let reading = collect(head, incoming, limits.body_bytes);
    tokio::time::timeout(limits.body_read, reading).await.unwrap_or(Err(Failure::RequestTimeout))
}

async fn collect(head: &Parts, mut incoming: Incoming, limit: usize) -> Result<Bytes, Failure> {
    let announced = incoming.size_hint().lower();
    let too_large = usize::try_from(announced).map_or(true, |announced| announced > limit);
    if too_large && head.headers.contains_key(EXPECT) {
        // The client waits for a word before it sends anything.
        return Err(Failure::TooLarge { limit });
    }
    if too_large {
        return Err(discard(incoming, limit).await);
    }
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    while let Some(frame) = incoming.frame().await {
        // A connection that breaks off leaves a request that is not whole.
        let frame = frame.map_err(|_| Failure::Serialization(None))?;
        let Ok(data) = frame.into_data() else { continue };
        if first.len() + all.len() + data.len() > limit {
            drop((first, all));
            return Err(discard(incoming, limit).await);
        }
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            if all.is_empty() {
                all.reserve(usize::try_from(announced).unwrap_or(0).max(first.len() + data.len()));
                all.extend_from_slice(&first);
                first = Bytes::new();
            }
            all.extend_from_slice(&data);
        }
    }
    Ok(if all.is_empty() { first } else { all.freeze() })
}

/// Reads on for a while, since a client that is still sending when the connection closes never sees the answer.
async fn discard(mut incoming: Incoming, limit: usize) -> Failure {
    let mut discarded = 0;
    while let Some(Ok(frame)) = incoming.frame().await {
        discarded += frame.data_ref().map_or(0, Bytes::len);
        if discarded > limit {
            break;
        }
    }
    Failure::TooLarge { limit }
}

/// Unpacks a body that says it is packed; not beyond the limit.
pub(crate) fn unpack(head: &Parts, body: Bytes, limit: usize) -> Result<Bytes, Failure> {
    match head.headers.get(CONTENT_ENCODING).map(|encoding| encoding.as_bytes()) {
        None | Some(b"" | b"identity") => Ok(body),
        Some(b"gzip") => gunzip(&body, limit),
        Some(_) => Err(Failure::Serialization(Some("Unsupported content encoding".into()))),
    }
}

fn gunzip(packed: &[u8], limit: usize) -> Result<Bytes, Failure> {
    let mut body = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    MultiGzDecoder::new(packed).take(most).read_to_end(&mut body).map_err(|_| Failure::Serialization(None))?;
    if body.len() > limit { Err(Failure::TooLarge { limit }) } else { Ok(body.into()) }
}
