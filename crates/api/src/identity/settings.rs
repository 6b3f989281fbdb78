//! Settings for verifying tokens.

use std::fmt;
use std::path::PathBuf;

use http::Uri;
use jsonwebtoken::Algorithm;
use keyfold_environment::{RandomError, SecretFileError};
use serde::Deserialize;

use super::provider_metadata::configuration_url;
use super::secure_url::is_secure;
use super::sign_in_settings::{SignInSettings, SignInSettingsError};

/// The requirements for a token. Issuer and audience are always checked: a provider's keys sign for many audiences.
#[derive(Debug, Clone)]
pub struct TokenSettings {
    pub keys: KeySettings,
    /// The required `iss` of a token; must not be empty.
    pub issuer: String,
    /// The accepted `aud` of a token, of which one must match; must not be empty. `DESIGN=AUDIENCE` is accepted for one
    /// design.
    pub audience: Vec<String>,
    /// If empty, all algorithms that are safe for the type of keys.
    pub algorithms: Vec<Algorithm>,
    /// The tolerated difference between the clocks of issuer and server, in seconds.
    pub clock_skew_seconds: u64,
    pub claims: ClaimSettings,
    /// Whom the subject of a token names.
    pub subjects: Subjects,
    /// Whether a subject is the same person in the tokens of all issuers of which this is said. Otherwise several
    /// issuers are trusted only with designs that find their users by issuer and subject.
    pub shares_subjects: bool,
    /// The designs that the issuer is trusted with; all of the server, and the server itself, if empty.
    pub designs: Vec<String>,
    /// Through which people sign in with a browser.
    pub sign_in: Option<SignInSettings>,
}

/// Whom the subject of a token names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Subjects {
    /// A person of the issuer: designs that say who their callers are look up the user.
    #[default]
    PeopleOfIssuer,
    /// A user by the id that they have in the table, as the tokens of the development mode do.
    Users,
}

/// The source of the keys for verifying tokens.
#[derive(Clone)]
pub enum KeySettings {
    /// A JSON Web Key Set that a provider publishes.
    Url(Uri),
    /// The key set that the configuration of the provider names, which is found below the URL that is the issuer's
    /// name.
    Discovery,
    /// A JSON Web Key Set in a file, read again when it changes.
    File(PathBuf),
    /// A secret shared with the issuer.
    Secret(Vec<u8>),
    /// The same in a file that only its owner may read, which is read again when it changes.
    SecretFile(PathBuf),
}

/// Secrets are never printed.
impl fmt::Debug for KeySettings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => write!(out, "the keys at {url}"),
            Self::Discovery => out.write_str("the keys that the issuer publishes"),
            Self::File(path) => write!(out, "the keys in {}", path.display()),
            Self::Secret(_) => out.write_str("a shared secret"),
            Self::SecretFile(path) => write!(out, "the shared secret in {}", path.display()),
        }
    }
}

/// The claims that identify the caller. A path is the name of a claim, or names within objects joined by dots.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClaimSettings {
    /// The claim with the subject; `sub` by default. A token without it is rejected.
    pub subject: String,
    /// Claims with the tenant; `tenant` by default. A caller without it has no tenant. `DESIGN=CLAIM` counts in one
    /// design.
    pub tenant: Vec<String>,
    /// The claim with the designs that a token is for; `designs` by default. A server of several designs requires it.
    pub designs: String,
    /// `roles` by default; `DESIGN=CLAIM` counts in one design. Claims with a list of strings, or a string of roles
    /// separated by spaces; the roles of all claims are combined.
    pub roles: Vec<String>,
}

impl Default for ClaimSettings {
    fn default() -> Self {
        Self {
            subject: "sub".to_owned(),
            tenant: vec!["tenant".to_owned()],
            designs: "designs".to_owned(),
            roles: vec!["roles".to_owned()],
        }
    }
}

/// Why settings are invalid.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("the token issuer is not configured: set `issuer`")]
    NoIssuer,
    #[error("the token audience is not configured: tokens for other services would be accepted")]
    NoAudience,
    #[error("`{0}` is not an algorithm for {1}")]
    WrongAlgorithm(String, &'static str),
    #[error(transparent)]
    Secret(#[from] TokenSecretError),
    #[error("`{0}` does not use https: an attacker on the network could replace the keys")]
    Insecure(Uri),
    #[error(
        "the keys of the issuer `{0}` are not configured: set `jwks` or `token-secret-file`, or name the issuer by the https \
         URL below which it publishes `.well-known/openid-configuration`"
    )]
    NoDiscovery(String),
    #[error("issuer `{0}`: {1}")]
    OfIssuer(String, Box<Self>),
    #[error("duplicate issuer `{0}`")]
    SameIssuer(String),
    #[error("the issuer `{issuer}` is limited to the design `{design}`, which is not served; served are: {served}")]
    UnservedDesign { issuer: String, design: String, served: String },
    #[error("`{path}` cannot be read: {cause}")]
    Unreadable { path: String, cause: String },
    #[error("development mode is for this machine only: listen on a loopback address, not on {0}")]
    NotLoopback(std::net::IpAddr),
    #[error(transparent)]
    SignIn(#[from] SignInSettingsError),
    #[error(transparent)]
    NoRandomness(#[from] RandomError),
    #[error("a token cannot be signed: {0}")]
    Signing(#[from] jsonwebtoken::errors::Error),
    #[error("cannot create the HTTP client for fetching keys: {0}")]
    NoClient(String),
}

/// Why a file holds no secret for tokens.
#[derive(Debug, thiserror::Error)]
pub enum TokenSecretError {
    #[error(transparent)]
    File(#[from] SecretFileError),
    #[error("the secret has {0} bytes; it needs at least {1}, from a source of randomness")]
    Short(usize, usize),
}

/// The minimum length of a secret: that of the hash it is used with.
pub(super) const SECRET_BYTES: usize = 32;

impl TokenSettings {
    /// The accepted algorithms. They match the type of keys, so that a public key is never used as a secret.
    pub(super) fn allowed(&self) -> Result<Vec<Algorithm>, SettingsError> {
        use Algorithm::{ES256, ES384, EdDSA, HS256, HS384, HS512, PS256, PS384, PS512, RS256, RS384, RS512};
        let secrets = [HS256, HS384, HS512];
        let pairs = [RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, EdDSA];
        let (fitting, kind): (&[Algorithm], _) = match self.keys {
            KeySettings::Secret(_) | KeySettings::SecretFile(_) => (&secrets, "a shared secret"),
            KeySettings::Url(_) | KeySettings::Discovery | KeySettings::File(_) => (&pairs, "published keys"),
        };
        if let Some(wrong) = self.algorithms.iter().find(|algorithm| !fitting.contains(algorithm)) {
            return Err(SettingsError::WrongAlgorithm(format!("{wrong:?}"), kind));
        }
        Ok(if self.algorithms.is_empty() { fitting.to_vec() } else { self.algorithms.clone() })
    }

    pub(super) fn check_safety(&self) -> Result<(), SettingsError> {
        if self.issuer.is_empty() {
            return Err(SettingsError::NoIssuer);
        }
        if self.audience.is_empty() || self.audience.iter().any(String::is_empty) {
            return Err(SettingsError::NoAudience);
        }
        if let Some(sign_in) = &self.sign_in {
            sign_in.check()?;
            if configuration_url(&self.issuer).is_none() {
                return Err(SignInSettingsError::NoDiscovery(self.issuer.clone()).into());
            }
        }
        match &self.keys {
            KeySettings::Secret(secret) if secret.len() < SECRET_BYTES => {
                Err(TokenSecretError::Short(secret.len(), SECRET_BYTES).into())
            }
            KeySettings::Url(url) if !is_secure(url) => Err(SettingsError::Insecure(url.clone())),
            KeySettings::Discovery if configuration_url(&self.issuer).is_none() => {
                Err(SettingsError::NoDiscovery(self.issuer.clone()))
            }
            KeySettings::Secret(_)
            | KeySettings::SecretFile(_)
            | KeySettings::Url(_)
            | KeySettings::Discovery
            | KeySettings::File(_) => Ok(()),
        }
    }
}
