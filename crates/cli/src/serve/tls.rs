//! TLS settings.

use std::net::IpAddr;
use std::sync::Arc;

use anyhow::bail;
use keyfold_api::Tls;
use keyfold_environment::SystemClock;

use crate::config::{Config, settings};

/// Requires TLS on addresses other than loopback: tokens must not be sent unencrypted.
pub(super) fn from_config(config: &Config, host: IpAddr) -> anyhow::Result<Option<Arc<Tls>>> {
    match (config.find(&settings::TLS_CERTIFICATE)?, config.find(&settings::TLS_KEY)?) {
        (Some(certificate), Some(key)) => Ok(Some(Arc::new(Tls::open(&certificate, &key, Arc::new(SystemClock))?))),
        (Some(_), None) => bail!("`tls-certificate` requires `tls-key`"),
        (None, Some(_)) => bail!("`tls-key` requires `tls-certificate`"),
        (None, None) if host.is_loopback() || config.get(&settings::PLAIN_HTTP)? => Ok(None),
        (None, None) => bail!(
            "tokens would be sent unencrypted to {host}: use --tls-certificate and --tls-key, or --plain-http behind a \
             proxy that terminates TLS"
        ),
    }
}

pub(super) fn scheme(tls: Option<&Tls>) -> &'static str {
    if tls.is_some() { "https" } else { "http" }
}
