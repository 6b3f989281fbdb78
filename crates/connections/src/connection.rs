//! One connection: requests in, answers out, until it is closed, too slow, or the server stops.

use std::error::Error;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use crate::limits::Limits;
use crate::listener::TlsConfig;
use crate::phase::{Phase, PhaseCell};
use crate::stall_io::StallIo;
use crate::watchdog::{Found, Watchdog};
use crate::watched_io::WatchedIo;

/// What the server asks of its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Serve,
    /// Idle connections should close, since others wait.
    MakeRoom,
    /// Idle connections close, the others after their request.
    Drain,
}

/// Being asked to make room, a connection closes after it was idle for this long.
const IDLE_ENOUGH: Duration = Duration::from_secs(1);
/// The smallest buffer that hyper accepts.
const SMALLEST_BUFFER: usize = 8192;
/// What hyper allows unless it is told otherwise.
const USUAL_HEADER_COUNT: usize = 100;

/// The errors that hyper takes.
pub(crate) type AnyError = Box<dyn Error + Send + Sync>;

pub(crate) struct Connection<S> {
    pub(crate) service: S,
    pub(crate) limits: Arc<Limits>,
    pub(crate) signals: watch::Receiver<Signal>,
}

impl<S, B> Connection<S>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error: Into<AnyError>>,
    B: Body<Error: Into<AnyError>> + 'static,
{
    /// Answers a client until one of both has enough.
    pub(crate) async fn serve(mut self, stream: TcpStream, tls: Option<TlsConfig>) {
        // Answers are sent whole; waiting for more would only delay them. Failing means that the client is gone.
        let _ = stream.set_nodelay(true);
        let phase = Arc::new(PhaseCell::new());
        let stream = StallIo::new(stream, phase.clone());
        let Some(tls) = tls else { return self.answer(stream, phase).await };
        // Nothing was asked yet: whoever is still shaking hands when the server stops is not waited for.
        let shaking = tokio::time::timeout(self.limits.header_read, TlsAcceptor::from(tls).accept(stream));
        let made = tokio::select! {
            made = shaking => made,
            _ = self.signals.wait_for(|signal| *signal == Signal::Drain) => return,
        };
        match made {
            Ok(Ok(stream)) => self.answer(stream, phase).await,
            Ok(Err(error)) => tracing::debug!(%error, "no TLS with a client"),
            Err(_) => tracing::debug!("a client took too long for TLS"),
        }
    }

    async fn answer(mut self, stream: impl AsyncRead + AsyncWrite + Unpin, phase: Arc<PhaseCell>) {
        // The handshake of TLS was no part of a request.
        phase.set(Phase::Idle);
        let io = TokioIo::new(WatchedIo::new(stream, phase.clone()));
        let service = service_fn(|request| {
            phase.set(Phase::Handling);
            let (answering, phase) = (self.service.call(request), &phase);
            async move {
                let response = answering.await;
                phase.set(Phase::Writing);
                response
            }
        });
        let connection = http_settings(&self.limits).serve_connection(io, service);
        let mut connection = std::pin::pin!(connection);
        let mut watchdog = Watchdog::new(&phase, &self.limits);
        loop {
            tokio::select! {
                biased;
                result = connection.as_mut() => {
                    if let Err(error) = result {
                        tracing::debug!(%error, "connection failed");
                    }
                    return;
                }
                found = poll_fn(|context| watchdog.poll(context)) => match found {
                    Found::TooSlow => {
                        tracing::debug!(phase = ?phase.get(), "connection is too slow");
                        return;
                    }
                    // Around the loop the connection is polled, and with it what is being answered.
                    Found::Busy => {}
                },
                changed = self.signals.changed() => {
                    let signal = match changed {
                        Ok(()) => *self.signals.borrow_and_update(),
                        Err(_) => Signal::Drain,
                    };
                    match signal {
                        Signal::Serve => {}
                        Signal::MakeRoom if phase.get() == Phase::Idle && phase.age() >= IDLE_ENOUGH => return,
                        Signal::MakeRoom => {}
                        Signal::Drain => {
                            connection.as_mut().graceful_shutdown();
                            break;
                        }
                    }
                }
            }
        }
        // How long this may take is up to the listener from here on; what is being answered keeps its time.
        tokio::select! {
            _ = connection.as_mut() => {}
            () = async { while poll_fn(|context| watchdog.poll(context)).await == Found::Busy {} } => {}
        }
    }
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
