//! Settings of sign-in and sessions.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use http::Uri;

use super::secure_url::is_secure;

/// Parameters of the authorization request that the server sets itself.
const RESERVED: &[&str] = &[
    "response_type",
    "response_mode",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "request",
    "request_uri",
];
/// The minimum length of the secret of sessions.
const SECRET_BYTES: usize = 32;

/// The registration of this server at an issuer, through which people sign in with a browser.
#[derive(Clone)]
pub struct SignInSettings {
    pub client_id: String,
    /// `None` for a public client, which is protected by PKCE alone.
    pub client_secret: Option<String>,
    /// Requested in addition to `openid`.
    pub scopes: Vec<String>,
    /// Further parameters of the authorization request, such as `resource` or `audience`.
    pub parameters: Vec<(String, String)>,
    /// The token that says who is signed in, and their roles.
    pub token: SessionToken,
}

/// The token of the provider that a session stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SessionToken {
    /// The access token, which is verified like one in a request.
    #[default]
    Access,
    /// The ID token, where access tokens are not for this server.
    Id,
}

/// Secrets are never printed.
impl fmt::Debug for SignInSettings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the client {}", self.client_id)
    }
}

/// Sessions of people who signed in with a browser.
#[derive(Clone)]
pub struct SessionSettings {
    /// Where browsers reach this server.
    pub public_url: PublicUrl,
    /// Encrypts the cookies; the same in all processes that serve the same people.
    pub secret: Vec<u8>,
    /// After this time people have to sign in again.
    pub lifetime: Duration,
}

/// Why settings of sign-in are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInSettingsError {
    #[error("`{0}` is not the URL of this server; write it as https://api.example.com, without a path")]
    PublicUrl(String),
    #[error("`{0}` does not use https: cookies would be sent unencrypted")]
    InsecureUrl(String),
    #[error("the session secret has {0} bytes; it needs at least {SECRET_BYTES}, from a source of randomness")]
    ShortSecret(usize),
    #[error("`{0}` is set by the server and cannot be a parameter of the sign-in")]
    Reserved(String),
    #[error("the issuer `{0}` publishes no configuration at an https URL, which sign-in needs")]
    NoDiscovery(String),
    #[error("no issuer has a client for sign-in: set `sign-in-client-id`")]
    NoClient,
}

impl SignInSettings {
    pub(super) fn check(&self) -> Result<(), SignInSettingsError> {
        match self.parameters.iter().find(|(name, _)| RESERVED.contains(&name.as_str())) {
            Some((name, _)) => Err(SignInSettingsError::Reserved(name.clone())),
            None => Ok(()),
        }
    }
}

impl SessionSettings {
    pub(super) fn check(&self) -> Result<(), SignInSettingsError> {
        match self.secret.len() {
            length if length < SECRET_BYTES => Err(SignInSettingsError::ShortSecret(length)),
            _ => Ok(()),
        }
    }
}

/// Scheme, host and port under which browsers reach the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl FromStr for PublicUrl {
    type Err = SignInSettingsError;

    fn from_str(text: &str) -> Result<Self, SignInSettingsError> {
        let origin = text.strip_suffix('/').unwrap_or(text);
        let url: Uri = origin.parse().map_err(|_| SignInSettingsError::PublicUrl(text.to_owned()))?;
        let (Some(scheme), Some(authority)) = (url.scheme_str(), url.authority()) else {
            return Err(SignInSettingsError::PublicUrl(text.to_owned()));
        };
        // Browsers write an origin in one way only: another spelling would never match.
        let is_usual_port = matches!((scheme, url.port_u16()), ("https", Some(443)) | ("http", Some(80)));
        let written = format!("{scheme}://{authority}").to_ascii_lowercase();
        if origin != written || is_usual_port || origin.contains('@') {
            return Err(SignInSettingsError::PublicUrl(text.to_owned()));
        }
        match is_secure(&url) {
            true => Ok(Self(written)),
            false => Err(SignInSettingsError::InsecureUrl(text.to_owned())),
        }
    }
}

impl PublicUrl {
    /// As browsers state it in `Origin`.
    pub(super) fn origin(&self) -> &str {
        &self.0
    }

    pub(super) fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    pub(super) fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_url_is_an_origin_that_keeps_cookies_secret() {
        for (text, origin) in [
            ("https://api.example.com", "https://api.example.com"),
            ("https://api.example.com/", "https://api.example.com"),
            ("https://api.example.com:8443", "https://api.example.com:8443"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().unwrap().origin(), origin);
        }
        for wrong in
            ["", "api.example.com", "https://api.example.com/x", "https://API.example.com", "https://a@b.example"]
        {
            assert_eq!(wrong.parse::<PublicUrl>(), Err(SignInSettingsError::PublicUrl(wrong.to_owned())), "{wrong}");
        }
        let insecure = SignInSettingsError::InsecureUrl("http://api.example.com".to_owned());
        assert_eq!("http://api.example.com".parse::<PublicUrl>(), Err(insecure));
    }
}
