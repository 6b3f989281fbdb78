//! The wall clock, and sleeping.

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A future that completes when the wait is over.
pub type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

pub trait Clock: Send + Sync {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;

    /// Milliseconds since an arbitrary moment of this process. Setting the clock does not change it; time in which the
    /// machine sleeps may be missing.
    fn monotonic_ms(&self) -> u64;

    /// Waits, for example between two attempts of a request.
    fn sleep(&self, duration: Duration) -> Sleep<'_>;
}

/// The operating system's clock; waits on tokio's timer.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        // A clock that is set to a time before 1970 is read as 1970.
        #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    fn monotonic_ms(&self) -> u64 {
        static FIRST_CALL: OnceLock<Instant> = OnceLock::new();
        let elapsed = FIRST_CALL.get_or_init(Instant::now).elapsed();
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    fn sleep(&self, duration: Duration) -> Sleep<'_> {
        Box::pin(tokio::time::sleep(duration))
    }
}
