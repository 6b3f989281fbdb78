//! Machine keys: random, so that a fast hash protects them; only the hashes are stored.

mod administration;
mod entry;
mod last_uses;
mod list_text;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keyfold_design::Design;
use keyfold_runtime::{Caller, Clock};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

pub use self::administration::{MachineKeyFile, Rotation, create_machine_key};
use self::entry::EntryContent;
pub use self::entry::{KeyFileError, MachineKey, MachineKeyState, MachineKeySummary, NewMachineKey};
use self::last_uses::{LastUses, key_id};
use super::credential::refusal;
use super::key_file::{Content, KeyFile, OnMistake};
use super::stated_grants::StatedGrants;
use crate::identity::principal::{CredentialKind, Grants, Principal, Unauthenticated};

/// Lets people and secret scanners recognize a key.
const PREFIX: &str = "kfk_";
const RANDOM_BYTES: usize = 32;
const CONTENT: Content =
    Content { name: "machine keys", consequence: "no machine key is accepted", on_mistake: OnMistake::DisableKeys };

/// The keys of a file, read again when it changes.
pub(super) struct MachineKeys {
    file: KeyFile<Arc<[KnownKey]>, KeyFileError>,
    served: Served,
    uses: Arc<LastUses>,
    clock: Arc<dyn Clock>,
}

struct KnownKey {
    hash: [u8; 32],
    /// Names the key among last uses.
    id: String,
    caller: Arc<Caller>,
    grants: Option<Arc<Grants>>,
    expires_at_ms: Option<u64>,
}

impl MachineKeys {
    pub(super) fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, KeyFileError> {
        let uses = LastUses::new(LastUses::default_path(path), Arc::clone(&clock));
        Self::open_for(path, Served::default(), uses, clock)
    }

    fn open_for(path: &Path, served: Served, uses: Arc<LastUses>, clock: Arc<dyn Clock>) -> Result<Self, KeyFileError> {
        let (of_file, shown) = (served.clone(), path.to_owned());
        let is_opened = AtomicBool::new(false);
        // Once the server runs, a mistake in one entry must not keep it from seeing that another key was revoked.
        let parse = move |content: &[u8]| match is_opened.swap(true, Ordering::SeqCst) {
            false => parse(content, &of_file, Err),
            true => parse(content, &of_file, |cause| {
                let path = shown.display();
                tracing::error!(%path, %cause, "a machine key is disabled: its entry has a mistake");
                Ok(())
            }),
        };
        let file = KeyFile::open(path, CONTENT, parse, Arc::clone(&clock))?;
        Ok(Self { file, served, uses, clock })
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Distinguishes the designs that are served.
    pub(super) fn for_designs(self, names: &[String]) -> Result<Self, KeyFileError> {
        let served = Served { names: names.to_vec(), ..self.served.clone() };
        Self::open_for(self.path(), served, Arc::clone(&self.uses), Arc::clone(&self.clock))
    }

    /// Compares the scopes of keys with the designs: a file with an unknown one is invalid.
    pub(super) fn checking_scopes(self, designs: &[Arc<Design>]) -> Result<Self, KeyFileError> {
        let served = Served { designs: designs.to_vec(), ..self.served.clone() };
        Self::open_for(self.path(), served, Arc::clone(&self.uses), Arc::clone(&self.clock))
    }

    /// Records last uses in this file.
    pub(super) fn recording_uses(self, path: &Path) -> Self {
        Self { uses: LastUses::new(path.to_owned(), Arc::clone(&self.clock)), ..self }
    }

    pub(super) fn find(&self, key: &str) -> Result<Principal, Unauthenticated> {
        let unknown = || refusal("the key is unknown or has expired");
        if !key.starts_with(PREFIX) || key.len() > 2 * RANDOM_BYTES {
            return Err(unknown());
        }
        let hash: [u8; 32] = Sha256::digest(key).into();
        let Some(keys) = self.file.current().usable() else {
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
        self.uses.note(&known.id);
        Ok(Principal {
            caller: known.caller.clone(),
            expires_at_ms: known.expires_at_ms,
            kind: CredentialKind::Key,
            key_hash: Some(known.hash),
            grants: known.grants.clone(),
        })
    }

    pub(super) fn reload(&self) {
        self.file.reload();
    }

    /// Why no key is accepted, if so.
    pub(super) fn fault(&self) -> Option<String> {
        self.file.fault().map(|fault| format!("the file of machine keys `{}` {fault}", self.path().display()))
    }
}

/// The designs of a server.
#[derive(Clone, Default)]
struct Served {
    /// Empty if designs are not distinguished.
    names: Vec<String>,
    /// Those with which scopes are compared.
    designs: Vec<Arc<Design>>,
}

/// The keys of a file. `mistaken` decides what a mistake in an entry leads to, besides that its key is not among them.
/// A key that any entry revokes, or may be meant to revoke, is accepted by no other entry.
fn parse(
    content: &[u8],
    served: &Served,
    mistaken: impl Fn(KeyFileError) -> Result<(), KeyFileError>,
) -> Result<Arc<[KnownKey]>, KeyFileError> {
    let mut known: Vec<KnownKey> = Vec::new();
    let mut revoked = HashSet::new();
    for listed in list_text::keys(content)? {
        let (line, hash) = (listed.line, listed.hash().filter(|_| !listed.is_only_repeated()));
        let key = listed.check().map(|()| KnownKey::parse(listed.key, served));
        match key {
            Ok(Ok(Some(key))) => known.push(key),
            Ok(Ok(None)) => revoked.extend(hash),
            Ok(Err(cause)) => {
                revoked.extend(hash);
                mistaken(KeyFileError::Entry { line, cause: Arc::new(cause) })?;
            }
            Err(cause) => {
                revoked.extend(hash);
                mistaken(cause)?;
            }
        }
    }
    known.retain(|key| !revoked.contains(&key.hash));
    Ok(known.into())
}

impl KnownKey {
    /// `None` for a revoked key.
    fn parse(key: MachineKey, served: &Served) -> Result<Option<Self>, KeyFileError> {
        let EntryContent { hash, expires_at_ms, scope } = key.content()?;
        if let (Some(scope), Some(designs)) = (&scope, served.known_designs(&key)) {
            let checked = scope.check(designs.into_iter());
            checked.map_err(|cause| KeyFileError::Scope { name: key.name.clone(), cause })?;
        }
        if key.revoked.is_some() {
            return Ok(None);
        }
        let id = key_id(&key.hash);
        let stated = StatedGrants {
            subject: key.subject(),
            tenant: key.tenant,
            roles: key.roles,
            designs: Some(key.designs).filter(|designs| !designs.is_empty()),
            scope,
            ..StatedGrants::default()
        };
        let (caller, grants) = (Arc::new(stated.caller()), stated.grants(&served.names));
        Ok(Some(Self { hash, id, caller, grants, expires_at_ms }))
    }
}

impl Served {
    /// The designs that a key is for; `None` if some of them are not known here, since the file may be for several
    /// servers.
    fn known_designs(&self, key: &MachineKey) -> Option<Vec<&Design>> {
        if self.designs.is_empty() {
            return None;
        }
        if key.designs.is_empty() {
            return Some(self.designs.iter().map(Arc::as_ref).collect());
        }
        let named = |name: &String| self.designs.iter().map(Arc::as_ref).find(|design| design.name == *name);
        key.designs.iter().map(named).collect()
    }
}
