//! Machine keys: random, so that a fast hash protects them; only the hashes are stored.

use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use keyfold_environment::{FileChange, RandomError, SystemRandom, WatchedFile, random_bytes, update_file};
use keyfold_runtime::{Caller, Clock};
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::credential::refused;
use super::stated_grants::StatedGrants;
use crate::identity::principal::{CredentialKind, Grants, Principal, Unauthenticated};

/// The subjects of machines begin with it, and no others.
pub(super) const MACHINE_SUBJECT: &str = "machine:";
/// Lets people and secret scanners recognize a key.
const PREFIX: &str = "kfk_";
const RANDOM_BYTES: usize = 32;
/// Begins a new file.
const HEADER: &str = "# Machine keys, by their SHA-256. Remove a line to revoke the key.\n";

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
    /// A point in time such as `2027-01-01T00:00:00Z`; without it, the key is valid until it is removed from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
}

/// The properties of a new key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewMachineKey {
    pub name: String,
    pub tenant: Option<String>,
    pub roles: Vec<String>,
    pub designs: Vec<String>,
    pub expires: Option<String>,
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
    #[error("a key cannot be appended: write the file as a list, one `- …` per key")]
    NotAppendable,
    #[error(transparent)]
    NoRandomness(#[from] RandomError),
}

/// The keys of a file, read again when it changes.
pub(super) struct MachineKeys {
    file: WatchedFile,
    /// The names of the designs that are served; none if they are not distinguished.
    served: Vec<String>,
    clock: Arc<dyn Clock>,
    /// `None` while the file cannot be read.
    keys: RwLock<Option<Arc<[KnownKey]>>>,
}

struct KnownKey {
    hash: [u8; 32],
    caller: Arc<Caller>,
    grants: Option<Arc<Grants>>,
    expires_at_ms: Option<u64>,
}

impl MachineKeys {
    pub(super) fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, KeyFileError> {
        let (file, content) = WatchedFile::open(path, Arc::clone(&clock))?;
        let keys = RwLock::new(Some(parse(&content, &[])?));
        Ok(Self { file, served: Vec::new(), clock, keys })
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Distinguishes the designs that are served.
    pub(super) fn for_designs(self, served: &[String]) -> Result<Self, KeyFileError> {
        let keys = self.file.read_now(|change| match change {
            FileChange::Changed(content) => parse(&content, served),
            FileChange::Unreadable(error) => Err(error.into()),
        })?;
        Ok(Self { served: served.to_vec(), keys: RwLock::new(Some(keys)), ..self })
    }

    pub(super) fn find(&self, key: &str) -> Result<Principal, Unauthenticated> {
        let unknown = || refused("the key is unknown or has expired");
        if !key.starts_with(PREFIX) || key.len() > 2 * RANDOM_BYTES {
            return Err(unknown());
        }
        let hash: [u8; 32] = Sha256::digest(key).into();
        let Some(keys) = self.current() else {
            let reason = "machine keys cannot be verified at the moment; try again later".to_owned();
            return Err(Unauthenticated { reason, temporary: true });
        };
        // All hashes are compared in constant time, so that the duration discloses nothing about the keys.
        let mut found = None;
        for known in keys.iter() {
            if bool::from(known.hash.ct_eq(&hash)) {
                found = Some(known);
            }
        }
        let now = self.clock.now_ms();
        let known = found.filter(|known| known.expires_at_ms.is_none_or(|end| end > now)).ok_or_else(unknown)?;
        Ok(Principal {
            caller: known.caller.clone(),
            expires_at_ms: known.expires_at_ms,
            kind: CredentialKind::Key,
            grants: known.grants.clone(),
        })
    }

    /// Why no key is accepted, if so.
    pub(super) fn fault(&self) -> Option<String> {
        self.current().is_none().then(|| format!("the file of machine keys `{}` cannot be read", self.path().display()))
    }

    /// The keys of the file; those last read if it has a mistake; `None` while it cannot be read, so that removing it revokes all keys.
    fn current(&self) -> Option<Arc<[KnownKey]>> {
        self.file.poll(|change| self.accept(change));
        self.keys.read().clone()
    }

    fn accept(&self, change: FileChange) {
        let path = self.path().display();
        let parsed = match change {
            FileChange::Changed(content) => parse(&content, &self.served),
            FileChange::Unreadable(cause) => {
                tracing::error!(%path, %cause, "cannot read machine keys; none is accepted");
                *self.keys.write() = None;
                return;
            }
        };
        let mut keys = self.keys.write();
        match parsed {
            Ok(new) => *keys = Some(new),
            Err(cause) => {
                // A file that can be read again, but has a mistake, has no keys.
                keys.get_or_insert_default();
                tracing::warn!(%path, %cause, "invalid machine keys; keeping the previous ones");
            }
        }
    }
}

fn parse(content: &[u8], served: &[String]) -> Result<Arc<[KnownKey]>, KeyFileError> {
    list(text(content)?)?.into_iter().map(|key| KnownKey::parse(key, served)).collect()
}

fn text(content: &[u8]) -> Result<&str, KeyFileError> {
    str::from_utf8(content).map_err(|_| KeyFileError::NotText)
}

/// A file with nothing but comments is an empty list.
fn list(text: &str) -> Result<Vec<MachineKey>, KeyFileError> {
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Vec::new());
    }
    serde_saphyr::from_str(text).map_err(|error| KeyFileError::Syntax(error.to_string()))
}

impl KnownKey {
    fn parse(key: MachineKey, served: &[String]) -> Result<Self, KeyFileError> {
        let hash = parse_digest(&key.hash).ok_or_else(|| KeyFileError::Hash(key.name.clone()))?;
        let expires_at_ms = key.expires.as_deref().map(milliseconds).transpose()?;
        let stated = StatedGrants {
            subject: format!("{MACHINE_SUBJECT}{}", key.name),
            tenant: key.tenant,
            roles: key.roles,
            designs: Some(key.designs).filter(|designs| !designs.is_empty()),
            ..StatedGrants::default()
        };
        let (caller, grants) = (Arc::new(stated.caller()), stated.grants(served));
        Ok(Self { hash, caller, grants, expires_at_ms })
    }
}

fn parse_digest(hexadecimal: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if hexadecimal.len() != 64 || !hexadecimal.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (index, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hexadecimal.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(digest)
}

fn milliseconds(text: &str) -> Result<u64, KeyFileError> {
    let wrong = || KeyFileError::Time(text.to_owned());
    let timestamp: Timestamp = text.parse().map_err(|_| wrong())?;
    u64::try_from(timestamp.as_millisecond()).map_err(|_| wrong())
}

/// Generates a key and adds it to the file, which is created if it is missing. Returns the key, which is not stored.
pub fn create_machine_key(path: &Path, new: NewMachineKey) -> Result<String, KeyFileError> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if new.name.is_empty() || new.name.len() > 100 || !new.name.chars().all(is_plain) {
        return Err(KeyFileError::Name(new.name));
    }
    new.expires.as_deref().map(milliseconds).transpose()?;
    let random: [u8; RANDOM_BYTES] = random_bytes(&SystemRandom)?;
    let key = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
    let hash = Sha256::digest(&key).iter().map(|byte| format!("{byte:02x}")).collect();
    let NewMachineKey { name, tenant, roles, designs, expires } = new;
    let entry = MachineKey { name, hash, tenant, roles, designs, expires };
    update_file(path, |content| append(&content, &entry))?;
    Ok(key)
}

/// Appends a line of JSON, which is valid YAML, and leaves the rest of the file untouched.
fn append(content: &[u8], entry: &MachineKey) -> Result<Vec<u8>, KeyFileError> {
    let mut text = match text(content)? {
        "" => HEADER.to_owned(),
        text => text.to_owned(),
    };
    let before = list(&text)?;
    if before.iter().any(|other| other.name == entry.name) {
        return Err(KeyFileError::NameExists(entry.name.clone()));
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let line = serde_json::to_string(entry).map_err(|error| KeyFileError::Syntax(error.to_string()))?;
    text.push_str(&format!("- {line}\n"));
    let after = list(&text).map_err(|_| KeyFileError::NotAppendable)?;
    if after.len() != before.len() + 1 || after.last() != Some(entry) {
        return Err(KeyFileError::NotAppendable);
    }
    Ok(text.into_bytes())
}
