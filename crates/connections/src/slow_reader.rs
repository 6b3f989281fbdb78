//! Whether a client reads its response so slowly that its connection should be closed when memory is short.

use std::time::Duration;

use tokio::time::Instant;

use crate::phase::{Phase, PhaseCell};

/// How long a client is observed.
const OBSERVED: Duration = Duration::from_secs(5);
/// What it has to read in that time: 64 KiB per second.
const MIN_BYTES: u64 = 5 * 64 * 1024;

/// Observes one client while memory is short.
pub(crate) struct SlowReader {
    observation: Option<Observation>,
}

/// The state at the beginning of an observation.
struct Observation {
    begun: Instant,
    /// When the phase of the connection began.
    phase_since: Instant,
    sent: u64,
}

impl SlowReader {
    pub(crate) fn new() -> Self {
        Self { observation: None }
    }

    /// Called about once a second while memory is short.
    pub(crate) fn is_too_slow(&mut self, phase: &PhaseCell, now: Instant) -> bool {
        let (since, sent) = (phase.since(), phase.sent());
        if phase.get() != Phase::Writing && !phase.is_stalled() {
            self.observation = None;
            return false;
        }
        match &self.observation {
            // Without a signal for long, memory was not short in between.
            Some(past) if past.phase_since == since && now < past.begun + 2 * OBSERVED => {
                if now < past.begun + OBSERVED {
                    return false;
                }
                let is_slow = sent - past.sent < MIN_BYTES;
                self.observation = Some(Observation { begun: now, phase_since: since, sent });
                is_slow
            }
            _ => {
                self.observation = Some(Observation { begun: now, phase_since: since, sent });
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(seconds: u64) -> Instant {
        Instant::now() + Duration::from_secs(seconds)
    }

    #[test]
    fn a_client_has_five_seconds_to_show_that_it_reads() {
        let (phase, mut reader) = (PhaseCell::new(), SlowReader::new());
        phase.set(Phase::Writing);
        assert!(!reader.is_too_slow(&phase, after(0)));
        assert!(!reader.is_too_slow(&phase, after(4)));
        assert!(reader.is_too_slow(&phase, after(6)));
    }

    #[test]
    fn a_client_that_reads_fast_enough_is_kept() {
        let (phase, mut reader) = (PhaseCell::new(), SlowReader::new());
        phase.set(Phase::Writing);
        assert!(!reader.is_too_slow(&phase, after(0)));
        for round in 1..4 {
            phase.add_sent(5 * 64 * 1024);
            assert!(!reader.is_too_slow(&phase, after(6 * round)));
        }
        phase.add_sent(5 * 64 * 1024 - 1);
        assert!(reader.is_too_slow(&phase, after(24)));
    }

    #[test]
    fn another_response_and_a_long_pause_begin_a_new_observation() {
        let (phase, mut reader) = (PhaseCell::new(), SlowReader::new());
        phase.set(Phase::Writing);
        assert!(!reader.is_too_slow(&phase, after(0)));
        std::thread::sleep(Duration::from_millis(2));
        phase.set(Phase::Writing);
        assert!(!reader.is_too_slow(&phase, after(6)));
        assert!(!reader.is_too_slow(&phase, after(30)));
        phase.set(Phase::Idle);
        assert!(!reader.is_too_slow(&phase, after(36)));
    }
}
