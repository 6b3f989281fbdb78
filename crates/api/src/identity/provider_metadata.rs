//! OpenID Connect Discovery: what a provider publishes about itself, below the URL that is its name.

use std::sync::Arc;

use http::Uri;
use serde::Deserialize;

use super::fetch::Fetcher;
use super::secure_url::is_secure;

const PATH: &str = "/.well-known/openid-configuration";

/// The parts of a provider's configuration that keys and sign-in need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProviderMetadata {
    pub keys: Uri,
    pub authorization: Option<Uri>,
    pub token: Option<Uri>,
    pub end_session: Option<Uri>,
    pub revocation: Option<Uri>,
    /// `None` if the provider does not say.
    pub challenge_methods: Option<Vec<String>>,
    /// `None` if the provider does not say.
    pub client_authentication: Option<Vec<String>>,
    /// Whether responses to sign-in requests state the issuer.
    pub states_issuer: bool,
}

#[derive(Deserialize)]
struct ProviderDocument {
    issuer: String,
    jwks_uri: String,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    end_session_endpoint: Option<String>,
    revocation_endpoint: Option<String>,
    code_challenge_methods_supported: Option<Vec<String>>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// Why a configuration is not accepted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MetadataError {
    #[error("it is not a valid provider configuration: {0}")]
    Syntax(String),
    #[error("it is the configuration of the issuer `{0}`; the name has to be the same, letter by letter")]
    OtherIssuer(String),
    #[error("its `{member}` is `{url}`, which is not an https URL")]
    Insecure { member: &'static str, url: String },
}

impl ProviderMetadata {
    /// Fetches the configuration of an issuer.
    pub(super) async fn fetch(fetcher: &Fetcher, issuer: &str) -> Result<Arc<Self>, String> {
        let url = configuration_url(issuer).ok_or_else(|| format!("`{issuer}` is not a URL"))?;
        let text = fetcher.get(&url).await.map_err(|error| format!("{url}: {error}"))?;
        Self::read(&text, issuer).map(Arc::new).map_err(|error| format!("{url}: {error}"))
    }

    fn read(text: &[u8], issuer: &str) -> Result<Self, MetadataError> {
        let document: ProviderDocument =
            serde_json::from_slice(text).map_err(|error| MetadataError::Syntax(error.to_string()))?;
        // Otherwise one provider could pass for another.
        if document.issuer != issuer {
            return Err(MetadataError::OtherIssuer(document.issuer));
        }
        // A provider elsewhere must not make this server call services of its own machine.
        let is_local = !issuer.starts_with("https://");
        let secure = |member, url: String| secure(member, url, is_local);
        let optional = |member, url: Option<String>| url.map(|url| secure(member, url)).transpose();
        Ok(Self {
            keys: secure("jwks_uri", document.jwks_uri)?,
            authorization: optional("authorization_endpoint", document.authorization_endpoint)?,
            token: optional("token_endpoint", document.token_endpoint)?,
            end_session: optional("end_session_endpoint", document.end_session_endpoint)?,
            revocation: optional("revocation_endpoint", document.revocation_endpoint)?,
            challenge_methods: document.code_challenge_methods_supported,
            client_authentication: document.token_endpoint_auth_methods_supported,
            states_issuer: document.authorization_response_iss_parameter_supported,
        })
    }
}

/// Where an issuer publishes its configuration; `None` if its name is not a URL that can be trusted.
pub(super) fn configuration_url(issuer: &str) -> Option<Uri> {
    if issuer.contains(['?', '#']) {
        return None;
    }
    let url: Uri = format!("{}{PATH}", issuer.strip_suffix('/').unwrap_or(issuer)).parse().ok()?;
    is_secure(&url).then_some(url)
}

fn secure(member: &'static str, url: String, is_local: bool) -> Result<Uri, MetadataError> {
    match url.parse::<Uri>() {
        Ok(parsed) if parsed.scheme_str() == Some("https") || is_local && is_secure(&parsed) => Ok(parsed),
        _ => Err(MetadataError::Insecure { member, url }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ISSUER: &str = "https://id.example.com/realms/a";

    #[test]
    fn the_configuration_is_below_the_name_of_the_issuer() {
        let url = |issuer: &str| configuration_url(issuer).map(|url| url.to_string());
        let expected = Some("https://id.example.com/.well-known/openid-configuration".to_owned());
        assert_eq!(url("https://id.example.com"), expected);
        assert_eq!(url("https://id.example.com/"), expected);
        assert_eq!(url(ISSUER).as_deref(), Some("https://id.example.com/realms/a/.well-known/openid-configuration"));
        assert!(url("http://127.0.0.1:4000").is_some() && url("http://localhost:4000/").is_some());
        for wrong in ["", "id.example.com", "http://id.example.com", "https://id.example.com?a=b", "ftp://127.0.0.1"] {
            assert_eq!(url(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_the_configuration_of_the_issuer_itself_counts() {
        let read = |document: serde_json::Value| ProviderMetadata::read(document.to_string().as_bytes(), ISSUER);
        let usual = json!({"issuer": ISSUER, "jwks_uri": "https://keys.example.com/a"});
        assert_eq!(read(usual.clone()).unwrap().keys, "https://keys.example.com/a");
        let with = |member: &str, value: &str| {
            let mut document = usual.clone();
            document[member] = json!(value);
            read(document).unwrap_err().to_string()
        };
        assert_eq!(
            with("issuer", "https://id.example.com/realms/a/"),
            "it is the configuration of the issuer `https://id.example.com/realms/a/`; the name has to be the same, letter by \
             letter"
        );
        for member in ["jwks_uri", "authorization_endpoint", "token_endpoint", "end_session_endpoint"] {
            let expected = format!("its `{member}` is `http://id.example.com/x`, which is not an https URL");
            assert_eq!(with(member, "http://id.example.com/x"), expected);
            let local = format!("its `{member}` is `http://127.0.0.1:8000/x`, which is not an https URL");
            assert_eq!(with(member, "http://127.0.0.1:8000/x"), local);
        }
        assert!(read(json!({"issuer": ISSUER})).unwrap_err().to_string().contains("missing field `jwks_uri`"));
    }
}
