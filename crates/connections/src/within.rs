//! Work that has to be done within a time, without a timer of its own.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use pin_project_lite::pin_project;
use tokio::time::Instant;

/// Gives the work up once it has taken this long. Its time is looked at whenever it is polled, and the watchdog of the
/// connection that it answers a request of sees to it that this is often enough: elsewhere nobody does.
pub fn within<F: Future>(limit: Duration, work: F) -> Within<F> {
    Within { work, deadline: Instant::now() + limit }
}

/// The work took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLate;

impl fmt::Display for TooLate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("it took too long")
    }
}

impl std::error::Error for TooLate {}

pin_project! {
    /// See [`within`].
    #[must_use = "futures do nothing unless they are polled"]
    pub struct Within<F> {
        #[pin]
        work: F,
        deadline: Instant,
    }
}

impl<F: Future> Future for Within<F> {
    type Output = Result<F::Output, TooLate>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Poll::Ready(output) = this.work.poll(context) {
            return Poll::Ready(Ok(output));
        }
        if Instant::now() >= *this.deadline { Poll::Ready(Err(TooLate)) } else { Poll::Pending }
    }
}
