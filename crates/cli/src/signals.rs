//! The signals of a server.

use std::sync::{Arc, Weak};

use keyfold_engine::Engine;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;

use crate::log_output::LogOutput;
use crate::reload::Reload;

/// From their installation, none of them ends the process by itself.
pub(crate) struct Signals {
    pub end: EndSignals,
    pub others: OtherSignals,
}

/// SIGTERM and SIGINT.
pub(crate) struct EndSignals {
    terminate: Signal,
    interrupt: Signal,
}

/// Those that do not end a server: SIGHUP and SIGUSR1.
pub(crate) struct OtherSignals {
    hangup: Signal,
    confirm: Signal,
}

impl Signals {
    pub(crate) fn install() -> std::io::Result<Self> {
        Ok(Self {
            end: EndSignals {
                terminate: signal(SignalKind::terminate())?,
                interrupt: signal(SignalKind::interrupt())?,
            },
            others: OtherSignals {
                hangup: signal(SignalKind::hangup())?,
                confirm: signal(SignalKind::user_defined1())?,
            },
        })
    }
}

impl EndSignals {
    /// Returns once the server is told to end.
    pub(crate) async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

impl OtherSignals {
    /// On SIGHUP, the log file is opened again, and other files are read again. On SIGUSR1, the clock of the engine is
    /// confirmed: expiry continues after a step of the system's clock. Never returns.
    pub(crate) async fn heed(&mut self, log: LogOutput, engine: Option<Weak<Engine>>, reload: Reload) {
        let reload = Arc::new(reload);
        loop {
            tokio::select! {
                _ = self.hangup.recv() => {
                    let (log, reload) = (log.clone(), Arc::clone(&reload));
                    // The disk of these files may hang. A panic is in the log.
                    let _ = spawn_blocking(move || read_again(&log, &reload)).await;
                }
                _ = self.confirm.recv() => {
                    if let Some(engine) = engine.as_ref().and_then(Weak::upgrade) {
                        engine.confirm_clock();
                        tracing::info!("SIGUSR1: the time of the system's clock is accepted");
                    }
                }
            }
        }
    }
}

fn read_again(log: &LogOutput, reload: &Reload) {
    match log.reopen() {
        Ok(()) => tracing::info!("SIGHUP: the log was reopened"),
        Err(error) => tracing::error!(%error, "the log cannot be reopened; the previous file stays in use"),
    }
    reload.run();
}
