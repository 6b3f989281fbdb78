//! One issuer of tokens: its keys, and what its claims mean.

use std::sync::Arc;

use jsonwebtoken::Algorithm;
use keyfold_runtime::{Caller, Clock};

use super::claims::{
    Claims, Refusal, check, check_client, issued_at, read_grants, read_identity, text_claim, token_id,
};
use super::fetch::Fetcher;
use super::key_source::{KeySource, Keys};
use super::provider_metadata::ProviderMetadata;
use super::remote::Remote;
use super::revocations::RevocableToken;
use super::settings::{KeySettings, SettingsError, Subjects, TokenSettings};
use super::sign_in_settings::SignInSettings;
use super::token::UnverifiedToken;
use crate::identity::principal::{CredentialKind, Grants, Principal, Unauthenticated};

pub(super) struct Issuer {
    settings: TokenSettings,
    allowed: Vec<Algorithm>,
    keys: KeySource,
    client: Option<Client>,
}

/// The client as which people sign in.
pub(super) struct Client {
    pub settings: Arc<SignInSettings>,
    pub fetcher: Arc<Fetcher>,
    /// Of ID tokens, whose audience is the client.
    id_tokens: TokenSettings,
    /// Where keys are not found through it.
    metadata: Option<Arc<Remote<Arc<ProviderMetadata>>>>,
}

/// A kind of token that an issuer signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TokenKind {
    /// For this server.
    Access,
    /// About who has signed in.
    Id,
}

/// What the server knows about the designs of tokens.
#[derive(Debug, Clone, Default)]
pub(super) struct Designs {
    /// The names of the designs that are served; none if they are not distinguished.
    pub served: Vec<String>,
    /// The claims that designs take attributes of new users from.
    pub kept_claims: Vec<String>,
}

/// What tokens are verified against, besides the settings of their issuer.
#[derive(Clone, Copy)]
pub(super) struct VerificationContext<'d> {
    pub designs: &'d Designs,
    pub now_ms: u64,
}

/// A token with a valid signature, and what it grants.
pub(super) struct VerifiedToken {
    pub caller: Arc<Caller>,
    grants: Option<Arc<Grants>>,
    pub expires_at_ms: u64,
    /// The position of its issuer.
    pub issuer: usize,
    pub id: Option<String>,
    issued_at_ms: Option<u64>,
    /// Of the sign-in that it was issued for.
    pub nonce: Option<String>,
    /// The digest of the keys it was verified with: a revoked key invalidates its tokens.
    pub keys: [u8; 32],
}

impl Issuer {
    pub(super) fn new(settings: TokenSettings, clock: Arc<dyn Clock>) -> Result<Self, SettingsError> {
        settings.check_safety()?;
        let allowed = settings.allowed()?;
        let fetcher = || Fetcher::new().map(Arc::new).map_err(|error| SettingsError::NoClient(error.to_string()));
        let keys = KeySource::new(&settings, allowed.clone(), fetcher, Arc::clone(&clock))?;
        let client = match &settings.sign_in {
            Some(sign_in) => Some(Client::new(&settings, sign_in, fetcher()?, clock)),
            None => None,
        };
        Ok(Self { settings, allowed, keys, client })
    }

    /// The client as which people sign in; `None` if they do not.
    pub(super) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// The configuration of the provider; `None` while it cannot be fetched.
    pub(super) async fn metadata(&self) -> Option<Arc<ProviderMetadata>> {
        match self.client.as_ref().and_then(|client| client.metadata.as_ref()) {
            Some(metadata) => metadata.current().await,
            None => self.keys.metadata().await,
        }
    }

    /// The tolerated difference of clocks.
    pub(super) fn clock_skew_ms(&self) -> u64 {
        self.settings.clock_skew_seconds.saturating_mul(1000)
    }

    /// The `iss` of its tokens.
    pub(super) fn name(&self) -> &str {
        &self.settings.issuer
    }

    /// The designs to which it is limited; none if it is not.
    pub(super) fn designs(&self) -> &[String] {
        &self.settings.designs
    }

    pub(super) fn is_trusted_with(&self, design: &str) -> bool {
        self.settings.designs.is_empty() || self.settings.designs.iter().any(|own| own == design)
    }

    /// Whether a subject is the same person in the tokens of all issuers of which this is said.
    pub(super) fn shares_subjects(&self) -> bool {
        self.settings.shares_subjects
    }

    pub(super) async fn keys(&self) -> Result<Keys, Unauthenticated> {
        self.keys.current().await.ok_or_else(|| {
            let reason = "the keys for verifying tokens are not available yet; try again later".to_owned();
            Unauthenticated { reason, temporary: true }
        })
    }

    /// Reads the file of the keys again, if they are in one.
    pub(super) fn reload(&self) {
        self.keys.reload();
    }

    /// Why no token is accepted, if so.
    pub(super) fn fault(&self) -> Option<String> {
        self.keys.fault()
    }

    /// Verifies a token that names this issuer. The position is that of the issuer.
    pub(super) async fn verify(
        &self,
        position: usize,
        token: &UnverifiedToken<'_>,
        kind: TokenKind,
        mut keys: Keys,
        context: VerificationContext<'_>,
    ) -> Result<VerifiedToken, Refusal> {
        token.require_algorithm(&self.allowed)?;
        let mut claims = token.verify(&keys.set)?;
        if claims.is_none()
            && let Some(newer) = self.keys.refresh_for_unknown_key().await
        {
            claims = token.verify(&newer.set)?;
            keys = newer;
        }
        let claims = claims.ok_or(Refusal::UnknownKey)?;
        let settings = self.settings_of(kind, &claims)?;
        let VerificationContext { designs, now_ms } = context;
        // Where designs are not distinguished, the limits of the issuer still are.
        let served = if designs.served.is_empty() { &self.settings.designs } else { &designs.served };
        let expires_at_ms = check(&claims, settings, served, now_ms)?;
        let mut stated = read_grants(&claims, settings, served)?.limited_to(&settings.designs);
        if settings.subjects == Subjects::PeopleOfIssuer {
            stated.identity = Some(Arc::new(read_identity(&claims, settings, &designs.kept_claims)?));
        }
        Ok(VerifiedToken {
            caller: Arc::new(stated.caller()),
            grants: stated.grants(served),
            expires_at_ms,
            issuer: position,
            id: token_id(&claims)?,
            issued_at_ms: issued_at(&claims),
            nonce: text_claim(&claims, "nonce"),
            keys: keys.digest,
        })
    }

    /// The settings for a kind of token.
    fn settings_of(&self, kind: TokenKind, claims: &Claims) -> Result<&TokenSettings, Refusal> {
        match (kind, &self.client) {
            (TokenKind::Access, _) => Ok(&self.settings),
            (TokenKind::Id, Some(client)) => {
                check_client(claims, &client.settings.client_id)?;
                Ok(&client.id_tokens)
            }
            (TokenKind::Id, None) => Err(Refusal::Audience),
        }
    }

    /// What decides whether one of its tokens is revoked.
    pub(super) fn revocable<'t>(&'t self, token: &'t VerifiedToken) -> RevocableToken<'t> {
        RevocableToken {
            issuer: self.name(),
            id: token.id.as_deref(),
            subject: token.caller.subject.as_deref(),
            issued_at_ms: token.issued_at_ms,
            clock_skew_ms: self.clock_skew_ms(),
        }
    }
}

impl Client {
    fn new(settings: &TokenSettings, sign_in: &SignInSettings, fetcher: Arc<Fetcher>, clock: Arc<dyn Clock>) -> Self {
        let id_tokens = TokenSettings { audience: vec![sign_in.client_id.clone()], ..settings.clone() };
        let metadata = (!matches!(settings.keys, KeySettings::Discovery)).then(|| {
            let (issuer, fetcher) = (settings.issuer.clone(), Arc::clone(&fetcher));
            Remote::new(format!("the configuration of {issuer}"), clock, move || {
                let (issuer, fetcher) = (issuer.clone(), Arc::clone(&fetcher));
                Box::pin(async move { ProviderMetadata::fetch(&fetcher, &issuer).await })
            })
        });
        Self { settings: Arc::new(sign_in.clone()), fetcher, id_tokens, metadata }
    }
}

impl VerifiedToken {
    pub(super) fn principal(&self) -> Principal {
        Principal {
            caller: Arc::clone(&self.caller),
            expires_at_ms: Some(self.expires_at_ms),
            kind: CredentialKind::Token,
            key_hash: None,
            grants: self.grants.clone(),
        }
    }
}
