//! The listening server.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use futures_util::future::{BoxFuture, FutureExt};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use keyfold_connections::{Listener, PacedBody, Peer, Tls};
use tokio::sync::oneshot;

use crate::api::Api;
use crate::limits::rate::PeerAddress;

/// A server that listens, and does not accept connections yet.
pub struct Server {
    api: Arc<Api>,
    listener: Listener,
    tls: Option<Arc<Tls>>,
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
        let listener = Listener::bind(address).await.map_err(|source| BindError { address, source })?;
        Ok(Self { api, listener, tls: None })
    }

    /// Accepts TLS connections only.
    pub fn with_tls(self, tls: Arc<Tls>) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// The address on which the server listens, with the port that the system chose if it was 0.
    pub fn local_addr(&self) -> SocketAddr {
        self.listener.local_addr()
    }

    /// Serves requests until `shutdown` completes and the requests in flight have, or the drain timeout has passed.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send) {
        self.serve_until(Box::pin(shutdown)).await;
    }

    /// Not generic, and boxed, so that the code of connections is compiled here, with this crate's optimization, and
    /// not in each crate that starts a server.
    fn serve_until<'a>(self, shutdown: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        let Self { api, listener, tls } = self;
        let router = api.router();
        let limits = api.limits.of_connections();
        let is_encrypted = tls.is_some();
        let tls = move || tls.as_ref().map(|tls| tls.config());
        let service = move |peer| FromPeer { router: TowerToHyperService::new(router.clone()), peer, is_encrypted };
        Box::pin(async move {
            let stopping = async {
                shutdown.await;
                api.stop();
            };
            let (stopped, stop) = oneshot::channel::<()>();
            let serving = async {
                listener.serve(limits, &api.response_memory, tls, service, stopping).await;
                drop(stopped);
            };
            tokio::join!(serving, api.change_records.maintain(stop.map(drop)));
        })
    }
}

/// The routes, for requests of one client address.
struct FromPeer {
    router: TowerToHyperService<Router>,
    peer: Peer,
    is_encrypted: bool,
}

type PacedRequest = http::Request<PacedBody<Incoming>>;

/// Marks requests over TLS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encrypted;

impl Service<http::Request<Incoming>> for FromPeer {
    type Response = <TowerToHyperService<Router> as Service<PacedRequest>>::Response;
    type Error = <TowerToHyperService<Router> as Service<PacedRequest>>::Error;
    type Future = <TowerToHyperService<Router> as Service<PacedRequest>>::Future;

    fn call(&self, mut request: http::Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(PeerAddress(self.peer.address));
        if self.is_encrypted {
            request.extensions_mut().insert(Encrypted);
        }
        self.router.call(request.map(|body| self.peer.pace(body)))
    }
}
