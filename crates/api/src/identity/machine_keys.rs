//! Keys of machines: random, so that a fast hash is enough to keep them; only the hashes are stored.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use keyfold_environment::{RandomError, SystemRandom, random_bytes};
use keyfold_runtime::{Caller, Clock};
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::credential::refused;
use super::file_stamp::FileStamp;
use crate::identity::principal::{Kind, Principal, Unauthenticated};

/// Tells people, and scanners of leaked secrets, what it is.
const PREFIX: &str = "kfk_";
const RANDOM_BYTES: usize = 32;
const FILE_INTERVAL_MS: u64 = 1_000;

/// A key as its file has it: everything but the key.
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
    /// A point in time such as `2027-01-01T00:00:00Z`; without it, the key counts until it is taken out of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
}

/// What a new key is to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewMachineKey {
    pub name: String,
    pub tenant: Option<String>,
    pub roles: Vec<String>,
    pub expires: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("it is no list of keys: {0}")]
    Syntax(String),
    #[error("the hash of `{0}` is no SHA-256 in hexadecimal digits")]
    Hash(String),
    #[error("`{0}` is no point in time such as 2027-01-01T00:00:00Z")]
    Time(String),
    #[error("the name `{0}` is not letters, digits, `-`, `_` or `.`")]
    Name(String),
    #[error("there is a key `{0}` already")]
    Taken(String),
    #[error("a key cannot be added at its end: write it as a list, one `- …` per key")]
    NotAppendable,
    #[error(transparent)]
    NoRandomness(#[from] RandomError),
}

/// The keys of a file, read again when it changes.
pub(super) struct MachineKeys {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    state: RwLock<State>,
}

struct State {
    keys: Arc<[KnownKey]>,
    stamp: FileStamp,
    looked_at_ms: u64,
}

struct KnownKey {
    hash: [u8; 32],
    caller: Arc<Caller>,
    expires_at_ms: Option<u64>,
}

impl MachineKeys {
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, KeyFileError> {
        let stamp = FileStamp::of(path)?;
        let keys = read(path)?;
        let state = RwLock::new(State { keys, stamp, looked_at_ms: clock.now_ms() });
        Ok(Self { path: path.to_owned(), clock, state })
    }

    pub fn find(&self, key: &str) -> Result<Principal, Unauthenticated> {
        let unknown = || refused("the key is not known, or has expired");
        if !key.starts_with(PREFIX) || key.len() > 2 * RANDOM_BYTES {
            return Err(unknown());
        }
        let hash: [u8; 32] = Sha256::digest(key).into();
        let keys = self.current();
        // All are compared, each in constant time: how long it takes tells nothing about the keys there are.
        let mut found = None;
        for known in keys.iter() {
            if bool::from(known.hash.ct_eq(&hash)) {
                found = Some(known);
            }
        }
        let now = self.clock.now_ms();
        let known = found.filter(|known| known.expires_at_ms.is_none_or(|end| end > now)).ok_or_else(unknown)?;
        Ok(Principal { caller: known.caller.clone(), expires_at_ms: known.expires_at_ms, kind: Kind::Key })
    }

    /// The keys of the file as it is, or as it last could be read.
    fn current(&self) -> Arc<[KnownKey]> {
        let now = self.clock.now_ms();
        let due = |state: &State| now.saturating_sub(state.looked_at_ms) >= FILE_INTERVAL_MS;
        {
            let state = self.state.read();
            if !due(&state) {
                return Arc::clone(&state.keys);
            }
        }
        let mut state = self.state.write();
        if due(&state) {
            state.looked_at_ms = now;
            let stamp = FileStamp::of(&self.path);
            if !stamp.as_ref().is_ok_and(|stamp| *stamp == state.stamp) {
                match stamp.map_err(KeyFileError::from).and_then(|stamp| Ok((read(&self.path)?, stamp))) {
                    Ok((keys, stamp)) => (state.keys, state.stamp) = (keys, stamp),
                    Err(cause) => {
                        let path = self.path.display();
                        tracing::warn!(%path, %cause, "the keys of machines cannot be read; those there were stay");
                    }
                }
            }
        }
        Arc::clone(&state.keys)
    }
}

fn read(path: &Path) -> Result<Arc<[KnownKey]>, KeyFileError> {
    list(&std::fs::read_to_string(path)?)?.into_iter().map(KnownKey::of).collect()
}

/// A file with nothing but comments is an empty list.
fn list(text: &str) -> Result<Vec<MachineKey>, KeyFileError> {
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Vec::new());
    }
    serde_saphyr::from_str(text).map_err(|error| KeyFileError::Syntax(error.to_string()))
}

impl KnownKey {
    fn of(key: MachineKey) -> Result<Self, KeyFileError> {
        let hash = digest_of(&key.hash).ok_or_else(|| KeyFileError::Hash(key.name.clone()))?;
        let expires_at_ms = key.expires.as_deref().map(milliseconds).transpose()?;
        let subject = Some(format!("machine:{}", key.name));
        let caller = Caller { subject, tenant: key.tenant, roles: key.roles, ..Caller::default() };
        Ok(Self { hash, caller: Arc::new(caller), expires_at_ms })
    }
}

fn digest_of(hexadecimal: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if hexadecimal.len() != 64 || !hexadecimal.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (place, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hexadecimal.get(2 * place..2 * place + 2)?, 16).ok()?;
    }
    Some(digest)
}

fn milliseconds(text: &str) -> Result<u64, KeyFileError> {
    let wrong = || KeyFileError::Time(text.to_owned());
    let moment: Timestamp = text.parse().map_err(|_| wrong())?;
    u64::try_from(moment.as_millisecond()).map_err(|_| wrong())
}

/// Makes a key and adds it to the file, which is made when it is absent. The answer is the key: it is shown once, and
/// stored nowhere.
pub fn create_machine_key(path: &Path, new: NewMachineKey) -> Result<String, KeyFileError> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if new.name.is_empty() || new.name.len() > 100 || !new.name.chars().all(is_plain) {
        return Err(KeyFileError::Name(new.name));
    }
    new.expires.as_deref().map(milliseconds).transpose()?;
    let random: [u8; RANDOM_BYTES] = random_bytes(&SystemRandom)?;
    let key = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
    let hash = Sha256::digest(&key).iter().map(|byte| format!("{byte:02x}")).collect();
    let entry = MachineKey { name: new.name, hash, tenant: new.tenant, roles: new.roles, expires: new.expires };
    append(path, &entry)?;
    Ok(key)
}

/// JSON is YAML: a line at the end of the list leaves what people wrote in the file as it is.
fn append(path: &Path, entry: &MachineKey) -> Result<(), KeyFileError> {
    let mut text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            "# Keys of machines, by their SHA-256. Take a line out to withdraw the key.\n".to_owned()
        }
        Err(error) => return Err(error.into()),
    };
    let before = list(&text)?;
    if before.iter().any(|other| other.name == entry.name) {
        return Err(KeyFileError::Taken(entry.name.clone()));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let line = serde_json::to_string(entry).map_err(|error| KeyFileError::Syntax(error.to_string()))?;
    text.push_str(&format!("- {line}\n"));
    let after = list(&text).map_err(|_| KeyFileError::NotAppendable)?;
    if after.len() != before.len() + 1 || after.last() != Some(entry) {
        return Err(KeyFileError::NotAppendable);
    }
    replace(path, &text)?;
    Ok(())
}

/// The whole file or none of it, readable by its owner only.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file: File = options.open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&new, path)
}
