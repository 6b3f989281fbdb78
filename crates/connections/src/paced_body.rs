//! The body of a request that arrives at a minimum rate. Only the time during which the server waits for the client
//! counts.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Buf, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::time::Instant;

use crate::connection::AnyError;
use crate::phase::{Phase, PhaseCell};

/// How fast a body must arrive.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// A client may pause for this long in all.
    grace: Duration,
    bytes_per_second: u128,
}

const PACE: Pace = Pace { grace: Duration::from_secs(10), bytes_per_second: 1024 };

impl Pace {
    /// How much of a body must have arrived after this time.
    fn required_bytes(self, waited: Duration) -> u128 {
        waited.saturating_sub(self.grace).as_millis() * self.bytes_per_second / 1000
    }
}

/// The client sends the body of its request too slowly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooSlow;

impl fmt::Display for TooSlow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the body arrives at less than {} bytes per second", PACE.bytes_per_second)
    }
}

impl std::error::Error for TooSlow {}

pin_project! {
    /// Fails with [`TooSlow`] if less than 1 KiB arrives per second, beyond ten seconds of grace. Its connection can be
    /// closed to make room for other clients while it waits. The watchdog of the connection polls it often enough.
    pub struct PacedBody<B> {
        #[pin]
        body: B,
        phase: Arc<PhaseCell>,
        pace: Pace,
        received: u128,
        waited: Duration,
        waiting_since: Option<Instant>,
    }
}

impl<B> PacedBody<B> {
    pub(crate) fn new(body: B, phase: Arc<PhaseCell>) -> Self {
        Self { body, phase, pace: PACE, received: 0, waited: Duration::ZERO, waiting_since: None }
    }
}

impl<B: Body<Error: Into<AnyError>>> Body for PacedBody<B> {
    type Data = B::Data;
    type Error = AnyError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.project();
        match this.body.poll_frame(context) {
            Poll::Ready(frame) => {
                if let Some(since) = this.waiting_since.take() {
                    *this.waited += since.elapsed();
                    this.phase.set(Phase::Handling);
                }
                if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
                    *this.received += data.remaining() as u128;
                }
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                let since = *this.waiting_since.get_or_insert_with(|| {
                    this.phase.set(Phase::ReadingBody);
                    Instant::now()
                });
                if *this.received < this.pace.required_bytes(*this.waited + since.elapsed()) {
                    this.phase.set(Phase::Handling);
                    return Poll::Ready(Some(Err(TooSlow.into())));
                }
                Poll::Pending
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;

    use http_body_util::BodyExt;
    use hyper::body::Bytes;
    use tokio::time::{Sleep, sleep};

    use super::*;

    /// Parts of a body, each after a pause.
    struct Parts {
        parts: VecDeque<(Duration, usize)>,
        pause: Option<Pin<Box<Sleep>>>,
    }

    impl Body for Parts {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            let Some((pause, length)) = self.parts.front().copied() else { return Poll::Ready(None) };
            let sleeping = self.pause.get_or_insert_with(|| Box::pin(sleep(pause)));
            std::task::ready!(sleeping.as_mut().poll(context));
            self.pause = None;
            self.parts.pop_front();
            Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![0; length])))))
        }
    }

    async fn read(pace: Pace, parts: &[(u64, usize)]) -> Result<usize, TooSlow> {
        let parts = parts.iter().map(|(pause, length)| (Duration::from_millis(*pause), *length)).collect();
        let phase = Arc::new(PhaseCell::new());
        phase.set(Phase::Handling);
        let body = PacedBody { pace, ..PacedBody::new(Parts { parts, pause: None }, phase.clone()) };
        let mut reading = std::pin::pin!(body.collect());
        let outcome = loop {
            // As the watchdog does.
            match tokio::time::timeout(Duration::from_millis(10), &mut reading).await {
                Ok(outcome) => break outcome,
                Err(_) => assert_eq!(phase.get(), Phase::ReadingBody),
            }
        };
        assert_eq!(phase.get(), Phase::Handling);
        outcome.map(|body| body.to_bytes().len()).map_err(|error| *error.downcast_ref::<TooSlow>().unwrap())
    }

    #[tokio::test]
    async fn clients_may_pause_and_take_their_time() {
        assert_eq!(read(PACE, &[(0, 10)]).await, Ok(10));
        assert_eq!(read(PACE, &[(100, 10), (50, 5)]).await, Ok(15));
    }

    #[tokio::test]
    async fn a_body_that_trickles_is_given_up() {
        let pace = Pace { grace: Duration::from_millis(100), bytes_per_second: 100_000 };
        assert_eq!(read(pace, &[(60_000, 10)]).await, Err(TooSlow));
        assert_eq!(read(pace, &[(5, 10); 200]).await, Err(TooSlow));
        assert_eq!(read(pace, &[(0, 20_000), (60_000, 10)]).await, Err(TooSlow));
    }

    #[test]
    fn a_second_beyond_the_grace_needs_a_kibibyte() {
        let required = |seconds| PACE.required_bytes(Duration::from_secs(seconds));
        assert_eq!([0, 10, 11, 20].map(required), [0, 0, 1024, 10_240]);
    }
}
