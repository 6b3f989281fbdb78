//! TLS of both endpoints.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use keyfold_environment::SystemClock;
use keyfold_wire::{Tls, TlsError};

pub(crate) fn open(certificate: &Path, key: &Path) -> Result<Arc<Tls>, TlsError> {
    Ok(Arc::new(Tls::open(certificate, key, Arc::new(SystemClock))?))
}

/// Without TLS, a server listens on loopback only, unless a proxy in front of it terminates TLS. `what` must not be
/// sent unencrypted.
pub(crate) fn require(what: &str, host: IpAddr, has_tls: bool, is_behind_proxy: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        has_tls || is_behind_proxy || host.is_loopback(),
        "{what} would be sent unencrypted to {host}: use --tls-certificate and --tls-key, or --plain-http behind a proxy \
         that terminates TLS"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_needs_loopback_or_a_proxy() {
        let outside = || "192.0.2.1".parse().unwrap();
        assert_eq!(
            require("tokens", outside(), false, false).unwrap_err().to_string(),
            "tokens would be sent unencrypted to 192.0.2.1: use --tls-certificate and --tls-key, or --plain-http behind a \
             proxy that terminates TLS"
        );
        assert!(require("tokens", "0.0.0.0".parse().unwrap(), false, false).is_err());
        for (host, has_tls, is_behind_proxy) in
            [(outside(), true, false), (outside(), false, true), ("::1".parse().unwrap(), false, false)]
        {
            assert!(require("tokens", host, has_tls, is_behind_proxy).is_ok(), "{host}");
        }
    }
}
