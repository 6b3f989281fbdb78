//! Request counts that several processes share through a table.
//!
//! Each process has a bucket for each caller, and admits requests from it without asking anyone, up to a share of what
//! remains: its lease. Then it adds them to the table, learns what the other processes have admitted, and takes that
//! from its own bucket. So the processes together exceed the limit by at most the leases of all but one, and a caller
//! at the limit costs a bounded number of writes in each window.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::buckets::{Outcome, seconds};
use super::quota::Rate;
use super::rate_table::{CountError, RateTable};
use super::status::RemainingQuota;

/// The lease is a tenth of what remains, and at least a twentieth of the whole.
const LEASE_OF_REMAINING: f64 = 0.1;
const LEASE_OF_ALL: f64 = 0.05;
/// After a failure the table is not asked again for so long: meanwhile each process has the whole limit for itself.
const PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of callers with counts of their own; the others share one.
const MAX_CALLERS: usize = 200_000;
/// Callers are looked through for idle ones after so many requests.
const SWEEP_EVERY: u32 = 4096;
/// The log mentions failures of the table this often.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

pub(super) struct SharedBuckets {
    name: &'static str,
    rate: Rate,
    table: RateTable,
    callers: Mutex<Callers>,
    failure: Mutex<Failure>,
}

#[derive(Default)]
struct Callers {
    buckets: HashMap<String, Arc<Bucket>>,
    requests: u32,
}

#[derive(Default)]
struct Failure {
    until: Option<Instant>,
    logged: Option<Instant>,
}

struct Bucket {
    level: Mutex<Level>,
    /// Held by the request that talks to the table.
    turn: tokio::sync::Mutex<()>,
}

struct Level {
    /// Requests in the bucket, those of other processes included. They may exceed the limit: then it takes longer to
    /// drain.
    used: f64,
    at: Instant,
    /// Requests that are not in the table yet.
    unsynced: u32,
    lease: u32,
    /// The window of the last synchronization, and the requests of all processes in it.
    seen: Option<(u64, u64)>,
}

enum Decision {
    Admitted(f64),
    Rejected(Duration),
    NeedsSync,
}

impl SharedBuckets {
    pub(super) fn new(name: &'static str, rate: Rate, table: RateTable) -> Self {
        Self { name, rate, table, callers: Mutex::default(), failure: Mutex::default() }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) async fn take(&self, caller: &str) -> Outcome {
        let bucket = self.bucket(caller);
        loop {
            match self.decide(&bucket, !self.is_failing()) {
                Decision::Admitted(used) => {
                    let reset = self.rate.interval().mul_f64(used);
                    return self.outcome((f64::from(self.rate.requests.get()) - used).max(0.0), reset, None);
                }
                Decision::Rejected(wait) => return self.outcome(0.0, self.rate.window.duration(), Some(wait)),
                Decision::NeedsSync => {}
            }
            let _turn = bucket.turn.lock().await;
            // Another request may have done it meanwhile.
            let is_needed = {
                let level = bucket.level.lock();
                level.unsynced >= level.lease
            };
            if is_needed && let Err(error) = self.synchronize(&bucket, caller).await {
                self.fail(&error);
            }
        }
    }

    fn bucket(&self, caller: &str) -> Arc<Bucket> {
        let mut callers = self.callers.lock();
        callers.requests += 1;
        if callers.requests.is_multiple_of(SWEEP_EVERY) {
            let idle = self.rate.window.duration();
            callers.buckets.retain(|_, bucket| bucket.level.lock().at.elapsed() < idle);
        }
        if let Some(bucket) = callers.buckets.get(caller) {
            return Arc::clone(bucket);
        }
        let caller = if callers.buckets.len() < MAX_CALLERS { caller } else { "" };
        let new = || {
            let lease = self.lease(f64::from(self.rate.requests.get()) * LEASE_OF_ALL);
            let level = Level { used: 0.0, at: Instant::now(), unsynced: 0, lease, seen: None };
            Arc::new(Bucket { level: Mutex::new(level), turn: tokio::sync::Mutex::new(()) })
        };
        Arc::clone(callers.buckets.entry(caller.to_owned()).or_insert_with(new))
    }

    /// Decides about one request. Without a table, leases do not apply.
    fn decide(&self, bucket: &Bucket, has_table: bool) -> Decision {
        let mut level = bucket.level.lock();
        level.drain(self.rate);
        let limit = f64::from(self.rate.requests.get());
        if level.used + 1.0 > limit {
            return Decision::Rejected(self.rate.interval().mul_f64(level.used + 1.0 - limit));
        }
        if has_table && level.unsynced >= level.lease {
            return Decision::NeedsSync;
        }
        level.used += 1.0;
        level.unsynced = level.unsynced.saturating_add(1);
        Decision::Admitted(level.used)
    }

    /// Exchanges counts with the other processes.
    async fn synchronize(&self, bucket: &Bucket, caller: &str) -> Result<(), CountError> {
        let seconds = self.rate.window.duration().as_secs();
        let window = self.table.window(seconds);
        let own = bucket.level.lock().unsynced;
        let total = self.table.add(caller, window, seconds, own).await?;
        let mut level = bucket.level.lock();
        level.drain(self.rate);
        let known = level.seen.filter(|(seen, total_then)| *seen == window && *total_then <= total);
        let others = total.saturating_sub(known.map_or(0, |(_, total)| total)).saturating_sub(u64::from(own));
        // What others admitted in a window that this process has not seen yet may have drained in part.
        level.used += others as f64;
        level.unsynced = level.unsynced.saturating_sub(own);
        level.seen = Some((window, total));
        let limit = f64::from(self.rate.requests.get());
        level.lease = self.lease(((limit - level.used) * LEASE_OF_REMAINING).max(limit * LEASE_OF_ALL));
        Ok(())
    }

    fn lease(&self, requests: f64) -> u32 {
        // At least one, and within the limit, which is a u32.
        requests.clamp(1.0, f64::from(self.rate.requests.get())) as u32
    }

    fn is_failing(&self) -> bool {
        self.failure.lock().until.is_some_and(|until| Instant::now() < until)
    }

    fn fail(&self, error: &CountError) {
        let mut failure = self.failure.lock();
        let now = Instant::now();
        failure.until = Some(now + PAUSE);
        if failure.logged.is_none_or(|logged| now >= logged + LOG_INTERVAL) {
            failure.logged = Some(now);
            tracing::warn!(%error, "requests cannot be counted in the table: each process applies the rate limits alone");
        }
    }

    fn outcome(&self, remaining: f64, reset: Duration, wait: Option<Duration>) -> Outcome {
        let remaining = RemainingQuota {
            name: self.name,
            rate: self.rate,
            remaining: remaining as u32,
            reset_seconds: seconds(reset),
        };
        Outcome { remaining, wait_seconds: wait.map(|wait| seconds(wait).max(1)) }
    }
}

impl Level {
    /// Removes what has drained since.
    fn drain(&mut self, rate: Rate) {
        let now = Instant::now();
        let drained = now.duration_since(self.at).as_secs_f64() / rate.interval().as_secs_f64();
        self.used = (self.used - drained).max(0.0);
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use keyfold_dynamo::operation::{UpdateItemInput, WriteOutput};
    use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend, ServiceError};
    use keyfold_engine::Engine;
    use keyfold_environment::ManualClock;

    use super::*;

    /// A table that counts its writes, and fails from some write on.
    struct Counted {
        engine: Engine,
        writes: AtomicUsize,
        fails_from: usize,
    }

    impl ForwardingBackend for Counted {
        fn inner(&self) -> &dyn Backend {
            &self.engine
        }

        fn update_item(&self, input: UpdateItemInput) -> BackendFuture<'_, WriteOutput> {
            if self.writes.fetch_add(1, Ordering::Relaxed) >= self.fails_from {
                return Box::pin(async { Err(ServiceError::Unavailable("gone".to_owned())) });
            }
            self.engine.update_item(input)
        }
    }

    async fn processes(rate: &str, count: usize, fails_from: usize) -> (Arc<Counted>, Vec<SharedBuckets>) {
        let options = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
        let engine = Engine::in_memory(options).unwrap();
        let backend = Arc::new(Counted { engine, writes: AtomicUsize::new(0), fails_from });
        let clock = Arc::new(ManualClock::default());
        let mut processes = Vec::new();
        for _ in 0..count {
            let table = RateTable::open(Arc::clone(&backend) as _, "rates", clock.clone()).await.unwrap();
            processes.push(SharedBuckets::new("subject", rate.parse().unwrap(), table));
        }
        (backend, processes)
    }

    async fn admitted(processes: &[SharedBuckets], requests: usize) -> usize {
        let mut admitted = 0;
        for request in 0..requests {
            let outcome = processes[request % processes.len()].take("ada").await;
            admitted += usize::from(outcome.wait_seconds.is_none());
        }
        admitted
    }

    #[tokio::test]
    async fn two_processes_admit_one_limit() {
        for (rate, limit) in [("60/h", 60), ("1000/h", 1000), ("6000/h", 6000)] {
            let (backend, two) = processes(rate, 2, usize::MAX).await;
            let admitted = admitted(&two, 3 * limit).await;
            assert!((limit * 8 / 10..=limit * 12 / 10).contains(&admitted), "{rate}: {admitted}");
            // Writes are few, also for a caller who goes on at the limit.
            let writes = backend.writes.load(Ordering::Relaxed);
            assert!(writes <= 80, "{rate}: {writes}");
            assert!(two[0].take("grace").await.wait_seconds.is_none(), "each caller has its own");
        }
    }

    #[tokio::test]
    async fn one_process_admits_what_the_others_have_left() {
        let (_, two) = processes("100/h", 2, usize::MAX).await;
        assert_eq!(admitted(&two[..1], 300).await, 100);
        let rest = admitted(&two[1..], 300).await;
        assert!(rest <= 10, "{rest}");
    }

    #[tokio::test]
    async fn without_the_table_each_process_applies_the_limit_alone() {
        let (backend, two) = processes("100/h", 2, 3).await;
        let admitted = admitted(&two, 1000).await;
        assert!((100..=200).contains(&admitted), "{admitted}");
        // The table is not asked for every request.
        assert!(backend.writes.load(Ordering::Relaxed) < 20);
    }

    #[tokio::test]
    async fn concurrent_requests_share_a_write() {
        let (backend, one) = processes("1000/h", 1, usize::MAX).await;
        let all = (0..1000).map(|_| one[0].take("ada"));
        let outcomes = futures_util::future::join_all(all).await;
        assert!(outcomes.iter().all(|outcome| outcome.wait_seconds.is_none()));
        assert!(backend.writes.load(Ordering::Relaxed) <= 40);
        assert!(one[0].take("ada").await.wait_seconds.is_some());
    }
}
