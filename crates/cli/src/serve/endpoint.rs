//! DynamoDB's protocol in front of the same engine, on loopback, for every caller on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::SystemTime;

use keyfold_wire::{Credentials, Limits, Server};

use crate::backend::BackendPlace;
use crate::config::{Config, settings};

/// `None` where it is not wanted, or where there is no embedded engine.
pub async fn bind(config: &Config, place: &BackendPlace) -> anyhow::Result<Option<Server>> {
    let (BackendPlace::Folder(_), Some(port)) = (place, config.get(&settings::DYNAMODB_PORT)?) else {
        return Ok(None);
    };
    let mut request_id_seed = [0u8; 16];
    getrandom::fill(&mut request_id_seed).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    let config = keyfold_wire::Config {
        address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
        credentials: Credentials::AnyOnLoopback,
        limits: Limits::default(),
        region: "us-east-1".to_owned(),
        clock: Arc::new(SystemTime::now),
        request_id_seed,
    };
    Ok(Some(Server::bind(config).await?))
}
