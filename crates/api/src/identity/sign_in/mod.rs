//! Sign-in with a browser: the authorization code flow with PKCE, and sessions in encrypted cookies.

mod cookies;
mod ended_sessions;
mod flow;
mod provider;
mod renewals;
mod return_path;
mod same_origin;
mod session;

use std::sync::Arc;

use http::HeaderMap;
use http::request::Parts;
use keyfold_runtime::{Clock, Random};

use self::cookies::CookieJar;
use self::ended_sessions::EndedSessions;
use self::provider::{IssuedTokens, Provider, ProviderError};
use self::renewals::{Renewal, Renewals};
use self::same_origin::check_origin;
use self::session::{CookieSeal, Session};
use super::issuer::{TokenKind, VerifiedToken};
use super::revocations::RevocableToken;
use super::sign_in_settings::{SessionSettings, SessionToken, SignInSettingsError};
use super::token_verifier::TokenVerifier;
use crate::identity::browser_sign_in::ResponseCookies;
use crate::identity::principal::{Principal, Unauthenticated};

/// The sessions of people who signed in with a browser.
pub(super) struct Sessions {
    settings: SessionSettings,
    seal: CookieSeal,
    renewals: Renewals,
    ended: EndedSessions,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

/// A session whose token was verified.
struct ActiveSession {
    session: Session,
    verified: Arc<VerifiedToken>,
}

/// Why a session cannot be renewed.
enum RenewalError {
    Ended(Unauthenticated),
    /// It may be possible later.
    Failed,
}

impl Sessions {
    pub(super) fn new(
        settings: SessionSettings,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Self, SignInSettingsError> {
        settings.check()?;
        let seal = CookieSeal::new(CookieJar::new(&settings.public_url), &settings.secret);
        Ok(Self { settings, seal, renewals: Renewals::default(), ended: EndedSessions::default(), clock, random })
    }

    /// Whether a request carries a session, valid or not.
    pub(super) fn has_session(&self, headers: &HeaderMap) -> bool {
        self.seal.has_session(headers)
    }

    /// The caller of a request with a session.
    pub(super) async fn authenticate(
        &self,
        tokens: &TokenVerifier,
        parts: &Parts,
    ) -> Result<Principal, Unauthenticated> {
        check_origin(parts, &self.settings.public_url).map_err(refusal)?;
        self.active(tokens, parts).await.map(|active| active.verified.principal())
    }

    /// The session of a request, renewed if that is due. One that has ended is removed from the browser.
    async fn active(&self, tokens: &TokenVerifier, parts: &Parts) -> Result<ActiveSession, Unauthenticated> {
        let now_ms = self.clock.now_ms();
        let active = match self.open(tokens, &parts.headers, now_ms) {
            Ok(session) => self.verify_or_renew(tokens, session, parts, now_ms).await,
            Err(ended) => Err(ended),
        };
        if active.as_ref().is_err_and(|refusal| !refusal.temporary) {
            ResponseCookies::set(parts, self.seal.forget_session());
        }
        active
    }

    /// The session of a request, unless it has ended.
    fn open(&self, tokens: &TokenVerifier, headers: &HeaderMap, now_ms: u64) -> Result<Session, Unauthenticated> {
        let session = self.seal.session(headers, now_ms).ok_or_else(session_ended)?;
        let checked = tokens.check_session(&RevocableToken {
            issuer: &session.issuer,
            id: session.token_id.as_deref(),
            subject: Some(&session.subject),
            // The time is our own: no clock of an issuer has to agree with it.
            issued_at_ms: Some(session.begun_at_ms),
            clock_skew_ms: 0,
        });
        if checked.as_ref().is_err_and(|refusal| !refusal.temporary) {
            // The revocation is forgotten once the token has expired, but the refresh token may live longer.
            self.ended.add(session.id.clone(), session.ends_at_ms, now_ms);
        }
        checked?;
        if self.ended.contains(&session.id) { Err(session_ended()) } else { Ok(session) }
    }

    async fn verify_or_renew(
        &self,
        tokens: &TokenVerifier,
        session: Session,
        parts: &Parts,
        now_ms: u64,
    ) -> Result<ActiveSession, Unauthenticated> {
        let verified = match session.expires_at_ms > now_ms {
            true => self.verify(tokens, &session).await,
            false => Err(session_ended()),
        };
        if let Ok(verified) = &verified {
            tokens.check_revocation(verified)?;
        }
        if verified.as_ref().is_err_and(|refusal| refusal.temporary) || session.refresh_token.is_none() {
            return verified.map(|verified| ActiveSession { session, verified });
        }
        if verified.is_ok() && !session.is_due(now_ms) {
            return verified.map(|verified| ActiveSession { session, verified });
        }
        match (self.renew(tokens, &session, parts, now_ms).await, verified) {
            (Ok(active), _) => Ok(active),
            (Err(RenewalError::Ended(ended)), _) => Err(ended),
            // The token is valid for a little longer.
            (Err(RenewalError::Failed), Ok(verified)) => Ok(ActiveSession { session, verified }),
            (Err(RenewalError::Failed), Err(_)) => Err(unreachable_provider()),
        }
    }

    /// Verifies the token of a session: its issuer has to be the one of the sign-in.
    async fn verify(&self, tokens: &TokenVerifier, session: &Session) -> Result<Arc<VerifiedToken>, Unauthenticated> {
        let kind = session_kind(tokens, &session.issuer).ok_or_else(session_ended)?;
        let verified = tokens.verify_kind(&session.token, kind).await?;
        let is_same = tokens.name_of(&verified) == Some(session.issuer.as_str())
            && verified.caller.subject.as_deref() == Some(session.subject.as_str());
        if is_same { Ok(verified) } else { Err(session_ended()) }
    }

    /// Obtains new tokens, and keeps them in the browser.
    async fn renew(
        &self,
        tokens: &TokenVerifier,
        session: &Session,
        parts: &Parts,
        now_ms: u64,
    ) -> Result<ActiveSession, RenewalError> {
        let ended = || RenewalError::Ended(session_ended());
        let refresh_token = session.refresh_token.clone().ok_or_else(ended)?;
        // The issuer may not be configured any more.
        let kind = session_kind(tokens, &session.issuer).ok_or_else(ended)?;
        let provider = provider(tokens, &session.issuer).await.ok_or(RenewalError::Failed)?;
        let used = refresh_token.clone();
        let issued = self.renewals.once(&refresh_token, now_ms, async move {
            match provider.refresh(&used).await {
                Ok(issued) => Renewal::Renewed(Arc::new(issued)),
                Err(ProviderError::Refused) => Renewal::Ended,
                Err(ProviderError::Failed(cause)) => {
                    tracing::warn!(cause, "a session cannot be renewed by its identity provider");
                    Renewal::Failed
                }
            }
        });
        let issued = match issued.await {
            Renewal::Renewed(issued) => issued,
            Renewal::Ended => return Err(ended()),
            Renewal::Failed => return Err(RenewalError::Failed),
        };
        let mut renewed = Session {
            token: session_token(&issued, kind).ok_or_else(ended)?.to_owned(),
            // Providers that keep a refresh token do not send it again.
            refresh_token: Some(issued.refresh_token.clone().unwrap_or(refresh_token)),
            obtained_at_ms: now_ms,
            ..session.clone()
        };
        let verified = match self.verify(tokens, &renewed).await {
            Ok(verified) => verified,
            Err(refusal) if refusal.temporary => return Err(RenewalError::Failed),
            Err(refusal) => return Err(RenewalError::Ended(refusal)),
        };
        tokens.check_revocation(&verified).map_err(RenewalError::Ended)?;
        renewed.expires_at_ms = verified.expires_at_ms;
        renewed.token_id.clone_from(&verified.id);
        let cookies = self.seal.keep(&renewed, now_ms, self.random.as_ref()).map_err(|_| RenewalError::Failed)?;
        ResponseCookies::set(parts, cookies.ok_or_else(ended)?);
        Ok(ActiveSession { session: renewed, verified })
    }
}

/// The provider of an issuer with which people sign in; `None` if it cannot be reached.
async fn provider(tokens: &TokenVerifier, issuer: &str) -> Option<Provider> {
    let client = tokens.issuer(issuer)?.client()?;
    let metadata = tokens.issuer(issuer)?.metadata().await?;
    Some(Provider { metadata, client: Arc::clone(&client.settings), fetcher: Arc::clone(&client.fetcher) })
}

/// The kind of token that sessions of an issuer stand for; `None` if people do not sign in with it any more.
fn session_kind(tokens: &TokenVerifier, issuer: &str) -> Option<TokenKind> {
    let client = tokens.issuer(issuer)?.client()?;
    Some(match client.settings.token {
        SessionToken::Access => TokenKind::Access,
        SessionToken::Id => TokenKind::Id,
    })
}

fn session_token(issued: &IssuedTokens, kind: TokenKind) -> Option<&str> {
    match kind {
        TokenKind::Access => Some(&issued.access_token),
        TokenKind::Id => issued.id_token.as_deref(),
    }
}

fn refusal(reason: &str) -> Unauthenticated {
    Unauthenticated { reason: reason.to_owned(), temporary: false }
}

fn session_ended() -> Unauthenticated {
    refusal("the session has ended; sign in again")
}

fn unreachable_provider() -> Unauthenticated {
    let reason = "the identity provider cannot be reached; try again later".to_owned();
    Unauthenticated { reason, temporary: true }
}
