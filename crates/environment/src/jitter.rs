//! Retry delays.

use std::time::Duration;

use crate::random::{Random, random_bytes};

/// A random delay of at most `bound`, so that clients that collided do not collide again. If the random source fails,
/// it is the bound itself: a delay need not be unpredictable.
pub fn jitter(random: &dyn Random, bound: Duration) -> Duration {
    match random_bytes(random).map(u32::from_be_bytes) {
        Ok(drawn) => bound.mul_f64(f64::from(drawn) / f64::from(u32::MAX)),
        Err(_) => bound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FailingRandom, SeededRandom};

    #[test]
    fn a_wait_stays_within_its_bound() {
        let (random, bound) = (SeededRandom::new(1), Duration::from_secs(1));
        let waits: Vec<Duration> = (0..100).map(|_| jitter(&random, bound)).collect();
        assert!(waits.iter().all(|wait| *wait <= bound));
        assert!(waits.iter().any(|wait| *wait < bound / 2));
        assert_eq!(jitter(&FailingRandom, bound), bound);
    }
}
