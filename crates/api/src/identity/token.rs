//! Checks a token: its form, its key, its signature, its claims, in that order.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use serde_json::Value;

use super::claims::{Claims, Refusal};
use super::key_set::{KeyLookup, KeySet};

/// About the header limit of common servers and proxies.
const MAX_TOKEN_BYTES: usize = 8192;

/// A well-formed token with its header, not verified yet.
pub(super) struct UnverifiedToken<'t> {
    token: &'t str,
    claims: &'t str,
    header: Header,
}

impl<'t> UnverifiedToken<'t> {
    pub(super) fn read(token: &'t str) -> Result<Self, Refusal> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(Refusal::Long(MAX_TOKEN_BYTES));
        }
        let mut parts = token.split('.');
        let mut next = || parts.next().filter(|part| !part.is_empty()).ok_or(Refusal::Malformed);
        let (_, claims, _) = (next()?, next()?, next()?);
        if parts.next().is_some() {
            return Err(Refusal::Malformed);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| Refusal::Header)?;
        // RFC 9068 defines a type for access tokens; the same keys may sign tokens of other types for other purposes.
        let accepted = ["JWT", "at+jwt", "application/at+jwt"];
        if header.typ.as_ref().is_some_and(|own| !accepted.iter().any(|name| name.eq_ignore_ascii_case(own))) {
            return Err(Refusal::Type);
        }
        if header.crit.is_some() {
            return Err(Refusal::Critical);
        }
        Ok(Self { token, claims, header })
    }

    /// The issuer that the token names, which it may not be from.
    pub(super) fn issuer(&self) -> Result<Option<String>, Refusal> {
        let claims = URL_SAFE_NO_PAD.decode(self.claims).map_err(|_| Refusal::Signature)?;
        let claims: Claims = serde_json::from_slice(&claims).map_err(|_| Refusal::Signature)?;
        Ok(claims.get("iss").and_then(Value::as_str).map(str::to_owned))
    }

    pub(super) fn require_algorithm(&self, allowed: &[Algorithm]) -> Result<(), Refusal> {
        if allowed.contains(&self.header.alg) { Ok(()) } else { Err(Refusal::Algorithm) }
    }

    /// The claims, if a key of the set signed them; `None` if the set does not contain the key that the token names.
    pub(super) fn verify(&self, keys: &KeySet) -> Result<Option<Claims>, Refusal> {
        match keys.find(self.header.kid.as_deref(), self.header.alg) {
            KeyLookup::Key(key) => self.verify_with(key).map(Some),
            KeyLookup::Unusable => Err(Refusal::Algorithm),
            KeyLookup::Unknown => Ok(None),
        }
    }

    fn verify_with(&self, key: &DecodingKey) -> Result<Claims, Refusal> {
        // Times, issuer and audience are checked with the clock and the settings of the server, not by the library.
        let mut validation = Validation::new(self.header.alg);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation.validate_aud = false;
        let data = jsonwebtoken::decode::<Claims>(self.token, key, &validation).map_err(|_| Refusal::Signature)?;
        Ok(data.claims)
    }
}
