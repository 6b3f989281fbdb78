//! A listening endpoint in front of a backend.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use hyper::service::service_fn;
use keyfold_connections::{Listener, Peer, ResponseMemory};
use keyfold_dynamo::Backend;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::config::{Config, Credentials};
use crate::exchange::Exchange;

/// A bound server that does not accept connections yet.
pub struct Server {
    config: Config,
    listener: Listener,
    operator_listener: Option<Listener>,
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
        let listener = bind(address).await?;
        let operator_listener = match config.operator_address {
            Some(address) if !address.ip().is_loopback() => return Err(BindError::NotLoopback(address)),
            Some(address) => Some(bind_on(&operator_runtime(&config), address).await?),
            None => None,
        };
        Ok(Self { config, listener, operator_listener })
    }

    /// The bound address; with the port that the operating system chose, if it was 0.
    pub fn local_addr(&self) -> SocketAddr {
        self.listener.local_addr()
    }

    /// The address of the probes for operators, if there is one.
    pub fn operator_addr(&self) -> Option<SocketAddr> {
        self.operator_listener.as_ref().map(Listener::local_addr)
    }

    /// Serves requests until `shutdown` completes and the requests in flight have finished or timed out.
    pub async fn serve(self, backend: Arc<dyn Backend>, shutdown: impl Future<Output = ()> + Send) {
        self.serve_until(backend, Box::pin(shutdown)).await;
    }

    /// Not generic, and boxed, so that the code of connections is compiled here, with this crate's optimization, and
    /// not in each crate that starts a server.
    fn serve_until<'a>(self, backend: Arc<dyn Backend>, shutdown: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        let limits = self.config.limits.for_connections();
        let tls = self.config.tls.clone();
        let responses = Arc::new(ResponseMemory::new(self.config.limits.responses_bytes));
        let operator_runtime = operator_runtime(&self.config);
        let exchange = Arc::new(Exchange::new(self.config, backend, Arc::clone(&responses)));
        let operator_exchange = Arc::clone(&exchange);
        let operator_service = move |_| {
            let exchange = operator_exchange.clone();
            service_fn(move |request| {
                let exchange = exchange.clone();
                async move { Ok::<_, Infallible>(exchange.respond_to_operator(request)) }
            })
        };
        let service = move |peer: Peer| {
            let connection = Arc::new((exchange.clone(), peer));
            service_fn(move |request| {
                let connection = connection.clone();
                async move {
                    let (exchange, peer) = connection.as_ref();
                    Ok::<_, Infallible>(exchange.respond(request, peer).await)
                }
            })
        };
        Box::pin(async move {
            let shutdown = shutdown.shared();
            let operators = async {
                if let Some(listener) = self.operator_listener {
                    let (open, closed) = oneshot::channel::<()>();
                    let limits = limits.clone();
                    let serving = operator_runtime.spawn(async move {
                        // Their responses are small.
                        let memory = ResponseMemory::new(0);
                        let closed = async { closed.await.unwrap_or_default() };
                        listener.serve(limits, &memory, || None, operator_service, closed).await;
                    });
                    shutdown.clone().await;
                    drop(open);
                    // A panic is in the log.
                    let _ = serving.await;
                }
            };
            let tls = || tls.as_ref().map(|tls| tls.config());
            let clients = self.listener.serve(limits.clone(), &responses, tls, service, shutdown.clone());
            tokio::join!(clients, operators);
        })
    }
}

fn operator_runtime(config: &Config) -> Handle {
    config.operator_runtime.clone().unwrap_or_else(Handle::current)
}

/// A socket belongs to the executor that it is bound on.
async fn bind_on(runtime: &Handle, address: SocketAddr) -> Result<Listener, BindError> {
    let bound = runtime.spawn(bind(address)).await;
    bound.unwrap_or_else(|error| Err(BindError::Listen { address, source: io::Error::other(error) }))
}

async fn bind(address: SocketAddr) -> Result<Listener, BindError> {
    Listener::bind(address).await.map_err(|source| BindError::Listen { address, source })
}
