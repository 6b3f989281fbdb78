//! Checks the timeouts of a connection: while it is idle, at the end of the idle timeout; otherwise at least every
//! second.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

use crate::limits::Limits;
use crate::phase::{Phase, PhaseCell};

pub(crate) struct Watchdog<'c> {
    phase: &'c PhaseCell,
    limits: &'c Limits,
    last_check: Instant,
    sleep: Pin<Box<Sleep>>,
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// The phase has timed out.
    TimedOut,
    /// A request is being read or handled; the handler checks its own deadline when it is polled.
    Busy,
}

impl<'c> Watchdog<'c> {
    pub(crate) fn new(phase: &'c PhaseCell, limits: &'c Limits) -> Self {
        let last_check = Instant::now();
        Self { phase, limits, last_check, sleep: Box::pin(sleep_until(last_check + limits.idle)) }
    }

    /// Must be polled whenever the connection is polled.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Check> {
        loop {
            // The timer is only ever moved forward: a superfluous check is cheaper than a timer reset for each request.
            let due = self.due();
            if due < self.sleep.deadline() {
                self.sleep.as_mut().reset(due);
            }
            ready!(self.sleep.as_mut().poll(context));
            self.last_check = Instant::now();
            if self.phase.is_timed_out(self.limits, self.last_check) {
                return Poll::Ready(Check::TimedOut);
            }
            let due = self.due();
            self.sleep.as_mut().reset(due);
            if matches!(self.phase.get(), Phase::ReadingBody | Phase::Handling) {
                return Poll::Ready(Check::Busy);
            }
        }
    }

    /// When the next check is due.
    fn due(&self) -> Instant {
        if self.phase.get() == Phase::Idle && !self.phase.is_stalled() {
            return self.phase.since() + self.limits.idle;
        }
        self.phase.since().max(self.last_check) + self.limits.check_interval()
    }
}
