//! What a server reads again on SIGHUP. Without a signal, these files are read again when they change.

use std::sync::Arc;

use keyfold_api::identity::Identity;
use keyfold_wire::{AccessKeys, Credentials, Tls};

/// Where the secrets of a server come from, as far as it has them.
#[derive(Default)]
pub(crate) struct Reload {
    pub credentials: Option<AccessKeys>,
    pub tls: Option<Arc<Tls>>,
    pub identity: Option<Arc<Identity>>,
}

impl Reload {
    /// Reads them all again. What is wrong with a file is logged, and does not keep the others from being read.
    pub(crate) fn run(&self) {
        if let Some(tls) = &self.tls {
            tls.reload();
        }
        if let Some(identity) = &self.identity {
            identity.reload();
        }
        match self.credentials.as_ref().map(AccessKeys::reload) {
            Some(Ok(())) => tracing::info!("SIGHUP: the credentials were reloaded"),
            Some(Err(error)) => {
                let error = keyfold_environment::error_chain(&error);
                tracing::error!(error, "the credentials were not reloaded");
            }
            None => {}
        }
    }
}

/// The keys of a file of credentials, if there is one.
pub(crate) fn access_keys(credentials: &Credentials) -> Option<AccessKeys> {
    match credentials {
        Credentials::Configured(keys) => Some(keys.clone()),
        Credentials::AnyOnLoopback => None,
    }
}
