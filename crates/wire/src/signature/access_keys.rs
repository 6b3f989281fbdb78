//! The access keys that requests may be signed with.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::secret::Secret;

/// Pairs of access key and secret key. Clones share them, so that they can be replaced while a server runs.
#[derive(Clone)]
pub struct AccessKeys(Arc<RwLock<Secrets>>);

/// By access key.
type Secrets = HashMap<String, Arc<Secret>>;

impl AccessKeys {
    pub fn new(pairs: HashMap<String, String>) -> Self {
        Self(Arc::new(RwLock::new(secrets(pairs))))
    }

    /// From now on, these pairs alone are accepted.
    pub fn replace(&self, pairs: HashMap<String, String>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = secrets(pairs);
    }

    pub(super) fn secret(&self, access_key: &str) -> Option<Arc<Secret>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(access_key).cloned()
    }
}

fn secrets(pairs: HashMap<String, String>) -> Secrets {
    pairs.into_iter().map(|(access_key, secret)| (access_key, Arc::new(Secret::new(secret)))).collect()
}

/// Shows no secrets.
impl fmt::Debug for AccessKeys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("AccessKeys").field(&self.0.read().unwrap_or_else(PoisonError::into_inner).len()).finish()
    }
}
