//! Verifies tokens, and remembers those that were verified until they expire.

use std::sync::Arc;

use keyfold_runtime::{Caller, Clock};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::claims::{Refusal, caller_of, check};
use super::key_source::{KeySource, Keys};
use super::settings::{SettingsError, TokenSettings};
use super::token::Presented;
use crate::identity::principal::{Kind, Principal, Unauthenticated};

/// As many people as may be active at once; the least used are verified again.
const MOST_REMEMBERED: usize = 10_000;

pub(super) struct TokenVerifier {
    settings: TokenSettings,
    allowed: Vec<jsonwebtoken::Algorithm>,
    keys: Arc<KeySource>,
    clock: Arc<dyn Clock>,
    /// By the hash of the token, so that nothing in memory can be shown as one.
    verified: Cache<[u8; 32], Verified>,
}

#[derive(Clone)]
struct Verified {
    caller: Arc<Caller>,
    ends_at_ms: u64,
    /// The keys it was verified with: a withdrawn key takes its tokens along.
    keys: [u8; 32],
}

impl TokenVerifier {
    pub fn new(settings: TokenSettings, clock: Arc<dyn Clock>) -> Result<Self, SettingsError> {
        settings.refuse_careless()?;
        let allowed = settings.allowed()?;
        let keys = KeySource::new(&settings.keys, allowed.clone(), Arc::clone(&clock))?;
        Ok(Self { settings, allowed, keys, clock, verified: Cache::new(MOST_REMEMBERED) })
    }

    pub async fn verify(&self, token: &str) -> Result<Principal, Unauthenticated> {
        let Some(keys) = self.keys.current().await else {
            let reason = "the keys that tokens are checked with are not known yet; try again later".to_owned();
            return Err(Unauthenticated { reason, temporary: true });
        };
        let digest: [u8; 32] = Sha256::digest(token).into();
        if let Some(known) = self.verified.get(&digest)
            && known.keys == keys.digest
            && known.ends_at_ms > self.clock.now_ms()
        {
            return Ok(known.principal());
        }
        let verified = self.verify_anew(token, keys).await;
        let verified = verified.map_err(|refusal| Unauthenticated { reason: refusal.to_string(), temporary: false })?;
        self.verified.insert(digest, verified.clone());
        Ok(verified.principal())
    }

    async fn verify_anew(&self, token: &str, mut keys: Keys) -> Result<Verified, Refusal> {
        let presented = Presented::read(token, &self.allowed)?;
        let mut claims = presented.verify(&keys.set)?;
        if claims.is_none()
            && let Some(newer) = self.keys.after_unknown().await
        {
            claims = presented.verify(&newer.set)?;
            keys = newer;
        }
        let claims = claims.ok_or(Refusal::UnknownKey)?;
        let ends_at_ms = check(&claims, &self.settings, self.clock.now_ms())?;
        let caller = Arc::new(caller_of(&claims, &self.settings.claims)?);
        Ok(Verified { caller, ends_at_ms, keys: keys.digest })
    }
}

impl Verified {
    fn principal(&self) -> Principal {
        Principal { caller: Arc::clone(&self.caller), expires_at_ms: Some(self.ends_at_ms), kind: Kind::Token }
    }
}
