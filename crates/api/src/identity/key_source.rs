//! Keeps the keys up to date: fetches them again when they are old or when a token names an unknown key, and reads their
//! file again when it changes. Keys at a URL stay in use for a while if they cannot be fetched again; keys in a file that
//! is gone do not.

use std::path::Path;
use std::sync::Arc;

use http::Uri;
use jsonwebtoken::Algorithm;
use keyfold_environment::{FileChange, WatchedFile};
use keyfold_runtime::Clock;
use parking_lot::RwLock;
use sha2::{Digest, Sha256};

use super::fetch::Fetcher;
use super::key_set::KeySet;
use super::settings::{KeySettings, SettingsError};

/// The minimum interval between fetches, however many tokens name unknown keys.
const MIN_INTERVAL_MS: u64 = 30_000;
/// The interval while there are no keys at all and nobody can sign in.
const FIRST_INTERVAL_MS: u64 = 2_000;
/// The maximum age of fetched keys, and so the time a withdrawn key stays valid while the provider is reachable.
const MAX_AGE_MS: u64 = 10 * 60_000;
/// The age after which keys no longer count that could not be fetched again.
const OUTDATED_AFTER_MS: u64 = 24 * 60 * 60_000;

enum Source {
    Url(Uri, Box<Fetcher>),
    File(WatchedFile),
    Secret,
}

pub(super) struct KeySource {
    source: Source,
    allowed: Vec<Algorithm>,
    clock: Arc<dyn Clock>,
    state: RwLock<State>,
    /// Held during a fetch, so that concurrent requests share one fetch.
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    keys: Option<Keys>,
    tried_at_ms: Option<u64>,
    fetched_at_ms: Option<u64>,
}

/// Keys with a digest: tokens verified with other keys have to be verified again.
#[derive(Clone)]
pub(super) struct Keys {
    pub set: Arc<KeySet>,
    pub digest: [u8; 32],
}

impl KeySource {
    pub(super) fn new(
        settings: &KeySettings,
        allowed: Vec<Algorithm>,
        clock: Arc<dyn Clock>,
    ) -> Result<Arc<Self>, SettingsError> {
        let mut state = State::default();
        let source = match settings {
            KeySettings::Url(url) => {
                let fetcher = Fetcher::new().map_err(|error| SettingsError::NoClient(error.to_string()))?;
                Source::Url(url.clone(), Box::new(fetcher))
            }
            KeySettings::File(path) => {
                let unreadable = |cause| SettingsError::Unreadable { path: path.display().to_string(), cause };
                let opened = WatchedFile::open(path, Arc::clone(&clock));
                let (file, content) = opened.map_err(|error| unreadable(error.to_string()))?;
                state.keys = Some(parse_keys(&content, &allowed).map_err(unreadable)?);
                Source::File(file)
            }
            KeySettings::Secret(secret) => {
                let set = Arc::new(KeySet::secret(secret, &allowed));
                state.keys = Some(Keys { set, digest: [0; 32] });
                Source::Secret
            }
        };
        let fetching = tokio::sync::Mutex::new(());
        Ok(Arc::new(Self { source, allowed, clock, state: RwLock::new(state), fetching }))
    }

    /// The current keys. Old keys stay in use during a fetch; only the first fetch is awaited.
    pub(super) async fn current(self: &Arc<Self>) -> Option<Keys> {
        match &self.source {
            Source::Secret => {}
            Source::File(file) => file.poll(|change| self.accept(file.path(), change)),
            Source::Url(..) if self.usable().is_none() => self.fetch_unless_tried_recently().await,
            Source::Url(..) if self.is_due() => self.fetch_in_background(),
            Source::Url(..) => {}
        }
        self.usable()
    }

    fn fetch_in_background(self: &Arc<Self>) {
        let this = Arc::clone(self);
        tokio::spawn(async move { this.fetch_unless_tried_recently().await });
    }

    /// Keys that were fetched long ago may have been revoked since.
    fn usable(&self) -> Option<Keys> {
        let state = self.state.read();
        if is_outdated(&state, self.clock.monotonic_ms()) { None } else { state.keys.clone() }
    }

    /// The keys after another fetch, for a token that names an unknown key.
    pub(super) async fn refresh_for_unknown_key(&self) -> Option<Keys> {
        if matches!(self.source, Source::Url(..)) {
            self.fetch_unless_tried_recently().await;
        }
        self.usable()
    }

    fn is_due(&self) -> bool {
        let state = self.state.read();
        let now = self.clock.monotonic_ms();
        let is_old = state.fetched_at_ms.is_none_or(|then| now.saturating_sub(then) >= MAX_AGE_MS);
        is_old && !was_tried_recently(&state, now)
    }

    async fn fetch_unless_tried_recently(&self) {
        let Source::Url(url, fetcher) = &self.source else { return };
        if was_tried_recently(&self.state.read(), self.clock.monotonic_ms()) && self.fetching.try_lock().is_ok() {
            return;
        }
        let _fetch_guard = self.fetching.lock().await;
        if was_tried_recently(&self.state.read(), self.clock.monotonic_ms()) {
            return;
        }
        self.state.write().tried_at_ms = Some(self.clock.monotonic_ms());
        let outcome = match fetcher.get(url).await {
            Ok(text) => parse_keys(&text, &self.allowed),
            Err(error) => Err(error.to_string()),
        };
        match outcome {
            Ok(keys) => {
                let mut state = self.state.write();
                state.fetched_at_ms = Some(self.clock.monotonic_ms());
                state.keys = Some(keys);
            }
            Err(cause) => tracing::warn!(%url, cause, "cannot fetch token keys; keeping the previous ones"),
        }
    }

    fn accept(&self, path: &Path, change: FileChange) {
        let path = path.display();
        match change {
            FileChange::Changed(content) => match parse_keys(&content, &self.allowed) {
                Ok(keys) => self.state.write().keys = Some(keys),
                Err(cause) => tracing::warn!(%path, cause, "invalid token keys; keeping the previous ones"),
            },
            FileChange::Unreadable(cause) => {
                tracing::error!(%path, %cause, "cannot read token keys; no token is accepted");
                self.state.write().keys = None;
            }
        }
    }

    /// Why no token is accepted, if so.
    pub(super) fn fault(self: &Arc<Self>) -> Option<String> {
        match &self.source {
            Source::Secret => None,
            Source::File(file) => {
                file.poll(|change| self.accept(file.path(), change));
                let unreadable = || format!("the key file `{}` cannot be read", file.path().display());
                self.state.read().keys.is_none().then(unreadable)
            }
            Source::Url(url, _) => {
                // Where nobody sends a token for a day, the keys are not outdated because of a fault.
                if self.state.read().fetched_at_ms.is_some() && self.is_due() {
                    self.fetch_in_background();
                }
                let state = self.state.read();
                let has_failed =
                    is_outdated(&state, self.clock.monotonic_ms()) && state.tried_at_ms > state.fetched_at_ms;
                has_failed.then(|| format!("the token keys of {url} could not be fetched for a day"))
            }
        }
    }
}

/// Whether the keys were fetched, but too long ago.
fn is_outdated(state: &State, now: u64) -> bool {
    state.fetched_at_ms.is_some_and(|then| now.saturating_sub(then) >= OUTDATED_AFTER_MS)
}

fn was_tried_recently(state: &State, now: u64) -> bool {
    let interval = if state.keys.is_some() && !is_outdated(state, now) { MIN_INTERVAL_MS } else { FIRST_INTERVAL_MS };
    state.tried_at_ms.is_some_and(|then| now.saturating_sub(then) < interval)
}

fn parse_keys(text: &[u8], allowed: &[Algorithm]) -> Result<Keys, String> {
    let set = KeySet::read(text, allowed).map_err(|error| error.to_string())?;
    Ok(Keys { set: Arc::new(set), digest: Sha256::digest(text).into() })
}
