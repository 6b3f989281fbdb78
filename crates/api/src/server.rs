//! Accepts connections until it is asked to stop, and then lets the requests in flight finish.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::api::Api;
use crate::stalled_io::StalledIo;

/// After a failure to accept (as a rule, too many open files) the next attempt waits a moment.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The most bytes of a request's head.
const HEAD_BYTES: usize = 64 * 1024;

/// A listening server that does not answer yet.
pub struct Server {
    api: Arc<Api>,
    listener: TcpListener,
    address: SocketAddr,
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
        Ok(Self { api, listener, address })
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
                Ok((stream, _)) => {
                    let connection = graceful.watch(self.connection(stream, router.clone()));
                    tokio::spawn(async move {
                        let _place = place;
                        if let Err(error) = connection.await {
                            tracing::debug!(%error, "connection failed");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        self.api.stop();
        drop(self.listener);
        if tokio::time::timeout(limits.drain, graceful.shutdown()).await.is_err() {
            tracing::warn!("stopped with requests in flight");
        }
    }

    fn connection(
        &self,
        stream: TcpStream,
        router: Router,
    ) -> http1::Connection<TokioIo<StalledIo>, TowerToHyperService<Router>> {
        // Answers are sent whole; waiting for more would only delay them. Failing means that the client is gone.
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(StalledIo::new(stream, self.api.limits.write_stall));
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.api.limits.header_read)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(io, TowerToHyperService::new(router))
    }
}
