//! Looks at a connection from time to time: while it is idle, when that should end; otherwise at least every second.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

use crate::limits::Limits;
use crate::phase::{Phase, PhaseCell};

pub(crate) struct Watchdog<'c> {
    phase: &'c PhaseCell,
    limits: &'c Limits,
    looked: Instant,
    sleep: Pin<Box<Sleep>>,
}

/// What the watchdog found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The time of the phase is up.
    TooSlow,
    /// A request is being answered: whether its time is up is to be looked at there.
    Busy,
}

impl<'c> Watchdog<'c> {
    pub(crate) fn new(phase: &'c PhaseCell, limits: &'c Limits) -> Self {
        let looked = Instant::now();
        Self { phase, limits, looked, sleep: Box::pin(sleep_until(looked + limits.idle)) }
    }

    /// To be polled whenever the connection was.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Found> {
        loop {
            // Set to something earlier only: a look too many is cheaper than a timer set with each request.
            let due = self.due();
            if due < self.sleep.deadline() {
                self.sleep.as_mut().reset(due);
            }
            ready!(self.sleep.as_mut().poll(context));
            self.looked = Instant::now();
            if self.phase.is_too_slow(self.limits, self.looked) {
                return Poll::Ready(Found::TooSlow);
            }
            let due = self.due();
            self.sleep.as_mut().reset(due);
            if self.phase.get() == Phase::Handling {
                return Poll::Ready(Found::Busy);
            }
        }
    }

    /// When to look next.
    fn due(&self) -> Instant {
        if self.phase.get() == Phase::Idle && !self.phase.is_stalled() {
            return self.phase.since() + self.limits.idle;
        }
        self.phase.since().max(self.looked) + self.limits.look()
    }
}
