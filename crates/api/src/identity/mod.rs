//! Authentication: people with a token that an identity provider signed, machines with a key, or anonymous callers.

pub(crate) mod authenticator;
pub(crate) mod browser_sign_in;
pub(crate) mod caller_cache;
mod claims;
mod credential;
mod development;
mod entry_list;
mod fetch;
mod issuer;
mod key_file;
mod key_set;
mod key_source;
mod machine_keys;
mod people;
pub(crate) mod principal;
mod provider_metadata;
mod remote;
mod revocations;
mod secure_url;
mod settings;
mod sign_in;
mod sign_in_settings;
mod stated_grants;
mod token;
mod token_verifier;

use std::path::Path;
use std::sync::Arc;

use http::request::Parts;
pub use jsonwebtoken::Algorithm;
use keyfold_design::Design;
use keyfold_runtime::{Clock, Random};

pub use self::credential::KEY_HEADER;
use self::credential::{Credential, SEVERAL, refusal};
pub use self::development::Development;
pub use self::entry_list::{EntryListError, MemberMistake};
use self::machine_keys::MachineKeys;
pub use self::machine_keys::{
    KeyFileError, MachineKey, MachineKeyFile, MachineKeyState, MachineKeySummary, NewMachineKey, Rotation,
    create_machine_key,
};
pub(crate) use self::people::lock_out_hint;
pub use self::people::{Person, sample_people};
pub use self::revocations::{NewRevocation, RevocationError, RevokedTokens, check_revocations, revoke_tokens};
pub use self::settings::{ClaimSettings, KeySettings, SettingsError, Subjects, TokenSecretError, TokenSettings};
use self::sign_in::Sessions;
pub use self::sign_in_settings::{PublicUrl, SessionSettings, SessionToken, SignInSettings, SignInSettingsError};
use self::token_verifier::TokenVerifier;
use crate::identity::authenticator::{Authenticating, Authenticator};
use crate::identity::browser_sign_in::{BrowserSignIn, SignInError, SignInStep, SigningIn};
use crate::identity::principal::{Principal, Unauthenticated};

/// Authenticates requests by a token, a session or a machine key; each can be disabled.
pub struct Identity {
    tokens: Option<TokenVerifier>,
    machines: Option<MachineKeys>,
    sessions: Option<Sessions>,
    clock: Arc<dyn Clock>,
    /// Present if the server may change the file of machine keys.
    administration: Option<Arc<MachineKeyFile>>,
}

impl Identity {
    /// Keys at a URL are fetched for the first token, so that a server starts without its identity provider.
    /// Tokens are accepted of each of the issuers.
    pub fn new(
        issuers: impl IntoIterator<Item = TokenSettings>,
        machine_keys: Option<&Path>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SettingsError> {
        let machines = machine_keys
            .map(|path| MachineKeys::open(path, Arc::clone(&clock)).map_err(|error| unreadable(path, &error)));
        let issuers: Vec<TokenSettings> = issuers.into_iter().collect();
        let tokens = (!issuers.is_empty()).then(|| TokenVerifier::new(issuers, Arc::clone(&clock)));
        let (tokens, machines) = (tokens.transpose()?, machines.transpose()?);
        Ok(Self { tokens, machines, administration: None, sessions: None, clock })
    }

    /// Distinguishes the designs that a server serves: a credential counts only in those that it is for. One that names
    /// no design is for the only design of a server, and for none of several.
    pub fn for_designs(self, served: &[String]) -> Result<Self, SettingsError> {
        let machines = self.machines.map(|machines| {
            let path = machines.path().to_owned();
            machines.for_designs(served).map_err(|error| unreadable(&path, &error))
        });
        let tokens = self.tokens.map(|tokens| tokens.for_designs(served)).transpose()?;
        Ok(Self { tokens, machines: machines.transpose()?, ..self })
    }

    /// Rejects the tokens that a file revokes.
    pub fn with_revocations(self, path: &Path) -> Result<Self, SettingsError> {
        let tokens = self.tokens.map(|tokens| tokens.with_revocations(path)).transpose()?;
        Ok(Self { tokens, ..self })
    }

    /// Signs people in with a browser, through the issuers that have a client for it.
    pub fn with_sessions(self, settings: SessionSettings, random: Arc<dyn Random>) -> Result<Self, SettingsError> {
        if self.tokens.as_ref().is_none_or(|tokens| tokens.sign_in_issuers().next().is_none()) {
            return Err(SignInSettingsError::NoClient.into());
        }
        let sessions = Sessions::new(settings, Arc::clone(&self.clock), random)?;
        Ok(Self { sessions: Some(sessions), ..self })
    }

    /// Compares the scopes of machine keys with the designs that a server serves: an unknown entity or access pattern
    /// is an error.
    pub fn checking_scopes(self, designs: &[Arc<Design>]) -> Result<Self, SettingsError> {
        let machines = self.machines.map(|machines| {
            let path = machines.path().to_owned();
            machines.checking_scopes(designs).map_err(|error| unreadable(&path, &error))
        });
        Ok(Self { machines: machines.transpose()?, ..self })
    }

    /// Records the last use of machine keys in this file, rather than next to the key file.
    pub fn recording_uses(self, path: &Path) -> Self {
        Self { machines: self.machines.map(|machines| machines.recording_uses(path)), ..self }
    }

    /// Lets operators of the server manage the keys of this file.
    pub fn managing_machine_keys(self, file: MachineKeyFile) -> Self {
        Self { administration: Some(Arc::new(file)), ..self }
    }

    /// Keeps these claims of tokens, from which designs take attributes of new users.
    pub fn keeping_claims(self, claims: Vec<String>) -> Self {
        Self { tokens: self.tokens.map(|tokens| tokens.keeping_claims(claims)), ..self }
    }

    /// Reads the files of token keys, token secrets, revocations and machine keys again. They are also read when they
    /// change; what is wrong with one is logged.
    pub fn reload(&self) {
        if let Some(tokens) = &self.tokens {
            tokens.reload();
        }
        if let Some(machines) = &self.machines {
            machines.reload();
        }
    }

    async fn authenticate_request(&self, parts: &Parts) -> Result<Principal, Unauthenticated> {
        let credential = Credential::from_headers(&parts.headers)?;
        if let (Some(sessions), Some(tokens)) = (&self.sessions, &self.tokens)
            && sessions.has_session(&parts.headers)
        {
            return match credential {
                Credential::None => sessions.authenticate(tokens, parts).await,
                Credential::Token(_) | Credential::Key(_) => Err(refusal(SEVERAL)),
            };
        }
        match credential {
            Credential::None => Ok(Principal::default()),
            Credential::Token(token) => match &self.tokens {
                Some(tokens) => tokens.verify(token).await,
                None => Err(refusal("tokens are not accepted")),
            },
            Credential::Key(key) => match &self.machines {
                Some(machines) => machines.find(key),
                None => Err(refusal("machine keys are not accepted")),
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

    fn ambiguous_issuers(&self, design: &str) -> Vec<String> {
        self.tokens.as_ref().map(|tokens| tokens.ambiguous_issuers(design)).unwrap_or_default()
    }

    fn machine_keys(&self) -> Option<&Arc<MachineKeyFile>> {
        self.administration.as_ref()
    }

    fn sign_in(&self) -> Option<&dyn BrowserSignIn> {
        self.sessions.as_ref().map(|_| self as &dyn BrowserSignIn)
    }
}

impl BrowserSignIn for Identity {
    fn perform<'a>(&'a self, step: SignInStep, parts: &'a Parts, query: &'a [(String, String)]) -> SigningIn<'a> {
        Box::pin(async move {
            match (&self.sessions, &self.tokens) {
                (Some(sessions), Some(tokens)) => sessions.perform(tokens, step, parts, query).await,
                _ => Err(SignInError::Refused("sign-in is not configured".to_owned())),
            }
        })
    }
}
