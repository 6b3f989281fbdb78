//! A secret key, and the key that is derived from it for a day.

use std::sync::RwLock;

use super::authorization::Credential;
use super::sign;
use crate::failure::Failure;

pub(super) struct Secret {
    secret: String,
    /// The last derived key with its scope: requests of one client share it for a day.
    derived: RwLock<Option<(String, [u8; 32])>>,
}

impl Secret {
    pub(super) fn new(secret: String) -> Self {
        Self { secret, derived: RwLock::new(None) }
    }

    /// The key that signs requests with this credential's scope.
    pub(super) fn signing_key(&self, credential: &Credential<'_>) -> Result<[u8; 32], Failure> {
        let scope = credential.scope();
        // If a panic poisoned the lock, the key is derived again.
        if let Ok(derived) = self.derived.read()
            && let Some((derived_scope, key)) = derived.as_ref()
            && *derived_scope == scope
        {
            return Ok(*key);
        }
        let key = self.derive(credential)?;
        if let Ok(mut derived) = self.derived.write() {
            *derived = Some((scope, key));
        }
        Ok(key)
    }

    fn derive(&self, credential: &Credential<'_>) -> Result<[u8; 32], Failure> {
        let key = sign(format!("AWS4{}", self.secret).as_bytes(), credential.date.as_bytes())?;
        let key = sign(&key, credential.region.as_bytes())?;
        let key = sign(&key, credential.service.as_bytes())?;
        sign(&key, credential.terminator.as_bytes())
    }
}
