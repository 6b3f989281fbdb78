//! Bounded, jittered retries.

use std::time::Duration;

use keyfold_dynamo::{BackendFuture, ServiceError};
use keyfold_environment::{Backoff, SystemClock, SystemRandom};

/// How often and how long a transient failure is retried.
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    /// The bound of the first wait; it doubles with every attempt without progress.
    pub first: Duration,
    /// The bound of every wait.
    pub longest: Duration,
    /// The number of consecutive attempts without progress after which a request fails.
    pub attempts: u32,
}

impl Default for RetryPolicy {
    /// About two minutes in all.
    fn default() -> Self {
        Self { first: Duration::from_millis(50), longest: Duration::from_secs(20), attempts: 16 }
    }
}

impl RetryPolicy {
    /// For the first request, so that a wrong address fails within seconds.
    pub fn brief(self) -> Self {
        Self { longest: self.longest.min(Duration::from_secs(1)), attempts: self.attempts.min(3), ..self }
    }

    /// Waits before the next attempt, below a bound that doubles.
    pub async fn wait(&self, attempt: u32) {
        self.backoff().wait(attempt, &SystemClock, &SystemRandom).await;
    }

    /// Sends a request, and again after transient failures.
    pub async fn send<'b, T>(&self, request: impl FnMut() -> BackendFuture<'b, T>) -> Result<T, ServiceError> {
        self.send_while(is_transient, request).await
    }

    /// Sends a request, and again after failures that a predicate accepts.
    pub async fn send_while<'b, T>(
        &self,
        is_retryable: impl Fn(&ServiceError) -> bool,
        request: impl FnMut() -> BackendFuture<'b, T>,
    ) -> Result<T, ServiceError> {
        self.backoff().retry(&SystemClock, &SystemRandom, is_retryable, request).await
    }

    fn backoff(self) -> Backoff {
        Backoff { first: self.first, longest: self.longest, attempts: self.attempts }
    }
}

/// Whether the same request may succeed later. Reads and whole-item puts are safe to repeat even if the first one was
/// executed.
pub fn is_transient(error: &ServiceError) -> bool {
    error.is_throttling() || matches!(error, ServiceError::Unavailable(_) | ServiceError::Internal(_))
}
