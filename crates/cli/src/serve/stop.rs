//! Being asked to stop.

use tokio::signal::unix::SignalKind;
use tokio::sync::watch;

/// Becomes true when the process is asked to stop.
pub fn signal() -> anyhow::Result<watch::Receiver<bool>> {
    let mut terminate = tokio::signal::unix::signal(SignalKind::terminate())?;
    let mut interrupt = tokio::signal::unix::signal(SignalKind::interrupt())?;
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        eprintln!("keyfold: stopping; requests in flight may finish");
        sender.send_replace(true);
        // Kept until the end, so that nobody takes its going for a signal.
        std::future::pending::<()>().await;
    });
    Ok(receiver)
}

pub async fn asked(mut stop: watch::Receiver<bool>) {
    // An error means that nobody can ask any more.
    let _ = stop.wait_for(|stop| *stop).await;
}
