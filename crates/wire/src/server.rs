//! Accepts connections until it is asked to stop, and then lets the requests in flight finish.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use keyfold_dynamo::Backend;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use crate::config::{Config, Credentials};
use crate::connection::{self, Signal};
use crate::exchange::Exchange;

/// After a failure to accept (as a rule, too many open files) the next attempt waits a moment.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How often idle connections are asked to make room for one that waits.
const ROOM_PAUSE: Duration = Duration::from_millis(100);

/// A listening server that does not answer yet.
pub struct Server {
    config: Config,
    listener: TcpListener,
    address: SocketAddr,
}

/// Why a server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    #[error("{0} is not a loopback address: credentials must be configured to listen there")]
    NotLoopback(SocketAddr),
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
}

impl Server {
    pub async fn bind(config: Config) -> Result<Self, BindError> {
        let address = config.address;
        if matches!(config.credentials, Credentials::AnyOnLoopback) && !address.ip().is_loopback() {
            return Err(BindError::NotLoopback(address));
        }
        let refused = |source| BindError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { config, listener, address })
    }

    /// Where the server listens; with the port that was chosen, if the configuration left it open.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests with the backend until `shutdown` is done and the requests in flight are answered, or their
    /// time is up.
    pub async fn serve(self, backend: Arc<dyn Backend>, shutdown: impl Future<Output = ()> + Send) {
        let drain = self.config.limits.drain;
        let room = Arc::new(Semaphore::new(self.config.limits.connections));
        let exchange = Arc::new(Exchange::new(self.config, backend));
        let (signals, _) = watch::channel(Signal::Serve);
        let mut connections = JoinSet::new();
        let mut shutdown = std::pin::pin!(shutdown);
        // A connection that was accepted and waits for others to make room.
        let mut waiting = None;
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                accepted = self.listener.accept(), if waiting.is_none() => match accepted {
                    Ok((stream, _)) => waiting = Some(stream),
                    Err(error) => {
                        tracing::warn!(%error, "cannot accept a connection");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
                permit = make_room(&room, &signals), if waiting.is_some() => {
                    let Some(stream) = waiting.take() else { continue };
                    let serving = connection::serve(stream, exchange.clone(), signals.subscribe());
                    connections.spawn(async move {
                        let _permit = permit;
                        serving.await;
                    });
                }
                Some(_) = connections.join_next() => {}
            }
        }
        drop(self.listener);
        tracing::info!(connections = connections.len(), "stopping: requests in flight may finish");
        signals.send_replace(Signal::Drain);
        let drained = tokio::time::timeout(drain, async { while connections.join_next().await.is_some() {} }).await;
        if drained.is_err() {
            tracing::warn!(connections = connections.len(), "stopped with requests in flight");
            connections.shutdown().await;
        }
    }
}

/// A place among the open connections. While there is none, those that are idle are asked to close.
async fn make_room(room: &Arc<Semaphore>, signals: &watch::Sender<Signal>) -> Option<OwnedSemaphorePermit> {
    loop {
        if let Ok(permit) = room.clone().try_acquire_owned() {
            return Some(permit);
        }
        signals.send_replace(Signal::MakeRoom);
        if let Ok(permit) = tokio::time::timeout(ROOM_PAUSE, room.clone().acquire_owned()).await {
            return permit.ok();
        }
    }
}
