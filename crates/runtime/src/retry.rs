//! Bounded retries with jitter.

use std::time::Duration;

use keyfold_dynamo::{BackendFuture, ServiceError};
use keyfold_environment::{Clock, Random, jitter};

use crate::error::Error;

/// How often a request is sent before its failure is returned.
pub(crate) const ATTEMPTS: u32 = 10;

/// Sends requests again after a pause.
#[derive(Clone, Copy)]
pub(crate) struct Retry<'r> {
    pub clock: &'r dyn Clock,
    pub random: &'r dyn Random,
}

impl Retry<'_> {
    /// Waits before the next attempt. The pause is random below a bound that doubles each time, so that two callers who
    /// collided once are unlikely to collide again.
    pub(crate) async fn pause(&self, attempt: u32) {
        let bound = Duration::from_micros(2_000 << attempt.min(7));
        self.clock.sleep(jitter(self.random, bound)).await;
    }

    /// Sends a request again while the table is throttled, or while a transaction holds the item.
    pub(crate) async fn send<'b, T>(&self, send: impl Fn() -> BackendFuture<'b, T>) -> Result<T, ServiceError> {
        let mut attempt = 0;
        loop {
            match send().await {
                Err(error) if attempt + 1 < ATTEMPTS && is_transient(&error) => {
                    self.pause(attempt).await;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }
}

/// Whether the same request may succeed a little later; nothing was written.
fn is_transient(error: &ServiceError) -> bool {
    matches!(error, ServiceError::TransactionConflict(_)) || Error::from(error.clone()) == Error::Throttled
}
