//! An identity provider for tests: makes keys, publishes them, signs tokens, and forges them.

pub(crate) mod site;

use std::sync::Arc;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RSA_PSS_SHA256,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Request;
use http::request::Parts;
use keyfold_api::identity::{ClaimSettings, Identity, KeySettings, Subjects, TokenSettings};
use keyfold_api::{Authenticator, Principal, Unauthenticated};
use keyfold_environment::ManualClock;
use serde_json::{Value, json};

pub(crate) const NOW: u64 = 1_800_000_000;

/// A clock that stands at [`NOW`].
pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at_second(NOW))
}

pub(crate) enum Pair {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

/// A key pair with a name.
pub(crate) struct Signer {
    pub id: String,
    pub pair: Pair,
}

pub(crate) fn part(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Signer {
    pub(crate) fn rsa(id: &str) -> Self {
        Self { id: id.to_owned(), pair: Pair::Rsa(RsaKeyPair::generate(KeySize::Rsa2048).unwrap()) }
    }

    pub(crate) fn ec(id: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        Self { id: id.to_owned(), pair: Pair::Ec(pair) }
    }

    pub(crate) fn ed(id: &str) -> Self {
        Self { id: id.to_owned(), pair: Pair::Ed(Ed25519KeyPair::generate().unwrap()) }
    }

    /// What the provider publishes.
    pub(crate) fn jwk(&self) -> Value {
        match &self.pair {
            Pair::Rsa(pair) => {
                let public = pair.public_key();
                let n = part(public.modulus().big_endian_without_leading_zero());
                let e = part(public.exponent().big_endian_without_leading_zero());
                json!({"kty": "RSA", "kid": self.id, "use": "sig", "n": n, "e": e})
            }
            Pair::Ec(pair) => {
                let point = pair.public_key().as_ref();
                json!({"kty": "EC", "crv": "P-256", "kid": self.id, "x": part(&point[1..33]), "y": part(&point[33..])})
            }
            Pair::Ed(pair) => {
                json!({"kty": "OKP", "crv": "Ed25519", "kid": self.id, "x": part(pair.public_key().as_ref())})
            }
        }
    }

    /// The public key as a file would have it: what a forger knows.
    pub(crate) fn public_der(&self) -> Vec<u8> {
        match &self.pair {
            Pair::Rsa(pair) => pair.public_key().as_der().unwrap().as_ref().to_vec(),
            Pair::Ec(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Ed(pair) => pair.public_key().as_ref().to_vec(),
        }
    }

    fn algorithm(&self) -> &'static str {
        match &self.pair {
            Pair::Rsa(_) => "RS256",
            Pair::Ec(_) => "ES256",
            Pair::Ed(_) => "EdDSA",
        }
    }

    fn signature(&self, message: &[u8], algorithm: &str) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                match algorithm {
                    "PS256" => pair.sign(&RSA_PSS_SHA256, &random, message, &mut signature).unwrap(),
                    _ => pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap(),
                }
                signature
            }
            Pair::Ec(pair) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
            Pair::Ed(pair) => pair.sign(message).as_ref().to_vec(),
        }
    }

    /// A token with the header as it is said.
    pub(crate) fn sign_with(&self, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", part(header.to_string()), part(claims.to_string()));
        let algorithm = header["alg"].as_str().unwrap_or_default();
        let signature = self.signature(message.as_bytes(), algorithm);
        format!("{message}.{}", part(signature))
    }

    pub(crate) fn sign(&self, claims: &Value) -> String {
        self.sign_with(&json!({"alg": self.algorithm(), "typ": "JWT", "kid": self.id}), claims)
    }
}

/// A token signed with a secret.
pub(crate) fn sign_with_secret(secret: &[u8], header: &Value, claims: &Value) -> String {
    let message = format!("{}.{}", part(header.to_string()), part(claims.to_string()));
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    format!("{message}.{}", part(hmac::sign(&key, message.as_bytes())))
}

pub(crate) fn key_set(signers: &[&Signer]) -> String {
    json!({"keys": signers.iter().map(|signer| signer.jwk()).collect::<Vec<_>>()}).to_string()
}

/// Claims that count, for an hour.
pub(crate) fn claims() -> Value {
    json!({
        "iss": "https://id.example.com/", "aud": "keyfold", "sub": "ada", "tenant": "northwind", "roles": ["admin"],
        "iat": NOW, "nbf": NOW, "exp": NOW + 3600,
    })
}

/// The same with some changed; `null` takes one away.
pub(crate) fn claims_but(changes: Value) -> Value {
    let mut claims = claims();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(claims.as_object_mut().unwrap().remove(name)),
            value => claims[name] = value.clone(),
        }
    }
    claims
}

pub(crate) fn settings(keys: KeySettings) -> TokenSettings {
    TokenSettings {
        keys,
        issuer: "https://id.example.com/".to_owned(),
        audience: vec!["keyfold".to_owned(), "keyfold-console".to_owned()],
        algorithms: Vec::new(),
        clock_skew_seconds: 60,
        claims: ClaimSettings::default(),
        subjects: Subjects::default(),
        shares_subjects: false,
        designs: Vec::new(),
        sign_in: None,
    }
}

pub(crate) fn request(headers: &[(&str, &str)]) -> Parts {
    let mut request = Request::get("/v1/platform/licenses");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap().into_parts().0
}

pub(crate) async fn show(identity: &Identity, token: &str) -> Result<Principal, Unauthenticated> {
    identity.authenticate(&request(&[("authorization", &format!("Bearer {token}"))])).await
}

/// The reason for which a token is refused.
pub(crate) async fn reason(identity: &Identity, token: &str) -> String {
    match show(identity, token).await {
        Ok(principal) => panic!("accepted as {:?}", principal.caller),
        Err(refused) => refused.reason,
    }
}
