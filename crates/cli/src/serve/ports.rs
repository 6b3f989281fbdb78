//! Ports, before anything is created: a server that cannot listen must not leave a data folder behind.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

use anyhow::bail;

use crate::backend::BackendPlace;
use crate::config::{Config, settings};

/// Rejects ports that other processes listen on.
pub(super) fn require_free(config: &Config, place: &BackendPlace) -> anyhow::Result<()> {
    let rest = SocketAddr::new(config.get(&settings::HOST)?, config.get(&settings::PORT)?);
    require("the REST API", rest, "--port")?;
    if let (BackendPlace::Folder(_), Some(port)) = (place, config.get(&settings::DYNAMODB_PORT)?) {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        require("the DynamoDB endpoint", address, "--dynamodb-port")?;
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
