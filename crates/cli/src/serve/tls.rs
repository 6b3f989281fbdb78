//! TLS settings.

use std::net::IpAddr;
use std::sync::Arc;

use anyhow::bail;
use keyfold_api::Tls;

use crate::config::{Config, settings};
use crate::endpoint_tls;

/// The certificate. Tokens must not be sent unencrypted.
pub(super) fn from_config(config: &Config, host: IpAddr) -> anyhow::Result<Option<Arc<Tls>>> {
    let tls = match (config.find(&settings::TLS_CERTIFICATE)?, config.find(&settings::TLS_KEY)?) {
        (Some(certificate), Some(key)) => Some(endpoint_tls::open(&certificate, &key)?),
        (Some(_), None) => bail!("`tls-certificate` requires `tls-key`"),
        (None, Some(_)) => bail!("`tls-key` requires `tls-certificate`"),
        (None, None) => None,
    };
    endpoint_tls::require("tokens", host, tls.is_some(), config.get(&settings::PLAIN_HTTP)?)?;
    Ok(tls)
}

pub(super) fn scheme(tls: Option<&Tls>) -> &'static str {
    if tls.is_some() { "https" } else { "http" }
}
