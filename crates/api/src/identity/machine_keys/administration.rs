//! Creates, lists, rotates and revokes the machine keys of a file, which is replaced as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use keyfold_design::Design;
use keyfold_design::diagnostic::did_you_mean;
use keyfold_dynamo::hexadecimal;
use keyfold_environment::{RandomError, SystemRandom, random_bytes, read_plain_file, update_file};
use keyfold_runtime::{AccessScope, Clock, SystemClock};
use sha2::{Digest, Sha256};

use super::entry::{
    KeyFileError, ListedKey, MachineKey, MachineKeyState, MachineKeySummary, NewMachineKey, milliseconds, time_text,
};
use super::last_uses::{LastUses, key_id};
use super::list_text::{ListText, keys};
use super::{PREFIX, RANDOM_BYTES};

/// As many keys of a name can be accepted at once: each of them may leak.
const MOST_ACTIVE: usize = 10;

/// A file of machine keys, to be changed. Servers that use it notice a change within a second.
pub struct MachineKeyFile {
    path: PathBuf,
    /// The file with the last uses.
    uses: PathBuf,
    clock: Arc<dyn Clock>,
}

/// How to rotate a key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rotation {
    /// How long the old key is still accepted, in milliseconds.
    pub overlap_ms: u64,
    /// When the new key expires; by default it is valid for as long as the old one was to be.
    pub expires: Option<String>,
    /// The hash of the key that rotates itself, which has to be the newest of its name: the new key expires when it was
    /// to, at the latest. `None` for people.
    pub by_key: Option<[u8; 32]>,
}

/// Generates a key and adds it to a file, which is created if it is missing. Returns the key, which is not stored.
pub fn create_machine_key(path: &Path, new: NewMachineKey) -> Result<String, KeyFileError> {
    MachineKeyFile::new(path, None, Arc::new(SystemClock)).create(new)
}

impl MachineKeyFile {
    /// The last uses are in a file of their own: by default next to the keys.
    pub fn new(path: &Path, uses: Option<&Path>, clock: Arc<dyn Clock>) -> Self {
        let uses = uses.map_or_else(|| LastUses::default_path(path), Path::to_owned);
        Self { path: path.to_owned(), uses, clock }
    }

    /// Generates a key and adds it to the file, which is created if it is missing. Returns the key, which is not
    /// stored.
    pub fn create(&self, new: NewMachineKey) -> Result<String, KeyFileError> {
        new.check(None)?;
        let (key, hash) = generate()?;
        let created = Some(time_text(self.clock.now_ms())?);
        let NewMachineKey { name, tenant, roles, designs, scopes, expires } = new;
        let entry = MachineKey { name, hash, tenant, roles, designs, scopes, created, expires, revoked: None };
        self.update(|list| {
            if list.keys().any(|other| other.key.name == entry.name) {
                return Err(KeyFileError::NameExists(entry.name.clone()));
            }
            list.append(entry.clone())?;
            require_acceptable(list.keys())
        })?;
        Ok(key)
    }

    /// All keys, in the order of the file, with what may be known of them.
    pub fn list(&self) -> Result<Vec<MachineKeySummary>, KeyFileError> {
        let uses = LastUses::read(&self.uses)?;
        let (keys, now) = (self.read()?, self.clock.now_ms());
        let summary = |listed: ListedKey| {
            let used = uses.get(&key_id(&listed.key.hash)).cloned();
            listed.summary(now, used)
        };
        Ok(keys.into_iter().map(summary).collect())
    }

    /// The last entry of a name; an error if there is no key of that name.
    pub fn find(&self, name: &str) -> Result<MachineKey, KeyFileError> {
        let keys = self.read()?;
        let last = named(keys.iter(), name)?.pop().map(|listed| listed.key.clone());
        last.ok_or_else(|| KeyFileError::NoSuchKey { name: name.to_owned(), suggestion: None })
    }

    /// Fails unless a key is the newest of its name: during the overlap of a rotation there are several, and those that
    /// were replaced decide nothing.
    pub fn check_newest(&self, name: &str, key_hash: &[u8; 32]) -> Result<(), KeyFileError> {
        require_newest(self.read()?.iter(), name, key_hash)
    }

    /// Fails where a rotation would, and changes nothing.
    pub fn check_rotation(&self, name: &str, rotation: &Rotation) -> Result<(), KeyFileError> {
        let keys = self.read()?;
        rotation.successor(keys.iter(), name, self.clock.now_ms()).map(drop)
    }

    /// Generates another key with the same name and rights, and lets the old one expire, whatever is wrong with other
    /// entries. Returns the new key.
    pub fn rotate(&self, name: &str, rotation: &Rotation) -> Result<String, KeyFileError> {
        let (key, hash) = generate()?;
        let now = self.clock.now_ms();
        let end = now.saturating_add(rotation.overlap_ms);
        self.update(|list| {
            let (current, expires) = rotation.successor(list.keys(), name, now)?;
            let (created, last) = (Some(time_text(now)?), time_text(end)?);
            list.remove(|listed| {
                let key = &listed.key;
                key.name == name && key.state(now).is_ok_and(|own| own == MachineKeyState::Expired)
            });
            list.change(|listed| {
                let key = &listed.key;
                let ends_before = key.expires_at_ms().is_ok_and(|own| own.is_some_and(|own| own <= end));
                let is_concerned = key.name == name && key.revoked.is_none() && !ends_before;
                is_concerned.then(|| MachineKey { expires: Some(last.clone()), ..key.clone() })
            })?;
            list.append(MachineKey { hash: hash.clone(), created, expires, ..current })
        })?;
        Ok(key)
    }

    /// Revokes all keys of a name, whatever else is wrong in the file. Returns `false` if they were revoked or had
    /// expired already.
    pub fn revoke(&self, name: &str) -> Result<bool, KeyFileError> {
        self.revoke_for(name, None)
    }

    /// Revokes all keys of a name for one of them, which has to be the newest.
    pub fn revoke_by_key(&self, name: &str, key_hash: &[u8; 32]) -> Result<bool, KeyFileError> {
        self.revoke_for(name, Some(key_hash))
    }

    fn revoke_for(&self, name: &str, by_key: Option<&[u8; 32]>) -> Result<bool, KeyFileError> {
        let now = self.clock.now_ms();
        let at = time_text(now)?;
        let mut had_active = false;
        self.update(|list| {
            by_key.map_or(Ok(()), |key_hash| require_newest(list.keys(), name, key_hash))?;
            for listed in named(list.keys(), name)? {
                let key = &listed.key;
                // An expiry with a mistake says nothing.
                had_active |= key.state(now).map_or(key.revoked.is_none(), |state| state == MachineKeyState::Active);
            }
            list.change(|listed| {
                let key = &listed.key;
                let is_concerned = key.name == name && key.revoked.is_none();
                is_concerned.then(|| MachineKey { revoked: Some(at.clone()), ..key.clone() })
            })
        })?;
        Ok(had_active)
    }

    /// Fails if a server would not accept the file when it starts. Scopes are not compared with designs.
    pub fn check(&self) -> Result<(), KeyFileError> {
        require_acceptable(self.read()?.iter())
    }

    fn read(&self) -> Result<Vec<ListedKey>, KeyFileError> {
        keys(&read_plain_file(&self.path)?)
    }

    fn update(&self, change: impl FnOnce(&mut ListText) -> Result<(), KeyFileError>) -> Result<(), KeyFileError> {
        update_file(&self.path, |content| {
            let mut list = ListText::read(&content)?;
            change(&mut list)?;
            list.content()
        })
    }
}

impl NewMachineKey {
    /// Fails if a property is invalid. Scopes are compared with the designs that the key is for, where they are known.
    pub fn check(&self, designs: Option<&[Arc<Design>]>) -> Result<(), KeyFileError> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if self.name.is_empty() || self.name.len() > 100 || !self.name.chars().all(is_plain) {
            return Err(KeyFileError::Name(self.name.clone()));
        }
        self.expires.as_deref().map(milliseconds).transpose()?;
        let failed = |cause| KeyFileError::Scope { name: self.name.clone(), cause };
        let Some(scopes) = self.scopes.clone() else { return Ok(()) };
        let scope = AccessScope::parse(scopes).map_err(failed)?;
        designs.map_or(Ok(()), |designs| scope.check(designs.iter().map(Arc::as_ref)).map_err(failed))
    }
}

impl Rotation {
    /// The key that is to be replaced, and when the new one expires.
    fn successor<'k>(
        &self,
        keys: impl Iterator<Item = &'k ListedKey>,
        name: &str,
        now_ms: u64,
    ) -> Result<(MachineKey, Option<String>), KeyFileError> {
        let named = named(keys, name)?;
        if let Some(key_hash) = &self.by_key {
            require_newest(named.iter().copied(), name, key_hash)?;
        }
        let (mut current, mut count) = (None, 0);
        for listed in named {
            listed.check()?;
            let key = &listed.key;
            // The last one has not been replaced yet, or is as good as the others.
            if key.state(now_ms)? == MachineKeyState::Active {
                current = Some(key.clone());
                count += 1;
            }
        }
        // Without an overlap, the new key is the only one.
        if count >= MOST_ACTIVE && self.overlap_ms > 0 {
            return Err(KeyFileError::TooManyActive { name: name.to_owned(), count });
        }
        let current = current.ok_or_else(|| KeyFileError::NotActive(name.to_owned()))?;
        let expires = self.expiry(&current, now_ms)?;
        Ok((current, expires))
    }

    fn expiry(&self, current: &MachineKey, now_ms: u64) -> Result<Option<String>, KeyFileError> {
        if let Some(expires) = &self.expires {
            milliseconds(expires)?;
            return Ok(Some(expires.clone()));
        }
        let Some(end) = current.expires_at_ms()? else { return Ok(None) };
        if self.by_key.is_some() {
            return Ok(current.expires.clone());
        }
        let created = current.created.as_deref().map(milliseconds).transpose()?;
        let lifetime = created.and_then(|created| end.checked_sub(created));
        let lifetime = lifetime.ok_or_else(|| KeyFileError::UnknownLifetime(current.name.clone()))?;
        time_text(now_ms.saturating_add(lifetime)).map(Some)
    }
}

/// An error if an entry has a mistake, with which no server would start.
fn require_acceptable<'k>(mut keys: impl Iterator<Item = &'k ListedKey>) -> Result<(), KeyFileError> {
    keys.try_for_each(ListedKey::check).map_err(|cause| KeyFileError::Unacceptable(Box::new(cause)))
}

/// An error unless a key has the last entry of its name: rotations append.
fn require_newest<'k>(
    keys: impl Iterator<Item = &'k ListedKey>,
    name: &str,
    key_hash: &[u8; 32],
) -> Result<(), KeyFileError> {
    let newest = named(keys, name)?.pop().and_then(ListedKey::hash);
    if newest.as_ref() == Some(key_hash) { Ok(()) } else { Err(KeyFileError::Replaced) }
}

/// The entries of a name; an error if there is none.
fn named<'k>(keys: impl Iterator<Item = &'k ListedKey>, name: &str) -> Result<Vec<&'k ListedKey>, KeyFileError> {
    let (named, others): (Vec<_>, Vec<_>) = keys.partition(|listed| listed.key.name == name);
    if named.is_empty() {
        let suggestion = did_you_mean(name, others.iter().map(|listed| listed.key.name.as_str())).map(str::to_owned);
        return Err(KeyFileError::NoSuchKey { name: name.to_owned(), suggestion });
    }
    Ok(named)
}

/// A new key, and its hash.
fn generate() -> Result<(String, String), RandomError> {
    let random: [u8; RANDOM_BYTES] = random_bytes(&SystemRandom)?;
    let key = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
    let hash = hexadecimal(&Sha256::digest(&key));
    Ok((key, hash))
}
