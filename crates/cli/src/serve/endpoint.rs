//! A DynamoDB endpoint for the same engine, on loopback, open to every caller on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use keyfold_environment::SystemRandom;
use keyfold_wire::{Credentials, ReadinessSource, Server};

use crate::backend::BackendPlace;
use crate::config::{Config, settings};
use crate::descriptors::Descriptors;
use crate::memory::Memory;

/// `None` if it is disabled, or if the backend is not the embedded engine.
pub(super) async fn bind(
    config: &Config,
    place: &BackendPlace,
    descriptors: Descriptors,
    readiness: Option<ReadinessSource>,
) -> anyhow::Result<Option<Server>> {
    let (BackendPlace::Folder(_), Some(port)) = (place, config.get(&settings::DYNAMODB_PORT)?) else {
        return Ok(None);
    };
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let mut config = keyfold_wire::Config::new(address, Credentials::AnyOnLoopback, &SystemRandom)?;
    config.limits.connections = descriptors.connections(config.limits.connections, super::ENDPOINTS);
    let budget = Memory::of_this_process().budget(super::ENDPOINTS);
    (config.limits.bodies_bytes, config.limits.responses_bytes) = (budget, budget);
    config.readiness = readiness;
    Ok(Some(Server::bind(config).await?))
}
