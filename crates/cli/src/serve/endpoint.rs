//! The DynamoDB endpoint of the same engine. Requests must be signed; in development mode every caller on this machine
//! is accepted.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::bail;
use keyfold_environment::{SystemClock, SystemRandom};
use keyfold_wire::{AccessKeys, Credentials, ReadinessSource, Server, Tls};

use crate::backend::BackendPlace;
use crate::config::{Config, settings};
use crate::descriptors::Descriptors;
use crate::endpoint_tls;
use crate::memory::Memory;
use crate::reload::access_keys;

/// An endpoint that listens.
pub(super) struct BoundEndpoint {
    pub server: Server,
    /// Whether every caller is accepted.
    pub is_open: bool,
}

pub(super) async fn bind(
    endpoint: Option<Endpoint>,
    descriptors: Descriptors,
    readiness: Option<ReadinessSource>,
) -> anyhow::Result<Option<BoundEndpoint>> {
    let Some(endpoint) = endpoint else { return Ok(None) };
    let is_open = matches!(endpoint.credentials, Credentials::AnyOnLoopback);
    Ok(Some(BoundEndpoint { server: endpoint.bind(descriptors, readiness).await?, is_open }))
}

/// What is known of the endpoint before the data is opened.
pub(super) struct Endpoint {
    address: SocketAddr,
    credentials: Credentials,
    allowed_hosts: Vec<String>,
    tls: Option<Arc<Tls>>,
}

impl Endpoint {
    /// `None` if it is disabled, or if the backend is not the embedded engine.
    pub(super) fn from_config(
        config: &Config,
        place: &BackendPlace,
        tls: Option<&Arc<Tls>>,
    ) -> anyhow::Result<Option<Self>> {
        let (BackendPlace::Folder(_), Some(port)) = (place, config.get(&settings::DYNAMODB_PORT)?) else {
            return Ok(None);
        };
        let host = config.get(&settings::DYNAMODB_HOST)?;
        let credentials = match config.find(&settings::DYNAMODB_CREDENTIALS)? {
            Some(file) => Credentials::Configured(AccessKeys::open(&file, Arc::new(SystemClock))?),
            None if config.get(&settings::DEV)? => Credentials::AnyOnLoopback,
            None => bail!(
                "the DynamoDB endpoint would be open to every caller on this machine: use --dynamodb-credentials FILE, \
                 or --dynamodb-port none"
            ),
        };
        endpoint_tls::require("items", host, tls.is_some(), config.get(&settings::PLAIN_HTTP)?)?;
        let allowed_hosts = config.find(&settings::DYNAMODB_ALLOWED_HOSTS)?.unwrap_or_default();
        Ok(Some(Self { address: SocketAddr::new(host, port), credentials, allowed_hosts, tls: tls.cloned() }))
    }

    /// The keys that are read from a file.
    pub(super) fn access_keys(&self) -> Option<AccessKeys> {
        access_keys(&self.credentials)
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    async fn bind(self, descriptors: Descriptors, readiness: Option<ReadinessSource>) -> anyhow::Result<Server> {
        let mut config = keyfold_wire::Config::new(self.address, self.credentials, &SystemRandom)?;
        config.allowed_hosts = self.allowed_hosts;
        config.tls = self.tls;
        config.limits.connections = descriptors.connections(config.limits.connections, super::ENDPOINTS);
        let budget = Memory::of_this_process().budget(super::ENDPOINTS);
        (config.limits.bodies_bytes, config.limits.responses_bytes) = (budget, budget);
        config.readiness = readiness;
        Ok(Server::bind(config).await?)
    }
}
