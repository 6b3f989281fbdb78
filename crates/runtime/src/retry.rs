//! Bounded, jittered retries.

use std::time::Duration;

use keyfold_dynamo::operation::{GetItemInput, GetItemOutput, PageOutput, QueryInput};
use keyfold_dynamo::{Answer, ServiceError};
use keyfold_environment::{Clock, Random, jitter};

use crate::error::Error;
use crate::runtime::Runtime;

/// How often a request is sent before its failure is told.
pub const ATTEMPTS: u32 = 10;

/// Waits before the next attempt, below a bound that doubles.
pub async fn wait(clock: &dyn Clock, random: &dyn Random, attempt: u32) {
    let bound = Duration::from_micros(2_000 << attempt.min(7));
    clock.sleep(jitter(random, bound)).await;
}

/// Whether the same request may well succeed a little later; nothing was written.
pub fn is_passing(error: &ServiceError) -> bool {
    matches!(error, ServiceError::TransactionConflict(_)) || Error::from(error.clone()) == Error::Throttled
}

impl Runtime {
    /// Sends a request again while the table is throttled, or while a transaction is at the same item.
    pub(crate) async fn patiently<'b, T>(&'b self, send: impl Fn() -> Answer<'b, T>) -> Result<T, ServiceError> {
        let mut attempt = 0;
        loop {
            match send().await {
                Err(error) if attempt + 1 < ATTEMPTS && is_passing(&error) => {
                    wait(self.clock.as_ref(), self.random.as_ref(), attempt).await;
                    attempt += 1;
                }
                answer => return answer,
            }
        }
    }

    pub(crate) async fn get_item(&self, input: GetItemInput) -> Result<GetItemOutput, ServiceError> {
        self.patiently(|| self.backend.get_item(input.clone())).await
    }

    pub(crate) async fn query_items(&self, input: QueryInput) -> Result<PageOutput, ServiceError> {
        self.patiently(|| self.backend.query(input.clone())).await
    }
}
