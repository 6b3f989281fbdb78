//! What cookies hold: a session, or a sign-in under way. Both are sealed, each in a context of its own.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderMap;
use http::header::HeaderValue;
use keyfold_environment::{Random, RandomError, random_bytes};
use keyfold_runtime::sealed_text::Sealer;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::cookies::{CookieJar, CookieKind};

/// How long people have for the sign-in at their provider.
const SIGN_IN_MS: u64 = 10 * 60_000;

/// A signed-in person, with the tokens of the provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Session {
    /// Random; stays the same when the session is renewed.
    pub id: String,
    pub issuer: String,
    pub subject: String,
    /// The access token, or the ID token.
    pub token: String,
    /// The id of the token, by which it can be revoked.
    pub token_id: Option<String>,
    pub refresh_token: Option<String>,
    /// When the person signed in.
    pub begun_at_ms: u64,
    /// When the tokens were obtained.
    pub obtained_at_ms: u64,
    /// When the token expires.
    pub expires_at_ms: u64,
    /// After this the person has to sign in again.
    pub ends_at_ms: u64,
}

/// A sign-in under way, bound to the browser that began it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingSignIn {
    pub issuer: String,
    pub state: String,
    pub nonce: String,
    /// The secret of which the provider has the hash (PKCE).
    pub verifier: String,
    /// The local path to which the browser goes afterwards.
    pub return_to: String,
    ends_at_ms: u64,
}

impl Session {
    /// Whether a new token is due: shortly before this one expires.
    pub(super) fn is_due(&self, now_ms: u64) -> bool {
        let lifetime = self.expires_at_ms.saturating_sub(self.obtained_at_ms);
        now_ms.saturating_add((lifetime / 4).min(60_000)) >= self.expires_at_ms
    }
}

impl PendingSignIn {
    pub(super) fn new(
        issuer: String,
        return_to: String,
        now_ms: u64,
        random: &dyn Random,
    ) -> Result<Self, RandomError> {
        let ends_at_ms = now_ms.saturating_add(SIGN_IN_MS);
        let (state, nonce, verifier) = (random_text(random)?, random_text(random)?, random_text(random)?);
        Ok(Self { issuer, state, nonce, verifier, return_to, ends_at_ms })
    }

    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier))
    }
}

/// 256 random bits, as text.
pub(super) fn random_text(random: &dyn Random) -> Result<String, RandomError> {
    Ok(URL_SAFE_NO_PAD.encode(random_bytes::<32>(random)?))
}

/// Seals and opens cookies.
pub(super) struct CookieSeal {
    jar: CookieJar,
    sealer: Sealer,
}

impl CookieSeal {
    pub(super) fn new(jar: CookieJar, secret: &[u8]) -> Self {
        Self { jar, sealer: Sealer::new(secret) }
    }

    /// The headers that keep a session; `None` if it is too long for cookies.
    pub(super) fn keep(
        &self,
        session: &Session,
        now_ms: u64,
        random: &dyn Random,
    ) -> Result<Option<Vec<HeaderValue>>, RandomError> {
        let seconds = session.ends_at_ms.saturating_sub(now_ms) / 1000;
        self.seal(CookieKind::Session, session, seconds, random)
    }

    pub(super) fn keep_pending(
        &self,
        pending: &PendingSignIn,
        random: &dyn Random,
    ) -> Result<Option<Vec<HeaderValue>>, RandomError> {
        self.seal(CookieKind::SignIn, pending, SIGN_IN_MS / 1000, random)
    }

    fn seal<T: Serialize>(
        &self,
        kind: CookieKind,
        content: &T,
        seconds: u64,
        random: &dyn Random,
    ) -> Result<Option<Vec<HeaderValue>>, RandomError> {
        let nonce = random_bytes(random)?;
        let plain = serde_json::to_vec(content).ok();
        let sealed = plain.and_then(|plain| self.sealer.seal(&plain, context(kind), nonce));
        Ok(sealed.and_then(|sealed| self.jar.set(kind, &sealed, seconds)))
    }

    /// Whether a request has a cookie of a session, valid or not.
    pub(super) fn has_session(&self, headers: &HeaderMap) -> bool {
        self.jar.read(CookieKind::Session, headers).is_some()
    }

    /// The session of a request; `None` without one that was sealed here and has not ended.
    pub(super) fn session(&self, headers: &HeaderMap, now_ms: u64) -> Option<Session> {
        let session: Session = self.open(CookieKind::Session, headers)?;
        (session.ends_at_ms > now_ms).then_some(session)
    }

    pub(super) fn pending(&self, headers: &HeaderMap, now_ms: u64) -> Option<PendingSignIn> {
        let pending: PendingSignIn = self.open(CookieKind::SignIn, headers)?;
        (pending.ends_at_ms > now_ms).then_some(pending)
    }

    fn open<T: DeserializeOwned>(&self, kind: CookieKind, headers: &HeaderMap) -> Option<T> {
        let plain = self.sealer.open(&self.jar.read(kind, headers)?, context(kind))?;
        serde_json::from_slice(&plain).ok()
    }

    /// The headers that remove the session.
    pub(super) fn forget_session(&self) -> Vec<HeaderValue> {
        self.jar.remove(CookieKind::Session)
    }

    pub(super) fn forget_pending(&self) -> Vec<HeaderValue> {
        self.jar.remove(CookieKind::SignIn)
    }
}

fn context(kind: CookieKind) -> &'static [u8] {
    match kind {
        CookieKind::Session => b"keyfold session",
        CookieKind::SignIn => b"keyfold sign-in",
    }
}
