//! Long work on an async runtime: a page of a megabyte must not keep a runtime's worker from serving others.

use std::task::Poll;

use tokio::runtime::{Handle, RuntimeFlavor};

/// Work is interrupted after so many rows or bytes: a fraction of a millisecond.
const ROWS: usize = 64;
const BYTES: usize = 128 << 10;

/// A stretch of work that lets others run from time to time. Works under any executor.
#[derive(Default)]
pub struct Stretch {
    rows: usize,
    bytes: usize,
}

impl Stretch {
    /// Counts a row that was read; pauses when the stretch is long enough.
    pub async fn work(&mut self, bytes: usize) {
        self.rows += 1;
        self.bytes += bytes;
        if self.rows >= ROWS || self.bytes >= BYTES {
            *self = Self::default();
            pause().await;
        }
    }
}

/// Goes to the end of the executor's queue once.
async fn pause() {
    let mut paused = false;
    std::future::poll_fn(|context| {
        if paused {
            return Poll::Ready(());
        }
        paused = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Runs work that may take milliseconds and cannot be interrupted. On a multi-threaded tokio runtime the worker's other
/// tasks move to another thread meanwhile, which has its price; elsewhere the work simply runs.
pub fn heavy<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// Runs work on several items: on many of them as [`heavy`], on a few as it is.
pub fn heavy_if_many<T>(items: usize, work: impl FnOnce() -> T) -> T {
    /// As many as one batch write may have.
    const FEW: usize = 25;
    if items > FEW { heavy(work) } else { work() }
}
