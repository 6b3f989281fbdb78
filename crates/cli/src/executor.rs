//! The executor of commands that are not servers.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// One worker is enough for a command, which does one thing after the other.
pub(crate) fn executor() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).enable_all().build()
}
