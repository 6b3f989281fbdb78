//! Checks a token: its form, its key, its signature, its claims, in that order.

use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};

use super::claims::{Claims, Refusal};
use super::key_set::{Found, KeySet};

/// Headers of servers and proxies end about there, too.
const LONGEST_TOKEN: usize = 8192;

/// The header of a token whose form is right; nothing of it is trusted yet.
pub(super) struct Presented<'t> {
    token: &'t str,
    header: Header,
}

impl<'t> Presented<'t> {
    pub fn read(token: &'t str, allowed: &[Algorithm]) -> Result<Self, Refusal> {
        if token.len() > LONGEST_TOKEN {
            return Err(Refusal::Long(LONGEST_TOKEN));
        }
        let mut parts = token.split('.');
        let three = [parts.next(), parts.next(), parts.next()];
        if parts.next().is_some() || !three.iter().all(|part| part.is_some_and(|part| !part.is_empty())) {
            return Err(Refusal::Malformed);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| Refusal::Header)?;
        // RFC 9068 gives access tokens a type of their own; other types are other things, signed by the same keys.
        let accepted = ["JWT", "at+jwt", "application/at+jwt"];
        if header.typ.as_ref().is_some_and(|own| !accepted.iter().any(|name| name.eq_ignore_ascii_case(own))) {
            return Err(Refusal::Type);
        }
        if header.crit.is_some() {
            return Err(Refusal::Critical);
        }
        if !allowed.contains(&header.alg) {
            return Err(Refusal::Algorithm);
        }
        Ok(Self { token, header })
    }

    /// The claims, if a key of the set signed them; `None` where the set does not have the key that the token names.
    pub fn verify(&self, keys: &KeySet) -> Result<Option<Claims>, Refusal> {
        match keys.find(self.header.kid.as_deref(), self.header.alg) {
            Found::Key(key) => self.verify_with(key).map(Some),
            Found::Unfit => Err(Refusal::Algorithm),
            Found::Unknown => Ok(None),
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
