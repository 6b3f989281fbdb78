//! Whether connections are encrypted.

use std::net::IpAddr;

use anyhow::bail;
use keyfold_api::Tls;

use crate::config::{Config, settings};

/// Tokens are passwords for as long as they last: they are not sent in the clear to where others can listen.
pub fn of(config: &Config, host: IpAddr) -> anyhow::Result<Option<Tls>> {
    match (config.find(&settings::TLS_CERTIFICATE)?, config.find(&settings::TLS_KEY)?) {
        (Some(certificate), Some(key)) => Ok(Some(Tls::open(&certificate, &key)?)),
        (Some(_), None) => bail!("`tls-certificate` needs its `tls-key`"),
        (None, Some(_)) => bail!("`tls-key` needs its `tls-certificate`"),
        (None, None) if host.is_loopback() || config.get(&settings::PLAIN_HTTP)? => Ok(None),
        (None, None) => bail!(
            "tokens would be sent in the clear to {host}: give --tls-certificate and --tls-key, or --plain-http where a proxy \
             in front speaks TLS"
        ),
    }
}
