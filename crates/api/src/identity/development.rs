//! Development mode: a secret generated at start, and tokens for sample users. Only on loopback addresses.

use std::net::IpAddr;

use jsonwebtoken::{EncodingKey, Header};
use keyfold_environment::{SystemRandom, random_bytes};
use serde_json::json;

use super::people::Person;
use super::settings::{ClaimSettings, KeySettings, SECRET_BYTES, SettingsError, Subjects, TokenSettings};

const ISSUER: &str = "keyfold-development";
const AUDIENCE: &str = "keyfold";
const LIFETIME_SECONDS: u64 = 12 * 60 * 60;

/// Signs its own tokens: anyone who can read the output of the server can act as any caller.
pub struct Development {
    secret: [u8; SECRET_BYTES],
}

impl Development {
    /// Fails if other machines could reach the server.
    pub fn start(listener: IpAddr) -> Result<Self, SettingsError> {
        if !listener.is_loopback() {
            return Err(SettingsError::NotLoopback(listener));
        }
        Ok(Self { secret: random_bytes(&SystemRandom)? })
    }

    /// The settings for verifying the tokens, which are verified like any others.
    pub fn settings(&self) -> TokenSettings {
        TokenSettings {
            keys: KeySettings::Secret(self.secret.to_vec()),
            issuer: ISSUER.to_owned(),
            audience: vec![AUDIENCE.to_owned()],
            algorithms: Vec::new(),
            clock_skew_seconds: 0,
            claims: ClaimSettings::default(),
            subjects: Subjects::Users,
            shares_subjects: false,
            designs: Vec::new(),
            sign_in: None,
        }
    }

    /// A token for a person in a design, valid for twelve hours.
    pub fn token(&self, person: &Person, design: &str, now_ms: u64) -> Result<String, SettingsError> {
        let now = now_ms / 1000;
        let mut claims = json!({
            "iss": ISSUER, "aud": AUDIENCE, "sub": person.subject, "iat": now, "exp": now + LIFETIME_SECONDS,
            "designs": [design],
        });
        if let Some(claims) = claims.as_object_mut() {
            if let Some(tenant) = &person.tenant {
                claims.insert("tenant".to_owned(), json!(tenant));
            }
            if !person.roles.is_empty() {
                claims.insert("roles".to_owned(), json!(person.roles));
            }
        }
        let key = EncodingKey::from_secret(&self.secret);
        Ok(jsonwebtoken::encode(&Header::default(), &claims, &key)?)
    }
}
