//! A deadline for a future, without a timer of its own.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use pin_project_lite::pin_project;
use tokio::time::Instant;

/// Abandons the work once it has taken this long. The deadline is checked only when the future is polled. While a
/// request is handled, the watchdog of its connection polls often enough; elsewhere nothing does.
pub fn within<F: Future>(limit: Duration, work: F) -> Within<F> {
    Within { work, deadline: Instant::now() + limit }
}

/// The work was not done before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeadlineExceeded;

impl fmt::Display for DeadlineExceeded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the deadline was exceeded")
    }
}

impl std::error::Error for DeadlineExceeded {}

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
    type Output = Result<F::Output, DeadlineExceeded>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Poll::Ready(output) = this.work.poll(context) {
            return Poll::Ready(Ok(output));
        }
        if Instant::now() >= *this.deadline { Poll::Ready(Err(DeadlineExceeded)) } else { Poll::Pending }
    }
}
