//! Backends that are not alone, or not well.

use std::sync::atomic::{AtomicU64, Ordering};

use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_dynamo::{BackendFuture, ServiceError};
use keyfold_environment::SplitMix64;

use super::watched::{Call, Hook, throttled};

fn mix(counter: &AtomicU64) -> u64 {
    SplitMix64::new(counter.fetch_add(1, Ordering::Relaxed)).next_word()
}

/// Lets others in between requests.
#[derive(Default)]
pub(crate) struct Yielding {
    drawn: AtomicU64,
}

impl Hook for Yielding {
    fn before(&self, _: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            for _ in 0..mix(&self.drawn) % 4 {
                tokio::task::yield_now().await;
            }
            Ok(())
        })
    }
}

/// Throttles requests and cancels transactions.
pub(crate) struct Failing {
    pub drawn: AtomicU64,
    pub one_in: u64,
}

impl Hook for Failing {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            let drawn = mix(&self.drawn);
            if !drawn.is_multiple_of(self.one_in) {
                return Ok(());
            }
            let codes = [CancellationCode::TransactionConflict, CancellationCode::ThrottlingError];
            match call {
                Call::Transact(input) => {
                    let mut reasons = vec![CancellationReason::NONE; input.writes.len()];
                    let place = (drawn >> 8) as usize % reasons.len();
                    reasons[place].code = codes[(drawn >> 20) as usize % 2];
                    Err(ServiceError::TransactionCanceled { reasons })
                }
                _ => Err(throttled()),
            }
        })
    }
}
