//! Signals that do not end a server: SIGHUP and SIGUSR1.

use std::sync::Arc;

use keyfold_engine::Engine;
use tokio::signal::unix::{SignalKind, signal};

use crate::log_output::LogOutput;
use crate::reload::Reload;

/// On SIGHUP, the log file is opened again, and other files are read again. On SIGUSR1, the clock of the engine is
/// confirmed: expiry continues after a step of the system's clock.
pub(crate) fn listen(log: LogOutput, engine: Option<Arc<Engine>>, reload: Reload) -> anyhow::Result<()> {
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
                    reload.run();
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
