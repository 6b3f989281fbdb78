//! Ports, before anything is created: a server that cannot listen must not leave a data folder behind.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};

use anyhow::bail;

use super::endpoint::Endpoint;
use crate::config::{Config, settings};

/// Rejects ports that other processes listen on.
pub(super) fn require_free(config: &Config, endpoint: Option<&Endpoint>) -> anyhow::Result<()> {
    let rest = SocketAddr::new(config.get(&settings::HOST)?, config.get(&settings::PORT)?);
    require("the REST API", rest, "--port")?;
    if let Some(endpoint) = endpoint {
        require("the DynamoDB endpoint", endpoint.address(), "--dynamodb-port")?;
    }
    Ok(())
}

fn require(endpoint: &str, address: SocketAddr, flag: &str) -> anyhow::Result<()> {
    match TcpListener::bind(address) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bail!("{endpoint} cannot listen on {address}: the port is in use; choose another with {flag}")
        }
        Err(error) => bail!("{endpoint} cannot listen on {address}: {error}"),
        Ok(_) => Ok(()),
    }
}
