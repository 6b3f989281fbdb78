//! Entries of the file of machine keys.

use std::collections::{HashMap, hash_map};
use std::sync::Arc;

use jiff::Timestamp;
use keyfold_environment::RandomError;
use keyfold_runtime::{AccessScope, MACHINE_SUBJECT, ScopeError};
use serde::Serialize;

use crate::identity::entry_list::{Entry, EntryListError, MemberMistake, Members};

const MEMBERS: &[&str] = &["name", "hash", "tenant", "roles", "designs", "scopes", "created", "expires", "revoked"];

/// Without these, a key is valid for more, and for longer.
const RESTRICTIONS: &[&str] = &["scopes", "expires", "revoked"];

/// An entry of the key file, with the hash of the key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MachineKey {
    pub name: String,
    /// The SHA-256 of the key, in hexadecimal digits.
    pub hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The designs that the key is for. A server of several designs accepts it in no other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub designs: Vec<String>,
    /// What the key may be used for, within what its roles allow; without it, everything that they allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// When the key was created; absent from entries that were written by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// A point in time such as `2027-01-01T00:00:00Z`; without it, the key is valid until it is revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// When the key was revoked: from then on it is not accepted, whatever the clock says.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// Why no server accepts the key, if its entry has a mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<String>,
}

/// Whether a key is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MachineKeyState {
    Active,
    Expired,
    Revoked,
    /// Its entry has a mistake.
    Invalid,
}

impl MachineKeyState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::Invalid => "invalid",
        }
    }
}

/// An entry of the file, as far as it can be read.
#[derive(Debug)]
pub(super) struct ListedKey {
    pub line: usize,
    /// Members that cannot be read are missing, or empty.
    pub key: MachineKey,
    /// Why no server accepts the key.
    pub mistake: Option<Arc<KeyFileError>>,
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
    #[error(transparent)]
    List(#[from] EntryListError),
    #[error("line {line}: {cause}")]
    Entry { line: usize, cause: Arc<Self> },
    #[error("{}{cause}", if name.is_empty() { String::new() } else { format!("the key `{name}`: ") })]
    Member { name: String, cause: MemberMistake },
    #[error("the key `{name}` has the hash of `{other}`")]
    SameHash { name: String, other: String },
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
    /// Another entry of the name is newer than that of the key that manages itself.
    #[error("this machine key was replaced: use the one that replaced it")]
    Replaced,
    #[error(
        "{count} keys named `{name}` are accepted at the moment: rotate without an overlap, which ends them, or wait until one expires"
    )]
    TooManyActive { name: String, count: usize },
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

impl ListedKey {
    /// The keys of entries. Of two with the same hash, the second is a mistake.
    pub(super) fn read_all(entries: &[Entry]) -> Vec<Self> {
        let mut names = HashMap::new();
        let keys = entries.iter().map(|entry| {
            let mut listed = Self::read(entry);
            let Some(hash) = listed.hash() else { return listed };
            match names.entry(hash) {
                hash_map::Entry::Vacant(place) => drop(place.insert(listed.key.name.clone())),
                hash_map::Entry::Occupied(other) => {
                    let (name, other) = (listed.key.name.clone(), other.get().clone());
                    listed.mistake.get_or_insert(Arc::new(KeyFileError::SameHash { name, other }));
                }
            }
            listed
        });
        keys.collect()
    }

    fn read(entry: &Entry) -> Self {
        let mut members = Members::new(&entry.value, MEMBERS);
        members.require_values(RESTRICTIONS);
        let key = MachineKey {
            name: members.required_text("name"),
            hash: members.required_text("hash"),
            tenant: members.text("tenant"),
            roles: members.texts("roles").unwrap_or_default(),
            designs: members.texts("designs").unwrap_or_default(),
            scopes: members.texts("scopes"),
            created: members.text("created"),
            expires: members.text("expires"),
            revoked: members.text("revoked"),
        };
        let mistake = match members.into_mistake() {
            Some(cause) => Some(KeyFileError::Member { name: key.name.clone(), cause }),
            None => key.content().err(),
        };
        Self { line: entry.line, key, mistake: mistake.map(Arc::new) }
    }

    /// An error with the line, if the entry has a mistake.
    pub(super) fn check(&self) -> Result<(), KeyFileError> {
        match &self.mistake {
            Some(cause) => Err(KeyFileError::Entry { line: self.line, cause: Arc::clone(cause) }),
            None => Ok(()),
        }
    }

    /// The hash of the key, if it can be read.
    pub(super) fn hash(&self) -> Option<[u8; 32]> {
        parse_digest(&self.key.hash)
    }

    /// Whether nothing is wrong with the entry but that another one before it has its hash.
    pub(super) fn is_only_repeated(&self) -> bool {
        matches!(self.mistake.as_deref(), Some(KeyFileError::SameHash { .. })) && self.key.revoked.is_none()
    }

    /// Whether the entry has members that cannot be read.
    pub(super) fn is_incomplete(&self) -> bool {
        matches!(self.mistake.as_deref(), Some(KeyFileError::Member { .. }))
    }

    pub(super) fn summary(self, now_ms: u64, last_used: Option<String>) -> MachineKeySummary {
        let state = match (&self.mistake, self.key.state(now_ms)) {
            (None, Ok(state)) => state,
            _ => MachineKeyState::Invalid,
        };
        let subject = self.key.subject();
        let mistake = self.mistake.map(|mistake| format!("line {}: {mistake}", self.line));
        let MachineKey { name, tenant, roles, designs, scopes, created, expires, revoked, hash: _ } = self.key;
        MachineKeySummary {
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
            mistake,
        }
    }
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
