//! Authentication: people with a token that an identity provider signed, machines with a key, or anonymous callers.

pub(crate) mod caller_cache;
mod claims;
mod credential;
mod development;
mod fetch;
mod key_set;
mod key_source;
mod machine_keys;
mod people;
pub(crate) mod principal;
mod settings;
mod stated_grants;
mod token;
mod token_verifier;

use std::path::Path;
use std::sync::Arc;

use http::request::Parts;
pub use jsonwebtoken::Algorithm;
use keyfold_runtime::Clock;

pub use self::credential::KEY_HEADER;
use self::credential::{Credential, refused};
pub use self::development::Development;
use self::machine_keys::MachineKeys;
pub use self::machine_keys::{KeyFileError, MachineKey, NewMachineKey, create_machine_key};
pub(crate) use self::people::lock_out_hint;
pub use self::people::{Person, sample_people};
pub use self::settings::{ClaimSettings, KeySettings, SettingsError, TokenSettings};
use self::token_verifier::TokenVerifier;
use crate::identity::principal::{Authenticating, Authenticator, Principal, Unauthenticated};

/// Authenticates requests by a token or a machine key; either can be disabled.
pub struct Identity {
    tokens: Option<TokenVerifier>,
    machines: Option<MachineKeys>,
}

impl Identity {
    /// Keys at a URL are fetched for the first token, so that a server starts without its identity provider.
    pub fn new(
        tokens: Option<TokenSettings>,
        machine_keys: Option<&Path>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SettingsError> {
        let machines = machine_keys
            .map(|path| MachineKeys::open(path, Arc::clone(&clock)).map_err(|error| unreadable(path, &error)));
        let tokens = tokens.map(|settings| TokenVerifier::new(settings, clock)).transpose()?;
        Ok(Self { tokens, machines: machines.transpose()? })
    }

    /// Distinguishes the designs that a server serves: a credential counts only in those that it is for. One that names no
    /// design is for the only design of a server, and for none of several.
    pub fn for_designs(self, served: &[String]) -> Result<Self, SettingsError> {
        let machines = self.machines.map(|machines| {
            let path = machines.path().to_owned();
            machines.for_designs(served).map_err(|error| unreadable(&path, &error))
        });
        Ok(Self { tokens: self.tokens.map(|tokens| tokens.for_designs(served)), machines: machines.transpose()? })
    }

    async fn authenticate_request(&self, parts: &Parts) -> Result<Principal, Unauthenticated> {
        match Credential::from_headers(&parts.headers)? {
            Credential::None => Ok(Principal::default()),
            Credential::Token(token) => match &self.tokens {
                Some(tokens) => tokens.verify(token).await,
                None => Err(refused("tokens are not accepted")),
            },
            Credential::Key(key) => match &self.machines {
                Some(machines) => machines.find(key),
                None => Err(refused("machine keys are not accepted")),
            },
        }
    }
}

fn unreadable(path: &Path, error: &KeyFileError) -> SettingsError {
    SettingsError::Unreadable { path: path.display().to_string(), cause: error.to_string() }
}

impl Authenticator for Identity {
    fn authenticate<'a>(&'a self, parts: &'a Parts) -> Authenticating<'a> {
        Box::pin(self.authenticate_request(parts))
    }

    fn fault(&self) -> Option<String> {
        let tokens = self.tokens.as_ref().and_then(TokenVerifier::fault);
        tokens.or_else(|| self.machines.as_ref().and_then(MachineKeys::fault))
    }
}
