//! Requests to a provider: where browsers sign in, tokens for a code or a refresh token, and the end of both.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Uri;
use http::header::HeaderValue;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::session::PendingSignIn;
use crate::identity::fetch::Fetcher;
use crate::identity::provider_metadata::ProviderMetadata;
use crate::identity::sign_in_settings::SignInSettings;

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const S256: &str = "S256";

/// A provider with which this server is registered.
#[derive(Clone)]
pub(super) struct Provider {
    pub metadata: Arc<ProviderMetadata>,
    pub client: Arc<SignInSettings>,
    pub fetcher: Arc<Fetcher>,
}

/// The tokens that a provider issues.
#[derive(Deserialize)]
pub(super) struct IssuedTokens {
    pub access_token: String,
    pub id_token: Option<String>,
    pub refresh_token: Option<String>,
}

#[derive(Deserialize)]
struct ErrorDocument {
    error: String,
}

/// Why a provider issues no tokens.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ProviderError {
    /// The code or the refresh token is not, or no longer, valid.
    #[error("the identity provider refused it")]
    Refused,
    /// The cause is for the log.
    #[error("{0}")]
    Failed(String),
}

impl Provider {
    /// Where the browser signs in.
    pub(super) fn authorization_url(&self, pending: &PendingSignIn, redirect: &str) -> Result<String, ProviderError> {
        let endpoint = self.metadata.authorization.as_ref();
        let endpoint = endpoint.ok_or_else(|| lacks("authorization_endpoint"))?;
        if self.metadata.challenge_methods.as_ref().is_some_and(|methods| !methods.iter().any(|own| own == S256)) {
            return Err(ProviderError::Failed(format!("it does not support PKCE with {S256}")));
        }
        let mut scopes = vec!["openid"];
        scopes.extend(self.client.scopes.iter().map(String::as_str).filter(|scope| *scope != "openid"));
        let (scopes, challenge) = (scopes.join(" "), pending.challenge());
        let mut parameters = vec![
            ("response_type", "code"),
            ("client_id", &self.client.client_id),
            ("redirect_uri", redirect),
            ("scope", &scopes),
            ("state", &pending.state),
            ("nonce", &pending.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", S256),
        ];
        parameters.extend(self.client.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        Ok(with_query(endpoint, &parameters))
    }

    /// Exchanges the code that the browser has brought.
    pub(super) async fn exchange(
        &self,
        code: &str,
        pending: &PendingSignIn,
        redirect: &str,
    ) -> Result<IssuedTokens, ProviderError> {
        let verifier = pending.verifier.as_str();
        let parameters = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ];
        self.request_tokens(&parameters).await
    }

    pub(super) async fn refresh(&self, refresh_token: &str) -> Result<IssuedTokens, ProviderError> {
        self.request_tokens(&[("grant_type", "refresh_token"), ("refresh_token", refresh_token)]).await
    }

    async fn request_tokens(&self, parameters: &[(&str, &str)]) -> Result<IssuedTokens, ProviderError> {
        let endpoint = self.metadata.token.as_ref().ok_or_else(|| lacks("token_endpoint"))?;
        let (status, body) = self.post(endpoint, parameters).await?;
        if status.is_success() {
            // The cause would show the tokens.
            return serde_json::from_slice(&body)
                .map_err(|_| ProviderError::Failed("its token response is not valid".to_owned()));
        }
        let code = serde_json::from_slice(&body).map(|document: ErrorDocument| document.error).unwrap_or_default();
        match code.as_str() {
            "invalid_grant" => Err(ProviderError::Refused),
            code => Err(ProviderError::Failed(format!("its token endpoint responds with {status} `{code}`"))),
        }
    }

    /// Ends a refresh token at the provider, where it can be.
    pub(super) async fn revoke(&self, refresh_token: &str) -> Result<(), ProviderError> {
        let Some(endpoint) = &self.metadata.revocation else { return Ok(()) };
        let parameters = [("token", refresh_token), ("token_type_hint", "refresh_token")];
        let (status, _) = self.post(endpoint, &parameters).await?;
        match status.is_success() {
            true => Ok(()),
            false => Err(ProviderError::Failed(format!("its revocation endpoint responds with {status}"))),
        }
    }

    /// A request as this client.
    async fn post(
        &self,
        endpoint: &Uri,
        parameters: &[(&str, &str)],
    ) -> Result<(http::StatusCode, bytes::Bytes), ProviderError> {
        let (id, mut parameters) = (self.client.client_id.as_str(), parameters.to_vec());
        let mut authorization = None;
        match &self.client.client_secret {
            Some(secret) if self.takes_secrets_in_bodies() => {
                parameters.extend([("client_id", id), ("client_secret", secret.as_str())]);
            }
            Some(secret) => {
                // Both are encoded before they are joined (RFC 6749, 2.3.1).
                let pair = STANDARD.encode(format!("{}:{}", percent_encode(id), percent_encode(secret)));
                let mut value = HeaderValue::from_str(&format!("Basic {pair}"))
                    .map_err(|_| ProviderError::Failed("the client secret cannot be sent".to_owned()))?;
                value.set_sensitive(true);
                authorization = Some(value);
            }
            None => parameters.push(("client_id", id)),
        }
        let posted = self.fetcher.post(endpoint, authorization, form(&parameters)).await;
        posted.map_err(|error| ProviderError::Failed(error.to_string()))
    }

    /// Whether the provider takes the secret only among the parameters.
    fn takes_secrets_in_bodies(&self) -> bool {
        let names = |method: &str| {
            self.metadata.client_authentication.as_ref().is_some_and(|methods| methods.iter().any(|own| own == method))
        };
        names("client_secret_post") && !names("client_secret_basic")
    }

    /// Where the browser ends its session at the provider; `None` if it cannot.
    pub(super) fn end_session_url(&self, id_token: Option<&str>, redirect: &str) -> Option<String> {
        let endpoint = self.metadata.end_session.as_ref()?;
        let mut parameters =
            vec![("client_id", self.client.client_id.as_str()), ("post_logout_redirect_uri", redirect)];
        parameters.extend(id_token.map(|token| ("id_token_hint", token)));
        Some(with_query(endpoint, &parameters))
    }
}

fn lacks(member: &str) -> ProviderError {
    ProviderError::Failed(format!("its configuration has no `{member}`"))
}

fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

fn form(parameters: &[(&str, &str)]) -> String {
    let pairs = parameters.iter().map(|(name, value)| format!("{}={}", percent_encode(name), percent_encode(value)));
    pairs.collect::<Vec<String>>().join("&")
}

fn with_query(endpoint: &Uri, parameters: &[(&str, &str)]) -> String {
    let separator = if endpoint.query().is_some() { '&' } else { '?' };
    format!("{endpoint}{separator}{}", form(parameters))
}
