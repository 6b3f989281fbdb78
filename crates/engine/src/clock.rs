//! Time and randomness come in from outside, so that expiry, tokens and ids are reproducible in tests.

use std::time::{SystemTime, UNIX_EPOCH};

pub trait Clock: Send + Sync {
    /// Milliseconds since the epoch.
    fn now_ms(&self) -> u64;
}

pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }
}

/// The operating system's randomness.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        // Only ids are drawn from here. Without the system's randomness, time keeps them apart.
        if getrandom::fill(bytes).is_err() {
            let now = SystemClock.now_ms().to_be_bytes();
            bytes.iter_mut().zip(now.iter().cycle()).for_each(|(byte, now)| *byte = *now);
        }
    }
}
