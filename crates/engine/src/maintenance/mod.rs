//! Background work: filling new indexes, deleting rows of dropped ones, expiring items, deleting expired tokens, and
//! returning the space of deleted items.
//!
//! One thread does all of it in small slices, so that no task delays the others for long.

mod backfill;
mod expiry;
mod purge;
mod space;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

use keyfold_dynamo::ServiceError;

use crate::background_thread::{BackgroundThread, StopSignal};
use crate::shared::Shared;

/// Rows handled in one slice, unless a task has its own number. A slice ends with one fsync.
const SLICE: usize = 1024;

/// Whether a slice left work to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SliceOutcome {
    /// There is more to do now.
    More,
    /// Nothing to do for now.
    Idle,
}

impl SliceOutcome {
    fn and(self, other: Self) -> Self {
        if self == Self::Idle && other == Self::Idle { Self::Idle } else { Self::More }
    }
}

/// The background thread.
pub(crate) fn start(shared: Arc<Shared>, pause: Duration) -> std::io::Result<BackgroundThread> {
    BackgroundThread::start("keyfold-maintenance", move |stop| run(&shared, pause, stop))
}

fn run(shared: &Shared, pause: Duration, stop: &StopSignal) {
    loop {
        let progress = slice(shared).unwrap_or_else(|error| {
            tracing::warn!(%error, "background work failed and will be retried");
            SliceOutcome::Idle
        });
        let is_stopped = match progress {
            SliceOutcome::More => stop.is_given(),
            SliceOutcome::Idle => stop.sleep(pause),
        };
        if is_stopped {
            return;
        }
    }
}

/// Runs one slice of each task.
fn slice(shared: &Shared) -> Result<SliceOutcome, ServiceError> {
    let mut deleted = shared.maintaining.lock();
    // A task that fails does not keep the others from running.
    let outcomes = [
        backfill::slice(shared),
        expiry::slice(shared),
        tokens::slice(shared),
        purge::slice(shared, &mut deleted),
        space::slice(shared, &mut deleted),
    ];
    outcomes.into_iter().try_fold(SliceOutcome::Idle, |progress, outcome| Ok(progress.and(outcome?)))
}

/// Runs slices until there is nothing left to do.
pub(crate) fn run_to_end(shared: &Shared) -> Result<(), ServiceError> {
    while slice(shared)? == SliceOutcome::More {}
    Ok(())
}
