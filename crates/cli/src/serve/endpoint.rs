//! A DynamoDB endpoint for the same engine, on loopback, open to every caller on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use keyfold_environment::SystemRandom;
use keyfold_wire::{Credentials, Server};

use crate::backend::BackendPlace;
use crate::config::{Config, settings};

/// `None` if it is disabled, or if the backend is not the embedded engine.
pub(super) async fn bind(config: &Config, place: &BackendPlace) -> anyhow::Result<Option<Server>> {
    let (BackendPlace::Folder(_), Some(port)) = (place, config.get(&settings::DYNAMODB_PORT)?) else {
        return Ok(None);
    };
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let config = keyfold_wire::Config::new(address, Credentials::AnyOnLoopback, &SystemRandom)?;
    Ok(Some(Server::bind(config).await?))
}
