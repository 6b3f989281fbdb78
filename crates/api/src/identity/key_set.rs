//! The keys for verifying tokens. Each key is bound to its algorithms, so that it is never used with another.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

/// A set larger than any provider's; more is a mistake or an attack.
const MAX_KEYS: usize = 100;

pub(super) struct KeySet {
    keys: Vec<VerifyingKey>,
}

struct VerifyingKey {
    id: Option<String>,
    key: DecodingKey,
    algorithms: Vec<Algorithm>,
}

/// The outcome of a lookup for the key of a token.
pub(super) enum KeyLookup<'s> {
    Key(&'s DecodingKey),
    /// The set does not contain the key: the provider may have added a new one.
    Unknown,
    /// Keys match, but not exactly one of them may be used with the token's algorithm.
    Unusable,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum KeySetError {
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("it is not a valid JSON Web Key Set: {0}")]
    Syntax(#[from] serde_json::Error),
    #[error("it has {0} keys, more than {MAX_KEYS}")]
    TooMany(usize),
    #[error("none of its {0} keys can verify signatures of the allowed algorithms")]
    NoneUsable(usize),
}

#[derive(Deserialize)]
struct KeySetDocument {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a published set. Skips keys of unknown types, keys for encryption and symmetric keys.
    pub(super) fn read(text: &[u8], allowed: &[Algorithm]) -> Result<Self, KeySetError> {
        let document: KeySetDocument = serde_json::from_slice(text)?;
        let count = document.keys.len();
        if count > MAX_KEYS {
            return Err(KeySetError::TooMany(count));
        }
        let keys: Vec<VerifyingKey> =
            document.keys.into_iter().filter_map(|key| VerifyingKey::read(key, allowed)).collect();
        if keys.is_empty() {
            return Err(KeySetError::NoneUsable(count));
        }
        Ok(Self { keys })
    }

    /// A set with a single key, the secret shared with the issuer; the key id of a token is ignored.
    pub(super) fn secret(secret: &[u8], allowed: &[Algorithm]) -> Self {
        let key = DecodingKey::from_secret(secret);
        Self { keys: vec![VerifyingKey { id: None, key, algorithms: allowed.to_vec() }] }
    }

    pub(super) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> KeyLookup<'_> {
        // The key id is only compared, never used as a path or URL.
        let named = |key: &&VerifyingKey| id.is_none() || key.id.is_none() || key.id.as_deref() == id;
        let mut named = self.keys.iter().filter(named).peekable();
        if named.peek().is_none() {
            return KeyLookup::Unknown;
        }
        let mut fitting = named.filter(|key| key.algorithms.contains(&algorithm));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => KeyLookup::Key(&only.key),
            _ => KeyLookup::Unusable,
        }
    }
}

impl VerifyingKey {
    fn read(key: Value, allowed: &[Algorithm]) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(key).ok()?;
        if jwk.common.public_key_use.as_ref().is_some_and(|purpose| *purpose != PublicKeyUse::Signature) {
            return None;
        }
        let fitting = algorithms_of(&jwk.algorithm);
        let own = match jwk.common.key_algorithm {
            Some(own) => {
                let own = Algorithm::try_from(own).ok()?;
                fitting.contains(&own).then(|| vec![own])?
            }
            None => fitting.to_vec(),
        };
        let algorithms: Vec<Algorithm> = own.into_iter().filter(|algorithm| allowed.contains(algorithm)).collect();
        if algorithms.is_empty() {
            return None;
        }
        Some(Self { id: jwk.common.key_id.clone(), key: DecodingKey::from_jwk(&jwk).ok()?, algorithms })
    }
}

/// The algorithms of a key type; none for symmetric keys, since a published key is not secret.
fn algorithms_of(parameters: &AlgorithmParameters) -> &'static [Algorithm] {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    match parameters {
        AlgorithmParameters::RSA(_) => &[RS256, RS384, RS512, PS256, PS384, PS512],
        AlgorithmParameters::EllipticCurve(curve) => match curve.curve {
            EllipticCurve::P256 => &[ES256],
            EllipticCurve::P384 => &[ES384],
            _ => &[],
        },
        AlgorithmParameters::OctetKeyPair(curve) if curve.curve == EllipticCurve::Ed25519 => &[EdDSA],
        _ => &[],
    }
}
