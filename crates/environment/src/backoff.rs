//! Retries with exponential back-off and jitter.

use std::time::Duration;

use crate::clock::Clock;
use crate::jitter::jitter;
use crate::random::Random;

/// How often a request is sent, and how long the waits between two attempts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The bound of the first wait; it doubles with every attempt.
    pub first: Duration,
    /// The bound of every wait.
    pub longest: Duration,
    /// The number of attempts, the first one included.
    pub attempts: u32,
}

impl Backoff {
    /// The bound of the wait after a failed attempt, counted from 0.
    pub fn bound(&self, attempt: u32) -> Duration {
        self.first.saturating_mul(1 << attempt.min(20)).min(self.longest)
    }

    /// Waits after a failed attempt, counted from 0. The wait is random below its bound, so that two callers who
    /// collided once are unlikely to collide again.
    pub async fn wait(&self, attempt: u32, clock: &dyn Clock, random: &dyn Random) {
        clock.sleep(jitter(random, self.bound(attempt))).await;
    }

    /// Sends a request, and again after failures that a predicate accepts. Returns the last outcome.
    pub async fn retry<T, E, F: Future<Output = Result<T, E>>>(
        &self,
        clock: &dyn Clock,
        random: &dyn Random,
        is_retryable: impl Fn(&E) -> bool,
        mut request: impl FnMut() -> F,
    ) -> Result<T, E> {
        let mut attempt = 0;
        loop {
            match request().await {
                Err(error) if attempt + 1 < self.attempts && is_retryable(&error) => {
                    self.wait(attempt, clock, random).await;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ManualClock, SeededRandom};

    const BACKOFF: Backoff =
        Backoff { first: Duration::from_millis(2), longest: Duration::from_millis(10), attempts: 4 };

    #[test]
    fn bounds_double_up_to_the_longest() {
        let bounds = [0, 1, 2, 3, 40].map(|attempt| BACKOFF.bound(attempt).as_millis());
        assert_eq!(bounds, [2, 4, 8, 10, 10]);
    }

    #[tokio::test]
    async fn only_retryable_failures_are_retried_and_not_for_ever() {
        let (clock, random) = (ManualClock::default(), SeededRandom::default());
        let send = async |failures: u32, failure: &'static str| {
            let mut sent = 0;
            let outcome = BACKOFF
                .retry(
                    &clock,
                    &random,
                    |error: &&str| *error == "busy",
                    || {
                        sent += 1;
                        let outcome = if sent <= failures { Err(failure) } else { Ok(sent) };
                        async move { outcome }
                    },
                )
                .await;
            (outcome, sent)
        };
        assert_eq!(send(2, "busy").await, (Ok(3), 3));
        assert_eq!(send(9, "busy").await, (Err("busy"), 4));
        assert_eq!(send(9, "broken").await, (Err("broken"), 1));
    }
}
