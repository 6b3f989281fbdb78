//! Shutdown signals.

use tokio::signal::unix::SignalKind;
use tokio::sync::watch;

/// Becomes true on SIGTERM or SIGINT.
pub(super) fn signal() -> anyhow::Result<watch::Receiver<bool>> {
    let mut terminate = tokio::signal::unix::signal(SignalKind::terminate())?;
    let mut interrupt = tokio::signal::unix::signal(SignalKind::interrupt())?;
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        eprintln!("keyfold: shutting down; completing requests in flight");
        sender.send_replace(true);
        // Keep the sender alive: dropping it would look like a signal.
        std::future::pending::<()>().await;
    });
    Ok(receiver)
}

/// Returns once a shutdown signal has arrived.
pub(super) async fn wait(mut stop: watch::Receiver<bool>) {
    // An error means that the sender is gone.
    let _ = stop.wait_for(|stop| *stop).await;
}
