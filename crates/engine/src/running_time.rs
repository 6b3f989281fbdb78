//! How long threads have been busy with the store, in time during which the process ran.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use crate::background_thread::BackgroundThread;

const TICK: Duration = Duration::from_millis(250);

/// The time during which the process ran, in ticks of its own thread, which touches no file. A clock would count the
/// time for which the process was stopped or the machine was paused as well, and nobody could work then.
#[derive(Default)]
pub(crate) struct RunningTime {
    ticks: AtomicU64,
}

impl RunningTime {
    pub(crate) fn start(self: &Arc<Self>) -> std::io::Result<BackgroundThread> {
        let time = Arc::clone(self);
        BackgroundThread::start("keyfold-time", move |stop| {
            while !stop.sleep(TICK) {
                time.ticks.fetch_add(1, Ordering::Relaxed);
            }
        })
    }
}

/// How long the current piece of work has taken.
pub(crate) struct BusyTime {
    time: Arc<RunningTime>,
    /// The tick at which the work began; `None` between two pieces of work.
    since: Mutex<Option<u64>>,
}

impl BusyTime {
    pub(crate) fn new(time: &Arc<RunningTime>) -> Self {
        Self { time: Arc::clone(time), since: Mutex::default() }
    }

    /// Measures a piece of work.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        *self.since.lock() = Some(self.time.ticks.load(Ordering::Relaxed));
        let result = work();
        *self.since.lock() = None;
        result
    }

    /// Zero between two pieces of work.
    pub(crate) fn elapsed(&self) -> Duration {
        let Some(since) = *self.since.lock() else { return Duration::ZERO };
        let ticks = self.time.ticks.load(Ordering::Relaxed).saturating_sub(since);
        TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ticks_during_the_work_count() {
        let time = Arc::new(RunningTime::default());
        let busy = BusyTime::new(&time);
        time.ticks.store(100, Ordering::Relaxed);
        assert_eq!(busy.elapsed(), Duration::ZERO);
        busy.run(|| {
            assert_eq!(busy.elapsed(), Duration::ZERO);
            time.ticks.store(104, Ordering::Relaxed);
            assert_eq!(busy.elapsed(), Duration::from_secs(1));
        });
        assert_eq!(busy.elapsed(), Duration::ZERO);
    }

    #[test]
    fn time_goes_by_while_the_process_runs() {
        let time = Arc::new(RunningTime::default());
        let thread = time.start().unwrap();
        let busy = BusyTime::new(&time);
        busy.run(|| {
            while busy.elapsed() < 2 * TICK {
                std::thread::sleep(TICK / 10);
            }
        });
        drop(thread);
    }
}
