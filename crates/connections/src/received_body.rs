//! Bodies of requests, within the memory that all bodies of an endpoint share.
//!
//! Small and large bodies have a budget each: however many large ones wait for memory, no small one does. What bodies
//! take once they are parsed has a third one, so that a body which waits for it keeps no other from being received.

use std::future::poll_fn;
use std::pin::Pin;

use hyper::body::{Body, Bytes};
use tokio::runtime::{Handle, RuntimeFlavor};

use crate::memory::{MemoryBudget, Reservation, SMALL_BYTES};

/// The first allocation for a body that arrives in several parts.
const INITIAL_CAPACITY: usize = 256 * 1024;

/// A parsed body may take this many times its size.
const PARSED_FACTOR: usize = 10;
/// What the largest item can take once it is parsed, if it has as many values as its size allows. A body that may be
/// such an item may take as much, however small it is.
const PARSED_ITEM_BYTES: usize = 64 * 1024 * 1024;
/// While a parsed body is handled, its values exist about this often: as they were sent, as they are written and
/// returned.
const COPIES: usize = 3;
/// Work on more bytes than these would keep an async worker for more than a fraction of a millisecond.
const LONG_WORK_BYTES: usize = 128 * 1024;

/// The memory of bodies that are being received or handled.
pub struct BodyMemory {
    small: MemoryBudget,
    large: MemoryBudget,
    parsed: MemoryBudget,
}

/// A body holds so many values that they would take too much memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyValues;

impl BodyMemory {
    /// An eighth of these bytes is for bodies up to 64 KiB, half of them for others, the rest for parsed ones. Each is
    /// large enough for one body.
    pub fn new(bytes: usize, largest: usize) -> Self {
        let share = |eighths: usize, least: usize| MemoryBudget::new((bytes / 8 * eighths).max(least));
        Self { small: share(1, SMALL_BYTES), large: share(4, largest), parsed: share(3, PARSED_ITEM_BYTES) }
    }

    /// Waits until there is memory for so many bytes.
    pub async fn reserve(&self, bytes: usize) -> Reservation {
        if bytes <= SMALL_BYTES { self.small.reserve(bytes).await } else { self.large.reserve(bytes).await }
    }
}

impl BodyMemory {
    /// Waits until there is memory for a body once it is parsed. `may_be_item` if its values could be those of one
    /// item.
    pub async fn reserve_parsed(
        &self,
        body: usize,
        parsed: usize,
        may_be_item: bool,
    ) -> Result<Reservation, TooManyValues> {
        let allowed = (PARSED_FACTOR * body).max(if may_be_item { PARSED_ITEM_BYTES } else { 0 });
        if parsed > allowed {
            return Err(TooManyValues);
        }
        // As with responses: all requests together hold little of these.
        if parsed <= SMALL_BYTES { Ok(Reservation::none()) } else { Ok(self.parsed.reserve(COPIES * parsed).await) }
    }
}

/// Runs work on so many bytes. If they are many, the other tasks of the async worker move to another thread meanwhile,
/// as far as the runtime has several.
pub fn work_on<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) if bytes > LONG_WORK_BYTES => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// A body, and the memory that it holds.
pub struct ReceivedBody {
    pub bytes: Bytes,
    _memory: Reservation,
}

impl ReceivedBody {
    /// Of a request without a body.
    pub fn empty() -> Self {
        Self { bytes: Bytes::new(), _memory: Reservation::none() }
    }
}

/// Why a body was not received.
#[derive(Debug)]
pub enum ReceiveError<E> {
    /// It has more bytes than it may have, or announces them.
    TooLarge,
    Body(E),
}

impl<E> From<E> for ReceiveError<E> {
    fn from(error: E) -> Self {
        Self::Body(error)
    }
}

/// Receives a body of at most `limit` bytes. Nothing is read before there is memory for the length that it announces; a
/// body of unknown length begins as a small one.
pub async fn receive<B>(body: &mut B, limit: usize, memory: &BodyMemory) -> Result<ReceivedBody, ReceiveError<B::Error>>
where
    B: Body<Data = Bytes> + Unpin,
{
    let least = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if least > limit {
        return Err(ReceiveError::TooLarge);
    }
    let announced = body.size_hint().exact().map(|_| least);
    let mut reserved = announced.unwrap_or(SMALL_BYTES.min(limit));
    let mut share = memory.reserve(reserved).await;
    let first = next_part(body).await?.unwrap_or_default();
    if first.len() > limit {
        return Err(ReceiveError::TooLarge);
    }
    if body.is_end_stream() && first.len() <= reserved {
        return Ok(ReceivedBody { bytes: first, _memory: share });
    }
    let mut bytes = Vec::with_capacity(least.clamp(first.len(), INITIAL_CAPACITY.max(first.len())));
    let mut next = Some(first);
    while let Some(part) = next {
        if bytes.len() + part.len() > limit {
            return Err(ReceiveError::TooLarge);
        }
        if bytes.len() + part.len() > reserved {
            // Its final length is unknown.
            reserved = limit;
            share = memory.reserve(limit).await;
        }
        if bytes.len() + part.len() > bytes.capacity() {
            // A body that announces its length grows once.
            bytes.reserve_exact(least.saturating_sub(bytes.len()));
        }
        bytes.extend_from_slice(&part);
        next = next_part(body).await?;
    }
    Ok(ReceivedBody { bytes: bytes.into(), _memory: share })
}

/// The next part of a body that holds data.
pub async fn next_part<B: Body<Data = Bytes> + Unpin>(body: &mut B) -> Result<Option<Bytes>, B::Error> {
    while let Some(frame) = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await {
        if let Ok(part) = frame?.into_data() {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::task::{Context, Poll};

    use futures_util::FutureExt as _;
    use hyper::body::{Frame, SizeHint};

    use super::*;

    struct Parts {
        parts: VecDeque<usize>,
        is_announced: bool,
    }

    impl Body for Parts {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.parts.pop_front().map(|length| Ok(Frame::data(Bytes::from(vec![b'x'; length])))))
        }

        fn is_end_stream(&self) -> bool {
            self.parts.is_empty()
        }

        fn size_hint(&self) -> SizeHint {
            match self.is_announced {
                true => SizeHint::with_exact(self.parts.iter().map(|length| *length as u64).sum()),
                false => SizeHint::default(),
            }
        }
    }

    fn try_receive(parts: &[usize], is_announced: bool, limit: usize, memory: &BodyMemory) -> Option<Option<usize>> {
        let mut body = Parts { parts: parts.iter().copied().collect(), is_announced };
        let received = receive(&mut body, limit, memory).now_or_never()?;
        Some(received.ok().map(|body| body.bytes.len()))
    }

    const KIB: usize = 1024;

    #[tokio::test]
    async fn bodies_have_at_most_as_many_bytes_as_they_may_have() {
        let memory = BodyMemory::new(4096 * KIB, 0);
        for is_announced in [true, false] {
            assert_eq!(try_receive(&[], is_announced, 100, &memory), Some(Some(0)));
            assert_eq!(try_receive(&[100], is_announced, 100, &memory), Some(Some(100)));
            assert_eq!(try_receive(&[50, 50], is_announced, 100, &memory), Some(Some(100)));
            assert_eq!(try_receive(&[50, 51], is_announced, 100, &memory), Some(None));
            assert_eq!(try_receive(&[101], is_announced, 100, &memory), Some(None));
            assert_eq!(try_receive(&[60 * KIB; 10], is_announced, 600 * KIB, &memory), Some(Some(600 * KIB)));
        }
    }

    #[tokio::test]
    async fn every_body_holds_memory_and_small_ones_have_their_own() {
        let memory = BodyMemory::new(2048 * KIB, 0);
        let hold = |bytes: usize| memory.reserve(bytes).now_or_never();
        let large = hold(1024 * KIB).unwrap();
        for is_announced in [true, false] {
            assert_eq!(try_receive(&[40 * KIB, 40 * KIB], is_announced, 1024 * KIB, &memory), None, "it waits");
            assert_eq!(try_receive(&[10 * KIB, 10 * KIB], is_announced, 1024 * KIB, &memory), Some(Some(20 * KIB)));
        }
        drop(large);
        let small: Vec<Reservation> = (0..4).map(|_| hold(64 * KIB).unwrap()).collect();
        for is_announced in [true, false] {
            assert_eq!(try_receive(&[1], is_announced, 1024 * KIB, &memory), None, "small ones add up");
        }
        drop(small);
        assert_eq!(try_receive(&[1], false, 1024 * KIB, &memory), Some(Some(1)));
    }

    #[tokio::test]
    async fn parsed_bodies_take_ten_times_their_size_or_as_much_as_an_item() {
        let memory = BodyMemory::new(1024 * KIB, 0);
        let fits = async |body: usize, parsed: usize, may_be_item| {
            memory.reserve_parsed(body, parsed, may_be_item).await.is_ok()
        };
        assert!(fits(100 * KIB, 1000 * KIB, false).await);
        assert!(!fits(100 * KIB, 1000 * KIB + 1, false).await);
        assert!(fits(100 * KIB, 64 * KIB * KIB, true).await);
        assert!(!fits(100 * KIB, 64 * KIB * KIB + 1, true).await);
        let held = memory.reserve_parsed(100 * KIB, 64 * KIB * KIB, true).await.unwrap();
        assert!(memory.reserve_parsed(100 * KIB, 65 * KIB, true).now_or_never().is_none(), "it waits");
        assert!(memory.reserve_parsed(KIB, 10 * KIB, true).now_or_never().is_some(), "small ones do not");
        drop(held);
    }
}
