//! Long work on an async runtime: a page of a megabyte must not keep a runtime's worker from serving others.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Runs work that may take milliseconds. On a multi-threaded tokio runtime the worker's other tasks move to another
/// thread meanwhile; elsewhere the work simply runs.
pub fn heavy<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}
