//! The body of a request: read within its limits, and decompressed.

use std::io::Read as _;

use bytes::Bytes;
use flate2::bufread::GzDecoder;
use http::header::{CONTENT_ENCODING, EXPECT, HeaderValue};
use http::request::Parts;
use hyper::body::{Body as _, Incoming};
use keyfold_connections::{
    BodyMemory, MemoryBudget, PacedBody, Peer, ReceiveError, ReceivedBody, Reservation, TooManyValues, TooSlow,
    next_part, receive, within, work_on,
};

use crate::decoded_size::decoded_bytes;
use crate::failure::Failure;
use crate::limits::Limits;

/// A body up to this size is read even if its request has been refused already, so that the connection can stay open.
const SMALL: u64 = 64 * 1024;

/// Reads bodies, which share a memory budget.
pub(crate) struct BodyReader {
    limits: Limits,
    memory: BodyMemory,
    /// For what compressed bodies become.
    unpacked: MemoryBudget,
}

/// A decompressed body, and the memory that it holds.
pub(crate) struct UnpackedBody {
    pub(crate) bytes: Bytes,
    _memory: Reservation,
}

/// A deflated byte never becomes more than these.
const MOST_UNPACKED: usize = 1032;

impl BodyReader {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            memory: BodyMemory::new(limits.bodies_bytes, limits.body_bytes),
            unpacked: MemoryBudget::new((limits.bodies_bytes / 4).max(limits.body_bytes)),
            limits: limits.clone(),
        }
    }

    /// Decompresses a body with a content encoding, up to the limit.
    pub(crate) async fn unpack(&self, head: &Parts, body: &Bytes) -> Result<UnpackedBody, Failure> {
        let mut encodings = head.headers.get_all(CONTENT_ENCODING).iter();
        match (encodings.next().map(HeaderValue::as_bytes), encodings.next()) {
            (None | Some(b"" | b"identity"), None) => {
                Ok(UnpackedBody { bytes: body.clone(), _memory: Reservation::none() })
            }
            (Some(b"gzip"), None) => {
                let limit = self.limits.body_bytes;
                let most = limit.min(body.len().saturating_mul(MOST_UNPACKED));
                let memory = self.unpacked.reserve(most).await;
                let bytes = work_on(most, || gunzip(body, limit))?;
                Ok(UnpackedBody { _memory: memory.shrink(bytes.len()), bytes })
            }
            _ => Err(Failure::Serialization(Some("Unsupported content encoding".into()))),
        }
    }

    /// Memory for a request once it is decoded.
    pub(crate) async fn reserve_decoded(&self, body: &[u8]) -> Result<Reservation, Failure> {
        let decoded = work_on(body.len(), || decoded_bytes(body));
        let reserved = self.memory.reserve_parsed(body.len(), decoded, true).await;
        reserved.map_err(|TooManyValues| Failure::TooManyValues)
    }

    /// Reads the body to its end.
    pub(crate) async fn read(&self, head: &Parts, incoming: Incoming, peer: &Peer) -> Result<ReceivedBody, Failure> {
        let reading = self.collect(head, peer.pace(incoming));
        within(self.limits.body_read, reading).await.unwrap_or(Err(Failure::RequestTimeout))
    }

    async fn collect(&self, head: &Parts, mut incoming: PacedBody<Incoming>) -> Result<ReceivedBody, Failure> {
        let limit = self.limits.body_bytes;
        match receive(&mut incoming, limit, &self.memory).await {
            Ok(body) => Ok(body),
            // The client waits for a response before it sends the body.
            Err(ReceiveError::TooLarge) if head.headers.contains_key(EXPECT) => Err(Failure::TooLarge { limit }),
            Err(ReceiveError::TooLarge) => Err(discard(incoming, limit).await),
            Err(ReceiveError::Body(error)) => Err(match error.is::<TooSlow>() {
                true => Failure::RequestTimeout,
                // A broken connection leaves an incomplete request.
                false => Failure::Serialization(None),
            }),
        }
    }
}

/// Whether a body is small enough to be read and discarded.
pub(crate) fn is_small(incoming: &Incoming) -> bool {
    incoming.size_hint().exact().is_some_and(|bytes| bytes <= SMALL)
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

/// One member alone: each costs about as much as a kilobyte of data, and may be empty.
fn gunzip(packed: &[u8], limit: usize) -> Result<Bytes, Failure> {
    let mut body = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let mut member = GzDecoder::new(packed);
    member.by_ref().take(most).read_to_end(&mut body).map_err(|_| Failure::Serialization(None))?;
    if body.len() > limit {
        return Err(Failure::TooLarge { limit });
    }
    if !member.into_inner().is_empty() {
        return Err(Failure::Serialization(Some("Data follows the gzip member of the body".into())));
    }
    Ok(body.into())
}
