//! Long work on an async runtime: reading a page of a megabyte must not block a worker of the runtime.

use std::task::Poll;

use tokio::runtime::{Handle, RuntimeFlavor};

/// A task yields after this many rows or bytes: a fraction of a millisecond.
const ROWS: usize = 64;
const BYTES: usize = 128 << 10;

/// Counts the work of a task, which yields whenever its budget is spent. Works under any executor.
#[derive(Default)]
pub(crate) struct YieldBudget {
    rows: usize,
    bytes: usize,
}

impl YieldBudget {
    /// Counts a row that was read; yields when the budget is spent.
    pub(crate) async fn spend(&mut self, bytes: usize) {
        self.rows += 1;
        self.bytes += bytes;
        if self.rows >= ROWS || self.bytes >= BYTES {
            *self = Self::default();
            yield_now().await;
        }
    }
}

/// Moves the task to the end of the executor's queue once.
async fn yield_now() {
    let mut yielded = false;
    std::future::poll_fn(|context| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Runs work that may take milliseconds and cannot yield. On a multi-threaded tokio runtime the worker's other tasks
/// move to another thread meanwhile, which has a cost; elsewhere the work runs in place.
pub(crate) fn heavy<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// Runs work on several items: as [`heavy`] work if they are many, in place if they are few.
pub(crate) fn heavy_if_many<T>(items: usize, work: impl FnOnce() -> T) -> T {
    /// The limit of a batch write.
    const FEW: usize = 25;
    if items > FEW { heavy(work) } else { work() }
}
