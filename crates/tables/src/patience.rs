//! Bounded, jittered retries.

use std::time::Duration;

use keyfold_dynamo::{Answer, ServiceError};
use keyfold_environment::{Clock, SystemClock, SystemRandom, jitter};

/// How long a request is tried again that a backend could not take just now.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The bound of the first wait; it doubles with every attempt that brings nothing.
    pub first: Duration,
    /// The bound of the longest.
    pub longest: Duration,
    /// So many attempts in a row that bring nothing are failure.
    pub attempts: u32,
}

impl Default for Patience {
    /// About two minutes in all.
    fn default() -> Self {
        Self { first: Duration::from_millis(50), longest: Duration::from_secs(20), attempts: 16 }
    }
}

impl Patience {
    /// For the first question: whoever got the place wrong is told within seconds.
    pub fn brief(self) -> Self {
        Self { longest: self.longest.min(Duration::from_secs(1)), attempts: self.attempts.min(3), ..self }
    }

    /// Waits before the next attempt, below a bound that doubles.
    pub async fn wait(&self, attempt: u32) {
        let bound = self.first.saturating_mul(1u32.checked_shl(attempt.min(20)).unwrap_or(u32::MAX)).min(self.longest);
        SystemClock.sleep(jitter(&SystemRandom, bound)).await;
    }

    /// Sends a request until it is answered otherwise than by a passing failure.
    pub async fn send<'b, T>(&self, request: impl FnMut() -> Answer<'b, T>) -> Result<T, ServiceError> {
        self.send_while(is_passing, request).await
    }

    /// Sends a request until it is answered otherwise than by some failures.
    pub async fn send_while<'b, T>(
        &self,
        passing: impl Fn(&ServiceError) -> bool,
        mut request: impl FnMut() -> Answer<'b, T>,
    ) -> Result<T, ServiceError> {
        let mut attempt = 0;
        loop {
            match request().await {
                Err(error) if passing(&error) && attempt + 1 < self.attempts => {
                    self.wait(attempt).await;
                    attempt += 1;
                }
                answer => return answer,
            }
        }
    }
}

/// Whether the same request may well succeed a little later. Reads and whole-item puts can be sent again even if the
/// first one was done.
pub fn is_passing(error: &ServiceError) -> bool {
    is_throttling(error) || matches!(error, ServiceError::Unavailable(_) | ServiceError::Internal(_))
}

pub fn is_throttling(error: &ServiceError) -> bool {
    matches!(error, ServiceError::ProvisionedThroughputExceeded(_) | ServiceError::RequestLimitExceeded(_))
}
