//! Bounded, jittered retries of requests.

use std::time::Duration;

use keyfold_dynamo::{BackendFuture, ServiceError};
use keyfold_environment::{Backoff, SystemClock, SystemRandom};

/// The default: about two minutes in all.
pub const PATIENT: Backoff =
    Backoff { first: Duration::from_millis(50), longest: Duration::from_secs(20), attempts: 16 };

/// For the first request, so that a wrong address fails within seconds.
pub fn brief(backoff: Backoff) -> Backoff {
    let longest = backoff.longest.min(Duration::from_secs(1));
    Backoff { longest, attempts: backoff.attempts.min(3), ..backoff }
}

/// Waits before the next attempt.
pub(crate) async fn pause(backoff: Backoff, attempt: u32) {
    backoff.wait(attempt, &SystemClock, &SystemRandom).await;
}

/// Sends a request, and again after transient failures.
pub(crate) async fn send<'b, T>(
    backoff: Backoff,
    request: impl FnMut() -> BackendFuture<'b, T>,
) -> Result<T, ServiceError> {
    send_while(backoff, is_transient, request).await
}

/// Sends a request, and again after failures that a predicate accepts.
pub(crate) async fn send_while<'b, T>(
    backoff: Backoff,
    is_retryable: impl Fn(&ServiceError) -> bool,
    request: impl FnMut() -> BackendFuture<'b, T>,
) -> Result<T, ServiceError> {
    backoff.retry(&SystemClock, &SystemRandom, is_retryable, request).await
}

/// Whether the same request may succeed later. Reads and whole-item puts are safe to repeat even if the first one was
/// executed.
pub(crate) fn is_transient(error: &ServiceError) -> bool {
    error.is_throttling() || matches!(error, ServiceError::Unavailable(_) | ServiceError::Internal(_))
}
