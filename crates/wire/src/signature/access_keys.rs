//! The access keys that requests may be signed with.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use keyfold_environment::Clock;

use super::access_key::{AccessKey, Keys};
use super::credentials_file::{CredentialsError, CredentialsFile};
use super::secret::Secret;
use crate::access::Permissions;

/// Pairs of access key and secret key, and what each may do. Clones share them, so that they can be replaced while a
/// server runs.
#[derive(Clone)]
pub struct AccessKeys(Arc<Inner>);

struct Inner {
    keys: RwLock<Keys>,
    /// Absent for keys that are not in a file.
    file: Option<CredentialsFile>,
}

impl AccessKeys {
    /// Pairs of access key and secret key that may do everything.
    pub fn new(pairs: HashMap<String, String>) -> Self {
        Self(Arc::new(Inner { keys: RwLock::new(unlimited(pairs)), file: None }))
    }

    /// The keys of a file, which requests check for changes, on this clock: one line `ACCESS_KEY_ID SECRET_KEY
    /// [read-only] [tables=NAME,…]` each.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, CredentialsError> {
        let (file, keys) = CredentialsFile::open(path, clock)?;
        Ok(Self(Arc::new(Inner { keys: RwLock::new(keys), file: Some(file) })))
    }

    /// From now on, these pairs alone are accepted.
    pub fn replace(&self, pairs: HashMap<String, String>) {
        self.set(unlimited(pairs));
    }

    /// Reads the file again, if there is one. Of a line with a mistake, no key is accepted; if the file cannot be read,
    /// none at all.
    pub fn reload(&self) -> Result<(), CredentialsError> {
        self.0.file.as_ref().map_or(Ok(()), |file| file.reload(|keys| self.set(keys)))
    }

    pub(super) fn find(&self, access_key_id: &str) -> Option<Arc<AccessKey>> {
        if let Some(file) = &self.0.file {
            file.read_if_changed(|keys| self.set(keys));
        }
        self.0.keys.read().unwrap_or_else(PoisonError::into_inner).get(access_key_id).cloned()
    }

    fn set(&self, keys: Keys) {
        *self.0.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
    }
}

fn unlimited(pairs: HashMap<String, String>) -> Keys {
    let key = |secret| Arc::new(AccessKey { secret: Secret::new(secret), permissions: Permissions::default() });
    pairs.into_iter().map(|(id, secret)| (id, key(secret))).collect()
}

/// Shows no secrets.
impl fmt::Debug for AccessKeys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("AccessKeys").field(&self.0.keys.read().unwrap_or_else(PoisonError::into_inner).len()).finish()
    }
}
