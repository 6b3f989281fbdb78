//! Time and randomness that are the same in every run.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::{Clock, Random};

/// Starts at the first moment of 2026; moves on when told.
pub struct SteppingClock {
    now_ms: AtomicU64,
}

impl Default for SteppingClock {
    fn default() -> Self {
        Self { now_ms: AtomicU64::new(1_767_225_600_000) }
    }
}

impl SteppingClock {
    pub fn advance(&self, milliseconds: u64) {
        self.now_ms.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

impl Clock for SteppingClock {
    fn now_ms(&self) -> u64 {
        self.now_ms.load(Ordering::Relaxed)
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        // Others get their turn, time does not pass.
        Box::pin(tokio::task::yield_now())
    }
}

/// Numbers that look random and are the same in every run.
#[derive(Default)]
pub struct SteppingRandom {
    drawn: AtomicU64,
}

impl Random for SteppingRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            // A mixer whose outputs differ for all counts.
            let mut word = self.drawn.fetch_add(1, Ordering::Relaxed).wrapping_add(0x9E37_79B9_7F4A_7C15);
            word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            chunk.iter_mut().zip((word ^ (word >> 31)).to_be_bytes()).for_each(|(byte, drawn)| *byte = drawn);
        }
    }
}
