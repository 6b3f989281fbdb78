//! Why and how a server ends: on a signal, with everything on disk, or because its store cannot be used any more.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use keyfold_engine::Engine;
use keyfold_engine::store::StoreError;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::supervisor::Fatal;
use crate::{exit_code, running_time};

/// How long work is waited for that no request needs any more.
const LAST_WORK: Duration = Duration::from_secs(5);

/// Why a server ends.
#[derive(Debug, Clone)]
pub(crate) enum Reason {
    Signal,
    Fatal(Fatal),
}

/// Becomes known to all endpoints of a server when it must end.
#[derive(Clone)]
pub(crate) struct Stop {
    reason: watch::Receiver<Option<Reason>>,
    /// How long the store is waited for.
    patience: Duration,
}

impl Stop {
    pub(crate) fn new(reason: watch::Receiver<Option<Reason>>, patience: Duration) -> Self {
        Self { reason, patience }
    }

    /// Returns once the server must end.
    pub(crate) async fn wait(mut self) {
        // An error means that the thread that knows is gone.
        let _ = self.reason.wait_for(Option::is_some).await;
    }

    /// Closes the engine, and tells the exit code. A process whose store cannot be used any more ends here: closing the
    /// store could take forever.
    pub(crate) fn finish(self, runtime: Runtime, engine: Option<Arc<Engine>>) -> ExitCode {
        if let Some(Reason::Fatal(fatal)) = &*self.reason.borrow() {
            std::process::exit(i32::from(fatal.code));
        }
        // Requests in flight have ended, or have had their time. One that waits for a disk that hangs never ends.
        runtime.shutdown_timeout(LAST_WORK);
        if let Some(Err(code)) = engine.map(|engine| close(engine, self.patience)) {
            std::process::exit(i32::from(code));
        }
        report!("keyfold: stopped");
        ExitCode::SUCCESS
    }
}

/// Everything committed is on disk once the engine is closed.
fn close(engine: Arc<Engine>, patience: Duration) -> Result<(), u8> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let closed = engine.close();
        drop(engine);
        // Nobody waits any more if it took too long.
        let _ = sender.send(closed);
    });
    let failed = |error: StoreError| {
        report!("keyfold: the data folder could not be closed: {error}");
        Err(exit_code::for_store_error(&error))
    };
    match running_time::receive(&receiver, patience) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => failed(error),
        Err(RecvTimeoutError::Timeout) => failed(StoreError::Unresponsive { seconds: patience.as_secs() }),
        Err(RecvTimeoutError::Disconnected) => Err(exit_code::SYNC_FAILED),
    }
}
