//! Verifies tokens, each with the issuer that it names, and caches verified ones until they expire.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use keyfold_runtime::Clock;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::claims::Refusal;
use super::issuer::{Designs, Issuer, TokenKind, VerificationContext, VerifiedToken};
use super::revocations::{RevocableToken, RevocationFile};
use super::settings::{SettingsError, TokenSettings};
use super::token::UnverifiedToken;
use crate::identity::principal::{Principal, Unauthenticated};

/// The maximum number of cached tokens.
const CAPACITY: usize = 10_000;

pub(super) struct TokenVerifier {
    issuers: Vec<Issuer>,
    /// The positions of issuers by their names.
    by_name: HashMap<String, usize>,
    designs: Designs,
    revocations: Option<RevocationFile>,
    clock: Arc<dyn Clock>,
    /// Keyed by the hash of the token, so that the cache contains no usable credentials.
    verified: Cache<(TokenKind, [u8; 32]), Arc<VerifiedToken>>,
}

impl TokenVerifier {
    pub(super) fn new(issuers: Vec<TokenSettings>, clock: Arc<dyn Clock>) -> Result<Self, SettingsError> {
        let mut by_name = HashMap::new();
        for (position, settings) in issuers.iter().enumerate() {
            if by_name.insert(settings.issuer.clone(), position).is_some() {
                return Err(SettingsError::SameIssuer(settings.issuer.clone()));
            }
        }
        let is_only_one = issuers.len() == 1;
        let issuers = issuers.into_iter().map(|settings| {
            let name = settings.issuer.clone();
            let issuer = Issuer::new(settings, Arc::clone(&clock));
            issuer.map_err(|error| if is_only_one { error } else { SettingsError::OfIssuer(name, Box::new(error)) })
        });
        let issuers = issuers.collect::<Result<_, _>>()?;
        let (designs, verified) = (Designs::default(), Cache::new(CAPACITY));
        Ok(Self { issuers, by_name, designs, revocations: None, clock, verified })
    }

    /// Distinguishes the designs that are served.
    pub(super) fn for_designs(mut self, served: &[String]) -> Result<Self, SettingsError> {
        for issuer in &self.issuers {
            if let Some(unknown) = issuer.designs().iter().find(|design| !served.contains(design)) {
                let (issuer, design) = (issuer.name().to_owned(), unknown.clone());
                return Err(SettingsError::UnservedDesign { issuer, design, served: served.join(", ") });
            }
        }
        self.designs.served = served.to_vec();
        Ok(self)
    }

    /// The issuers that are trusted with a design, if there are several and not all of them share their subjects.
    pub(super) fn ambiguous_issuers(&self, design: &str) -> Vec<String> {
        let trusted: Vec<&Issuer> = self.issuers.iter().filter(|issuer| issuer.is_trusted_with(design)).collect();
        if trusted.len() < 2 || trusted.iter().all(|issuer| issuer.shares_subjects()) {
            return Vec::new();
        }
        trusted.iter().map(|issuer| issuer.name().to_owned()).collect()
    }

    /// Keeps these claims for new users.
    pub(super) fn keeping_claims(mut self, claims: Vec<String>) -> Self {
        self.designs.kept_claims = claims;
        self
    }

    /// Rejects the tokens that a file revokes.
    pub(super) fn with_revocations(mut self, path: &Path) -> Result<Self, SettingsError> {
        let unreadable = |cause| SettingsError::Unreadable { path: path.display().to_string(), cause };
        let file =
            RevocationFile::open(path, Arc::clone(&self.clock)).map_err(|error| unreadable(error.to_string()))?;
        self.revocations = Some(file);
        Ok(self)
    }

    /// Why tokens are not accepted, or not those of some issuer, if so.
    pub(super) fn fault(&self) -> Option<String> {
        let revocations = self.revocations.as_ref().and_then(RevocationFile::fault);
        revocations.or_else(|| self.issuers.iter().find_map(Issuer::fault))
    }

    /// Reads the files of keys and revocations again.
    pub(super) fn reload(&self) {
        if let Some(revocations) = &self.revocations {
            revocations.reload();
        }
        self.issuers.iter().for_each(Issuer::reload);
    }

    /// The caller of a request with a token.
    pub(super) async fn verify(&self, token: &str) -> Result<Principal, Unauthenticated> {
        let verified = self.verify_kind(token, TokenKind::Access).await?;
        self.check_revocation(&verified)?;
        Ok(verified.principal())
    }

    /// Verifies a token of a kind. Whether it is revoked is another question.
    pub(super) async fn verify_kind(
        &self,
        token: &str,
        kind: TokenKind,
    ) -> Result<Arc<VerifiedToken>, Unauthenticated> {
        let digest: [u8; 32] = Sha256::digest(token).into();
        if let Some(known) = self.verified.get(&(kind, digest))
            && self.is_current(&known).await?
        {
            return Ok(known);
        }
        let verified = Arc::new(self.verify_uncached(token, kind).await?);
        self.verified.insert((kind, digest), Arc::clone(&verified));
        Ok(verified)
    }

    /// Rejects a revoked token, cached or not.
    pub(super) fn check_revocation(&self, verified: &VerifiedToken) -> Result<(), Unauthenticated> {
        match (&self.revocations, self.issuers.get(verified.issuer)) {
            (Some(revocations), Some(issuer)) => revocations.check(&issuer.revocable(verified)),
            _ => Ok(()),
        }
    }

    /// Rejects a session whose token was revoked, even if it has expired, or whose subject's tokens were revoked after
    /// the sign-in: it must not get another token.
    pub(super) fn check_session(&self, session: &RevocableToken<'_>) -> Result<(), Unauthenticated> {
        self.revocations.as_ref().map_or(Ok(()), |revocations| revocations.check(session))
    }

    pub(super) fn issuer(&self, name: &str) -> Option<&Issuer> {
        self.issuers.get(*self.by_name.get(name)?)
    }

    /// The issuer of a verified token.
    pub(super) fn name_of(&self, verified: &VerifiedToken) -> Option<&str> {
        self.issuers.get(verified.issuer).map(Issuer::name)
    }

    /// The issuers with which people sign in.
    pub(super) fn sign_in_issuers(&self) -> impl Iterator<Item = &str> {
        self.issuers.iter().filter(|issuer| issuer.client().is_some()).map(Issuer::name)
    }

    /// Whether a cached token is still valid, and its issuer has the same keys.
    async fn is_current(&self, known: &VerifiedToken) -> Result<bool, Unauthenticated> {
        let Some(issuer) = self.issuers.get(known.issuer) else { return Ok(false) };
        Ok(issuer.keys().await?.digest == known.keys && known.expires_at_ms > self.clock.now_ms())
    }

    async fn verify_uncached(&self, token: &str, kind: TokenKind) -> Result<VerifiedToken, Unauthenticated> {
        let unauthenticated = |refusal: Refusal| Unauthenticated { reason: refusal.to_string(), temporary: false };
        let unverified = UnverifiedToken::read(token).map_err(unauthenticated)?;
        // Whoever the token names has to have signed it: the keys of no other issuer are tried.
        let named = unverified.issuer().map_err(unauthenticated)?;
        let position = named.and_then(|name| self.by_name.get(&name).copied());
        let position = position.ok_or_else(|| unauthenticated(Refusal::Issuer))?;
        let issuer = self.issuers.get(position).ok_or_else(|| unauthenticated(Refusal::Issuer))?;
        let keys = issuer.keys().await?;
        let context = VerificationContext { designs: &self.designs, now_ms: self.clock.now_ms() };
        issuer.verify(position, &unverified, kind, keys, context).await.map_err(unauthenticated)
    }
}
