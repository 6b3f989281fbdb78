//! Keeps the keys up to date: fetched again when they are old or when a token names one that is not known, read again
//! when their file changes. Where that fails, those there were stay.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use http::Uri;
use jsonwebtoken::Algorithm;
use keyfold_runtime::Clock;
use parking_lot::RwLock;
use sha2::{Digest, Sha256};

use super::fetch::Fetcher;
use super::file_stamp::FileStamp;
use super::key_set::KeySet;
use super::settings::{KeySettings, SettingsError};

/// No matter how many tokens name keys that are not known, the provider is asked this rarely.
const SHORTEST_INTERVAL_MS: u64 = 30_000;
/// As long as there are no keys at all, nobody can sign in.
const FIRST_INTERVAL_MS: u64 = 2_000;
/// A key that the provider has withdrawn counts no longer than this, as long as the provider answers.
const LONGEST_AGE_MS: u64 = 10 * 60_000;
const FILE_INTERVAL_MS: u64 = 1_000;

enum Source {
    Url(Uri, Box<Fetcher>),
    File(PathBuf),
    Secret,
}

pub(super) struct KeySource {
    source: Source,
    allowed: Vec<Algorithm>,
    clock: Arc<dyn Clock>,
    state: RwLock<State>,
    /// Held while keys are fetched: those who need them meanwhile wait for the one answer.
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    keys: Option<Keys>,
    tried_at_ms: Option<u64>,
    fetched_at_ms: Option<u64>,
    stamp: Option<FileStamp>,
}

/// Keys, and which they are: what was checked with others has to be checked again.
#[derive(Clone)]
pub(super) struct Keys {
    pub set: Arc<KeySet>,
    pub digest: [u8; 32],
}

impl KeySource {
    pub fn new(
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
                let (keys, stamp) = read_file(path, &allowed)
                    .map_err(|cause| SettingsError::Unreadable { path: path.display().to_string(), cause })?;
                state = State { keys: Some(keys), tried_at_ms: Some(clock.now_ms()), stamp: Some(stamp), ..state };
                Source::File(path.clone())
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

    /// The keys there are. Old ones are used while new ones are fetched; only the first fetch is waited for.
    pub async fn current(self: &Arc<Self>) -> Option<Keys> {
        match &self.source {
            Source::Secret => {}
            Source::File(path) => self.read_if_changed(path),
            Source::Url(..) if self.state.read().keys.is_none() => self.fetch_unless_just_tried().await,
            Source::Url(..) if self.is_due() => {
                let this = Arc::clone(self);
                tokio::spawn(async move { this.fetch_unless_just_tried().await });
            }
            Source::Url(..) => {}
        }
        self.state.read().keys.clone()
    }

    /// The keys after a token has named one that is not among them.
    pub async fn after_unknown(&self) -> Option<Keys> {
        if matches!(self.source, Source::Url(..)) {
            self.fetch_unless_just_tried().await;
        }
        self.state.read().keys.clone()
    }

    fn is_due(&self) -> bool {
        let state = self.state.read();
        let now = self.clock.now_ms();
        let is_old = state.fetched_at_ms.is_none_or(|then| now.saturating_sub(then) >= LONGEST_AGE_MS);
        is_old && !was_just_tried(&state, now)
    }

    async fn fetch_unless_just_tried(&self) {
        let Source::Url(url, fetcher) = &self.source else { return };
        if was_just_tried(&self.state.read(), self.clock.now_ms()) && self.fetching.try_lock().is_ok() {
            return;
        }
        let _one_at_a_time = self.fetching.lock().await;
        if was_just_tried(&self.state.read(), self.clock.now_ms()) {
            return;
        }
        self.state.write().tried_at_ms = Some(self.clock.now_ms());
        let outcome = match fetcher.get(url).await {
            Ok(text) => keys_of(&text, &self.allowed),
            Err(error) => Err(error.to_string()),
        };
        match outcome {
            Ok(keys) => {
                let mut state = self.state.write();
                state.fetched_at_ms = Some(self.clock.now_ms());
                state.keys = Some(keys);
            }
            Err(cause) => tracing::warn!(%url, cause, "the keys of tokens cannot be fetched; those there were stay"),
        }
    }

    fn read_if_changed(&self, path: &Path) {
        let now = self.clock.now_ms();
        let due = |state: &State| state.tried_at_ms.is_none_or(|then| now.saturating_sub(then) >= FILE_INTERVAL_MS);
        if !due(&self.state.read()) {
            return;
        }
        let mut state = self.state.write();
        if !due(&state) {
            return;
        }
        state.tried_at_ms = Some(now);
        if state.stamp.is_some() && FileStamp::of(path).ok() == state.stamp {
            return;
        }
        match read_file(path, &self.allowed) {
            Ok((keys, stamp)) => {
                state.keys = Some(keys);
                state.stamp = Some(stamp);
            }
            Err(cause) => {
                let path = path.display();
                tracing::warn!(%path, cause, "the keys of tokens cannot be read; those there were stay");
            }
        }
    }
}

fn was_just_tried(state: &State, now: u64) -> bool {
    let interval = if state.keys.is_some() { SHORTEST_INTERVAL_MS } else { FIRST_INTERVAL_MS };
    state.tried_at_ms.is_some_and(|then| now.saturating_sub(then) < interval)
}

fn read_file(path: &Path, allowed: &[Algorithm]) -> Result<(Keys, FileStamp), String> {
    // The stamp first: what is written in between is then read again.
    let stamp = FileStamp::of(path).map_err(|error| error.to_string())?;
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok((keys_of(&text, allowed)?, stamp))
}

fn keys_of(text: &[u8], allowed: &[Algorithm]) -> Result<Keys, String> {
    let set = KeySet::read(text, allowed).map_err(|error| error.to_string())?;
    Ok(Keys { set: Arc::new(set), digest: Sha256::digest(text).into() })
}
