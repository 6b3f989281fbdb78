//! The keys of an issuer: at a URL, where its configuration says, in a file, or a secret. Keys at a URL stay in use for
//! a while if they cannot be fetched again; keys in a file that is gone do not.

use std::sync::Arc;

use http::Uri;
use jsonwebtoken::Algorithm;
use keyfold_environment::SecretFileError;
use keyfold_runtime::Clock;
use sha2::{Digest, Sha256};

use super::fetch::Fetcher;
use super::key_file::{Content, KeyFile, OnMistake};
use super::key_set::{KeySet, KeySetError};
use super::provider_metadata::ProviderMetadata;
use super::remote::Remote;
use super::settings::{KeySettings, SECRET_BYTES, SettingsError, TokenSecretError, TokenSettings};

const KEYS: Content =
    Content { name: "token keys", consequence: "none is accepted", on_mistake: OnMistake::KeepKeysBriefly };
const SECRET: Content =
    Content { name: "the token secret", consequence: "none is accepted", on_mistake: OnMistake::KeepKeysBriefly };

enum Source {
    Remote(Arc<Remote<Published>>),
    File(KeyFile<Keys, KeySetError>),
    Secret(Keys),
    SecretFile(KeyFile<Keys, TokenSecretError, SecretFileError>),
}

pub(super) struct KeySource {
    source: Source,
}

/// What a provider publishes.
#[derive(Clone)]
struct Published {
    keys: Keys,
    /// Of a provider whose configuration names its keys.
    metadata: Option<Arc<ProviderMetadata>>,
}

/// Keys with a digest: tokens verified with other keys have to be verified again.
#[derive(Clone)]
pub(super) struct Keys {
    pub set: Arc<KeySet>,
    pub digest: [u8; 32],
}

impl KeySource {
    pub(super) fn new(
        settings: &TokenSettings,
        allowed: Vec<Algorithm>,
        fetcher: impl FnOnce() -> Result<Arc<Fetcher>, SettingsError>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SettingsError> {
        let source = match &settings.keys {
            KeySettings::Url(url) => {
                let (url, fetcher) = (url.clone(), fetcher()?);
                let content = format!("the token keys of {url}");
                Source::Remote(Remote::new(content, clock, move || {
                    let (url, fetcher, allowed) = (url.clone(), Arc::clone(&fetcher), allowed.clone());
                    Box::pin(async move {
                        let keys = fetch_keys(&fetcher, &url, &allowed).await?;
                        Ok(Published { keys, metadata: None })
                    })
                }))
            }
            KeySettings::Discovery => {
                let (issuer, fetcher) = (settings.issuer.clone(), fetcher()?);
                let content = format!("the token keys of {issuer}");
                Source::Remote(Remote::new(content, clock, move || {
                    let (issuer, fetcher, allowed) = (issuer.clone(), Arc::clone(&fetcher), allowed.clone());
                    Box::pin(async move {
                        let metadata = ProviderMetadata::fetch(&fetcher, &issuer).await?;
                        let keys = fetch_keys(&fetcher, &metadata.keys, &allowed).await?;
                        Ok(Published { keys, metadata: Some(metadata) })
                    })
                }))
            }
            KeySettings::File(path) => {
                let unreadable = |cause| SettingsError::Unreadable { path: path.display().to_string(), cause };
                let parse = move |content: &[u8]| parse_keys(content, &allowed);
                let file = KeyFile::open(path, KEYS, parse, clock);
                Source::File(file.map_err(|error| unreadable(error.to_string()))?)
            }
            KeySettings::Secret(secret) => Source::Secret(secret_keys(secret, &allowed)),
            KeySettings::SecretFile(path) => {
                let parse = move |content: &[u8]| parse_secret(content, &allowed);
                Source::SecretFile(KeyFile::open_secret(path, SECRET, parse, clock)?)
            }
        };
        Ok(Self { source })
    }

    /// The current keys.
    pub(super) async fn current(&self) -> Option<Keys> {
        match &self.source {
            Source::Remote(remote) => remote.current().await.map(|published| published.keys),
            Source::Secret(_) | Source::File(_) | Source::SecretFile(_) => self.usable(),
        }
    }

    /// The configuration of the provider, where it names the keys.
    pub(super) async fn metadata(&self) -> Option<Arc<ProviderMetadata>> {
        match &self.source {
            Source::Remote(remote) => remote.current().await?.metadata,
            Source::Secret(_) | Source::File(_) | Source::SecretFile(_) => None,
        }
    }

    fn usable(&self) -> Option<Keys> {
        match &self.source {
            Source::Secret(keys) => Some(keys.clone()),
            Source::File(file) => file.current().usable(),
            Source::SecretFile(file) => file.current().usable(),
            Source::Remote(remote) => remote.usable().map(|published| published.keys),
        }
    }

    /// The keys after another fetch, for a token that names an unknown key.
    pub(super) async fn refresh_for_unknown_key(&self) -> Option<Keys> {
        if let Source::Remote(remote) = &self.source {
            remote.refresh().await;
        }
        self.usable()
    }

    /// Reads the file of the keys or of the secret again, if there is one.
    pub(super) fn reload(&self) {
        match &self.source {
            Source::File(file) => file.reload(),
            Source::SecretFile(file) => file.reload(),
            Source::Remote(_) | Source::Secret(_) => {}
        }
    }

    /// Why no token is accepted, if so.
    pub(super) fn fault(&self) -> Option<String> {
        match &self.source {
            Source::Secret(_) => None,
            Source::File(file) => file.fault().map(|fault| format!("the key file `{}` {fault}", file.path().display())),
            Source::SecretFile(file) => {
                file.fault().map(|fault| format!("the file of the token secret `{}` {fault}", file.path().display()))
            }
            Source::Remote(remote) => remote.fault(),
        }
    }
}

async fn fetch_keys(fetcher: &Fetcher, url: &Uri, allowed: &[Algorithm]) -> Result<Keys, String> {
    let text = fetcher.get(url).await.map_err(|error| format!("{url}: {error}"))?;
    parse_keys(&text, allowed).map_err(|error| format!("{url}: {error}"))
}

fn parse_keys(text: &[u8], allowed: &[Algorithm]) -> Result<Keys, KeySetError> {
    let set = KeySet::read(text, allowed)?;
    Ok(Keys { set: Arc::new(set), digest: Sha256::digest(text).into() })
}

/// The keys of a secret. Editors add a newline at the end of a file.
fn parse_secret(content: &[u8], allowed: &[Algorithm]) -> Result<Keys, TokenSecretError> {
    match content.trim_ascii_end() {
        secret if secret.len() < SECRET_BYTES => Err(TokenSecretError::Short(secret.len(), SECRET_BYTES)),
        secret => Ok(secret_keys(secret, allowed)),
    }
}

fn secret_keys(secret: &[u8], allowed: &[Algorithm]) -> Keys {
    Keys { set: Arc::new(KeySet::secret(secret, allowed)), digest: Sha256::digest(secret).into() }
}
