//! The time by which the engine works: expiry by the wall clock while it can be trusted, tokens by a time that never
//! goes back.

use std::sync::Arc;

use keyfold_environment::Clock;
use parking_lot::Mutex;

use crate::OpenError;
use crate::rows::layout;
use crate::store::{Change, Store};

/// A clock that moves further than this against the monotonic one was set.
const STEP_MS: u64 = 60 * 1000;

/// Within this time, steps add up: a clock that is set forward little by little was set as well.
const WINDOW_MS: u64 = 10 * 60 * 1000;

/// How long a time that is too far ahead is not trusted.
const SUSPENSION_MS: u64 = 10 * 60 * 1000;

/// An engine that is opened this long after the newest time in its data may be on a machine whose clock is wrong.
const ABSENCE_MS: u64 = 24 * 60 * 60 * 1000;

/// How often the newest time is stored, at most.
const RECORD_MS: u64 = 60 * 1000;

/// The clock of an engine.
pub(crate) struct EngineTime {
    clock: Arc<dyn Clock>,
    state: Mutex<TimeState>,
}

struct TimeState {
    /// The last reading of both clocks.
    wall_ms: u64,
    monotonic_ms: u64,
    /// The largest time seen, moved on by the monotonic clock.
    newest_ms: u64,
    /// The newest time in the store; 0 before the first commit in a folder of an earlier version.
    recorded_ms: u64,
    /// Where the steps of the wall clock are counted from.
    window: Window,
    /// `None` while the clock is trusted.
    suspension: Option<Suspension>,
}

/// A time in which the wall clock may gain [`STEP_MS`] on the monotonic one.
#[derive(Clone, Copy)]
struct Window {
    began_ms: u64,
    /// How far the wall clock was ahead of the monotonic one, at the least.
    offset_ms: i128,
}

impl Window {
    fn from(wall_ms: u64, monotonic_ms: u64) -> Self {
        Self { began_ms: monotonic_ms, offset_ms: i128::from(wall_ms) - i128::from(monotonic_ms) }
    }
}

/// Nothing expires until the monotonic clock has reached a time, or the wall clock was set back.
struct Suspension {
    until_ms: u64,
    /// How far the wall clock was ahead of the monotonic one while it was trusted.
    trusted_offset_ms: i128,
}

impl TimeState {
    fn record(&mut self) -> Change {
        self.recorded_ms = self.newest_ms;
        Change::Put(layout::newest_time(), self.newest_ms.to_be_bytes().to_vec())
    }
}

impl EngineTime {
    /// Compares the clock with the newest time in the store.
    pub(crate) fn open(store: &dyn Store, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let key = layout::newest_time();
        let recorded_ms = match store.get(&key)? {
            Some(bytes) => <[u8; 8]>::try_from(&*bytes)
                .map(u64::from_be_bytes)
                .map_err(|_| OpenError::undecodable("the newest time", &key))?,
            None => 0,
        };
        let (wall_ms, monotonic_ms) = (clock.now_ms(), clock.monotonic_ms());
        let mut suspension = None;
        if recorded_ms > wall_ms.saturating_add(STEP_MS) {
            let behind_seconds = (recorded_ms - wall_ms) / 1000;
            tracing::warn!(
                behind_seconds,
                "the clock is behind the newest time in the data: items expire later, and client request tokens go by the newest time"
            );
        } else if recorded_ms > 0 && wall_ms > recorded_ms.saturating_add(ABSENCE_MS) {
            let ahead_seconds = (wall_ms - recorded_ms) / 1000;
            tracing::warn!(
                ahead_seconds,
                "the clock is far ahead of the newest time in the data: nothing expires for ten minutes"
            );
            let trusted_offset_ms = i128::from(recorded_ms) - i128::from(monotonic_ms);
            suspension = Some(Suspension { until_ms: monotonic_ms.saturating_add(SUSPENSION_MS), trusted_offset_ms });
        }
        let newest_ms = wall_ms.max(recorded_ms);
        let window = Window::from(wall_ms, monotonic_ms);
        let state = TimeState { wall_ms, monotonic_ms, newest_ms, recorded_ms, window, suspension };
        Ok(Self { clock, state: Mutex::new(state) })
    }

    /// Milliseconds since the Unix epoch, by the wall clock.
    pub(crate) fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// The second up to which items expire; `None` while the clock is not trusted.
    pub(crate) fn expiry_second(&self) -> Option<u64> {
        let mut state = self.state.lock();
        self.read(&mut state);
        match state.suspension {
            None => Some(state.wall_ms / 1000),
            Some(_) => None,
        }
    }

    /// The largest time seen, in seconds: it never goes back, not even over a restart.
    pub(crate) fn newest_second(&self) -> u64 {
        let mut state = self.state.lock();
        self.read(&mut state);
        state.newest_ms / 1000
    }

    /// Trusts the clock as it is.
    pub(crate) fn confirm(&self) {
        let mut state = self.state.lock();
        self.read(&mut state);
        state.window = Window::from(state.wall_ms, state.monotonic_ms);
        if state.suspension.take().is_some() {
            tracing::info!("the clock was confirmed: items expire again");
        }
    }

    /// The row that stores the newest time, once a minute.
    pub(crate) fn record(&self) -> Option<Change> {
        let mut state = self.state.lock();
        self.read(&mut state);
        if state.recorded_ms > 0 && state.newest_ms < state.recorded_ms.saturating_add(RECORD_MS) {
            return None;
        }
        Some(state.record())
    }

    /// The row that stores the newest time.
    pub(crate) fn record_now(&self) -> Change {
        let mut state = self.state.lock();
        self.read(&mut state);
        state.record()
    }

    /// Reads both clocks, and notices whether the wall clock was set.
    fn read(&self, state: &mut TimeState) {
        let (wall_ms, monotonic_ms) = (self.clock.now_ms(), self.clock.monotonic_ms());
        let passed_ms = monotonic_ms.saturating_sub(state.monotonic_ms);
        let offset_ms = i128::from(wall_ms) - i128::from(monotonic_ms);
        if monotonic_ms.saturating_sub(state.window.began_ms) > WINDOW_MS {
            state.window = Window::from(state.wall_ms, state.monotonic_ms);
        }
        let was_suspended = state.suspension.is_some();
        let is_ahead = |trusted_ms: i128| offset_ms > trusted_ms + i128::from(STEP_MS);
        match &state.suspension {
            Some(suspension) if !is_ahead(suspension.trusted_offset_ms) => {
                tracing::info!("the clock was set back: items expire again");
                state.suspension = None;
            }
            Some(suspension) if monotonic_ms >= suspension.until_ms => {
                tracing::info!("items expire again by the new time");
                state.suspension = None;
            }
            Some(_) => {}
            None => {
                let trusted_offset_ms = state.window.offset_ms;
                if is_ahead(trusted_offset_ms) {
                    let step_seconds = (offset_ms - trusted_offset_ms) / 1000;
                    tracing::warn!(%step_seconds, "the clock was set forward: nothing expires for ten minutes");
                    let until_ms = monotonic_ms.saturating_add(SUSPENSION_MS);
                    state.suspension = Some(Suspension { until_ms, trusted_offset_ms });
                }
            }
        }
        if was_suspended && state.suspension.is_none() {
            state.window = Window::from(wall_ms, monotonic_ms);
        }
        state.window.offset_ms = state.window.offset_ms.min(offset_ms);
        state.newest_ms = state.newest_ms.saturating_add(passed_ms).max(wall_ms);
        state.wall_ms = wall_ms;
        state.monotonic_ms = monotonic_ms;
    }
}

#[cfg(test)]
mod tests {
    use keyfold_environment::ManualClock;

    use super::*;
    use crate::store::{Durability, MemoryStore};

    const NOW: u64 = 1_700_000_000;
    const DAY: u64 = 24 * 60 * 60;

    fn at(store: &MemoryStore, clock: &Arc<ManualClock>) -> EngineTime {
        EngineTime::open(store, Arc::clone(clock) as _).unwrap()
    }

    fn new() -> (MemoryStore, Arc<ManualClock>, EngineTime) {
        let (store, clock) = (MemoryStore::default(), Arc::new(ManualClock::at_second(NOW)));
        let time = at(&store, &clock);
        (store, clock, time)
    }

    fn record(store: &MemoryStore, time: &EngineTime) {
        store.commit(time.record().into_iter().collect(), Durability::Relaxed).unwrap();
    }

    #[test]
    fn time_that_passes_is_trusted_however_long_nobody_looked() {
        let (_, clock, time) = new();
        clock.set_second(NOW + 400 * DAY);
        assert_eq!(time.expiry_second(), Some(NOW + 400 * DAY));
    }

    #[test]
    fn a_small_step_forward_is_trusted() {
        let (_, clock, time) = new();
        clock.step_to_second(NOW + 60);
        assert_eq!(time.expiry_second(), Some(NOW + 60));
    }

    #[test]
    fn a_step_forward_suspends_expiry_for_ten_minutes() {
        let (_, clock, time) = new();
        clock.step_to_second(NOW + 61);
        assert_eq!(time.expiry_second(), None);
        clock.advance(SUSPENSION_MS - 1);
        assert_eq!(time.expiry_second(), None);
        clock.advance(1);
        assert_eq!(time.expiry_second(), Some(NOW + 61 + 600));
    }

    #[test]
    fn small_steps_forward_add_up() {
        let (_, clock, time) = new();
        clock.step_to_second(NOW + 50);
        assert_eq!(time.expiry_second(), Some(NOW + 50));
        clock.advance(1000);
        clock.step_to_second(NOW + 101);
        assert_eq!(time.expiry_second(), None);
        // It is trusted once more, and from there.
        clock.advance(SUSPENSION_MS);
        assert_eq!(time.expiry_second(), Some(NOW + 101 + 600));
        clock.step_to_second(NOW + 101 + 600 + 50);
        assert_eq!(time.expiry_second(), Some(NOW + 101 + 600 + 50));
        time.confirm();
        clock.step_to_second(NOW + 101 + 600 + 100);
        assert_eq!(time.expiry_second(), Some(NOW + 101 + 600 + 100));
    }

    #[test]
    fn small_steps_long_apart_are_trusted() {
        let (_, clock, time) = new();
        let mut now = NOW;
        for _ in 0..20 {
            clock.advance(WINDOW_MS + 1000);
            now += WINDOW_MS / 1000 + 1 + 50;
            clock.step_to_second(now);
            assert_eq!(time.expiry_second(), Some(now));
        }
    }

    #[test]
    fn a_clock_that_is_set_back_is_trusted_again() {
        let (_, clock, time) = new();
        clock.step_to_second(NOW + DAY);
        assert_eq!(time.expiry_second(), None);
        clock.advance(5000);
        clock.step_to_second(NOW + 5);
        assert_eq!(time.expiry_second(), Some(NOW + 5));
    }

    #[test]
    fn a_confirmed_clock_is_trusted() {
        let (_, clock, time) = new();
        clock.step_to_second(NOW + DAY);
        assert_eq!(time.expiry_second(), None);
        time.confirm();
        assert_eq!(time.expiry_second(), Some(NOW + DAY));
        // A step that is confirmed before anybody has noticed it.
        clock.step_to_second(NOW + 2 * DAY);
        time.confirm();
        assert_eq!(time.expiry_second(), Some(NOW + 2 * DAY));
    }

    #[test]
    fn the_newest_time_never_goes_back_and_goes_on() {
        let (_, clock, time) = new();
        clock.step_to_second(NOW + 500);
        assert_eq!(time.newest_second(), NOW + 500);
        clock.step_to_second(NOW);
        assert_eq!(time.newest_second(), NOW + 500);
        clock.advance(10_000);
        assert_eq!(time.newest_second(), NOW + 510);
    }

    #[test]
    fn the_newest_time_is_stored_once_a_minute_and_outlives_a_restart() {
        let (store, clock, time) = new();
        record(&store, &time);
        assert!(time.record().is_none());
        clock.advance(RECORD_MS - 1);
        assert!(time.record().is_none());
        clock.advance(1);
        record(&store, &time);
        clock.step_to_second(NOW - DAY);
        let time = at(&store, &clock);
        assert_eq!(time.newest_second(), NOW + 60);
        // Nothing expires early by a clock that is behind.
        assert_eq!(time.expiry_second(), Some(NOW - DAY));
    }

    #[test]
    fn a_start_far_after_the_newest_time_suspends_expiry() {
        let (store, clock, time) = new();
        record(&store, &time);
        clock.step_to_second(NOW + DAY);
        assert_eq!(at(&store, &clock).expiry_second(), Some(NOW + DAY));
        clock.step_to_second(NOW + DAY + 1);
        let time = at(&store, &clock);
        assert_eq!(time.expiry_second(), None);
        clock.advance(SUSPENSION_MS);
        assert_eq!(time.expiry_second(), Some(NOW + DAY + 601));
        // A clock that is set right in the meantime.
        clock.step_to_second(NOW + 10 * DAY);
        let time = at(&store, &clock);
        clock.step_to_second(NOW + 30);
        assert_eq!(time.expiry_second(), Some(NOW + 30));
    }

    #[test]
    fn a_damaged_record_keeps_the_engine_closed() {
        let (store, clock, _) = new();
        store.commit(vec![Change::Put(layout::newest_time(), vec![1])], Durability::Relaxed).unwrap();
        assert!(matches!(EngineTime::open(&store, clock), Err(OpenError::Damaged { .. })));
    }
}
