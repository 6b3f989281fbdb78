//! Backends that are not alone, or not well.

use std::sync::atomic::{AtomicU64, Ordering};

use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_dynamo::{BackendFuture, ServiceError};

use super::watched::{Call, Hook, throttled};

fn mix(counter: &AtomicU64) -> u64 {
    let mut word = counter.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
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
