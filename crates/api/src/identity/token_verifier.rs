//! Verifies tokens, and caches verified ones until they expire.

use std::sync::Arc;

use keyfold_runtime::{Caller, Clock};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::claims::{Refusal, check, read_grants};
use super::key_source::{KeySource, Keys};
use super::settings::{SettingsError, TokenSettings};
use super::token::UnverifiedToken;
use crate::identity::principal::{CredentialKind, Grants, Principal, Unauthenticated};

/// The maximum number of cached tokens.
const CAPACITY: usize = 10_000;

pub(super) struct TokenVerifier {
    settings: TokenSettings,
    /// The names of the designs that are served; none if they are not distinguished.
    served: Vec<String>,
    allowed: Vec<jsonwebtoken::Algorithm>,
    keys: Arc<KeySource>,
    clock: Arc<dyn Clock>,
    /// Keyed by the hash of the token, so that the cache contains no usable credentials.
    verified: Cache<[u8; 32], VerifiedToken>,
}

#[derive(Clone)]
struct VerifiedToken {
    caller: Arc<Caller>,
    grants: Option<Arc<Grants>>,
    expires_at_ms: u64,
    /// The digest of the keys it was verified with: a revoked key invalidates its tokens.
    keys: [u8; 32],
}

impl TokenVerifier {
    pub(super) fn new(settings: TokenSettings, clock: Arc<dyn Clock>) -> Result<Self, SettingsError> {
        settings.check_safety()?;
        let allowed = settings.allowed()?;
        let keys = KeySource::new(&settings.keys, allowed.clone(), Arc::clone(&clock))?;
        Ok(Self { settings, served: Vec::new(), allowed, keys, clock, verified: Cache::new(CAPACITY) })
    }

    /// Distinguishes the designs that are served.
    pub(super) fn for_designs(self, served: &[String]) -> Self {
        Self { served: served.to_vec(), ..self }
    }

    /// Why no token is accepted, if so.
    pub(super) fn fault(&self) -> Option<String> {
        self.keys.fault()
    }

    pub(super) async fn verify(&self, token: &str) -> Result<Principal, Unauthenticated> {
        let Some(keys) = self.keys.current().await else {
            let reason = "the keys for verifying tokens are not available yet; try again later".to_owned();
            return Err(Unauthenticated { reason, temporary: true });
        };
        let digest: [u8; 32] = Sha256::digest(token).into();
        if let Some(known) = self.verified.get(&digest)
            && known.keys == keys.digest
            && known.expires_at_ms > self.clock.now_ms()
        {
            return Ok(known.principal());
        }
        let verified = self.verify_uncached(token, keys).await;
        let verified = verified.map_err(|refusal| Unauthenticated { reason: refusal.to_string(), temporary: false })?;
        self.verified.insert(digest, verified.clone());
        Ok(verified.principal())
    }

    async fn verify_uncached(&self, token: &str, mut keys: Keys) -> Result<VerifiedToken, Refusal> {
        let unverified = UnverifiedToken::read(token, &self.allowed)?;
        let mut claims = unverified.verify(&keys.set)?;
        if claims.is_none()
            && let Some(newer) = self.keys.refresh_for_unknown_key().await
        {
            claims = unverified.verify(&newer.set)?;
            keys = newer;
        }
        let claims = claims.ok_or(Refusal::UnknownKey)?;
        let expires_at_ms = check(&claims, &self.settings, &self.served, self.clock.now_ms())?;
        let stated = read_grants(&claims, &self.settings, &self.served)?;
        let (caller, grants) = (Arc::new(stated.caller()), stated.grants(&self.served));
        Ok(VerifiedToken { caller, grants, expires_at_ms, keys: keys.digest })
    }
}

impl VerifiedToken {
    fn principal(&self) -> Principal {
        Principal {
            caller: Arc::clone(&self.caller),
            expires_at_ms: Some(self.expires_at_ms),
            kind: CredentialKind::Token,
            grants: self.grants.clone(),
        }
    }
}
