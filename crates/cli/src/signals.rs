//! Signals that do not end a server: SIGHUP and SIGUSR1.

use std::sync::Arc;

use keyfold_engine::Engine;
use tokio::signal::unix::{SignalKind, signal};

use crate::log_output::LogOutput;

/// On SIGHUP, the log file is opened again and `reload` is called. On SIGUSR1, the clock of the engine is confirmed:
/// expiry continues after a step of the system's clock.
pub(crate) fn listen(
    log: LogOutput,
    engine: Option<Arc<Engine>>,
    reload: impl Fn() -> anyhow::Result<()> + Send + 'static,
) -> anyhow::Result<()> {
    let mut hangup = signal(SignalKind::hangup())?;
    let mut confirm = signal(SignalKind::user_defined1())?;
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = hangup.recv() => {
                    match log.reopen() {
                        Ok(()) => tracing::info!("SIGHUP: the log was reopened"),
                        Err(error) => tracing::error!(%error, "the log cannot be reopened; the previous file stays in use"),
                    }
                    if let Err(error) = reload() {
                        tracing::error!(error = format!("{error:#}"), "the previous settings stay in use");
                    }
                }
                _ = confirm.recv() => {
                    if let Some(engine) = &engine {
                        engine.confirm_clock();
                        tracing::info!("SIGUSR1: the time of the system's clock is accepted");
                    }
                }
            }
        }
    });
    Ok(())
}
