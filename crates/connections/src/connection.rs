//! One connection: it serves requests until it is closed, times out, or the server stops.

use std::error::Error;
use std::future::poll_fn;
use std::net::IpAddr;
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
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::limits::{Limits, MIN_IDLE};
use crate::phase::{Phase, PhaseCell};
use crate::room::Room;
use crate::slow_reader::SlowReader;
use crate::stall_io::StallIo;
use crate::watchdog::{Check, Watchdog};
use crate::watched_io::WatchedIo;

/// The listener's instruction to its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Serve,
    /// Idle connections should close, since no more files can be opened.
    FreeDescriptors,
    /// Connections whose clients read too slowly should close, since others wait for memory.
    FreeMemory,
    /// Idle connections close, the others after their request.
    Drain,
}

/// The smallest buffer that hyper accepts.
const MIN_BUFFER_BYTES: usize = 8192;
/// hyper's default.
const DEFAULT_HEADER_COUNT: usize = 100;

/// The TLS configuration of a connection.
pub type TlsConfig = Arc<ServerConfig>;

/// The error type that hyper accepts.
pub(crate) type AnyError = Box<dyn Error + Send + Sync>;

/// A handshake takes at most this long, the wait for its turn included.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Where connections have their places.
pub(crate) struct Rooms {
    pub(crate) connections: Arc<Room>,
    pub(crate) handshakes: Arc<Room>,
}

pub(crate) struct Connection<S> {
    pub(crate) service: S,
    pub(crate) address: IpAddr,
    pub(crate) limits: Arc<Limits>,
    pub(crate) signals: watch::Receiver<Signal>,
    pub(crate) phase: Arc<PhaseCell>,
}

impl<S, B> Connection<S>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error: Into<AnyError>>,
    B: Body<Error: Into<AnyError>> + 'static,
{
    /// Waits for a place, and serves the requests of the client then.
    pub(crate) async fn enter(mut self, rooms: Rooms, stream: TcpStream, tls: Option<TlsConfig>) {
        let place = tokio::select! {
            place = rooms.connections.enter(self.address, &self.phase) => place,
            _ = self.signals.wait_for(|signal| *signal == Signal::Drain) => return,
        };
        match place {
            Some(_place) => self.serve(stream, tls, &rooms.handshakes).await,
            None => tracing::debug!("closed a connection because too many wait for room"),
        }
    }

    /// Serves the requests of a client until either side closes the connection.
    async fn serve(mut self, stream: TcpStream, tls: Option<TlsConfig>, handshakes: &Arc<Room>) {
        // Responses are sent whole, so that Nagle's algorithm would only delay them. A failure means that the client is
        // gone.
        let _ = stream.set_nodelay(true);
        let stream = StallIo::new(stream, self.phase.clone());
        let Some(tls) = tls else { return self.serve_http(stream).await };
        // The time that the connection waited for its place does not count.
        self.phase.set(Phase::Handshake);
        let (address, phase) = (self.address, self.phase.clone());
        let handshake = async {
            let _turn = handshakes.enter(address, &phase).await?;
            Some(TlsAcceptor::from(tls).accept(stream).await)
        };
        // There is no request yet, so a stopping server does not wait for the handshake.
        let handshake = tokio::time::timeout(self.limits.header_read.min(HANDSHAKE_TIMEOUT), handshake);
        let outcome = tokio::select! {
            outcome = handshake => outcome,
            _ = self.signals.wait_for(|signal| *signal == Signal::Drain) => return,
            () = self.phase.evicted() => return,
        };
        match outcome {
            Ok(Some(Ok(stream))) => self.serve_http(stream).await,
            Ok(Some(Err(error))) => tracing::debug!(%error, "TLS handshake failed"),
            Ok(None) => tracing::debug!("closed a connection because too many wait for their handshake"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        }
    }

    async fn serve_http(mut self, stream: impl AsyncRead + AsyncWrite + Unpin) {
        let phase = self.phase.clone();
        // The TLS handshake is not part of a request.
        phase.set(Phase::Idle);
        let io = TokioIo::new(WatchedIo::new(stream, phase.clone()));
        let service = service_fn(|request| {
            phase.set(Phase::Handling);
            let (response, phase) = (self.service.call(request), &phase);
            async move {
                let response = response.await;
                phase.set(Phase::Writing);
                response
            }
        });
        let connection = http_settings(&self.limits).serve_connection(io, service);
        let mut connection = std::pin::pin!(connection);
        let mut watchdog = Watchdog::new(&phase, &self.limits);
        let mut slow_reader = SlowReader::new();
        loop {
            tokio::select! {
                biased;
                result = connection.as_mut() => {
                    if let Err(error) = result {
                        tracing::debug!(%error, "connection failed");
                    }
                    return;
                }
                check = poll_fn(|context| watchdog.poll(context)) => match check {
                    Check::TimedOut => {
                        tracing::debug!(phase = ?phase.get(), "connection timed out");
                        return;
                    }
                    // The next round polls the connection, and with it the request handler.
                    Check::Busy => {}
                },
                () = phase.evicted() => {
                    tracing::debug!(phase = ?phase.get(), "closed a connection to make room for another client");
                    return;
                }
                changed = self.signals.changed() => {
                    let signal = match changed {
                        Ok(()) => *self.signals.borrow_and_update(),
                        Err(_) => Signal::Drain,
                    };
                    match signal {
                        Signal::Serve => {}
                        Signal::FreeDescriptors if phase.get() == Phase::Idle && phase.age() >= MIN_IDLE => return,
                        Signal::FreeDescriptors => {}
                        Signal::FreeMemory if slow_reader.is_too_slow(&phase, Instant::now()) => {
                            tracing::debug!("closed the connection of a client that reads too slowly");
                            return;
                        }
                        Signal::FreeMemory => {}
                        Signal::Drain => {
                            connection.as_mut().graceful_shutdown();
                            break;
                        }
                    }
                }
            }
        }
        // From here on the listener limits the duration; the request handler keeps its own limit.
        tokio::select! {
            _ = connection.as_mut() => {}
            () = async { while poll_fn(|context| watchdog.poll(context)).await == Check::Busy {} } => {}
        }
    }
}

fn http_settings(limits: &Limits) -> http1::Builder {
    let mut settings = http1::Builder::new();
    // The watchdog enforces the timeout.
    settings.max_buf_size(limits.header_bytes.max(MIN_BUFFER_BYTES)).header_read_timeout(None);
    if limits.header_count != DEFAULT_HEADER_COUNT {
        // Any other limit makes hyper allocate the headers of each request on the heap.
        settings.max_headers(limits.header_count);
    }
    settings
}
