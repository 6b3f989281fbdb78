//! Why and how a server ends: on a signal, with everything on disk, or because its store cannot be used any more.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use keyfold_engine::Engine;
use keyfold_engine::store::StoreError;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::supervisor::{Fatal, supervise};
use crate::{exit_code, running_time};

/// How long responses are still sent once the store cannot be used any more.
const LAST_RESPONSES: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
enum Reason {
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
    /// Waits for SIGTERM and SIGINT, and supervises the engine, if the backend is one.
    pub(crate) fn listen(engine: Option<Arc<Engine>>, patience: Duration) -> anyhow::Result<Self> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let (sender, receiver) = watch::channel(None);
        let fatal = async move {
            match engine {
                Some(engine) => supervise(engine, patience).await,
                None => std::future::pending().await,
            }
        };
        tokio::spawn(async move {
            let reason = tokio::select! {
                _ = terminate.recv() => Reason::Signal,
                _ = interrupt.recv() => Reason::Signal,
                fatal = fatal => Reason::Fatal(fatal),
            };
            match &reason {
                Reason::Signal => report!("keyfold: shutting down; completing requests in flight"),
                Reason::Fatal(fatal) => report!("keyfold: stopping: {}", fatal.text),
            }
            sender.send_replace(Some(reason));
            // Keep the sender alive: dropping it would look like a signal.
            std::future::pending::<()>().await;
        });
        Ok(Self { reason: receiver, patience })
    }

    /// Returns once the server must end.
    pub(crate) async fn wait(mut self) {
        // An error means that the sender is gone.
        let _ = self.reason.wait_for(Option::is_some).await;
    }

    /// Returns if the server must end now: its store cannot be used any more, and the last responses had their time.
    pub(crate) async fn wait_until_overdue(mut self) {
        match self.reason.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Reason::Fatal(_))) => {}
            _ => std::future::pending().await,
        }
        tokio::time::sleep(LAST_RESPONSES).await;
    }

    /// Closes the engine, and tells the exit code. A process whose store cannot be used any more ends here: closing the
    /// store could take forever.
    pub(crate) fn finish(self, runtime: Runtime, engine: Option<Arc<Engine>>) -> ExitCode {
        if let Some(Reason::Fatal(fatal)) = &*self.reason.borrow() {
            std::process::exit(i32::from(fatal.code));
        }
        // Requests in flight have ended, or have had their time.
        drop(runtime);
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
