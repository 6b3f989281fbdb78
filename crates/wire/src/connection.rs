//! One connection: requests in, answers out, until it is closed, too slow, or the server stops.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::exchange::Exchange;
use crate::limits::Limits;
use crate::phase::{Phase, PhaseCell, shortest};
use crate::watched_io::WatchedIo;

/// What the server asks of its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Serve,
    /// Idle connections should close, since others wait.
    MakeRoom,
    /// Idle connections close at once, the others after their request.
    Drain,
}

/// Being asked to make room, a connection closes after it was idle for this long.
const IDLE_ENOUGH: Duration = Duration::from_secs(1);
/// The smallest buffer that hyper accepts.
const SMALLEST_BUFFER: usize = 8192;
/// What hyper allows unless it is told otherwise.
const USUAL_HEADER_COUNT: usize = 100;

pub(crate) async fn serve(stream: TcpStream, exchange: Arc<Exchange>, mut signals: watch::Receiver<Signal>) {
    // Answers are sent whole; waiting for more would only delay them. Failing means that the client is gone.
    let _ = stream.set_nodelay(true);
    let limits = exchange.limits().clone();
    let phase = Arc::new(PhaseCell::new());
    let io = TokioIo::new(WatchedIo::new(stream, phase.clone()));
    let service = service_fn(|request| {
        phase.set(Phase::Handling);
        let (exchange, phase) = (&exchange, &phase);
        async move {
            let response = exchange.respond(request).await;
            phase.set(Phase::Writing);
            Ok::<_, Infallible>(response)
        }
    });
    let connection = http_settings(&limits).serve_connection(io, service);
    let mut connection = std::pin::pin!(connection);
    let mut watchdog = std::pin::pin!(tokio::time::sleep(shortest(&limits)));
    loop {
        tokio::select! {
            biased;
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%error, "connection failed");
                }
                return;
            }
            () = watchdog.as_mut() => {
                let left = phase.time_left(&limits);
                if left.is_zero() {
                    tracing::debug!(phase = ?phase.get(), "connection is too slow");
                    return;
                }
                watchdog.as_mut().reset(Instant::now() + left.min(shortest(&limits)));
            }
            changed = signals.changed() => {
                let signal = match changed {
                    Ok(()) => *signals.borrow_and_update(),
                    Err(_) => Signal::Drain,
                };
                match signal {
                    Signal::Serve => {}
                    Signal::MakeRoom if phase.get() == Phase::Idle && phase.age() >= IDLE_ENOUGH => return,
                    Signal::MakeRoom => {}
                    Signal::Drain if phase.get() == Phase::Idle => return,
                    Signal::Drain => {
                        connection.as_mut().graceful_shutdown();
                        break;
                    }
                }
            }
        }
    }
    // From here on the server's drain time-out watches.
    let _ = connection.await;
}

fn http_settings(limits: &Limits) -> http1::Builder {
    let mut settings = http1::Builder::new();
    // The watchdog has the job of the time-out.
    settings.max_buf_size(limits.header_bytes.max(SMALLEST_BUFFER)).header_read_timeout(None);
    if limits.header_count != USUAL_HEADER_COUNT {
        // Headers of any other number are kept on the heap, which costs an allocation for each request.
        settings.max_headers(limits.header_count);
    }
    settings
}
