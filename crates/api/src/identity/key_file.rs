//! The keys of a file that is read again when it changes.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::Arc;

use keyfold_environment::{FileChange, SecretFileError, WatchedFile};
use keyfold_runtime::Clock;
use parking_lot::RwLock;

type Parse<K, E> = Box<dyn Fn(&[u8]) -> Result<K, E> + Send + Sync>;

/// Of keys `K`. `E` is why they are invalid, and `R` why the file cannot be read.
pub(super) struct KeyFile<K, E, R = io::Error> {
    file: WatchedFile<R>,
    content: Content,
    parse: Parse<K, E>,
    keys: RwLock<FileKeys<K>>,
    /// Since when keys are in use that the file no longer has, because it has a mistake.
    outdated_since_ms: RwLock<Option<u64>>,
    clock: Arc<dyn Clock>,
}

/// How long keys stay in use when the file has a mistake, since it may be half written.
const OUTDATED_MS: u64 = 1000;

/// What a file holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content {
    /// For the log.
    pub name: &'static str,
    /// What follows while the file cannot be used, for the log.
    pub consequence: &'static str,
    pub on_mistake: OnMistake,
}

/// What becomes of the keys in use when the file has a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnMistake {
    /// They stay for a second, since the file may be half written; then none is accepted, since it may be meant to
    /// revoke them. Keys that were revoked by removing the file do not come back by a mistake in a new one.
    KeepKeysBriefly,
    /// None is accepted, since the file may be meant to revoke them.
    DisableKeys,
}

/// The keys of a file, or why there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileKeys<K> {
    Usable(K),
    Unreadable,
    Invalid,
}

impl<K> FileKeys<K> {
    pub(super) fn usable(self) -> Option<K> {
        match self {
            Self::Usable(keys) => Some(keys),
            Self::Unreadable | Self::Invalid => None,
        }
    }
}

impl<K: Clone, E: Display + From<io::Error>> KeyFile<K, E> {
    /// Fails if the file cannot be read or has a mistake.
    pub(super) fn open(
        path: &Path,
        content: Content,
        parse: impl Fn(&[u8]) -> Result<K, E> + Send + Sync + 'static,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, E> {
        let (file, text) = WatchedFile::open(path, Arc::clone(&clock))?;
        Self::new(file, content, parse, &text, clock)
    }
}

impl<K: Clone, E: Display + From<SecretFileError>> KeyFile<K, E, SecretFileError> {
    /// A file that counts as unreadable while other users can read it.
    pub(super) fn open_secret(
        path: &Path,
        content: Content,
        parse: impl Fn(&[u8]) -> Result<K, E> + Send + Sync + 'static,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, E> {
        let (file, secret) = WatchedFile::open_secret(path, Arc::clone(&clock))?;
        Self::new(file, content, parse, &secret, clock)
    }
}

impl<K: Clone, E: Display, R: Display> KeyFile<K, E, R> {
    fn new(
        file: WatchedFile<R>,
        content: Content,
        parse: impl Fn(&[u8]) -> Result<K, E> + Send + Sync + 'static,
        text: &[u8],
        clock: Arc<dyn Clock>,
    ) -> Result<Self, E> {
        let keys = RwLock::new(FileKeys::Usable(parse(text)?));
        Ok(Self { file, content, parse: Box::new(parse), keys, outdated_since_ms: RwLock::new(None), clock })
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn current(&self) -> FileKeys<K> {
        self.file.poll(|change| self.accept(change));
        self.drop_outdated();
        self.keys.read().clone()
    }

    /// Accepts no key any more that the file has not had for a while.
    fn drop_outdated(&self) {
        let is_due =
            |since: Option<u64>| since.is_some_and(|since| self.clock.now_ms().saturating_sub(since) >= OUTDATED_MS);
        if !is_due(*self.outdated_since_ms.read()) {
            return;
        }
        let mut since = self.outdated_since_ms.write();
        if is_due(*since) {
            *since = None;
            *self.keys.write() = FileKeys::Invalid;
            let Content { name, consequence, .. } = self.content;
            tracing::error!(path = %self.path().display(), "still invalid {name}; {consequence}");
        }
    }

    /// Reads the file now, whether or not it has changed.
    pub(super) fn reload(&self) {
        self.file.read_now(|change| {
            let is_readable = matches!(change, FileChange::Changed(_));
            self.accept(change);
            if is_readable && matches!(*self.keys.read(), FileKeys::Usable(_)) {
                tracing::info!(path = %self.path().display(), "the file of {} was read again", self.content.name);
            }
        });
    }

    /// What is wrong with the file, as the end of a sentence, if there are no keys.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match self.current() {
            FileKeys::Usable(_) => None,
            FileKeys::Unreadable => Some("cannot be read"),
            FileKeys::Invalid => Some("is invalid"),
        }
    }

    fn accept(&self, change: FileChange<R>) {
        let path = self.path().display();
        let Content { name, consequence, on_mistake } = self.content;
        let parsed = match change {
            FileChange::Changed(text) => (self.parse)(&text),
            FileChange::Unreadable(cause) => {
                tracing::error!(%path, %cause, "cannot read {name}; {consequence}");
                *self.outdated_since_ms.write() = None;
                *self.keys.write() = FileKeys::Unreadable;
                return;
            }
        };
        let mut outdated_since_ms = self.outdated_since_ms.write();
        let mut keys = self.keys.write();
        match parsed {
            Ok(new) => (*keys, *outdated_since_ms) = (FileKeys::Usable(new), None),
            Err(cause) if on_mistake == OnMistake::KeepKeysBriefly && matches!(*keys, FileKeys::Usable(_)) => {
                tracing::warn!(%path, %cause, "invalid {name}; keeping the previous ones for a second");
                outdated_since_ms.get_or_insert(self.clock.now_ms());
            }
            Err(cause) => {
                tracing::error!(%path, %cause, "invalid {name}; {consequence}");
                *keys = FileKeys::Invalid;
            }
        }
    }
}
