//! Accepts connections until it is asked to stop, and then lets the requests in flight finish.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_rustls::TlsAcceptor;

use crate::api::Api;
use crate::limits::Limits;
use crate::rate::Peer;
use crate::stalled_io::StalledIo;
use crate::tls::Tls;

/// After a failure to accept (as a rule, too many open files) the next attempt waits a moment.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The most bytes of a request's head.
const HEAD_BYTES: usize = 64 * 1024;

/// A listening server that does not answer yet.
pub struct Server {
    api: Arc<Api>,
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<Tls>,
}

/// Why a server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}")]
pub struct BindError {
    pub address: SocketAddr,
    pub source: io::Error,
}

impl Server {
    pub async fn bind(api: Arc<Api>, address: SocketAddr) -> Result<Self, BindError> {
        let refused = |source| BindError { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { api, listener, address, tls: None })
    }

    /// Speaks TLS only.
    pub fn with_tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// Where the server listens; with the port that was chosen, if it was left open.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `shutdown` is done and the requests in flight are answered, or their time is up.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send) {
        let limits = self.api.limits.clone();
        let room = Arc::new(Semaphore::new(limits.connections));
        let router = self.api.router();
        let graceful = GracefulShutdown::new();
        let (stopping, stopped) = watch::channel(());
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let place = tokio::select! {
                () = &mut shutdown => break,
                place = Arc::clone(&room).acquire_owned() => place,
            };
            let accepted = tokio::select! {
                () = &mut shutdown => break,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, from)) => {
                    let connection = Connection {
                        limits: limits.clone(),
                        tls: self.tls.as_ref().map(|tls| TlsAcceptor::from(tls.config())),
                        service: FromPeer { router: TowerToHyperService::new(router.clone()), peer: from.ip() },
                    };
                    let answering = connection.answer(stream, graceful.watcher(), stopped.clone());
                    tokio::spawn(async move {
                        let _place = place;
                        answering.await;
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        self.api.stop();
        drop((self.listener, stopping, stopped));
        if tokio::time::timeout(limits.drain, graceful.shutdown()).await.is_err() {
            tracing::warn!("stopped with requests in flight");
        }
    }
}

/// One client.
struct Connection {
    limits: Limits,
    tls: Option<TlsAcceptor>,
    service: FromPeer,
}

/// Bytes to and from a client, in the clear or not.
trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Transport for T {}

impl Connection {
    async fn answer(self, stream: TcpStream, watcher: Watcher, mut stopped: watch::Receiver<()>) {
        // Answers are sent whole; waiting for more would only delay them. Failing means that the client is gone.
        let _ = stream.set_nodelay(true);
        let stream = StalledIo::new(stream, self.limits.write_stall);
        let transport = match self.tls {
            None => Box::new(stream) as Box<dyn Transport>,
            // Nothing was asked yet: whoever is still shaking hands when the server stops is not waited for.
            Some(tls) => match tokio::select! {
                made = tokio::time::timeout(self.limits.header_read, tls.accept(stream)) => made,
                _ = stopped.changed() => return,
            } {
                Ok(Ok(stream)) => Box::new(stream),
                Ok(Err(error)) => return tracing::debug!(%error, "no TLS with a client"),
                Err(_) => return tracing::debug!("a client took too long for TLS"),
            },
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.header_read)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(transport), self.service);
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "connection failed");
        }
    }
}

/// The routes, with the address that requests come from.
struct FromPeer {
    router: TowerToHyperService<Router>,
    peer: IpAddr,
}

impl Service<http::Request<Incoming>> for FromPeer {
    type Response = <TowerToHyperService<Router> as Service<http::Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<http::Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<http::Request<Incoming>>>::Future;

    fn call(&self, mut request: http::Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(Peer(self.peer));
        self.router.call(request)
    }
}
