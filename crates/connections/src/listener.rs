//! Accepts connections until shutdown, and then lets the requests in flight finish.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper::{Request, Response};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::connection::{AnyError, Connection, Rooms, Signal, TlsConfig};
use crate::limits::Limits;
use crate::memory::ResponseMemory;
use crate::peer::Peer;
use crate::phase::PhaseCell;
use crate::room::Room;

/// The delay after a failed accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// ENFILE and EMFILE, for which the standard library has no kind.
const DESCRIPTOR_ERRORS: [i32; 2] = [23, 24];

/// A bound socket that does not accept connections yet.
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// The bound address; with the port that the operating system chose, if it was 0.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves requests until `shutdown` completes and the requests in flight have finished or timed out. Each
    /// connection gets a service for its client, and uses TLS if `tls` returns a configuration. Slow clients lose their
    /// connection while others wait for `responses`, the memory of responses.
    pub async fn serve<S, B>(
        self,
        limits: Limits,
        responses: &ResponseMemory,
        tls: impl Fn() -> Option<TlsConfig>,
        service: impl Fn(Peer) -> S,
        shutdown: impl Future<Output = ()> + Send,
    ) where
        S: Service<Request<Incoming>, Response = Response<B>, Future: Send, Error: Into<AnyError>>
            + Send
            + Sync
            + 'static,
        B: Body<Data: Send, Error: Into<AnyError>> + Send + 'static,
    {
        let limits = Arc::new(limits);
        let (room, handshakes) = (Room::for_connections(limits.connections), Room::for_handshakes());
        let (signals, _) = watch::channel(Signal::Serve);
        let mut connections = JoinSet::new();
        let mut shutdown = std::pin::pin!(shutdown);
        let mut failing = false;
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                accepted = self.socket.accept() => match accepted {
                    Ok((stream, remote)) => {
                        failing = false;
                        let phase = Arc::new(PhaseCell::new());
                        let service = service(Peer::new(remote.ip(), phase.clone()));
                        let (limits, signals) = (limits.clone(), signals.subscribe());
                        let rooms = Rooms { connections: room.clone(), handshakes: handshakes.clone() };
                        let connection = Connection { service, limits, signals, phase, address: remote.ip() };
                        connections.spawn(connection.enter(rooms, stream, tls()));
                    }
                    Err(error) => {
                        // Once for a series of failures: the next attempt follows at once.
                        if !std::mem::replace(&mut failing, true) {
                            tracing::warn!(%error, "cannot accept connections");
                        }
                        if is_out_of_descriptors(&error) {
                            signals.send_replace(Signal::FreeDescriptors);
                        }
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
                () = responses.sending.is_short() => {
                    signals.send_replace(Signal::FreeMemory);
                }
                Some(_) = connections.join_next() => {}
            }
        }
        drop(self.socket);
        tracing::info!(connections = connections.len(), "stopping: requests in flight may finish");
        signals.send_replace(Signal::Drain);
        let drained =
            tokio::time::timeout(limits.drain, async { while connections.join_next().await.is_some() {} }).await;
        if drained.is_err() {
            tracing::warn!(connections = connections.len(), "stopped with requests in flight");
            connections.shutdown().await;
        }
    }
}

/// Whether the process or the machine has too many files open. Idle connections hold some of them.
fn is_out_of_descriptors(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| DESCRIPTOR_ERRORS.contains(&code))
}
