//! Entries of the file of machine keys.

use std::sync::Arc;

use jiff::Timestamp;
use keyfold_environment::RandomError;
use keyfold_runtime::{AccessScope, MACHINE_SUBJECT, ScopeError};
use serde::{Deserialize, Serialize};

/// An entry of the key file, with the hash of the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineKey {
    pub name: String,
    /// The SHA-256 of the key, in hexadecimal digits.
    pub hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The designs that the key is for. A server of several designs accepts it in no other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub designs: Vec<String>,
    /// What the key may be used for, within what its roles allow; without it, everything that they allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// When the key was created; absent from entries that were written by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// A point in time such as `2027-01-01T00:00:00Z`; without it, the key is valid until it is revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// When the key was revoked: from then on it is not accepted, whatever the clock says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked: Option<String>,
}

/// The properties of a new key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewMachineKey {
    pub name: String,
    pub tenant: Option<String>,
    pub roles: Vec<String>,
    pub designs: Vec<String>,
    pub scopes: Option<Vec<String>>,
    pub expires: Option<String>,
}

/// What may be known of a key: neither the key nor its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineKeySummary {
    pub name: String,
    pub subject: String,
    pub state: MachineKeyState,
    pub tenant: Option<String>,
    pub roles: Vec<String>,
    pub designs: Vec<String>,
    /// `null` if the key may be used for everything that its roles allow.
    pub scopes: Option<Vec<String>>,
    pub created: Option<String>,
    pub expires: Option<String>,
    pub revoked: Option<String>,
    /// Accurate to a minute; `null` if no use is known.
    pub last_used: Option<String>,
}

/// Whether a key is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MachineKeyState {
    Active,
    Expired,
    Revoked,
}

impl MachineKeyState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// What a server reads from an entry, besides its texts.
pub(super) struct EntryContent {
    pub hash: [u8; 32],
    pub expires_at_ms: Option<u64>,
    pub scope: Option<Arc<AccessScope>>,
}

#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("it is not text in UTF-8")]
    NotText,
    #[error("it is not a list of keys: {0}")]
    Syntax(String),
    #[error("the hash of `{0}` is not a hexadecimal SHA-256")]
    Hash(String),
    #[error("`{0}` is not a timestamp such as 2027-01-01T00:00:00Z")]
    Time(String),
    #[error("the name `{0}` may contain only letters, digits, `-`, `_` and `.`")]
    Name(String),
    #[error("a key named `{0}` already exists")]
    NameExists(String),
    #[error("no key is named `{name}`{}", suggestion.as_ref().map_or_else(String::new, |close| format!("; did you mean `{close}`?")))]
    NoSuchKey { name: String, suggestion: Option<String> },
    #[error("the key `{0}` is revoked or has expired; create another one")]
    NotActive(String),
    #[error("the key `{0}` expires, and how long it was to be valid is not known: state when the new one expires")]
    UnknownLifetime(String),
    #[error("the key `{name}`: {cause}")]
    Scope { name: String, cause: ScopeError },
    #[error("the key `{name}`: {cause}")]
    Expiry { name: String, cause: Box<Self> },
    /// Entries other than the one concerned have mistakes.
    #[error("no server could start with the file: {0}")]
    Unacceptable(Box<Self>),
    #[error("a key cannot be appended: write the file as a list, one `- …` per key")]
    NotAppendable,
    #[error(transparent)]
    NoRandomness(#[from] RandomError),
}

impl MachineKey {
    /// The subject of whoever uses the key.
    pub fn subject(&self) -> String {
        format!("{MACHINE_SUBJECT}{}", self.name)
    }

    /// The content of the entry; an error if a server would not accept it.
    pub(super) fn content(&self) -> Result<EntryContent, KeyFileError> {
        let hash = parse_digest(&self.hash).ok_or_else(|| KeyFileError::Hash(self.name.clone()))?;
        let expires_at_ms = self.expires_at_ms();
        let expires_at_ms =
            expires_at_ms.map_err(|cause| KeyFileError::Expiry { name: self.name.clone(), cause: Box::new(cause) })?;
        Ok(EntryContent { hash, expires_at_ms, scope: self.scope()? })
    }

    pub(crate) fn expires_at_ms(&self) -> Result<Option<u64>, KeyFileError> {
        self.expires.as_deref().map(milliseconds).transpose()
    }

    fn scope(&self) -> Result<Option<Arc<AccessScope>>, KeyFileError> {
        let Some(scopes) = self.scopes.clone() else { return Ok(None) };
        match AccessScope::parse(scopes) {
            Ok(scope) => Ok(Some(Arc::new(scope))),
            Err(cause) => Err(KeyFileError::Scope { name: self.name.clone(), cause }),
        }
    }

    pub(super) fn state(&self, now_ms: u64) -> Result<MachineKeyState, KeyFileError> {
        Ok(match self.expires_at_ms()? {
            _ if self.revoked.is_some() => MachineKeyState::Revoked,
            Some(end) if end <= now_ms => MachineKeyState::Expired,
            _ => MachineKeyState::Active,
        })
    }

    pub(super) fn summary(self, now_ms: u64, last_used: Option<String>) -> Result<MachineKeySummary, KeyFileError> {
        let (state, subject) = (self.state(now_ms)?, self.subject());
        let Self { name, tenant, roles, designs, scopes, created, expires, revoked, hash: _ } = self;
        Ok(MachineKeySummary {
            name,
            subject,
            state,
            tenant,
            roles,
            designs,
            scopes,
            created,
            expires,
            revoked,
            last_used,
        })
    }
}

/// The milliseconds since the epoch of a time in the file.
pub(super) fn milliseconds(text: &str) -> Result<u64, KeyFileError> {
    let wrong = || KeyFileError::Time(text.to_owned());
    let timestamp: Timestamp = text.parse().map_err(|_| wrong())?;
    u64::try_from(timestamp.as_millisecond()).map_err(|_| wrong())
}

/// A time as the file has it, in whole seconds.
pub(super) fn time_text(ms: u64) -> Result<String, KeyFileError> {
    let out_of_range = || KeyFileError::Time(ms.to_string());
    let seconds = i64::try_from(ms / 1000).map_err(|_| out_of_range())?;
    Ok(Timestamp::from_second(seconds).map_err(|_| out_of_range())?.to_string())
}

fn parse_digest(digits: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (index, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(digest)
}
