//! Bounded, jittered retries.

use std::time::Duration;

use crate::clock::{Clock, Random};

/// How often a request is sent before its failure is told.
pub const ATTEMPTS: u32 = 10;

/// Waits before the next attempt: somewhere below a bound that doubles, so that those who met once do not meet again.
pub async fn wait(clock: &dyn Clock, random: &dyn Random, attempt: u32) {
    let mut bytes = [0; 8];
    random.fill(&mut bytes);
    let bound_us = 2_000u64 << attempt.min(7);
    clock.sleep(Duration::from_micros(u64::from_be_bytes(bytes) % bound_us)).await;
}
