//! The body of a request: read within its limits, and decompressed.

use std::io::Read as _;

use bytes::{Bytes, BytesMut};
use flate2::read::MultiGzDecoder;
use http::header::{CONTENT_ENCODING, EXPECT};
use http::request::Parts;
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};
use keyfold_connections::{MemoryBudget, PacedBody, Peer, Reservation, TooSlow, within};

use crate::failure::Failure;
use crate::limits::Limits;

/// A body of unknown length may grow this far without a share of the memory budget.
const UNSHARED: usize = 64 * 1024;
/// The initial capacity for a large body.
const INITIAL_CAPACITY: usize = 256 * 1024;
/// A body up to this size is read even if its request has been refused already, so that the connection can stay open.
const SMALL: u64 = 64 * 1024;

/// Reads bodies. Large ones share a memory budget.
pub(crate) struct BodyReader {
    limits: Limits,
    memory: MemoryBudget,
}

/// A body, and its share of the memory budget.
pub(crate) struct ReceivedBody {
    pub(crate) bytes: Bytes,
    _share: Reservation,
}

impl BodyReader {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { memory: MemoryBudget::new(limits.bodies_bytes.max(limits.body_bytes)), limits: limits.clone() }
    }

    /// Reads the body to its end.
    pub(crate) async fn read(&self, head: &Parts, incoming: Incoming, peer: &Peer) -> Result<ReceivedBody, Failure> {
        let reading = self.collect(head, peer.pace(incoming));
        within(self.limits.body_read, reading).await.unwrap_or(Err(Failure::RequestTimeout))
    }

    async fn collect(&self, head: &Parts, mut incoming: PacedBody<Incoming>) -> Result<ReceivedBody, Failure> {
        let limit = self.limits.body_bytes;
        let announced = usize::try_from(incoming.size_hint().lower()).unwrap_or(usize::MAX);
        if announced > limit && head.headers.contains_key(EXPECT) {
            // The client waits for a response before it sends the body.
            return Err(Failure::TooLarge { limit });
        }
        if announced > limit {
            return Err(discard(incoming, limit).await);
        }
        let first = next_part(&mut incoming).await?.unwrap_or_default();
        if incoming.is_end_stream() && first.len() <= limit {
            return Ok(ReceivedBody { bytes: first, _share: Reservation::none() });
        }
        let mut share = match incoming.size_hint().exact() {
            Some(_) => Some(self.memory.reserve(announced).await),
            None => None,
        };
        let mut bytes = BytesMut::with_capacity(announced.clamp(first.len(), INITIAL_CAPACITY.max(first.len())));
        bytes.extend_from_slice(&first);
        drop(first);
        while let Some(part) = next_part(&mut incoming).await? {
            if bytes.len() + part.len() > limit {
                drop(bytes);
                return Err(discard(incoming, limit).await);
            }
            if share.is_none() && bytes.len() + part.len() > UNSHARED {
                // Its final length is unknown.
                share = Some(self.memory.reserve(limit).await);
            }
            bytes.extend_from_slice(&part);
        }
        Ok(ReceivedBody { bytes: bytes.freeze(), _share: share.unwrap_or(Reservation::none()) })
    }
}

/// Whether a body is small enough to be read and discarded.
pub(crate) fn is_small(incoming: &Incoming) -> bool {
    incoming.size_hint().exact().is_some_and(|bytes| bytes <= SMALL)
}

async fn next_part(incoming: &mut PacedBody<Incoming>) -> Result<Option<Bytes>, Failure> {
    while let Some(frame) = incoming.frame().await {
        // A broken connection leaves an incomplete request.
        let frame = frame.map_err(|error| match error.is::<TooSlow>() {
            true => Failure::RequestTimeout,
            false => Failure::Serialization(None),
        })?;
        if let Ok(part) = frame.into_data() {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

/// Continues to read for a while: a client that is still sending when the connection closes never sees the response.
async fn discard(mut incoming: PacedBody<Incoming>, limit: usize) -> Failure {
    let mut discarded = 0;
    while let Ok(Some(part)) = next_part(&mut incoming).await {
        discarded += part.len();
        if discarded > limit {
            break;
        }
    }
    Failure::TooLarge { limit }
}

/// Decompresses a body with a content encoding, up to the limit.
pub(crate) fn decompress(head: &Parts, body: &Bytes, limit: usize) -> Result<Bytes, Failure> {
    match head.headers.get(CONTENT_ENCODING).map(|encoding| encoding.as_bytes()) {
        None | Some(b"" | b"identity") => Ok(body.clone()),
        Some(b"gzip") => gunzip(body, limit),
        Some(_) => Err(Failure::Serialization(Some("Unsupported content encoding".into()))),
    }
}

fn gunzip(packed: &[u8], limit: usize) -> Result<Bytes, Failure> {
    let mut body = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    MultiGzDecoder::new(packed).take(most).read_to_end(&mut body).map_err(|_| Failure::Serialization(None))?;
    if body.len() > limit { Err(Failure::TooLarge { limit }) } else { Ok(body.into()) }
}
