//! Request counts by caller, in bounded memory.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::quota::{Rate, Window};
use super::status::RemainingQuota;

/// The number of requests after which idle callers are forgotten and the remaining ones counted.
const SWEEP_EVERY: u32 = 4096;
/// The maximum number of callers with counts of their own. Beyond it all callers share [`SHARED`] counts, until enough
/// of them have been forgotten.
const MAX_CALLERS: usize = 200_000;
const SHARED: u64 = 1024;

type Limiter = RateLimiter<u64, DefaultKeyedStateStore<u64>, DefaultClock, StateInformationMiddleware>;

pub(super) struct Buckets {
    name: &'static str,
    rate: Rate,
    limiter: Limiter,
    requests: AtomicU32,
    most: usize,
    is_full: AtomicBool,
}

/// The outcome of counting one request.
pub(super) struct Outcome {
    pub remaining: RemainingQuota,
    /// The seconds to wait, where the request exceeds the limit.
    pub wait_seconds: Option<u32>,
}

impl Buckets {
    pub(super) fn new(name: &'static str, rate: Rate) -> Self {
        let quota = match rate.window {
            Window::Second => Quota::per_second(rate.requests),
            Window::Minute => Quota::per_minute(rate.requests),
            Window::Hour => Quota::per_hour(rate.requests),
        };
        let limiter = RateLimiter::keyed(quota).with_middleware();
        Self { name, rate, limiter, requests: AtomicU32::new(0), most: MAX_CALLERS, is_full: AtomicBool::new(false) }
    }

    pub(super) fn take(&self, key: u64) -> Outcome {
        if self.requests.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.sweep();
        }
        let key = if self.is_full.load(Ordering::Relaxed) { key % SHARED } else { key };
        match self.limiter.check_key(&key) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                let used = self.rate.requests.get().saturating_sub(remaining);
                Outcome { remaining: self.remaining(remaining, self.rate.interval() * used), wait_seconds: None }
            }
            Err(until) => {
                let wait = until.wait_time_from(self.limiter.clock().now());
                Outcome {
                    remaining: self.remaining(0, self.rate.window.duration()),
                    wait_seconds: Some(seconds(wait).max(1)),
                }
            }
        }
    }

    fn remaining(&self, remaining: u32, reset: Duration) -> RemainingQuota {
        RemainingQuota { name: self.name, rate: self.rate, remaining, reset_seconds: seconds(reset) }
    }

    fn sweep(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
        self.is_full.store(self.limiter.len() >= self.most, Ordering::Relaxed);
    }
}

/// Whole seconds, rounded up: after so many seconds a retry is admitted.
pub(super) fn seconds(time: Duration) -> u32 {
    let whole = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    u32::try_from(whole).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_a_count_of_its_own() {
        let buckets = Buckets::new("subject", "2/h".parse().unwrap());
        let left = |key| {
            let outcome = buckets.take(key);
            (outcome.remaining.remaining, outcome.remaining.reset_seconds, outcome.wait_seconds)
        };
        assert_eq!(left(1), (1, 1800, None));
        assert_eq!(left(1), (0, 3600, None));
        assert_eq!(left(1), (0, 3600, Some(1800)));
        assert_eq!(left(2), (1, 1800, None));
    }

    #[test]
    fn buckets_of_inactive_callers_are_removed() {
        let buckets = Buckets::new("subject", "1000/s".parse().unwrap());
        for key in 0..100 {
            buckets.take(key);
        }
        assert_eq!(buckets.limiter.len(), 100);
        std::thread::sleep(Duration::from_millis(20));
        buckets.sweep();
        assert_eq!(buckets.limiter.len(), 0);
    }

    #[test]
    fn callers_beyond_the_limit_share_a_bucket() {
        let buckets = Buckets { most: 50, ..Buckets::new("address", "1/h".parse().unwrap()) };
        for key in 0..50 {
            buckets.take(key << 32);
        }
        buckets.sweep();
        assert!(buckets.is_full.load(Ordering::Relaxed));
        for key in 50..10_000 {
            buckets.take(key);
        }
        assert!(buckets.limiter.len() <= 50 + SHARED as usize, "{}", buckets.limiter.len());
    }
}
