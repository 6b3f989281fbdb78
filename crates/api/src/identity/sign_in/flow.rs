//! The steps of the authorization code flow, and requests about sessions.

use std::sync::Arc;

use http::header::HeaderValue;
use http::request::Parts;
use keyfold_runtime::timestamp;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use super::provider::ProviderError;
use super::return_path::local_path;
use super::same_origin::check_origin;
use super::session::{PendingSignIn, Session, random_text};
use super::{ActiveSession, RenewalError, Sessions, provider, session_kind, session_token};
use crate::identity::browser_sign_in::{ResponseCookies, SignInError, SignInOutcome, SignInStep};
use crate::identity::issuer::{TokenKind, VerifiedToken};
use crate::identity::principal::Unauthenticated;
use crate::identity::token_verifier::TokenVerifier;

/// Where providers send browsers back to.
const CALLBACK: &str = "/auth/callback";
const NOT_STARTED: &str =
    "the sign-in did not start in this browser, or it has expired; start again at `/auth/sign-in`";

/// The parameters of a request.
type Query<'q> = &'q [(String, String)];

impl Sessions {
    pub(in crate::identity) async fn perform(
        &self,
        tokens: &TokenVerifier,
        step: SignInStep,
        parts: &Parts,
        query: Query<'_>,
    ) -> Result<SignInOutcome, SignInError> {
        match step {
            SignInStep::Begin => self.begin(tokens, parts, query).await,
            SignInStep::Complete => {
                // Whatever comes of it, the sign-in is over.
                ResponseCookies::set(parts, self.seal.forget_pending());
                self.complete(tokens, parts, query).await
            }
            SignInStep::Describe => self.describe(tokens, parts).await,
            SignInStep::Renew => self.renew_now(tokens, parts).await,
            SignInStep::End => self.end(tokens, parts).await,
        }
    }

    async fn begin(
        &self,
        tokens: &TokenVerifier,
        parts: &Parts,
        query: Query<'_>,
    ) -> Result<SignInOutcome, SignInError> {
        let return_to = once(query, "return_to")?.unwrap_or("/");
        let return_to = local_path(return_to).ok_or_else(|| {
            SignInError::Parameter("return_to", "`return_to` is not a path of this server".to_owned())
        })?;
        let issuer = chosen_issuer(tokens, once(query, "issuer")?)?;
        let provider = provider(tokens, issuer).await.ok_or_else(unreachable_provider)?;
        let pending =
            PendingSignIn::new(issuer.to_owned(), return_to.to_owned(), self.clock.now_ms(), self.random.as_ref());
        let pending = pending.map_err(|_| internal())?;
        let url = provider.authorization_url(&pending, &self.settings.public_url.join(CALLBACK)).map_err(failed)?;
        let cookies = self.seal.keep_pending(&pending, self.random.as_ref()).map_err(|_| internal())?;
        let too_long = || SignInError::Parameter("return_to", "`return_to` is too long".to_owned());
        ResponseCookies::set(parts, cookies.ok_or_else(too_long)?);
        redirect(&url)
    }

    async fn complete(
        &self,
        tokens: &TokenVerifier,
        parts: &Parts,
        query: Query<'_>,
    ) -> Result<SignInOutcome, SignInError> {
        let now_ms = self.clock.now_ms();
        let pending = self.seal.pending(&parts.headers, now_ms).ok_or_else(|| refusal(NOT_STARTED))?;
        if !once(query, "state")?.is_some_and(|state| is_same(state, &pending.state)) {
            return Err(refusal(NOT_STARTED));
        }
        let provider = provider(tokens, &pending.issuer).await.ok_or_else(unreachable_provider)?;
        // One provider could have sent the browser on to another, to get its code (RFC 9207).
        let stated = once(query, "iss")?;
        let must_be_stated = provider.metadata.states_issuer || tokens.sign_in_issuers().nth(1).is_some();
        if stated.is_some_and(|stated| stated != pending.issuer) {
            return Err(refusal("the response to the sign-in is from another identity provider"));
        }
        if stated.is_none() && must_be_stated {
            return Err(refusal("the response to the sign-in does not state its identity provider (`iss`)"));
        }
        if let Some(error) = once(query, "error")? {
            let is_code = error.len() <= 50 && error.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            let error = if is_code { error } else { "an unknown error" };
            return Err(refusal(&format!("the identity provider refused the sign-in: {error}")));
        }
        let code = once(query, "code")?.ok_or_else(|| refusal(NOT_STARTED))?;
        let issued = provider.exchange(code, &pending, &self.settings.public_url.join(CALLBACK)).await;
        let issued = issued.map_err(|error| match error {
            ProviderError::Refused => refusal("the identity provider refused the code; start again at `/auth/sign-in`"),
            error => failed(error),
        })?;
        let id_token = issued.id_token.as_deref().ok_or_else(|| refusal("the identity provider sent no ID token"))?;
        let person = self.verify_issued(tokens, &pending, id_token, TokenKind::Id).await?;
        if !person.nonce.as_deref().is_some_and(|nonce| is_same(nonce, &pending.nonce)) {
            return Err(refusal("the ID token is from another sign-in"));
        }
        let kind = session_kind(tokens, &pending.issuer).ok_or_else(|| refusal(NOT_STARTED))?;
        let token = session_token(&issued, kind).ok_or_else(|| refusal("the identity provider sent no ID token"))?;
        let verified = match kind {
            TokenKind::Id => person,
            TokenKind::Access => self.verify_issued(tokens, &pending, token, kind).await?,
        };
        let session = self.session(&pending, token, issued.refresh_token.clone(), &verified, now_ms)?;
        let cookies = self.seal.keep(&session, now_ms, self.random.as_ref()).map_err(|_| internal())?;
        let cookies =
            cookies.ok_or_else(|| refusal("the tokens of the identity provider are too large for a session"))?;
        ResponseCookies::set(parts, cookies);
        redirect(&pending.return_to)
    }

    /// Verifies a token that the provider has issued for this sign-in.
    async fn verify_issued(
        &self,
        tokens: &TokenVerifier,
        pending: &PendingSignIn,
        token: &str,
        kind: TokenKind,
    ) -> Result<Arc<VerifiedToken>, SignInError> {
        let verified = tokens.verify_kind(token, kind).await.map_err(|error| not_accepted(kind, error))?;
        tokens.check_revocation(&verified).map_err(|error| not_accepted(kind, error))?;
        match tokens.name_of(&verified) == Some(pending.issuer.as_str()) {
            true => Ok(verified),
            false => Err(refusal("the response to the sign-in is from another identity provider")),
        }
    }

    fn session(
        &self,
        pending: &PendingSignIn,
        token: &str,
        refresh_token: Option<String>,
        verified: &VerifiedToken,
        now_ms: u64,
    ) -> Result<Session, SignInError> {
        let lifetime_ms = u64::try_from(self.settings.lifetime.as_millis()).unwrap_or(u64::MAX);
        let latest = now_ms.saturating_add(lifetime_ms);
        let subject = verified.caller.subject.as_deref().ok_or_else(|| refusal("the token names no subject"))?;
        Ok(Session {
            id: random_text(self.random.as_ref()).map_err(|_| internal())?,
            issuer: pending.issuer.clone(),
            subject: subject.to_owned(),
            token: token.to_owned(),
            token_id: verified.id.clone(),
            begun_at_ms: now_ms,
            obtained_at_ms: now_ms,
            expires_at_ms: verified.expires_at_ms,
            // Without a refresh token, the session is over with the token.
            ends_at_ms: if refresh_token.is_some() { latest } else { latest.min(verified.expires_at_ms) },
            refresh_token,
        })
    }

    async fn describe(&self, tokens: &TokenVerifier, parts: &Parts) -> Result<SignInOutcome, SignInError> {
        let issuers: Vec<&str> = tokens.sign_in_issuers().collect();
        let nobody = json!({"signedIn": false, "issuers": issuers});
        if !self.has_session(&parts.headers) {
            return Ok(SignInOutcome::Document(nobody));
        }
        check_origin(parts, &self.settings.public_url).map_err(refusal)?;
        match self.active(tokens, parts).await {
            Ok(active) => Ok(SignInOutcome::Document(description(&active))),
            Err(error) if error.temporary => Err(SignInError::Unavailable(error.reason)),
            Err(_) => Ok(SignInOutcome::Document(nobody)),
        }
    }

    /// Renews the session before that is due, for example after the roles of a person have changed.
    async fn renew_now(&self, tokens: &TokenVerifier, parts: &Parts) -> Result<SignInOutcome, SignInError> {
        check_origin(parts, &self.settings.public_url).map_err(refusal)?;
        let now_ms = self.clock.now_ms();
        let session = self.open(tokens, &parts.headers, now_ms);
        let renewed = match session {
            Ok(session) => self.renew(tokens, &session, parts, now_ms).await,
            Err(error) => Err(RenewalError::Ended(error)),
        };
        match renewed {
            Ok(active) => Ok(SignInOutcome::Document(description(&active))),
            Err(RenewalError::Failed) => Err(unreachable_provider()),
            Err(RenewalError::Ended(error)) if error.temporary => Err(SignInError::Unavailable(error.reason)),
            Err(RenewalError::Ended(error)) => {
                ResponseCookies::set(parts, self.seal.forget_session());
                Err(refusal(&error.reason))
            }
        }
    }

    /// Signs out: here, and as far as the provider offers it, there.
    async fn end(&self, tokens: &TokenVerifier, parts: &Parts) -> Result<SignInOutcome, SignInError> {
        check_origin(parts, &self.settings.public_url).map_err(refusal)?;
        let now_ms = self.clock.now_ms();
        let mut url = None;
        if let Some(session) = self.seal.session(&parts.headers, now_ms) {
            self.ended.add(session.id.clone(), session.ends_at_ms, now_ms);
            if let Some(provider) = provider(tokens, &session.issuer).await {
                if let Some(refresh_token) = &session.refresh_token
                    && let Err(error) = provider.revoke(refresh_token).await
                {
                    tracing::warn!(cause = %error, "the identity provider cannot revoke a refresh token");
                }
                let is_id = session_kind(tokens, &session.issuer) == Some(TokenKind::Id);
                let hint = is_id.then_some(session.token.as_str());
                url = provider.end_session_url(hint, &self.settings.public_url.join("/"));
            }
        }
        ResponseCookies::set(parts, self.seal.forget_session());
        Ok(SignInOutcome::Document(json!({"signedIn": false, "signOutUrl": url})))
    }
}

/// The issuer with which to sign in: the one that is named, or the only one.
fn chosen_issuer<'t>(tokens: &'t TokenVerifier, named: Option<&str>) -> Result<&'t str, SignInError> {
    let issuers: Vec<&str> = tokens.sign_in_issuers().collect();
    let found = match (named, issuers.as_slice()) {
        (Some(named), issuers) => issuers.iter().find(|own| **own == named).copied(),
        (None, [only]) => Some(*only),
        (None, _) => None,
    };
    found.ok_or_else(|| {
        let issuers: Vec<String> = issuers.iter().map(|own| format!("`{own}`")).collect();
        SignInError::Parameter("issuer", format!("`issuer` has to be one of {}", issuers.join(", ")))
    })
}

fn description(active: &ActiveSession) -> Value {
    let session = &active.session;
    json!({
        "signedIn": true, "issuer": session.issuer, "subject": session.subject,
        "expiresAt": timestamp(session.expires_at_ms).ok(), "endsAt": timestamp(session.ends_at_ms).ok(),
        "renewable": session.refresh_token.is_some(),
    })
}

fn once<'q>(query: Query<'q>, name: &'static str) -> Result<Option<&'q str>, SignInError> {
    let mut found = query.iter().filter(|(own, _)| own == name).map(|(_, value)| value.as_str());
    match (found.next(), found.next()) {
        (value, None) => Ok(value),
        _ => Err(SignInError::Parameter(name, format!("`{name}` appears twice"))),
    }
}

fn is_same(one: &str, other: &str) -> bool {
    bool::from(one.as_bytes().ct_eq(other.as_bytes()))
}

fn redirect(url: &str) -> Result<SignInOutcome, SignInError> {
    HeaderValue::from_str(url).map(SignInOutcome::Redirect).map_err(|_| internal())
}

fn refusal(reason: &str) -> SignInError {
    SignInError::Refused(reason.to_owned())
}

fn not_accepted(kind: TokenKind, error: Unauthenticated) -> SignInError {
    if error.temporary {
        return SignInError::Unavailable(error.reason);
    }
    let (token, hint) = match kind {
        TokenKind::Access => ("access", "; see `sign-in-token` in docs/authentication.md"),
        TokenKind::Id => ("ID", ""),
    };
    let reason = error.reason;
    tracing::warn!(%reason, "the {token} token of a sign-in is not accepted{hint}");
    SignInError::Refused(format!("the {token} token of the identity provider is not accepted: {reason}"))
}

/// The cause is for the log.
fn failed(error: ProviderError) -> SignInError {
    tracing::warn!(cause = %error, "the identity provider cannot sign people in");
    unreachable_provider()
}

fn unreachable_provider() -> SignInError {
    SignInError::Unavailable(super::unreachable_provider().reason)
}

fn internal() -> SignInError {
    SignInError::Unavailable("no session can be made at the moment; try again later".to_owned())
}
