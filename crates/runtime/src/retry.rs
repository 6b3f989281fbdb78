//! Bounded retries with jitter.

use std::time::Duration;

use keyfold_dynamo::{BackendFuture, ServiceError};
use keyfold_environment::{Backoff, Clock, Random};

/// How often a request is sent before its failure is returned.
pub(crate) const ATTEMPTS: u32 = 10;
const BACKOFF: Backoff =
    Backoff { first: Duration::from_millis(2), longest: Duration::from_millis(256), attempts: ATTEMPTS };

/// Sends requests again after a pause.
#[derive(Clone, Copy)]
pub(crate) struct Retry<'r> {
    pub clock: &'r dyn Clock,
    pub random: &'r dyn Random,
}

impl Retry<'_> {
    /// Waits before the next attempt.
    pub(crate) async fn pause(&self, attempt: u32) {
        BACKOFF.wait(attempt, self.clock, self.random).await;
    }

    /// Sends a request again while the table is throttled, or while a transaction holds the item.
    pub(crate) async fn send<'b, T>(&self, send: impl Fn() -> BackendFuture<'b, T>) -> Result<T, ServiceError> {
        BACKOFF.retry(self.clock, self.random, ServiceError::is_refused_for_now, send).await
    }
}
